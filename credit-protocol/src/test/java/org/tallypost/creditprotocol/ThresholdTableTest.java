// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.function.IntBinaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Table 5.1 of the thesis, and why two of its three formulas were rejected: the static protocol runs with each of them,
 * through every schedule that two sides can take.
 */
class ThresholdTableTest
{
    private static final String DEAD_LOCK = "dead-lock";
    private static final String CREDIT_REGION_OVERFLOW = "overflow of the credit region";

    private static int formulaA(final int quota, final int creditSlots)
    {
        return quota / creditSlots + 1;
    }

    private static int formulaB(final int quota, final int creditSlots)
    {
        return quota / creditSlots;
    }

    @ParameterizedTest
    @CsvSource({
        "100, 1, 51, 101, 100",
        "100, 2, 34,  51,  50",
        "100, 3, 26,  34,  33",
        "100, 4, 21,  26,  25",
        "100, 5, 17,  21,  20",
        " 60, 2, 21,  31,  30",
        " 40, 2, 14,  21,  20",
        " 20, 2,  7,  11,  10",
        " 10, 2,  4,   6,   5",
        "  3, 2,  2,   2,   1"})
    void shouldMatchTable(final int quota, final int creditSlots, final int threshold, final int a, final int b)
    {
        assertEquals(threshold, Ledger.threshold(quota, creditSlots));
        assertEquals(a, formulaA(quota, creditSlots));
        assertEquals(b, formulaB(quota, creditSlots));
        assertNull(failure(Ledger::threshold, quota, creditSlots), "equation 5.1");
        assertEquals(creditSlots == 1 ? DEAD_LOCK : null, failure(ThresholdTableTest::formulaA, quota, creditSlots), "formula a");
    }

    @Test
    void shouldNeverFailWithEquation51()
    {
        for (int creditSlots = 1; creditSlots <= 5; creditSlots++)
        {
            for (int quota = creditSlots; quota <= 30; quota++)
            {
                assertNull(failure(Ledger::threshold, quota, creditSlots), "quota " + quota + ", k " + creditSlots);
            }
        }
    }

    @Test
    void shouldDeadLockWithFormulaAAndOneCreditSlot()
    {
        for (int quota = 1; quota <= 30; quota++)
        {
            assertEquals(DEAD_LOCK, failure(ThresholdTableTest::formulaA, quota, 1), "quota " + quota);
        }
    }

    @Test
    void shouldOverflowCreditRegionWithFormulaB()
    {
        assertEquals(CREDIT_REGION_OVERFLOW, failure(ThresholdTableTest::formulaB, 3, 2));
        assertEquals(CREDIT_REGION_OVERFLOW, failure(ThresholdTableTest::formulaB, 5, 3));
    }

    @Test
    void shouldReturnThatManyCreditsInStaticLedger()
    {
        final int[] granted = new int[2];
        final StaticLedger ledger = new StaticLedger(1, 2, 22, new RecordingActions()
        {
            @Override
            public void grant(final int sender, final int credits)
            {
                granted[0]++;
                granted[1] = credits;
            }
        });
        for (int slot = 1; slot <= 21; slot++)
        {
            ledger.onRetrieved(0, 1);
            assertEquals(slot / 7, granted[0], "credit packets after " + slot + " slots with quota 20");
        }
        assertEquals(7, granted[1]);
    }

    /**
     * All schedules of one sender that always has data and one receiver: a state is the sender's credits, its unread data
     * packets, slots freed since the last return, and unread credit packets. Returns how it fails, or null.
     */
    private static String failure(final IntBinaryOperator formula, final int quota, final int creditSlots)
    {
        final int threshold = formula.applyAsInt(quota, creditSlots);
        final Set<Long> seen = new HashSet<>();
        final ArrayDeque<int[]> open = new ArrayDeque<>();
        visit(seen, open, quota, 0, 0, 0);
        while (!open.isEmpty())
        {
            final int[] state = open.poll();
            final int credits = state[0];
            final int data = state[1];
            final int freed = state[2];
            final int unread = state[3];
            if (unread > creditSlots)
            {
                return CREDIT_REGION_OVERFLOW;
            }
            if (credits == 0 && data == 0 && unread == 0)
            {
                return DEAD_LOCK;
            }
            if (credits > 0)
            {
                visit(seen, open, credits - 1, data + 1, freed, unread);
            }
            if (data > 0)
            {
                final boolean isReached = freed + 1 >= threshold;
                visit(seen, open, credits, data - 1, isReached ? 0 : freed + 1, isReached ? unread + 1 : unread);
            }
            if (unread > 0)
            {
                visit(seen, open, credits + threshold, data, freed, unread - 1);
            }
        }
        return null;
    }

    private static void visit(
        final Set<Long> seen,
        final ArrayDeque<int[]> open,
        final int credits,
        final int data,
        final int freed,
        final int unread)
    {
        if (seen.add(((long)credits << 48) | ((long)data << 32) | ((long)freed << 16) | unread))
        {
            open.add(new int[] {credits, data, freed, unread});
        }
    }
}
