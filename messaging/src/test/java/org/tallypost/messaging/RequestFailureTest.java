// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.ForwardingEndpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.SendListener;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/** Exceptions in the work for a request: it ends with a code, and all others go on. */
@Tag("once")
class RequestFailureTest extends MessengerFixture
{
    private static final int TAG = 3;
    private static final int LENGTH = 1_000_000;

    private RegionMemory[] memories;
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();

    @Override
    void launch(final int ranks)
    {
        memories = new RegionMemory[ranks];
        launch(Flow.DYNAMIC, ranks, 64, (context) ->
        {
            final int rank = context.endpoint().rank();
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 24, 256, 64);
            context.regionMemory(memories[rank]);
        });
    }

    private Communicator world(final int rank)
    {
        return messengers[rank].world();
    }

    /** Lets all ranks work until requests are done, whatever is thrown meanwhile; returns how often something was. */
    private int awaitThrough(final Request... requests)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> java.util.Arrays.toString(requests));
        int thrown = 0;
        while (!Requests.allDone(requests))
        {
            int work = 0;
            for (final Messenger messenger : messengers)
            {
                try
                {
                    work += messenger.doWork();
                }
                catch (final IndexOutOfBoundsException ex)
                {
                    thrown++;
                }
                catch (final AssertionError ex)
                {
                    // what a listener of the endpoint threw, by way of the error handler
                    assertTrue(ex.getCause() instanceof IndexOutOfBoundsException, () -> "thrown: " + ex.getCause());
                    assertTrue(ex.getCause().getMessage().contains("found="), () -> "thrown: " + ex.getCause());
                    thrown++;
                }
            }
            if (work > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
        return thrown;
    }

    private void exchange(final int source, final int dest, final int length, final long salt)
    {
        final UnsafeBuffer room = room(length);
        messengers[dest].receive(receive, world(dest), source, TAG, room, 0, length);
        messengers[source].send(send, world(source), dest, TAG, bytes(length, salt), 0, length);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertEquals(RequestResult.SUCCESS, send.result());
        check(room, 0, length, salt);
    }

    /** The buffer of one receive goes away in the midst of the copy; receives from other ranks are copied at the same time. */
    @Test
    void shouldEndOneReceiveAndGoOnWithOtherRanks()
    {
        launch(4);
        final SendRequest[] sends = new SendRequest[4];
        final ReceiveRequest[] receives = new ReceiveRequest[4];
        final UnsafeBuffer[] rooms = {null, null, room(LENGTH), room(LENGTH)};
        final Region into = memories[1].register(LENGTH, Region.ALL);
        rooms[0] = into.buffer();
        for (final int rank : new int[]{3, 2, 0})
        {
            sends[rank] = new SendRequest();
            receives[rank] = new ReceiveRequest();
            messengers[1].receive(receives[rank], world(1), rank, TAG, rooms[rank], 0, LENGTH);
            final UnsafeBuffer from = memories[rank].register(LENGTH, Region.READ).buffer();
            fill(from, 0, LENGTH, rank);
            messengers[rank].send(sends[rank], world(rank), 1, TAG, from, 0, LENGTH);
        }
        drive("the midst of all copies", () -> receives[0].state() == RequestState.MOVING &&
            receives[2].state() == RequestState.MOVING && receives[3].state() == RequestState.MOVING);
        into.close();
        assertEquals(1, awaitThrough(sends[0], sends[2], sends[3], receives[0], receives[2], receives[3]));
        assertEquals(RequestResult.FAILED, receives[0].result());
        assertEquals(0, receives[0].length());
        assertEquals(RequestResult.CANCELLED, sends[0].result());
        for (final int rank : new int[]{2, 3})
        {
            assertEquals(RequestResult.SUCCESS, receives[rank].result());
            assertEquals(RequestResult.SUCCESS, sends[rank].result());
            check(rooms[rank], 0, LENGTH, rank);
        }
        exchange(0, 1, 100_000, 5);
        exchange(1, 2, 100_000, 6);
    }

    /** The buffer of an announced send becomes shorter before it is matched. */
    @Test
    void shouldEndBothSidesOfASendWithoutItsBytes()
    {
        launch(3);
        final UnsafeBuffer from = new UnsafeBuffer(new byte[LENGTH]);
        final SendRequest other = new SendRequest();
        final ReceiveRequest ofOther = new ReceiveRequest();
        messengers[0].send(send, world(0), 1, TAG, from, 0, LENGTH);
        messengers[0].send(other, world(0), 2, TAG, bytes(LENGTH, 1), 0, LENGTH);
        drive("announcements", () -> messengers[1].counters().unexpected() + messengers[2].counters().unexpected() == 2);
        from.wrap(new byte[10]);
        messengers[1].receive(receive, world(1), 0, TAG, room(LENGTH), 0, LENGTH);
        messengers[2].receive(ofOther, world(2), 0, TAG, room(LENGTH), 0, LENGTH);
        assertEquals(1, awaitThrough(send, receive, other, ofOther));
        assertEquals(RequestResult.FAILED, send.result());
        assertEquals(RequestResult.FAILED, receive.result());
        assertEquals(RequestResult.SUCCESS, other.result());
        assertEquals(RequestResult.SUCCESS, ofOther.result());
        exchange(0, 1, 100_000, 5);
        exchange(1, 0, 100_000, 6);
    }

    /** The buffer of a queued send becomes shorter: those behind it go. */
    @Test
    void shouldGoOnBehindAQueuedSendWithoutItsBytes()
    {
        launch(2);
        final SendRequest[] sends = new SendRequest[3_000];
        final UnsafeBuffer from = new UnsafeBuffer(new byte[1_000]);
        final int bad = sends.length - 2;
        for (int i = 0; i < sends.length; i++)
        {
            sends[i] = new SendRequest();
            messengers[0].send(sends[i], world(0), 1, TAG, i == bad ? from : bytes(1_000, i), 0, 1_000);
        }
        assertEquals(RequestState.QUEUED, sends[bad].state());
        from.wrap(new byte[10]);
        final ReceiveRequest[] receives = new ReceiveRequest[sends.length - 1];
        for (int i = 0; i < receives.length; i++)
        {
            receives[i] = new ReceiveRequest();
            messengers[1].receive(receives[i], world(1), 0, TAG, room(1_000), 0, 1_000);
        }
        assertEquals(1, awaitThrough(sends));
        awaitThrough(receives);
        assertEquals(RequestResult.FAILED, sends[bad].result());
        assertEquals(RequestResult.SUCCESS, sends[bad + 1].result());
        assertEquals(RequestResult.SUCCESS, receives[bad].result());
        exchange(0, 1, 100_000, 5);
    }

    /** The buffer of a receive becomes shorter before a short message comes: both sides end, and the message counts as taken. */
    @ParameterizedTest
    @CsvSource({"STANDARD,1", "SYNCHRONOUS,1", "STANDARD,0", "SYNCHRONOUS,0"})
    void shouldEndAPostedReceiveWithoutItsBuffer(final SendMode mode, final int source)
    {
        launch(2);
        exchange(1, 0, 100, 1);
        final int enoughForTheWindow = 2_000;
        for (int i = 0; i < enoughForTheWindow; i++)
        {
            final UnsafeBuffer to = room(100);
            messengers[0].receive(receive, world(0), source, TAG, to, 0, 100);
            to.wrap(new byte[i % 100]);
            send.prepare(mode, world(source), 0, TAG, bytes(100, 2), 0, 100);
            if (source == 0)
            {
                assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].start(send));
            }
            else
            {
                messengers[1].start(send);
            }
            assertEquals(source, awaitThrough(send, receive));
            checkFailed(mode, source);
        }
        exchange(1, 0, 100, 3);
        exchange(0, 1, 100, 4);
    }

    private void checkFailed(final SendMode mode, final int source)
    {
        assertEquals(RequestResult.FAILED, receive.result());
        assertEquals(0, receive.length());
        assertEquals(100, receive.messageLength());
        final boolean isGone = mode == SendMode.STANDARD && source == 1;
        assertEquals(isGone ? RequestResult.SUCCESS : RequestResult.CANCELLED, send.result());
        assertEquals(0, messengers[0].counters().unexpectedBytes());
        assertEquals(0, messengers[0].world().activeCount);
    }

    /** The same, of a message that was there first: as it is found, or held, also by a sender that is gone. */
    @ParameterizedTest
    @CsvSource({"STANDARD,1,false", "SYNCHRONOUS,1,false", "STANDARD,1,true", "SYNCHRONOUS,1,true", "SYNCHRONOUS,0,false",
        "SYNCHRONOUS,0,true"})
    void shouldEndAReceiveWithoutItsBufferOfAMessageThatWaits(final SendMode mode, final int source, final boolean isHeld)
    {
        launch(2);
        final MatchedMessage held = new MatchedMessage();
        final int enoughForTheWindow = 2_000;
        for (int i = 0; i < enoughForTheWindow; i++)
        {
            send.prepare(mode, world(source), 0, TAG, bytes(100, 2), 0, 100);
            messengers[source].start(send);
            drive("a message", () -> messengers[0].counters().unexpected() == 1);
            // a buffer that says it has room when it is asked first
            final UnsafeBuffer to = new ShrinkingBuffer();
            if (isHeld)
            {
                assertTrue(messengers[0].matchedProbe(world(0), source, TAG, held));
                assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].receive(receive, held, to, 0, 100));
            }
            else
            {
                assertThrows(IndexOutOfBoundsException.class,
                    () -> messengers[0].receive(receive, world(0), source, TAG, to, 0, 100));
            }
            assertEquals(0, awaitThrough(send, receive));
            checkFailed(mode, source);
        }
        exchange(1, 0, 100, 3);
        exchange(0, 1, 100, 4);
    }

    @Test
    void shouldEndAReceiveWithoutItsBufferOfAMessageOfAFormerSender()
    {
        launch(2);
        final MatchedMessage held = new MatchedMessage();
        messengers[1].send(send, world(1), 0, TAG, bytes(100, 2), 0, 100);
        drive("a message", () -> messengers[0].matchedProbe(world(0), 1, TAG, held));
        messengers[1].close();
        messengers[1] = Messenger.launch(new MessengerContext().endpoint(endpoints[1]).rankCount(2).regionMemory(memories[1]));
        messengers[1].send(send, world(1), 0, TAG + 1, bytes(100, 4), 0, 100);
        drive("a message of the next one", () -> messengers[0].probe(world(0), 1, TAG + 1, new Envelope()));
        messengers[0].receive(receive, world(0), 1, TAG + 1, room(100), 0, 100);
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].receive(receive, held, new ShrinkingBuffer(), 0, 100));
        assertEquals(RequestResult.FAILED, receive.result());
        assertEquals(0, messengers[0].counters().unexpectedBytes());
        assertEquals(0, messengers[0].world().activeCount);
        exchange(1, 0, 100, 3);
    }

    /** Room for 100 bytes when it is first asked, and for 50 later. */
    private static final class ShrinkingBuffer extends UnsafeBuffer
    {
        private int asked;

        ShrinkingBuffer()
        {
            super(new byte[100]);
        }

        @Override
        public int capacity()
        {
            return asked++ == 0 ? 100 : 50;
        }
    }

    /** A message to the own rank, without its bytes: as it is started, and as it is matched. */
    @Test
    void shouldEndAMessageToTheOwnRankWithoutItsBytes()
    {
        launch(2);
        final UnsafeBuffer from = new UnsafeBuffer(new byte[100]);
        send.prepare(SendMode.STANDARD, world(0), 0, TAG, from, 0, 100);
        from.wrap(new byte[10]);
        assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].start(send));
        assertEquals(RequestResult.FAILED, send.result());
        assertEquals(0, messengers[0].counters().unexpected());
        from.wrap(new byte[100]);
        send.prepare(SendMode.SYNCHRONOUS, world(0), 0, TAG, from, 0, 100);
        messengers[0].start(send);
        from.wrap(new byte[10]);
        assertThrows(IndexOutOfBoundsException.class,
            () -> messengers[0].receive(receive, world(0), 0, TAG, room(100), 0, 100));
        assertEquals(RequestResult.FAILED, send.result());
        assertEquals(RequestResult.FAILED, receive.result());
        assertEquals(0, messengers[0].world().activeCount);
        exchange(0, 0, 100, 3);
    }

    /** Ends the long message of its first handle as an endpoint does when the program's memory has thrown. */
    private static final class FailingEndpoint extends ForwardingEndpoint
    {
        private SendListener listener;
        private LongSend handle;
        private boolean isFailing;

        FailingEndpoint(final Endpoint endpoint)
        {
            super(endpoint);
        }

        @Override
        public LongSend newSend(final SendListener toTell)
        {
            final LongSend made = super.newSend(toTell);
            handle = handle == null ? made : handle;
            listener = listener == null ? toTell : listener;
            return made;
        }

        @Override
        public int poll(final MessageListener to, final int limit)
        {
            if (isFailing)
            {
                isFailing = false;
                handle.abort();
                listener.onSendEnd(handle, Endpoint.FAILED);
            }
            return super.poll(to, limit);
        }
    }

    /** The memory of a message throws in the midst of it: it ends at both sides, and the other ones go on. */
    @Test
    void shouldEndBothSidesOfAMessageOfMemoryThatThrows()
    {
        launch(2);
        messengers[0].close();
        final FailingEndpoint failing = new FailingEndpoint(endpoints[0]);
        messengers[0] = Messenger.launch(new MessengerContext().endpoint(failing).rankCount(2).regionMemory(memories[0]));
        final int length = 4_000_000;
        final UnsafeBuffer to = room(LENGTH);
        final SendRequest other = new SendRequest();
        final ReceiveRequest ofOther = new ReceiveRequest();
        messengers[0].send(send, world(0), 1, TAG, bytes(length, 1), 0, length);
        drive("an announcement", () -> messengers[1].counters().unexpected() == 1);
        messengers[1].receive(receive, world(1), 0, TAG, room(length), 0, length);
        messengers[1].receive(ofOther, world(1), 0, TAG + 1, to, 0, LENGTH);
        drive("a message that is on its way", () -> receive.received > 0);
        messengers[0].send(other, world(0), 1, TAG + 1, bytes(LENGTH, 2), 0, LENGTH);
        assertEquals(RequestState.MOVING, send.state());
        failing.isFailing = true;
        await(send, receive, other, ofOther);
        assertEquals(RequestResult.FAILED, send.result());
        assertEquals(RequestResult.FAILED, receive.result());
        assertEquals(RequestResult.SUCCESS, other.result());
        assertEquals(RequestResult.SUCCESS, ofOther.result());
        check(to, 0, LENGTH, 2);
        exchange(0, 1, 100_000, 5);
        exchange(1, 0, 100_000, 6);
        assertEquals(0, messengers[1].counters().refused());
    }

    /** A send that throws when it is started is over, and its communicator can be freed. */
    @Test
    void shouldEndASendThatThrowsWhenItIsStarted()
    {
        launch(2);
        final Communicator communicator = messengers[0].duplicate(world(0), 5);
        final UnsafeBuffer from = new UnsafeBuffer(new byte[100]);
        send.prepare(SendMode.STANDARD, communicator, 1, TAG, from, 0, 100);
        from.wrap(new byte[10]);
        assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].start(send));
        assertEquals(RequestResult.FAILED, send.result());
        messengers[0].free(communicator);
        assertTrue(send.isDone());
    }
}
