// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.AgentTerminationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;

/** Listeners of requests: called by doWork alone, once for each end, whatever the end is and whatever they do. */
class RequestListenerTest extends MessengerFixture
{
    private static final int LONG = 50_000;

    private final List<String> heard = new ArrayList<>();
    private boolean isWorking;

    @Override
    int work()
    {
        isWorking = true;
        try
        {
            return super.work();
        }
        finally
        {
            isWorking = false;
        }
    }

    private SendRequest send(final String name, final SendMode mode, final int to, final int tag, final int length)
    {
        final SendRequest send = new SendRequest();
        send.listener((request) -> hear(name, request, send));
        messengers[0].start(send.prepare(mode, messengers[0].world(), to, tag, bytes(length, 1), 0, length));
        return send;
    }

    private ReceiveRequest receive(final String name, final int at, final int source, final int tag, final int capacity)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        receive.listener((request) -> hear(name, request, receive));
        messengers[at].receive(receive, messengers[at].world(), source, tag, room(capacity), 0, capacity);
        return receive;
    }

    private void hear(final String name, final Request told, final Request expected)
    {
        assertSame(expected, told);
        assertTrue(told.isDone() && isWorking, "only doWork calls listeners");
        heard.add(name + "=" + told.result());
    }

    private void expect(final String... all)
    {
        drive("heard " + heard, () -> heard.size() >= all.length && work() == 0);
        assertEquals(List.of(all).stream().sorted().toList(), heard.stream().sorted().toList());
        heard.clear();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldHearOfEveryEnd(final int to)
    {
        launch(2);
        for (final int length : new int[]{8, LONG})
        {
            receive("receive", to, 0, 1, length);
            receive("cut", to, 0, 2, length - 1);
            send("standard", SendMode.STANDARD, to, 1, length);
            send("synchronous", SendMode.SYNCHRONOUS, to, 2, length);
            expect("standard=SUCCESS", "synchronous=SUCCESS", "receive=SUCCESS", "cut=TRUNCATED");
            assertTrue(messengers[to].cancel(receive("receive", to, 0, 1, 8)));
            final SendRequest forgotten = send("send", SendMode.SYNCHRONOUS, to, 3, length);
            drive("announced", () -> forgotten.state() == RequestState.ANNOUNCED);
            messengers[0].cancel(forgotten);
            expect("receive=CANCELLED", "send=CANCELLED");
        }
    }

    @Test
    void shouldHearThatAPeerIsGoneAndThatItIsClosed()
    {
        launch(2);
        send("first", SendMode.SYNCHRONOUS, 1, 1, 8);
        receive("receive", 1, 0, 1, 8);
        expect("first=SUCCESS", "receive=SUCCESS");
        send("announced", SendMode.STANDARD, 1, 2, LONG);
        send("synchronous", SendMode.SYNCHRONOUS, 1, 2, 8);
        receive("posted", 0, 1, 2, 8);
        receive("any", 0, ANY, 2, 8);
        receive("own", 1, 0, 3, 8);
        drive("announcements", () -> messengers[1].counters().unexpected() == 2);
        messengers[1].close();
        isWorking = true;
        assertEquals(1, messengers[1].doWork());
        assertThrows(AgentTerminationException.class, () -> messengers[1].doWork());
        endpoints[1].close();
        messengers[1] = null;
        expect("own=CLOSED", "announced=PEER_GONE", "synchronous=PEER_GONE", "posted=PEER_GONE");
        send("late", SendMode.STANDARD, 0, 4, LONG);
        messengers[0].close();
        isWorking = true;
        assertEquals(2, messengers[0].doWork());
        assertEquals(List.of("any=CLOSED", "late=CLOSED"), heard.stream().sorted().toList());
        final SendRequest never = send("never", SendMode.STANDARD, 1, 4, 8);
        assertEquals(RequestResult.CLOSED, never.result());
        assertEquals(1, messengers[0].doWork());
        assertEquals(3, heard.size());
    }

    /** Back and forth without anything but listeners. */
    @ParameterizedTest
    @ValueSource(ints = {8, LONG})
    void shouldStartRequestsAgain(final int length)
    {
        launch(2);
        final int[] count = new int[2];
        for (int rank = 0; rank < 2; rank++)
        {
            final int own = rank;
            final SendRequest back = new SendRequest();
            final ReceiveRequest receive = new ReceiveRequest();
            back.prepare(SendMode.STANDARD, messengers[own].world(), 1 - own, 1, bytes(length, own), 0, length);
            receive.listener((request) ->
            {
                count[own]++;
                check(receive.buffer, 0, length, 1 - own);
                messengers[own].start(receive);
                if (!back.isActive())
                {
                    messengers[own].start(back);
                }
            });
            messengers[own].receive(receive, messengers[own].world(), 1 - own, 1, room(length), 0, length);
        }
        final SendRequest first = new SendRequest();
        messengers[0].send(first, messengers[0].world(), 1, 1, bytes(length, 0), 0, length);
        drive("back and forth", () -> count[0] >= 50 && count[1] >= 50);
    }

    /** What one throws comes out of doWork; the others are called by the next one. */
    @Test
    void shouldGoOnBehindAListenerThatThrows()
    {
        launch(Flow.DYNAMIC, 1, 64, (context) -> context.pollLimit(4));
        final SendRequest[] sends = new SendRequest[20];
        for (int i = 0; i < sends.length; i++)
        {
            final int number = i;
            sends[i] = new SendRequest();
            sends[i].listener((request) ->
            {
                heard.add(Integer.toString(number));
                if (number % 3 == 0)
                {
                    throw new IllegalStateException("thrown by " + number);
                }
            });
            messengers[0].send(sends[i], messengers[0].world(), 0, 1, bytes(8, i), 0, 8);
            assertTrue(sends[i].isDone());
        }
        // it has not been heard of
        assertThrows(IllegalStateException.class, () -> messengers[0].start(sends[1]));
        final List<String> thrown = new ArrayList<>();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "listeners: " + heard);
        while (heard.size() < sends.length)
        {
            final int before = heard.size();
            try
            {
                messengers[0].doWork();
            }
            catch (final IllegalStateException ex)
            {
                thrown.add(ex.getMessage());
            }
            assertTrue(heard.size() - before <= 4, "no more than its limit");
            watchdog.check();
        }
        assertEquals(7, thrown.size());
        assertEquals("thrown by 18", thrown.get(6));
        messengers[0].start(sends[1]);
        drive("started again", () -> heard.size() == sends.length + 1);
        assertEquals("1", heard.get(sends.length));
    }

    @Test
    void shouldWaitCloseAndFreeWithinAListener()
    {
        launch(2);
        final Communicator other = messengers[0].communicator(5, 0);
        final SendRequest send = new SendRequest();
        final SendRequest answer = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        send.listener((request) ->
        {
            messengers[0].free(other);
            messengers[0].receive(receive, messengers[0].world(), 0, 1, room(8), 0, 8);
            messengers[0].send(answer, messengers[0].world(), 0, 1, bytes(8, 1), 0, 8);
            assertTrue(Requests.awaitAll(messengers[0], Messenger.FOREVER, receive, answer));
            messengers[0].close();
            heard.add("closed");
        });
        messengers[0].send(send, other, 0, 9, bytes(8, 1), 0, 8);
        while (heard.isEmpty())
        {
            messengers[0].doWork();
        }
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertTrue(other.isFreed());
        assertThrows(AgentTerminationException.class, () -> messengers[0].doWork());
    }

    /** The deadlines of those that wait for several. */
    @Test
    void shouldWaitUntilTheTimeIsOverAndNoLonger()
    {
        launch(2);
        final ReceiveRequest[] receives = new ReceiveRequest[4];
        for (int i = 0; i < 3; i++)
        {
            receives[i] = new ReceiveRequest();
            messengers[1].receive(receives[i], messengers[1].world(), 0, i, room(8), 0, 8);
        }
        final int[] indexes = new int[4];
        for (final long timeoutNs : new long[]{-1, 0, 1, 100_000})
        {
            final long startNs = System.nanoTime();
            assertEquals(-1, Requests.awaitAny(messengers[1], timeoutNs, receives));
            assertEquals(0, Requests.awaitSome(messengers[1], timeoutNs, indexes, receives));
            assertTrue(!Requests.awaitAll(messengers[1], timeoutNs, receives));
            assertTrue(!messengers[1].await(receives[0], timeoutNs));
            assertTrue(!messengers[1].awaitProbe(messengers[1].world(), 0, 9, new Envelope(), timeoutNs));
            assertTrue(System.nanoTime() - startNs >= 5 * timeoutNs, "no sooner");
        }
        final SendRequest send = new SendRequest();
        messengers[0].send(send, messengers[0].world(), 1, 2, bytes(8, 1), 0, 8);
        drive("sent", send::isDone);
        assertEquals(2, Requests.awaitAny(messengers[1], Long.MAX_VALUE - 1, receives));
        assertEquals(1, Requests.awaitSome(messengers[1], 0, indexes, receives));
        assertEquals(2, indexes[0]);
        messengers[1].close();
        assertTrue(Requests.awaitAll(messengers[1], Messenger.FOREVER, receives));
        assertEquals(RequestResult.CLOSED, receives[0].result());
        assertTrue(!messengers[1].awaitProbe(messengers[1].world(), 0, 9, new Envelope(), Messenger.FOREVER));
    }
}
