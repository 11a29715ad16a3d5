// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.node.Node;

/** A listener gives a message its receive as it comes, whole and once, and the order of messages stays. */
class ArrivalListenerTest extends MessengerFixture
{
    private static final int RANKS = 2;
    private static final int CONTEXT = 7;
    private static final int LONG = 50_000;

    private final List<Throwable> errors = new CopyOnWriteArrayList<>();
    private final List<String> asked = new ArrayList<>();
    private final List<ReceiveRequest> given = new ArrayList<>();
    private final Communicator[] communicators = new Communicator[RANKS];

    @BeforeEach
    void launch()
    {
        node = Node.launch(context(directory, Flow.DYNAMIC, RANKS, 64).errorHandler(errors::add));
        endpoints = new Endpoint[RANKS];
        messengers = new Messenger[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
        {
            open(rank, DEFAULTS);
            communicators[rank] = messengers[rank].duplicate(messengers[rank].world(), CONTEXT);
        }
    }

    private SendRequest send(final int from, final int tag, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[from].send(send, communicators[from], 1, tag, bytes(length, tag), 0, length);
        return send;
    }

    private ReceiveRequest give(final int source, final int tag, final int length)
    {
        asked.add(source + ":" + tag + ":" + length);
        final ReceiveRequest receive = new ReceiveRequest();
        given.add(receive);
        return receive.prepare(communicators[1], source, tag, room(length), 0, length);
    }

    private void listen(final ArrivalListener listener)
    {
        communicators[1].onArrival(listener);
    }

    private static void check(final ReceiveRequest receive, final int tag, final int length)
    {
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertEquals(tag, receive.tag());
        assertEquals(length, receive.length());
        check(receive.buffer, 0, length, tag);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "0, 8", "0, 2000", "0, 50000", "1, 0", "1, 8", "1, 2000", "1, 50000"})
    void shouldGiveAMessageItsReceive(final int from, final int length)
    {
        listen(this::give);
        for (int tag = 1; tag <= 3; tag++)
        {
            final SendRequest send = send(from, tag, length);
            final int count = tag;
            drive("a message", () -> given.size() == count && given.get(count - 1).isDone());
            await(send);
            check(given.get(tag - 1), tag, length);
        }
        assertEquals(List.of(from + ":1:" + length, from + ":2:" + length, from + ":3:" + length), asked);
        assertEquals(3, messengers[1].counters().get(Counter.MATCHED_AT_ARRIVAL));
        assertEquals(0, messengers[1].counters().get(Counter.MATCHED_LATER));
    }

    @Test
    void shouldAskForNoneThatAReceiveIsPostedFor()
    {
        listen(this::give);
        final ReceiveRequest posted = new ReceiveRequest();
        messengers[1].receive(posted, communicators[1], 0, 5, room(8), 0, 8);
        send(0, 5, 8);
        await(posted);
        check(posted, 5, 8);
        // another communicator has no listener
        messengers[0].send(new SendRequest(), messengers[0].world(), 1, 6, bytes(8, 6), 0, 8);
        final Envelope envelope = new Envelope();
        drive("a message of the world", () -> messengers[1].probe(messengers[1].world(), 0, 6, envelope));
        assertEquals(List.of(), asked);
    }

    @ParameterizedTest
    @CsvSource({"8, 8", "50000, 8", "8, 50000"})
    void shouldKeepTheOrderBehindOneThatIsLeft(final int first, final int second)
    {
        listen((source, tag, length) -> tag == 1 ? null : give(source, tag, length));
        send(0, 1, first);
        send(0, 2, second);
        final Envelope envelope = new Envelope();
        drive("both messages", () -> messengers[1].probe(communicators[1], 0, 2, envelope));
        assertEquals(List.of(), asked);
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[1].receive(receive, communicators[1], ANY, ANY, room(LONG), 0, LONG);
        await(receive);
        check(receive, 1, first);
        messengers[1].receive(receive, communicators[1], ANY, ANY, room(LONG), 0, LONG);
        await(receive);
        check(receive, 2, second);
        send(0, 3, 8);
        drive("the third one", () -> given.size() == 1 && given.get(0).isDone());
        check(given.get(0), 3, 8);
    }

