// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/** Exceptions in the work for a request: it ends with a code, and all others go on. */
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
