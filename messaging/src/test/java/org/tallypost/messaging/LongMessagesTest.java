// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Flow;

/** Long messages of a pair move beside one another, and short ones go by them. */
class LongMessagesTest extends MessengerFixture
{
    private static final int LONG = 2_000_000;

    private SendRequest[] sends;
    private ReceiveRequest[] receives;
    private UnsafeBuffer[] rooms;

    private void prepare(final int count, final int from, final int length)
    {
        sends = new SendRequest[count];
        receives = new ReceiveRequest[count];
        rooms = new UnsafeBuffer[count];
        for (int i = 0; i < count; i++)
        {
            sends[i] = new SendRequest();
            receives[i] = new ReceiveRequest();
            rooms[i] = room(length);
            sends[i].prepare(SendMode.STANDARD, messengers[from].world(), 1 - from, i, bytes(length, i), 0, length);
            receives[i].prepare(messengers[1 - from].world(), from, i, rooms[i], 0, length);
        }
    }

    private void begin()
    {
        for (int i = 0; i < sends.length; i++)
        {
            messengers[1].start(receives[i]);
            messengers[0].start(sends[i]);
        }
    }

    private void finish(final int length)
    {
        drive("long messages", () -> Requests.allDone(sends) && Requests.allDone(receives));
        for (int i = 0; i < sends.length; i++)
        {
            assertEquals(RequestResult.SUCCESS, sends[i].result());
            assertEquals(RequestResult.SUCCESS, receives[i].result());
            check(rooms[i], 0, length, i);
        }
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }

    @ParameterizedTest
    @CsvSource({"STATIC,16", "DYNAMIC,16", "DYNAMIC,256"})
    void shouldMoveSeveralAtOnce(final Flow flow, final int slots)
    {
        launch(flow, 2, slots, DEFAULTS);
        prepare(Pair.MAX_MOVING + 3, 0, LONG);
        begin();
        drive("bytes of several", () -> IntStream.range(0, Pair.MAX_MOVING).allMatch((i) -> receives[i].received > 0));
        assertTrue(IntStream.range(0, sends.length).noneMatch((i) -> sends[i].isDone()), "by turns");
        for (int i = Pair.MAX_MOVING; i < sends.length; i++)
        {
            assertEquals(0, receives[i].received, "no more at once");
        }
        finish(LONG);
    }

    /** What was sent behind messages that take thousands of rounds is there in the midst of them. */
    @ParameterizedTest
    @CsvSource({"STATIC,16,1,8", "STATIC,16,4,8", "DYNAMIC,16,1,8", "DYNAMIC,16,4,8", "STATIC,64,4,1500", "DYNAMIC,64,4,1500"})
    void shouldLetShortOnesBy(final Flow flow, final int slots, final int longCount, final int length)
    {
        launch(flow, 2, slots, DEFAULTS);
        prepare(longCount, 0, 2 * LONG);
        begin();
        drive("bytes", () -> IntStream.range(0, longCount).allMatch((i) -> receives[i].received > 0));
        final SendRequest send = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer room = room(length);
        for (int i = 0; i < 20; i++)
        {
            messengers[1].receive(receive, messengers[1].world(), 0, 99, room, 0, length);
            messengers[0].send(send, messengers[0].world(), 1, 99, bytes(length, i), 0, length);
            await(send, receive);
            check(room, 0, length, i);
        }
        assertTrue(IntStream.range(0, longCount).noneMatch((i) -> sends[i].isDone()), "it has gone by");
        finish(2 * LONG);
    }

    /** Both directions, truncated, cancelled and of all lengths, with the endpoint's own limit used up by others. */
    @Test
    void shouldMoveWhateverIsUnderWay()
    {
        launch(Flow.DYNAMIC, 2, 32, DEFAULTS);
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("LongMessagesTest: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 0; round < 30; round++)
        {
            final int from = random.nextInt(2);
            final int most = 2_049 + random.nextInt(200_000);
            prepare(1 + random.nextInt(20), from, most);
            for (int i = 0; i < sends.length; i++)
            {
                final int wanted = random.nextInt(5) == 0 ? random.nextInt(most) : most;
                receives[i].prepare(messengers[1 - from].world(), from, i, rooms[i], 0, wanted);
                messengers[1 - from].start(receives[i]);
                messengers[from].start(sends[i]);
                if (random.nextInt(8) == 0)
                {
                    messengers[from].cancel(sends[i]);
                }
                if (random.nextInt(4) == 0)
                {
                    work();
                }
            }
            final Request[] all = sends;
            drive("sends", () -> Requests.allDone(all));
            for (int i = 0; i < sends.length; i++)
            {
                if (sends[i].result() == RequestResult.CANCELLED)
                {
                    assertTrue(messengers[1 - from].cancel(receives[i]));
                }
                await(receives[i]);
                check(rooms[i], 0, receives[i].length(), i);
            }
            assertFalse(sends[0].isActive());
        }
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }
}
