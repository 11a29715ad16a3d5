// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What happens when a sender has used up all it was given (thesis, section 6.5.2), number by number: four senders, k = 2,
 * 16 slots each, so a data region of 56, quotas of 14 and grants of 14 div 3 + 1 = 5.
 */
class MonitoringPointTest
{
    /** More packets than any of these loops needs. */
    private static final int MANY = 100_000;

    private final RecordingActions actions = new RecordingActions();
    private final DynamicLedger ledger = new DynamicLedger(4, 2, 16, actions);

    @BeforeEach
    void checkInvariants()
    {
        ledger.checkInvariants(true);
    }

    @Test
    void shouldStartInLowestListWithStaticSlots()
    {
        assertEquals("[0, 1, 2, 3] [] [] []", lists());
        assertEquals("14 14 14 14", quotas());
        assertEquals(56, ledger.dataRegion());
        assertEquals(48, ledger.availableSlots());
        assertEquals("2 [1, 1, 1] 0/3", pair(3));
    }

    @Test
    void shouldClimbAtEachMonitoringPoint()
    {
        retrieve(1, 1);
        retrieve(1, 1);
        assertEquals("[0, 1, 2, 3] [] [] []", lists());
        retrieve(1, 1);
        assertEquals("[0, 2, 3] [1] [] []", lists());
        // the sum of thresholds as it was when the point was reached, before the crossing that follows: 1 + 5 + 5
        assertEquals("14 [5, 5, 5] 0/11", pair(1));
        retrieve(1, 10);
        assertEquals("[0, 2, 3] [1] [] []", lists());
        retrieve(1, 1);
        assertEquals("[0, 2, 3] [] [1] []", lists());
        monitor(2);
        monitor(3);
        assertEquals("[0] [3, 2] [1] []", lists());
        assertEquals("14 14 14 14", quotas());
        assertEquals(0, ledger.creditsStolen());
    }

    @Test
    void shouldGiveNoSenderMoreThanTheBound()
    {
        assertThrows(IllegalArgumentException.class, () -> ledger.limitQuotas(13));
        ledger.limitQuotas(19);
        monitor(0);
        monitor(0);
        monitor(0);
        assertEquals("17 14 14 11", quotas());
        monitor(0);
        assertEquals("19 14 12 11", quotas());
        for (int i = 0; i < 8; i++)
        {
            monitor(0);
            assertEquals("19 14 12 11", quotas());
        }
        assertEquals(5, ledger.creditsStolen());
    }

    @Test
    void shouldStealByEquation61UntilNothingIsLeft()
    {
        monitor(0);
        monitor(0);
        assertEquals("14 14 14 14", quotas());
        expectSteal("17 14 14 11", "[1, 2] [3] [0] []");
        expectSteal("20 14 11 11", "[1] [2, 3] [0] []");
        expectSteal("23 11 11 11", "[] [1, 2, 3] [0] []");
        // no sender is quiet: the lists shift, then the oldest of the new LOW loses half the difference of 12
        expectSteal("29 11 11 5", "[1, 2] [3] [0] []");
        // half the difference of 18 is all that is not static
        expectSteal("38 11 2 5", "[1] [3] [0] [2]");
        // half the difference of 27 would be 13, but only 9 are not static
        expectSteal("47 2 2 5", "[] [3] [0] [1, 2]");
        expectSteal("50 2 2 2", "[] [] [0] [3, 1, 2]");
        expectSteal("50 2 2 2", "[] [] [0] [3, 1, 2]");
        assertEquals(36, ledger.creditsStolen());
        assertEquals(0, ledger.requests());
    }

    @Test
    void shouldShiftWithoutStealingAmongEquals()
    {
        for (int round = 0; round < 20; round++)
        {
            for (int sender = 0; sender < 4; sender++)
            {
                monitor(sender);
            }
        }
        assertEquals("14 14 14 14", quotas());
        assertEquals(0, ledger.creditsStolen());
    }

