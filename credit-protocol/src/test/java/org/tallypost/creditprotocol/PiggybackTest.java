// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Credits in data packets; {@link Figure64Test} and {@link ThesisPiggybackTest} have the thesis's corrections. */
class PiggybackTest
{
    private final RecordingActions actions = new RecordingActions();

    private DynamicLedger ledger(final int senders, final PiggybackPolicy policy)
    {
        final DynamicLedger ledger = new DynamicLedger(senders, 2, 8, actions, policy, StealPolicy.MONITORED);
        ledger.checkInvariants(true);
        return ledger;
    }

    private static void retrieve(final DynamicLedger ledger, final int sender, final int... runs)
    {
        for (final int slots : runs)
        {
            assertTrue(ledger.onRetrieved(sender, slots), "refused");
        }
    }

    private static int sumOfThresholds(final DynamicLedger ledger, final int sender)
    {
        int sum = 0;
        for (int i = 0; i < ledger.thresholdCount(); i++)
        {
            sum += ledger.thresholdAt(sender, i);
        }
        return sum;
    }

    @ParameterizedTest
    @EnumSource
    void shouldReturnOneForOne(final PiggybackPolicy policy)
    {
        final DynamicLedger ledger = ledger(2, policy);
        assertEquals(0, ledger.piggyback(0, 255));
        retrieve(ledger, 0, 1, 1, 1, 2);
        assertEquals(2, ledger.retrieved(0));
        assertEquals(6, ledger.currentCredits(0));
        assertEquals(1, ledger.piggyback(0, 1));
        assertEquals(1, ledger.retrieved(0));
        assertEquals(1, ledger.piggyback(0, 255));
        assertEquals(0, ledger.piggyback(0, 255));
        assertEquals(0, ledger.retrieved(0));
        assertEquals(8, ledger.currentCredits(0));
        assertEquals(9, sumOfThresholds(ledger, 0));
        assertEquals(2, ledger.piggybacked());
        // credits that went back do not count towards the threshold
        actions.take();
        retrieve(ledger, 0, 2);
        assertEquals("", actions.take());
        retrieve(ledger, 0, 1);
        assertEquals("grant 0: 3", actions.take());
    }

    @Test
    void shouldGrowToIntendedQuota()
    {
        final DynamicLedger ledger = new DynamicLedger(4, 2, 64, actions);
        ledger.checkInvariants(true);
        for (int i = 0; ledger.retrieved(0) != 2 || sumOfThresholds(ledger, 0) + 1 >= ledger.intendedQuota(0); i++)
        {
            assertTrue(i < 5000, "held never fell behind the quota");
            retrieve(ledger, 0, 1);
        }
        final int held = sumOfThresholds(ledger, 0) - 1;
        final int intended = ledger.intendedQuota(0);
        final int current = ledger.currentCredits(0);
        final int newest = ledger.thresholdAt(0, 2);
        // what was freed goes back first, and the rest on top, into the newest threshold
        assertEquals(3, ledger.piggyback(0, 3));
        assertEquals(0, ledger.retrieved(0));
        assertEquals(newest + 1, ledger.thresholdAt(0, 2));
        assertEquals(current + 3, ledger.currentCredits(0));
        assertEquals(held + 1, sumOfThresholds(ledger, 0) - 1);
        // nothing freed: nothing on top either
        assertEquals(0, ledger.piggyback(0, 255));
        retrieve(ledger, 0, 1);
        assertEquals(1 + intended - held - 1, ledger.piggyback(0, 255));
        assertEquals(intended, sumOfThresholds(ledger, 0) - 1);
    }

    /** All that is freed goes back as it comes, and no more fits there: it reaches no threshold, and would never grow. */
    @Test
    void shouldGrowBeyondALimitThatReturnsAllThatIsFreed()
    {
        final DynamicLedger ledger = new DynamicLedger(4, 2, 64, actions);
        ledger.checkInvariants(true);
        retrieve(ledger, 0, 1, 1, 1);
        final int limit = ledger.currentCredits(0);
        for (int i = 0; i < 5000; i++)
        {
            retrieve(ledger, 0, 1);
            assertEquals(1, ledger.piggyback(0, Math.max(1, limit - ledger.currentCredits(0))));
        }
        assertEquals(limit, ledger.currentCredits(0));
        final int intended = ledger.intendedQuota(0);
        assertTrue(intended > 2 * limit, "nothing to grow to: " + intended);
        final int available = ledger.availableSlots();
        actions.take();
        ledger.grow(0);
        assertEquals("grant 0: " + (intended - limit), actions.take());
        assertEquals(intended, ledger.currentCredits(0));
        assertEquals(available - (intended - limit), ledger.availableSlots());
        // once is enough
        ledger.grow(0);
        assertEquals("", actions.take());
    }

    /** None that is gone, or is asked for credits back, or has more than its quota. */
    @Test
    void shouldGrowOnlyWhoMay()
    {
        actions.taken = LedgerActions.REQUESTED;
        final DynamicLedger ledger = ledger(2, PiggybackPolicy.ONE_FOR_ONE);
        retrieve(ledger, 0, 1, 1, 1, 1);
        assertTrue(sumOfThresholds(ledger, 0) - 1 > ledger.intendedQuota(0));
        actions.take();
        ledger.grow(0);
        ledger.reclaim(1);
        ledger.grow(1);
        assertEquals("", actions.take());
        assertEquals(0, ledger.currentCredits(1));
        final Ledger fixed = new StaticLedger(2, 2, 8, actions);
        fixed.checkInvariants(true);
        assertTrue(fixed.onRetrieved(0, 1));
        fixed.grow(0);
        assertEquals("", actions.take());
    }

    @Test
    void shouldFeedSenderUpToStaticSlotsAboveQuota()
    {
        // held = quota + k is where shrinking begins, exclusive: quota 6, thresholds 3, 3, 3
        final DynamicLedger ledger = ledger(2, PiggybackPolicy.ONE_FOR_ONE);
        retrieve(ledger, 0, 1, 1, 1, 1);
        assertEquals(ledger.intendedQuota(0) + 2, sumOfThresholds(ledger, 0) - 1);
        assertEquals(1, ledger.piggyback(0, 255));
    }

    @ParameterizedTest
    @EnumSource
    void shouldGiveNothingWhenNothingIsAvailable(final PiggybackPolicy policy)
    {
        final DynamicLedger ledger = ledger(2, policy);
        retrieve(ledger, 0, 1);
        retrieve(ledger, 1, 1, 1, 1);
        assertEquals(0, ledger.availableSlots());
        // a run of two reaches two thresholds, but the first takes all that there is
        actions.take();
        retrieve(ledger, 0, 2);
        assertEquals("grant 0: 2", actions.take());
        assertEquals(1, ledger.retrieved(0));
        assertEquals(0, ledger.piggyback(0, 255));
        assertEquals(1, ledger.retrieved(0));
        assertEquals(6, sumOfThresholds(ledger, 0));
        assertEquals(0, ledger.piggybacked());
    }
}
