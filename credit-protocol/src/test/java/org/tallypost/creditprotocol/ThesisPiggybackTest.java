// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Field;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Section 6.6 of the thesis where packets are too small, slots too few, or several slots are freed at once: k = 2 and an
 * intended quota of 10, so equation 5.1 gives 4.
 */
class ThesisPiggybackTest
{
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final RecordingActions actions = new RecordingActions();
    private final DynamicLedger ledger = new DynamicLedger(3, 2, 12, actions, PiggybackPolicy.THESIS, StealPolicy.MONITORED);

    @BeforeEach
    void checkInvariants()
    {
        // Ledger: the formula of invariant 2 holds under this policy, too, because what overshoots a threshold is kept.
        ledger.checkInvariants(true);
    }

    @Test
    void shouldKeepWhatOvershootsThreshold()
    {
        retrieve(3);
        assertThresholds(4, 4, 4);
        assertEquals("", retrieve(3));
        assertEquals(3, ledger.piggyback(0, NO_LIMIT));
        assertEquals("", retrieve(3));
        // 3 + 3 are 2 more than the threshold; 4 are due and 3 went along
        assertEquals(1, ledger.piggyback(0, NO_LIMIT));
        assertEquals(2, ledger.retrieved(0));
        assertEquals(2, ledger.piggyback(0, NO_LIMIT));
        assertEquals(0, ledger.retrieved(0));
        assertThresholds(4, 4, 4);
    }

    @Test
    void shouldAppendWhatFitsThePacket()
    {
        retrieve(3);
        assertEquals("", retrieve(3));
        assertEquals(2, ledger.piggyback(0, 2));
        assertEquals(1, ledger.retrieved(0));
        assertEquals("", retrieve(1));
        // 2 + 2 are the threshold; 4 are due, 2 went along, and 1 fits
        assertEquals(1, ledger.piggyback(0, 1));
        assertThresholds(4, 4, 3);
        assertEquals(0, ledger.retrieved(0));
    }

    @Test
    void shouldLeaveThresholdsAloneWithoutRoom()
    {
        retrieve(3);
        retrieve(3);
        assertEquals(3, ledger.piggyback(0, NO_LIMIT));
        retrieve(3);
        assertEquals(0, ledger.piggyback(0, 0));
        assertThresholds(4, 4, 4);
        assertEquals(1, ledger.piggyback(0, NO_LIMIT));
    }

    /** What went along is more than the new threshold: the one after has to be waited for that much longer. */
    @Test
    void shouldRaiseTheNextThresholdByTheExcess() throws ReflectiveOperationException
    {
        retrieve(3);
        retrieve(4);
        retrieve(3);
        assertEquals(3, ledger.piggyback(0, NO_LIMIT));
        final Field field = DynamicLedger.class.getDeclaredField("rows");
        field.setAccessible(true);
        final SenderRows rows = (SenderRows)field.get(ledger);
        // slots were taken from sender 0 for sender 1 meanwhile
        rows.intend(0, 5);
        rows.intend(rows.stride, 15);
        retrieve(1);
        assertEquals(0, ledger.piggyback(0, NO_LIMIT));
        assertThresholds(5, 4, 2);
    }

    @Test
    void shouldCarryNothingWithoutSlotsOrRoom()
    {
        retrieve(3);
        assertEquals(0, ledger.piggyback(0, NO_LIMIT));
        retrieve(1);
        assertEquals(0, ledger.piggyback(0, 0));
        assertEquals(0, ledger.piggyback(0, -1));
        assertEquals(1, ledger.retrieved(0));
    }

    private String retrieve(final int slots)
    {
        actions.take();
        for (int i = 0; i < slots; i++)
        {
            ledger.onRetrieved(0, 1);
        }
        return actions.take();
    }

    private void assertThresholds(final int... expected)
    {
        assertArrayEquals(expected,
            IntStream.range(0, ledger.thresholdCount()).map((i) -> ledger.thresholdAt(0, i)).toArray());
    }
}
