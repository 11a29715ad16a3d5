// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.schedule.Barrier;
import org.tallypost.schedule.Broadcast;
import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/** The simulated time on wires without headers is that of the formulas, and schedules do what they are for. */
class ScheduleRunTest
{
    private static final double BYTE_NS = 80;
    private static final double START_NS = 1_000;
    private static final Formulas FORMULAS = new Formulas(START_NS, BYTE_NS, 0);
    private static final Network IDEAL = Network.ideal(Network.Kind.FULL_DUPLEX, BYTE_NS, START_NS);
    private static final Network IDEAL_BUS = Network.ideal(Network.Kind.BUS, BYTE_NS, START_NS);

    private static double timeNs(final Network network, final Schedule schedule)
    {
        return ScheduleRun.of(network, schedule, START_NS, 0).timeNs();
    }

    /** Without the root's message to itself. */
    @Test
    void shouldTakeTheTimeOfTheLinearFormulas()
    {
        for (int k = 2; k <= 17; k++)
        {
            final int bytes = 5_000;
            final double expectedNs = FORMULAS.linearBroadcast(k, bytes) - FORMULAS.pointToPoint(bytes);
            assertEquals(expectedNs, timeNs(IDEAL, new LinearSchedule(LinearSchedule.Kind.FROM_ROOT, k, bytes)), 1e-6);
            assertEquals(expectedNs, timeNs(IDEAL_BUS, new LinearSchedule(LinearSchedule.Kind.FROM_ROOT, k, bytes)), 1e-6);
            final double scatterNs = FORMULAS.linearScatter(k, bytes * (double)k) - FORMULAS.pointToPoint(bytes);
            assertEquals(scatterNs, expectedNs, 1e-6);
        }
    }

    /** Senders of a gather start up at the same time; only the wire is shared. */
    @Test
    void shouldShareTheRootsPortInAGather()
    {
        for (int k = 2; k <= 9; k++)
        {
            final LinearSchedule gather = new LinearSchedule(LinearSchedule.Kind.TO_ROOT, k, 700);
            assertEquals(START_NS + (k - 1) * 700 * BYTE_NS, timeNs(IDEAL, gather), 1e-6);
            assertEquals(FORMULAS.contended(700, k - 1), timeNs(IDEAL_BUS, gather), 1e-6);
        }
    }

    @Test
    void shouldTakeTheTimeOfTheBarrierFormulas()
    {
        for (int k = 2; k <= 32; k *= 2)
        {
            // both messages of a stage at the same time: half of the formula, which has one behind the other
            final double halfNs = FORMULAS.butterflyBarrier(k, 1) / 2;
            assertEquals(halfNs, timeNs(IDEAL, new ButterflySchedule(k, 1)), 1e-6);
        }
    }

    @Test
    void shouldSendAsManyMessagesAsTheTextSays()
    {
        for (int k = 2; k <= 17; k++)
        {
            assertEquals(k - 1, messages(new LinearSchedule(LinearSchedule.Kind.FROM_ROOT, k, 1)));
            assertEquals(2 * (k - 1), messages(new LinearSchedule(LinearSchedule.Kind.TO_AND_FROM_ROOT, k, 0)));
            assertEquals(k - 1, messages(new Broadcast(k, 1, 1, false)));
            final int stages = 32 - Integer.numberOfLeadingZeros(k - 1);
            assertEquals(k * stages, messages(new Barrier(k, 1)));
            if (Integer.bitCount(k) == 1)
            {
                assertEquals(k * stages, messages(new ButterflySchedule(k, 0)));
            }
        }
    }

    private static int messages(final Schedule schedule)
    {
        return ScheduleRun.of(IDEAL, schedule, START_NS, 0).messages();
    }

    /** The trap of chapter 4: with 3, 5, 6 or 7 processes some never hear of others. */
    @Test
    void shouldBeNoBarrierByButterflyUnlessItHasAPowerOfTwo()
    {
        for (int k = 2; k <= 33; k++)
        {
            final boolean isBarrier = ScheduleRun.of(IDEAL, new ButterflySchedule(k, 0), START_NS, 0).hasAllHeardOfAll();
            assertEquals(Integer.bitCount(k) == 1, isBarrier, "butterfly of " + k);
            assertTrue(ScheduleRun.of(IDEAL, new Barrier(k, 1), START_NS, 0).hasAllHeardOfAll(), "dissemination of " + k);
            assertTrue(ScheduleRun.of(IDEAL, new LinearSchedule(LinearSchedule.Kind.TO_AND_FROM_ROOT, k, 0), START_NS, 0)
                .hasAllHeardOfAll(), "linear of " + k);
        }
        assertFalse(ScheduleRun.of(IDEAL, new LinearSchedule(LinearSchedule.Kind.TO_ROOT, 3, 0), START_NS, 0).hasAllHeardOfAll());
    }

    @Test
    void shouldSayWhichProcessWaitsForNobody()
    {
        final Schedule stuck = new Schedule()
        {
            @Override
            public int processes()
            {
                return 2;
            }

            @Override
            public int rounds()
            {
                return 1;
            }

            @Override
            public void round(final int rank, final int round, final Steps to)
            {
                to.receiveAndWait(1 - rank);
            }
        };
        final IllegalStateException failure = assertThrows(IllegalStateException.class, () ->
            ScheduleRun.of(IDEAL, stuck, START_NS, 0));
        assertEquals("process 0 waits for messages of [1] that nobody sends", failure.getMessage());
    }

    /** A frame of 1,448 bytes of data is 1,538 on the wire, and half of a frame of 90 acknowledges it. */
    @Test
    void shouldPutFramesOnTheWire()
    {
        assertEquals(800 * (1_538 + 45), Network.SLOW.segmentNs(1_448), 1e-6);
        assertEquals(800 * (90 + 45), Network.SLOW.segmentNs(0), 1e-6);
        assertEquals(800 * 1_538, Network.SLOW.datagramNs(1_472), 1e-6);
        assertEquals(800 * (1_538 + 84), Network.SLOW.datagramNs(1_473), 1e-6);
        assertEquals(80 * 84, Network.FAST.datagramNs(1), 1e-6);
    }
}
