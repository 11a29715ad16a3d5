// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;

import org.junit.jupiter.api.Test;

class TurnOrderTest
{
    private static final int COUNT = 6;
    private static final int CYCLES = 2_000;

    @Test
    void shouldGiveEachATurnInEachCycle()
    {
        final TurnOrder order = new TurnOrder(1, COUNT);
        for (int i = 0; i < CYCLES; i++)
        {
            final int[] sorted = order.next();
            Arrays.sort(sorted);
            assertArrayEquals(new int[] { 0, 1, 2, 3, 4, 5 }, sorted);
        }
    }

    @Test
    void shouldBeTheSameForTheSameSeed()
    {
        final TurnOrder first = new TurnOrder(7, COUNT);
        final TurnOrder second = new TurnOrder(7, COUNT);
        final TurnOrder other = new TurnOrder(8, COUNT);
        boolean differs = false;
        for (int i = 0; i < CYCLES; i++)
        {
            final int[] next = first.next();
            assertArrayEquals(next, second.next());
            differs |= !Arrays.equals(next, other.next());
        }
        assertTrue(differs);
    }

    /** Of the 30 ordered neighbourhoods each is expected in a sixth of the cycles, give or take. */
    @Test
    void shouldPutEveryTwoSideBySideInEitherOrder()
    {
        final TurnOrder order = new TurnOrder(3, COUNT);
        final int[][] adjacent = new int[COUNT][COUNT];
        for (int i = 0; i < CYCLES; i++)
        {
            final int[] next = order.next();
            for (int at = 1; at < COUNT; at++)
            {
                adjacent[next[at - 1]][next[at]]++;
            }
        }
        for (int first = 0; first < COUNT; first++)
        {
            for (int second = 0; second < COUNT; second++)
            {
                if (first != second)
                {
                    assertFalse(Math.abs(adjacent[first][second] - CYCLES / COUNT) > CYCLES / 20,
                        first + " before " + second + ": " + adjacent[first][second]);
                }
            }
        }
    }
}
