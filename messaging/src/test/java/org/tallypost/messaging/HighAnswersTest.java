// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;

/** With priorities, what a receiver answers does not wait behind what backs up at the sender. */
class HighAnswersTest extends MessengerFixture
{
    private static final int LONG = 10_000;
    private static final int FLOOD = 7;

    private final UnsafeBuffer message = bytes(LONG, 3);
    private int flooded;

    /** Two ranks that have met in both directions. */
    private void launchHigh(final int slots)
    {
        highSlots = slots;
        launch(Flow.STATIC, 2, 32, (context) -> context.pollLimit(1)
            .otherMessages((source, tag, buffer, offset, length) -> flooded += tag == FLOOD ? 1 : 0));
        for (int i = 0; i < 3; i++)
        {
            for (int from = 0; from < 2; from++)
            {
                final SendRequest send = send(from, SendMode.SYNCHRONOUS, 8);
                await(send, receive(1 - from));
                assertEquals(RequestResult.SUCCESS, send.result());
            }
        }
        drive("all told", () -> work() == 0);
    }

    private SendRequest send(final int from, final SendMode mode, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[from].start(send.prepare(mode, messengers[from].world(), 1 - from, 5, message, 0, length));
        return send;
    }

    private ReceiveRequest receive(final int at)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[at].receive(receive, messengers[at].world(), 1 - at, 5, room(LONG), 0, LONG);
        return receive;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8})
    void shouldBeAnsweredBeforeWhatBacksUp(final int slots)
    {
        launchHigh(slots);
        final long before = messengers[1].counters().answeredHigh();
        final SendRequest announced = send(0, SendMode.STANDARD, LONG);
        final SendRequest synchronous = send(0, SendMode.SYNCHRONOUS, 8);
        final ReceiveRequest[] receives = {receive(1), receive(1)};
        int sent = 0;
        while (endpoints[1].offer(0, FLOOD, message, 0, 8) >= 0)
        {
            sent++;
        }
        assertTrue(sent >= 20, "sent=" + sent);
        for (int i = 0; i < 1_000; i++)
        {
            messengers[1].doWork();
        }
        assertEquals(RequestState.ANNOUNCED, announced.state());
        // of each round one message with high priority and one of the flood
        messengers[0].doWork();
        messengers[0].doWork();
        messengers[0].doWork();
        final String found = announced + ", " + synchronous;
        if (slots > 0)
        {
            assertTrue(announced.state() != RequestState.ANNOUNCED && synchronous.isDone(), found);
            assertTrue(flooded <= 3, () -> "flooded=" + flooded);
            assertTrue(messengers[1].counters().answeredHigh() >= before + 2);
        }
        else
        {
            assertTrue(announced.state() == RequestState.ANNOUNCED && !synchronous.isDone(), found);
            assertEquals(0, messengers[1].counters().answeredHigh());
        }
        await(announced, synchronous, receives[0], receives[1]);
        drive("the flood", () -> work() == 0);
        assertEquals(sent, flooded);
        check(receives[0].buffer, 0, LONG, 3);
        assertEquals(RequestResult.SUCCESS, synchronous.result());
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }

    /** A goodbye goes another way than the answers before it, and ends what was not answered. */
    @Test
    void shouldHearAllAnswersBeforeTheGoodbye()
    {
        launchHigh(8);
        final List<SendRequest> sends = new ArrayList<>();
        final List<ReceiveRequest> receives = new ArrayList<>();
        for (int i = 0; i < 5; i++)
        {
            sends.add(send(0, SendMode.SYNCHRONOUS, 8));
            receives.add(receive(1));
        }
        final SendRequest unmatched = send(0, SendMode.SYNCHRONOUS, 8);
        while (!Requests.allDone(receives.toArray(new Request[0])))
        {
            messengers[1].doWork();
        }
        messengers[1].close();
        messengers[1] = null;
        drive("all answers and the goodbye", () ->
        {
            endpoints[1].poll((source, tag, buffer, offset, length) ->
            {
            }, 10);
            return unmatched.isDone();
        });
        sends.forEach((send) -> assertEquals(RequestResult.SUCCESS, send.result()));
        assertEquals(RequestResult.PEER_GONE, unmatched.result());
        assertEquals(0, messengers[0].counters().refused());
    }

    /** The next incarnation of a receiver is told apart from the last one, for each priority. */
    @Test
    void shouldGoOnWithTheNextIncarnation()
    {
        launchHigh(8);
        for (int epoch = 0; epoch < 3; epoch++)
        {
            final int rank = epoch % 2;
            messengers[rank].close();
            endpoints[rank].close();
            open(rank, (context) -> context.pollLimit(1));
            for (int from = 0; from < 2; from++)
            {
                exchange(from);
            }
        }
    }

    /** What was begun with the incarnation before ends with it, and is begun once more. */
    private void exchange(final int from)
    {
        final SendRequest[] send = {send(from, SendMode.SYNCHRONOUS, 8)};
        final ReceiveRequest[] receive = {receive(1 - from)};
        drive("the next incarnation", () ->
        {
            if (receive[0].isDone() && receive[0].result() == RequestResult.PEER_GONE)
            {
                receive[0] = receive(1 - from);
            }
            if (send[0].isDone() && send[0].result() == RequestResult.PEER_GONE)
            {
                send[0] = send(from, SendMode.SYNCHRONOUS, 8);
            }
            return receive[0].isDone() && send[0].isDone();
        });
        assertEquals(RequestResult.SUCCESS, receive[0].result());
        assertEquals(RequestResult.SUCCESS, send[0].result());
    }
}