    /** Lets all work until there are so many errors: those of messages of the own rank come out of a round. */
    private void awaitErrors(final int count)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> count + " errors: " + errors);
        while (errors.size() < count)
        {
            try
            {
                work();
            }
            catch (final IllegalStateException ex)
            {
                errors.add(ex);
            }
            watchdog.idle();
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1"})
    void shouldKeepAMessageWhoseListenerThrows(final int from)
    {
        listen((source, tag, length) ->
        {
            if (tag == 1)
            {
                throw new IllegalStateException("the listener throws");
            }
            // one of another communicator, and then one that was not prepared
            final ReceiveRequest wrong = new ReceiveRequest();
            return tag == 2 ? wrong.prepare(messengers[1].world(), source, tag, room(8), 0, 8) : wrong;
        });
        final ReceiveRequest receive = new ReceiveRequest();
        for (int tag = 1; tag <= 3; tag++)
        {
            final SendRequest send = send(from, tag, tag == 2 ? LONG : 8);
            awaitErrors(tag);
            assertTrue(errors.get(tag - 1) instanceof IllegalStateException, errors.toString());
            final UnsafeBuffer room = room(LONG);
            messengers[1].receive(receive, communicators[1], from, tag, room, 0, LONG);
            await(receive, send);
            assertEquals(RequestResult.SUCCESS, send.result());
            check(receive, tag, tag == 2 ? LONG : 8);
        }
        listen(this::give);
        send(from, 5, 8);
        drive("the next one", () -> given.size() == 1 && given.get(0).isDone());
        check(given.get(0), 5, 8);
        listen(null);
        send(0, 4, 8);
        final Envelope envelope = new Envelope();
        drive("a message without a listener", () -> messengers[1].probe(communicators[1], 0, 4, envelope));
        assertEquals(3, errors.size());
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "0, 2", "0, 3", "0, 4", "0, 5", "1, 1", "1, 2", "1, 3", "1, 4", "1, 5"})
    void shouldRefuseAListenerThatUsesItsMessenger(final int from, final int use)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        listen((source, tag, length) ->
        {
            switch (use)
            {
                case 1:
                    messengers[1].receive(receive, communicators[1], ANY, ANY, room(8), 0, 8);
                    break;
                case 2:
                    messengers[1].send(new SendRequest(), communicators[1], 1, 2, bytes(8, 2), 0, 8);
                    break;
                case 3:
                    messengers[1].free(communicators[1]);
                    break;
                case 4:
                    messengers[1].close();
                    break;
                default:
                    messengers[1].doWork();
            }
            return null;
        });
        send(from, 1, 8);
        awaitErrors(1);
        assertEquals("the listener of arrivals uses its messenger: rank=1; prepare a receive and return it, and do the rest " +
            "after doWork()", errors.get(0).getMessage());
        listen(null);
        assertFalse(receive.isActive());
        final SendRequest next = send(from, 3, 8);
        for (final int tag : new int[]{1, 3})
        {
            messengers[1].receive(receive, communicators[1], from, ANY, room(8), 0, 8);
            await(receive, next);
            check(receive, tag, 8);
        }
    }

    @Test
    void shouldEndTheReceiveOfASenderThatIsGone()
    {
        listen(this::give);
        send(0, 1, LONG);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "an announced message");
        while (given.isEmpty())
        {
            messengers[0].doWork();
            if (messengers[1].doWork() == 0)
            {
                watchdog.idle();
            }
        }
        assertFalse(given.get(0).isDone());
        messengers[0].close();
        endpoints[0].close();
        messengers[0] = null;
        drive("the end of the receive", () -> given.get(0).isDone());
        assertEquals(RequestResult.PEER_GONE, given.get(0).result());
    }

    /** Copies what is short, and has receives for the rest. */
    private final class Copies implements ArrivalListener
    {
        private final List<String> whole = new ArrayList<>();

        @Override
        public boolean onWhole(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            if (tag == 9)
            {
                throw new IllegalStateException("the listener throws");
            }
            final boolean isTaken = tag > 1;
            if (isTaken)
            {
                final UnsafeBuffer copy = room(length);
                copy.putBytes(0, buffer, offset, length);
                ArrivalListenerTest.check(copy, 0, length, tag);
                whole.add(source + ":" + tag + ":" + length);
            }
            return isTaken;
        }

        @Override
        public ReceiveRequest onArrival(final int source, final int tag, final int length)
        {
            return tag == 1 ? null : give(source, tag, length);
        }
    }

    @Test
    void shouldGiveShortMessagesAsAWhole()
    {
        final Copies copies = new Copies();
        listen(copies);
        send(0, 2, 0);
        send(0, 3, 8);
        send(0, 4, 100);
        drive("short messages", () -> copies.whole.size() == 3);
        assertEquals(List.of("0:2:0", "0:3:8", "0:4:100"), copies.whole);
        assertEquals(3, messengers[1].counters().get(Counter.MATCHED_AT_ARRIVAL));
        assertEquals(108, messengers[1].counters().get(Counter.RECEIVED_BYTES));
        // one that is still to get its bytes, one to be answered, and one to the own rank need receives
        send(0, 5, LONG);
        messengers[0].sendSynchronous(new SendRequest(), communicators[0], 1, 6, bytes(8, 6), 0, 8);
        drive("two receives", () -> given.size() == 2 && given.get(0).isDone() && given.get(1).isDone());
        send(1, 7, 8);
        drive("a message of the own rank", () -> given.size() == 3 && given.get(2).isDone());
        assertEquals(List.of("0:5:" + LONG, "0:6:8", "1:7:8"), asked);
        assertEquals(3, copies.whole.size());
    }

    @Test
    void shouldKeepShortMessagesBehindOneThatIsLeftAndThoseThatThrow()
    {
        final Copies copies = new Copies();
        listen(copies);
        send(0, 1, 8);
        send(0, 2, 8);
        final Envelope envelope = new Envelope();
        drive("both messages", () -> messengers[1].probe(communicators[1], 0, 2, envelope));
        final ReceiveRequest receive = new ReceiveRequest();
        for (int tag = 1; tag <= 2; tag++)
        {
            messengers[1].receive(receive, communicators[1], ANY, ANY, room(8), 0, 8);
            await(receive);
            check(receive, tag, 8);
        }
        send(0, 9, 8);
        drive("an error", () -> errors.size() == 1);
        messengers[1].receive(receive, communicators[1], ANY, ANY, room(8), 0, 8);
        await(receive);
        check(receive, 9, 8);
        assertEquals(List.of(), copies.whole);
        send(0, 3, 8);
        drive("one behind those", () -> copies.whole.equals(List.of("0:3:8")));
    }

    @Test
    void shouldSendWithoutARequestWhatCanGoAtOnce()
    {
        final Communicator from = communicators[0];
        // the other rank is not greeted
        assertEquals(RequestResult.NONE, messengers[0].trySend(from, 1, 3, bytes(8, 3), 0, 8));
        await(send(0, 2, 8));
        drive("room", () -> messengers[0].trySend(from, 1, 3, bytes(8, 3), 0, 8) == RequestResult.SUCCESS);
        drive("room", () -> messengers[0].trySend(from, 1, 4, bytes(48, 4), 0, 48) == RequestResult.SUCCESS);
        assertEquals(3, messengers[0].counters().get(Counter.SENT_EAGER));
        assertEquals(64, messengers[0].counters().get(Counter.SENT_BYTES));
        // too long for one slot, a tag that costs bytes, the own rank
        assertEquals(RequestResult.NONE, messengers[0].trySend(from, 1, 3, bytes(49, 3), 0, 49));
        assertEquals(RequestResult.NONE, messengers[0].trySend(from, 1, 1 << 20, bytes(8, 3), 0, 8));
        assertEquals(RequestResult.NONE, messengers[0].trySend(from, 0, 3, bytes(8, 3), 0, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].trySend(from, RANKS, 3, bytes(8, 3), 0, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].trySend(from, 1, -1, bytes(8, 3), 0, 8));
        assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].trySend(from, 1, 3, bytes(8, 3), 1, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[1].trySend(from, 0, 3, bytes(8, 3), 0, 8));
        final ReceiveRequest receive = new ReceiveRequest();
        for (int tag = 2; tag <= 4; tag++)
        {
            final int length = tag == 4 ? 48 : 8;
            messengers[1].receive(receive, communicators[1], ANY, ANY, room(48), 0, 48);
            await(receive);
            check(receive, tag, length);
        }
        sendUntilOneWaits(from);
        messengers[1].close();
        endpoints[1].close();
        messengers[1] = null;
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "the end of rank 1");
        RequestResult result = RequestResult.SUCCESS;
        while (result == RequestResult.SUCCESS)
        {
            messengers[0].doWork();
            result = messengers[0].trySend(from, 1, 3, bytes(8, 3), 0, 8);
            watchdog.check();
        }
        messengers[0].close();
        assertEquals(RequestResult.NONE, messengers[0].trySend(from, 1, 3, bytes(8, 3), 0, 8));
    }

    /** None goes past one that waits, also not when there is room again. */
    private void sendUntilOneWaits(final Communicator from)
    {
        SendRequest last = send(0, 5, 8);
        int count = 1;
        while (last.isDone())
        {
            last = send(0, 5, 8);
            count++;
        }
        assertEquals(RequestResult.NONE, messengers[0].trySend(from, 1, 6, bytes(8, 6), 0, 8));
        final ReceiveRequest receive = new ReceiveRequest();
        for (int i = 0; i < count; i++)
        {
            messengers[1].receive(receive, communicators[1], ANY, ANY, room(8), 0, 8);
            await(receive);
            check(receive, 5, 8);
        }
        await(last);
    }
}