    @Test
    void shouldGoFromNullToTheTopAndSteal()
    {
        monitor(0, 7);
        assertEquals("[1] [3] [0] [2]", lists());
        monitor(2);
        // half of |2 - 11| is 4
        assertEquals("38 7 6 5", quotas());
        assertEquals("[] [1, 3] [2, 0] []", lists());
    }

    @Test
    void shouldAskVictimThatHoldsTooMuch()
    {
        retrieve(2, 1);
        assertEquals("6 [1, 1, 5] 1/3", pair(2));
        monitor(0, 7);
        assertTrue(decisions().contains("revoke 2 keep 2"));
        assertTrue(ledger.isBlocked(2));
        assertEquals(1, ledger.requests());
        // everything but k comes back with a packet that costs one of the k
        assertTrue(ledger.onResponseRetrieved(2, 4));
        assertFalse(ledger.isBlocked(2));
        assertEquals("grant 2: 1", decisions());
        assertEquals("2 [1, 1, 1] 2/3", pair(2));
    }

    @Test
    void shouldNotAskVictimThatHoldsItsStaticSlots()
    {
        monitor(0, 9);
        assertEquals("50 2 2 2", quotas());
        assertFalse(decisions().contains("revoke"));
    }

    @Test
    void shouldKeepBlockedSenderAtStaticSlots()
    {
        retrieve(2, 1);
        monitor(0, 7);
        decisions();
        retrieve(2, 4);
        assertEquals("", decisions(), "it holds 2 or more: crossings wait");
        assertEquals("2 [1, 1, 5] 5/3", pair(2));
        assertEquals(4, ledger.retrieved(2));
        retrieve(2, 1);
        assertEquals("grant 2: 1", decisions(), "one, so that it is back at 2");
        assertEquals("2 [1, 5, 1] 6/3", pair(2));
        assertEquals("[1] [3] [0] [2]", lists(), "no monitoring point while blocked");
        assertEquals(0, ledger.piggyback(2, 100));

        assertTrue(ledger.onResponseRetrieved(2, 0));
        assertEquals("[] [1, 3] [2, 0] []", lists(), "that comes with the response");
        assertEquals(0, ledger.sinceMonitor(2));
        assertEquals("grant 2: 3", decisions());
        assertEquals("4 [5, 1, 3] 0/7", pair(2));
    }

    @Test
    void shouldTakeBackDirectly()
    {
        actions.taken = 4;
        retrieve(2, 1);
        monitor(0, 6);
        final int before = ledger.availableSlots() + ledger.currentCredits(0);
        monitor(0);
        assertEquals("2 [1, 1, 1] 1/3", pair(2));
        assertFalse(ledger.isBlocked(2));
        assertEquals(4, ledger.revoked());
        assertEquals(before + 4, ledger.availableSlots() + ledger.currentCredits(0));
    }

    @Test
    void shouldGoOnWhenThereIsNothingToTakeBack()
    {
        actions.taken = 0;
        retrieve(2, 1);
        monitor(0, 7);
        assertFalse(ledger.isBlocked(2));
        assertEquals("6 [1, 1, 5] 1/3", pair(2));
        // equation 5.1 of a quota of 2 is 1: it shrinks with each crossing
        retrieve(2, 1);
        assertEquals("6 [1, 5, 1] 2/3", pair(2));
    }

    @Test
    void shouldSendOneGrantForSeveralCrossings()
    {
        retrieveAtOnce(0, 2);
        assertEquals("grant 0: 10", decisions());
        assertEquals("10 [1, 5, 5] 2/3", pair(0));
        retrieveAtOnce(0, 10);
        assertEquals("grant 0: 10", decisions());
        assertEquals("10 [5, 5, 5] 0/11", pair(0));
        assertEquals(4, ledger.retrieved(0));
    }

    @Test
    void shouldAppendWhatWasReallyGiven()
    {
        final DynamicLedger small = new DynamicLedger(1, 2, 6, actions);
        small.checkInvariants(true);
        // data region 4, available 2, equation 5.1 gives 2; after the first crossing 1 is available, then 1 again
        assertTrue(small.onRetrieved(0, 1));
        assertTrue(small.onRetrieved(0, 1));
        assertTrue(small.onRetrieved(0, 1));
        assertEquals("grant 0: 2, grant 0: 2, grant 0: 1", decisions());
        assertEquals(0, small.availableSlots());
        assertEquals(4, small.currentCredits(0));
    }

