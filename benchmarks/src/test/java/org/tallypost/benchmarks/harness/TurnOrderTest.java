// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

class TurnOrderTest
{
    private static final int[] SUBJECTS = { 0, 1 };
    private static final int[] OTHERS = { 2, 3, 4, 5 };
    private static final int[] NONE = {};
    private static final int COUNT = 6;
    private static final int CYCLES = 2_000;

    @Test
    void shouldGiveEachOtherOneTurnInEachCycleBehindOneOfTheSubject()
    {
        final TurnOrder order = new TurnOrder(1, SUBJECTS, OTHERS);
        for (int i = 0; i < CYCLES; i++)
        {
            final int[] next = order.next();
            assertEquals(2 * OTHERS.length, next.length);
            final int[] subjects = IntStream.range(0, OTHERS.length).map((at) -> next[2 * at]).sorted().toArray();
            assertArrayEquals(new int[] { 0, 0, 1, 1 }, subjects);
            assertArrayEquals(OTHERS, IntStream.range(0, OTHERS.length).map((at) -> next[2 * at + 1]).sorted().toArray());
        }
    }

    @Test
    void shouldGiveTeamsOfTheSubjectAsManyTurnsIfTheyDoNotFitIntoACycle()
    {
        final TurnOrder order = new TurnOrder(1, SUBJECTS, new int[] { 2, 3, 4 });
        final int[] turns = new int[COUNT];
        for (int i = 0; i < 2 * CYCLES; i++)
        {
            Arrays.stream(order.next()).forEach((seat) -> turns[seat]++);
        }
        assertArrayEquals(new int[] { 3 * CYCLES, 3 * CYCLES, 2 * CYCLES, 2 * CYCLES, 2 * CYCLES, 0 }, turns);
    }

    @Test
    void shouldTakeAllInTurnIfThereIsNoSubjectOrNothingElse()
    {
        assertArrayEquals(OTHERS, Arrays.stream(new TurnOrder(1, NONE, OTHERS).next()).sorted().toArray());
        assertArrayEquals(SUBJECTS, Arrays.stream(new TurnOrder(1, SUBJECTS, NONE).next()).sorted().toArray());
        assertArrayEquals(NONE, new TurnOrder(1, NONE, NONE).next());
    }

    @Test
    void shouldBeTheSameForTheSameSeed()
    {
        final TurnOrder first = new TurnOrder(7, SUBJECTS, OTHERS);
        final TurnOrder second = new TurnOrder(7, SUBJECTS, OTHERS);
        final TurnOrder other = new TurnOrder(8, SUBJECTS, OTHERS);
        boolean differs = false;
        for (int i = 0; i < CYCLES; i++)
        {
            final int[] next = first.next();
            assertArrayEquals(next, second.next());
            differs |= !Arrays.equals(next, other.next());
        }
        assertTrue(differs);
    }

    /** Of the 16 ordered neighbourhoods with the subject each is expected in half of the cycles, give or take. */
    @Test
    void shouldPutEachOtherBesideEachTeamOfTheSubjectInEitherOrder()
    {
        final TurnOrder order = new TurnOrder(3, SUBJECTS, OTHERS);
        final int[][] adjacent = new int[COUNT][COUNT];
        int last = OTHERS[0];
        for (int i = 0; i < CYCLES; i++)
        {
            for (final int seat : order.next())
            {
                adjacent[last][seat]++;
                last = seat;
            }
        }
        for (final int subject : SUBJECTS)
        {
            for (final int other : OTHERS)
            {
                assertFalse(Math.abs(adjacent[subject][other] - CYCLES / 2) > CYCLES / 20,
                    other + " behind " + subject + ": " + adjacent[subject][other]);
                assertFalse(Math.abs(adjacent[other][subject] - CYCLES / 2) > CYCLES / 20,
                    other + " before " + subject + ": " + adjacent[other][subject]);
            }
        }
    }
}
