// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * Who is stolen from with {@link StealPolicy#IDLE_FIRST}: eight senders, k = 2, 8 slots each, so a data region of 48, quotas
 * of 6, and a sender rests after 192 slots without it.
 */
class IdleFirstTest
{
    private static final int SENDERS = 8;
    private final RecordingActions actions = new RecordingActions();

    private DynamicLedger ledger(final StealPolicy policy)
    {
        final DynamicLedger ledger = new DynamicLedger(
            SENDERS, 2, 8, actions, PiggybackPolicy.ONE_FOR_ONE, policy);
        ledger.checkInvariants(true);
        return ledger;
    }

    /** Every active sender sends a burst of so many slots, one after the other, so often. */
    private static void rounds(final Ledger ledger, final int active, final int burst, final int rounds)
    {
        for (int round = 0; round < rounds; round++)
        {
            for (int sender = 0; sender < active; sender++)
            {
                for (int slot = 0; slot < burst; slot++)
                {
                    assertTrue(ledger.onRetrieved(sender, 1));
                }
            }
        }
    }

    @Test
    void shouldLeaveSharesEvenWhereAllAreActive()
    {
        final DynamicLedger patient = ledger(StealPolicy.IDLE_FIRST);
        rounds(patient, SENDERS, 20, 50);
        assertEquals(0, patient.creditsStolen());
        final DynamicLedger thesis = ledger(StealPolicy.MONITORED);
        rounds(thesis, SENDERS, 20, 50);
        assertTrue(thesis.creditsStolen() > 0, "the thesis's rule moves slots to whoever bursts");
    }

    @Test
    void shouldTakeAllButTheStaticSlotsFromThoseThatRest()
    {
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        rounds(ledger, 2, 6, 200);
        for (int sender = 2; sender < SENDERS; sender++)
        {
            assertEquals(2, ledger.intendedQuota(sender));
        }
        assertEquals(48 - 2 * 6, ledger.intendedQuota(0) + ledger.intendedQuota(1));
        // of the two that are active neither is starved by the other
        assertTrue(Math.abs(ledger.intendedQuota(0) - ledger.intendedQuota(1)) <= 6,
            ledger.intendedQuota(0) + " and " + ledger.intendedQuota(1));
    }

    @Test
    void shouldTurnEvenAgainWhenThoseThatRestedSend()
    {
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        rounds(ledger, 1, 6, 400);
        assertEquals(48 - 7 * 2, ledger.intendedQuota(0));
        rounds(ledger, SENDERS, 6, 400);
        for (int sender = 0; sender < SENDERS; sender++)
        {
            final int quota = ledger.intendedQuota(sender);
            assertTrue(Math.abs(quota - 6) <= 3, "sender " + sender + " has " + quota);
        }
    }

    @Test
    void shouldCountRestInSlotsOfAll()
    {
        final IdleWatch watch = new IdleWatch(2, 10);
        watch.onFreed(0, 1);
        watch.onFreed(1, 39);
        assertFalse(watch.isIdle(0));
        watch.onFreed(1, 1);
        assertTrue(watch.isIdle(0));
        assertFalse(watch.isIdle(1));
    }
}
