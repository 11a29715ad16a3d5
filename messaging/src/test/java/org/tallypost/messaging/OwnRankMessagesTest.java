// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.Flow;
import org.tallypost.messaging.MessengerCounters.Counter;

/** Sends to the own rank wait as those to other ranks do, if as many sends wait for an answer as may. */
class OwnRankMessagesTest extends MessengerFixture
{
    private static final int LONG = 50_000;

    private final List<SendRequest> sends = new ArrayList<>();

    @BeforeEach
    void launch()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.maxRequests(2));
    }

    private SendRequest send(final int dest, final int tag, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[0].send(send, messengers[0].world(), dest, tag, bytes(length, tag), 0, length);
        sends.add(send);
        return send;
    }

    private ReceiveRequest receive(final int rank, final int source, final int tag)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[rank].receive(receive, messengers[rank].world(), source, tag, room(LONG), 0, LONG);
        return receive;
    }

    private static void check(final ReceiveRequest receive, final int tag, final int length)
    {
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertEquals(tag, receive.tag());
        assertEquals(length, receive.length());
        check(receive.buffer, 0, length, tag);
    }

    /** Two messages for the other rank, which wait there. */
    private void fill()
    {
        send(1, 101, LONG);
        send(1, 102, LONG);
        drive("two announcements", () -> messengers[1].counters().unexpected() == 2);
        assertTrue(sends.stream().noneMatch(Request::isDone));
    }

    private void empty()
    {
        for (final int tag : new int[]{101, 102})
        {
            final ReceiveRequest receive = receive(1, 0, tag);
            await(receive);
            check(receive, tag, LONG);
        }
    }

    @Test
    void shouldKeepTheOrderOfThoseThatWait()
    {
        for (int tag = 1; tag <= 7; tag++)
        {
            send(0, tag, tag == 4 ? 8 : LONG);
        }
        assertEquals(RequestState.ANNOUNCED, sends.get(1).state());
        for (int i = 2; i < sends.size(); i++)
        {
            assertEquals(RequestState.QUEUED, sends.get(i).state(), "send " + i);
        }
        for (int tag = 1; tag <= 7; tag++)
        {
            final ReceiveRequest receive = receive(0, 0, ANY);
            await(receive);
            check(receive, tag, tag == 4 ? 8 : LONG);
        }
        await(sends.toArray(new Request[0]));
        assertTrue(sends.stream().allMatch((each) -> each.result() == RequestResult.SUCCESS));
        assertEquals(7, messengers[0].counters().get(Counter.SENT_TO_SELF));
        assertEquals(8 + 6 * LONG, messengers[0].counters().get(Counter.SENT_BYTES));
        assertEquals(0, messengers[0].world().activeCount);
    }

    @Test
    void shouldSendAtOnceWhatNeedsNoNumber()
    {
        fill();
        final ReceiveRequest posted = receive(0, 0, 1);
        assertTrue(send(0, 1, LONG).isDone());
        check(posted, 1, LONG);
        // short, and kept
        assertTrue(send(0, 2, 8).isDone());
        final SendRequest waiting = send(0, 3, LONG);
        assertEquals(RequestState.QUEUED, waiting.state());
        check(receive(0, 0, 2), 2, 8);
        final ReceiveRequest late = receive(0, 0, 3);
        await(late, waiting);
        check(late, 3, LONG);
        empty();
    }

    @Test
    void shouldAskForOneThatWaitsOnceItIsKept()
    {
        final List<Integer> asked = new ArrayList<>();
        messengers[0].world().onArrival((source, tag, length) ->
        {
            asked.add(tag);
            return null;
        });
        fill();
        send(0, 1, LONG);
        for (int round = 0; round < 3; round++)
        {
            work();
        }
        assertEquals(List.of(), asked);
        empty();
        drive("a listener that is asked", () -> asked.equals(List.of(1)));
        final Envelope envelope = new Envelope();
        assertTrue(messengers[0].probe(messengers[0].world(), 0, 1, envelope));
        await(receive(0, 0, 1));
        assertEquals(List.of(1), asked);
    }

    @Test
    void shouldCancelAndCloseWhatWaits()
    {
        fill();
        final SendRequest cancelled = send(0, 1, LONG);
        final SendRequest closed = send(0, 2, LONG);
        assertTrue(messengers[0].cancel(cancelled));
        assertEquals(RequestResult.CANCELLED, cancelled.result());
        messengers[0].close();
        assertEquals(RequestResult.CLOSED, closed.result());
        assertEquals(0, messengers[0].world().activeCount);
    }

    /** Its bytes are gone when it has its turn. */
    @Test
    void shouldEndOneThatThrowsAndGoOnBehindIt()
    {
        fill();
        final UnsafeBuffer from = new UnsafeBuffer(new byte[LONG]);
        final SendRequest bad = new SendRequest();
        messengers[0].send(bad, messengers[0].world(), 0, 1, from, 0, LONG);
        final SendRequest next = send(0, 2, LONG);
        from.wrap(new byte[1]);
        assertThrows(IndexOutOfBoundsException.class, messengers[0]::doWork);
        assertEquals(RequestResult.FAILED, bad.result());
        assertFalse(next.isDone());
        final ReceiveRequest receive = receive(0, 0, ANY);
        await(receive, next);
        check(receive, 2, LONG);
        empty();
    }
}