    @Test
    void shouldCarryCreditsOneForOne()
    {
        retrieve(0, 3);
        assertEquals("14 [5, 5, 5] 0/11", pair(0));
        retrieve(0, 3);
        assertEquals(2, ledger.piggyback(0, 2));
        assertEquals(1, ledger.retrieved(0));
        assertEquals(1, ledger.piggyback(0, 100));
        assertEquals(0, ledger.piggyback(0, 100));
        assertEquals("14 [5, 5, 5] 3/11", pair(0));
    }

    @Test
    void shouldCarryWhatTheQuotaWants()
    {
        monitor(0, 3);
        for (int i = 0; ledger.retrieved(0) != 1; i++)
        {
            assertTrue(i < MANY, "no crossing");
            retrieve(0, 1);
        }
        final int held = ledger.currentCredits(0) + 1;
        assertTrue(held < 17, "held " + held);
        final int newest = ledger.thresholdAt(0, 2);
        assertEquals(1 + 17 - held, ledger.piggyback(0, 100));
        assertEquals(newest + 17 - held, ledger.thresholdAt(0, 2));
        assertEquals(17, ledger.currentCredits(0));
    }

    @Test
    void shouldCarryNothingToSenderThatHasToShrink()
    {
        monitor(3);
        assertEquals("14 [5, 5, 5] 0/11", pair(3));
        for (int i = 0; ledger.intendedQuota(3) > 11; i++)
        {
            assertTrue(i < MANY, "quota " + ledger.intendedQuota(3));
            monitor(0);
        }
        assertFalse(ledger.isBlocked(3));
        retrieve(3, 1);
        assertEquals(1, ledger.retrieved(3));
        assertEquals(0, ledger.piggyback(3, 100));
        assertEquals("13 [5, 5, 5] 1/11", pair(3));
    }

    private void expectSteal(final String quotas, final String lists)
    {
        monitor(0);
        assertEquals(quotas, quotas());
        assertEquals(lists, lists());
    }

    private void monitor(final int sender, final int times)
    {
        for (int i = 0; i < times; i++)
        {
            monitor(sender);
        }
    }

    /** Retrieves packets of a sender until its next monitoring point is passed. */
    private void monitor(final int sender)
    {
        int packets = 0;
        do
        {
            assertTrue(packets++ < MANY, "no monitoring point");
            retrieve(sender, 1);
        }
        while (ledger.sinceMonitor(sender) != 0);
    }

    private void retrieve(final int sender, final int packets)
    {
        for (int i = 0; i < packets; i++)
        {
            retrieveAtOnce(sender, 1);
        }
    }

    private void retrieveAtOnce(final int sender, final int slots)
    {
        assertTrue(ledger.onRetrieved(sender, slots), () -> sender + " has " + ledger.currentCredits(sender));
    }

    private String decisions()
    {
        return actions.take();
    }

    private String lists()
    {
        return IntStream.rangeClosed(DynamicLedger.LOW, DynamicLedger.NULL).mapToObj((list) ->
        {
            final int[] members = new int[4];
            final int count = ledger.copyList(list, members);
            return Arrays.toString(Arrays.copyOf(members, count));
        }).collect(Collectors.joining(" "));
    }

    private String quotas()
    {
        return IntStream.range(0, 4).mapToObj((sender) -> Integer.toString(ledger.intendedQuota(sender)))
            .collect(Collectors.joining(" "));
    }

    /** Current credits, thresholds, slots freed since the last monitoring point / where the next one is. */
    private String pair(final int sender)
    {
        return ledger.currentCredits(sender) + " " +
            Arrays.toString(IntStream.range(0, 3).map((i) -> ledger.thresholdAt(sender, i)).toArray()) + " " +
            ledger.sinceMonitor(sender) + "/" + ledger.monitorAt(sender);
    }
}
