// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.mailbox.Watchdog;

/** A messenger that is closed while its endpoint goes on leaves no one waiting, and the next one begins anew. */
class ClosedMessengerTest extends MessengerFixture
{
    private static final int LONG = 300_000;
    private static final int ROUNDS = Integer.getInteger("tallypost.closings", 150);
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) ->
    {
    };

    private final List<SendRequest> sends = new ArrayList<>();
    private final List<ReceiveRequest> receives = new ArrayList<>();
    private final UnsafeBuffer message = bytes(LONG, 5);

    private void launchSmall()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.eagerWindow(4_096).announcements(16));
    }

    private void openAgain(final int rank)
    {
        messengers[rank] = Messenger.launch(new MessengerContext().endpoint(endpoints[rank]).rankCount(2).eagerWindow(4_096)
            .announcements(16));
    }

    private void closeMessenger(final int rank)
    {
        messengers[rank].close();
        messengers[rank] = null;
    }

    /** An endpoint without a messenger is polled by another part of the program. */
    @Override
    int work()
    {
        int work = super.work();
        for (int rank = 0; rank < messengers.length; rank++)
        {
            work += messengers[rank] == null ? endpoints[rank].poll(NOTHING, 10) : 0;
        }
        return work;
    }

    private SendRequest send(final int from, final SendMode mode, final int tag, final int length)
    {
        final SendRequest send = new SendRequest();
        sends.add(send);
        messengers[from].start(send.prepare(mode, messengers[from].world(), 1 - from, tag, message, 0, length));
        return send;
    }

    private ReceiveRequest receive(final int at, final int source, final int tag)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        receives.add(receive);
        messengers[at].receive(receive, messengers[at].world(), source, tag, room(LONG), 0, LONG);
        return receive;
    }

    private static boolean areDone(final List<? extends Request> requests)
    {
        return Requests.allDone(requests.toArray(new Request[0]));
    }

    private void exchange()
    {
        for (int from = 0; from < 2; from++)
        {
            for (final int length : new int[]{8, LONG})
            {
                final SendRequest send = send(from, SendMode.STANDARD, 99, length);
                final ReceiveRequest receive = receive(1 - from, ANY, 99);
                await(send, receive);
                assertEquals(RequestResult.SUCCESS, send.result());
                assertEquals(RequestResult.SUCCESS, receive.result());
                assertEquals(length, receive.length());
                check(receive.buffer, 0, length, 5);
            }
        }
    }

    /** One of each state between 0 and 1, in both directions. */
    private void begin()
    {
        for (int from = 0; from < 2; from++)
        {
            final SendRequest moving = send(from, SendMode.STANDARD, 1, LONG);
            final ReceiveRequest filling = receive(1 - from, from, 1);
            drive("bytes on their way", () -> moving.state() == RequestState.MOVING && filling.received > 0);
        }
        for (int from = 0; from < 2; from++)
        {
            final SendRequest announced = send(from, SendMode.STANDARD, 2, LONG);
            final SendRequest synchronous = send(from, SendMode.SYNCHRONOUS, 2, 8);
            final SendRequest cancelled = send(from, SendMode.SYNCHRONOUS, 3, 8);
            drive("announcements", () -> announced.state() == RequestState.ANNOUNCED &&
                synchronous.state() == RequestState.ANNOUNCED && cancelled.state() == RequestState.ANNOUNCED);
            messengers[from].cancel(cancelled);
            for (int i = 0; i < 100; i++)
            {
                send(from, SendMode.STANDARD, 4, 500);
            }
            assertEquals(RequestState.QUEUED, sends.get(sends.size() - 1).state());
            assertEquals(RequestState.POSTED, receive(from, 1 - from, 5).state());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "01", "10"})
    void shouldEndWhatIsUnderWay(final String order)
    {
        launchSmall();
        exchange();
        begin();
        final ReceiveRequest any = receive(0, ANY, 6);
        for (final char rank : order.toCharArray())
        {
            closeMessenger(rank - '0');
        }
        receives.remove(any);
        drive("ends", () -> areDone(sends) && areDone(receives));
        if (order.equals("1"))
        {
            assertTrue(any.isActive(), "another rank may send it");
            for (final Request request : sends)
            {
                assertTrue(request.communicator != messengers[0].world() || request.result() != RequestResult.CLOSED,
                    request::toString);
            }
            assertEquals(RequestResult.PEER_GONE, receive(0, 1, 7).result());
        }
        order.chars().forEach((rank) -> openAgain(rank - '0'));
        exchange();
        assertEquals(0, messengers[1].counters().unexpected());
        assertEquals(order.equals("1"), any.isActive());
    }

    @Test
    void shouldTellWhoGreetsItLater()
    {
        launchSmall();
        drive("membership", () -> work() == 0);
        final SendRequest announced = send(0, SendMode.STANDARD, 1, LONG);
        final SendRequest synchronous = send(0, SendMode.SYNCHRONOUS, 1, 8);
        closeMessenger(1);
        await(announced, synchronous);
        assertEquals(RequestResult.PEER_GONE, announced.result());
        assertEquals(RequestResult.PEER_GONE, synchronous.result());
        final SendRequest again = send(0, SendMode.SYNCHRONOUS, 1, 8);
        await(again);
        assertEquals(RequestResult.PEER_GONE, again.result());
        openAgain(1);
        exchange();
    }

    /** The other side has not let this one in when the goodbye is due, and the next messenger has the channels when it has. */
    @Test
    void shouldTellWhoeverHasNotLetItIn()
    {
        launchSmall();
        final SendRequest[] synchronous = {send(0, SendMode.SYNCHRONOUS, 1, 8)};
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> synchronous[0].toString());
        while (synchronous[0].state() != RequestState.ANNOUNCED)
        {
            messengers[0].cancel(synchronous[0]);
            messengers[1].doWork();
            synchronous[0] = send(0, SendMode.SYNCHRONOUS, 1, 8);
            watchdog.check();
        }
        final MessengerCounters counters = messengers[1].counters();
        closeMessenger(1);
        while (counters.dropped() == 0)
        {
            endpoints[1].poll(NOTHING, 10);
            watchdog.check();
        }
        openAgain(1);
        await(synchronous[0]);
        assertEquals(RequestResult.PEER_GONE, synchronous[0].result());
        exchange();
    }

    /** What was not polled is for the next messenger. */
    @Test
    void shouldLeaveToTheNextOneWhatItHasNotHeardOf()
    {
        launchSmall();
        drive("membership", () -> work() == 0);
        final SendRequest first = send(0, SendMode.SYNCHRONOUS, 99, 8);
        final SendRequest second = send(0, SendMode.STANDARD, 98, LONG);
        closeMessenger(1);
        openAgain(1);
        final ReceiveRequest receive = receive(1, 0, 98);
        await(second, receive, first, receive(1, 0, 99));
        assertEquals(RequestResult.SUCCESS, first.result());
        assertEquals(RequestResult.SUCCESS, second.result());
        check(receive.buffer, 0, LONG, 5);
    }

    /** The goodbye waits for a credit; meanwhile the next messenger has greeted. */
    @Test
    void shouldBeHeardOfLate()
    {
        launchSmall();
        exchange();
        final SendRequest announced = send(0, SendMode.STANDARD, 1, LONG);
        final SendRequest moving = send(1, SendMode.STANDARD, 2, LONG);
        final ReceiveRequest filling = receive(0, 1, 2);
        drive("bytes on their way", () -> filling.received > 0 && moving.state() == RequestState.MOVING);
        long code = 0;
        while (code != Endpoint.NO_CREDIT)
        {
            code = endpoints[1].offer(0, Channel.tag(1, 0), message, 0, 8);
        }
        closeMessenger(1);
        openAgain(1);
        final SendRequest next = send(1, SendMode.SYNCHRONOUS, 3, 8);
        await(announced, filling);
        assertEquals(RequestResult.PEER_GONE, announced.result());
        assertEquals(RequestResult.PEER_GONE, filling.result());
        await(next, receive(0, ANY, 3));
        assertEquals(RequestResult.SUCCESS, next.result());
        exchange();
    }

    @Test
    void shouldBeClosedByAListenerOfOtherMessages()
    {
        launch(2);
        messengers[1].close();
        messengers[1] = Messenger.launch(new MessengerContext().endpoint(endpoints[1]).rankCount(2)
            .otherMessages((source, tag, buffer, offset, length) -> messengers[1].close()));
        final ReceiveRequest waiting = receive(1, 0, 1);
        final SendRequest announced = send(0, SendMode.STANDARD, 2, LONG);
        drive("announcement", () -> messengers[1].counters().unexpected() == 1);
        drive("message", () -> endpoints[0].offer(1, 7, message, 0, 8) >= 0);
        drive("close", () -> waiting.isDone());
        assertEquals(RequestResult.CLOSED, waiting.result());
        closeMessenger(1);
        await(announced);
        assertEquals(RequestResult.PEER_GONE, announced.result());
    }

    private void beginSome(final Random random)
    {
        for (int i = random.nextInt(60); i > 0; i--)
        {
            final int rank = random.nextInt(2);
            final int tag = random.nextInt(3);
            final int length = random.nextInt(4) == 0 ? random.nextInt(LONG) : random.nextInt(3_000);
            if (messengers[rank] == null)
            {
                continue;
            }
            if (random.nextBoolean())
            {
                final SendRequest send = send(rank, SendMode.values()[random.nextInt(2)], tag, length);
                if (random.nextInt(10) == 0)
                {
                    messengers[rank].cancel(send);
                }
            }
            else
            {
                receive(rank, random.nextInt(4) == 0 ? ANY : 1 - rank, random.nextInt(4) == 0 ? Communicator.ANY_TAG : tag);
            }
            if (random.nextInt(3) == 0)
            {
                work();
            }
        }
    }

    /** Closed at any moment, with whatever is under way, and opened again at any other. */
    @Test
    void shouldBeClosedAndOpenedAtAnyMoment()
    {
        launchSmall();
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ClosedMessengerTest: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++)
        {
            beginSome(random);
            final int first = random.nextInt(2);
            closeMessenger(first);
            beginSome(random);
            if (random.nextInt(3) == 0)
            {
                closeMessenger(1 - first);
                openAgain(1 - first);
                beginSome(random);
            }
            if (random.nextBoolean())
            {
                drive("sends to a messenger that is closed", () -> areDone(sends));
            }
            openAgain(first);
            beginSome(random);
            settle();
            exchange();
            sends.clear();
            receives.clear();
        }
    }

    /** Everything comes to its end: what is posted is cancelled, and what was sent is received. */
    private void settle()
    {
        receives.stream().filter(Request::isActive).forEach(
            (receive) -> messengers[receive.communicator == messengers[0].world() ? 0 : 1].cancel(receive));
        final ReceiveRequest[] rest = {new ReceiveRequest(), new ReceiveRequest()};
        final UnsafeBuffer room = room(LONG);
        drive("ends", () ->
        {
            for (int rank = 0; rank < 2; rank++)
            {
                if (!rest[rank].isActive())
                {
                    messengers[rank].receive(rest[rank], messengers[rank].world(), ANY, Communicator.ANY_TAG, room, 0, LONG);
                }
            }
            return areDone(sends) && areDone(receives);
        });
        drive("quiet", () ->
        {
            boolean isQuiet = work() == 0;
            for (int rank = 0; rank < 2; rank++)
            {
                if (!rest[rank].isActive())
                {
                    messengers[rank].receive(rest[rank], messengers[rank].world(), ANY, Communicator.ANY_TAG, room, 0, LONG);
                    isQuiet = false;
                }
                isQuiet &= rest[rank].state() == RequestState.POSTED;
            }
            return isQuiet;
        });
        for (int rank = 0; rank < 2; rank++)
        {
            assertTrue(messengers[rank].cancel(rest[rank]));
            assertEquals(0, messengers[rank].counters().unexpectedBytes());
            assertFalse(endpoints[rank].isClosed());
        }
    }
}
