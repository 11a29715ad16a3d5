// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StaticLedgerTest
{
    private final RecordingActions actions = new RecordingActions();
    /** Quota 20, threshold 7, as in figure 5.2 of the thesis. */
    private final StaticLedger ledger = new StaticLedger(3, 2, 22, actions);

    @BeforeEach
    void checkInvariants()
    {
        ledger.checkInvariants(true);
    }

    @Test
    void shouldStartWithFullQuotas()
    {
        assertEquals(3, ledger.senderCount());
        assertEquals(60, ledger.dataRegion());
        assertEquals(0, ledger.availableSlots());
        for (int sender = 0; sender < 3; sender++)
        {
            assertEquals(20, ledger.currentCredits(sender));
            assertEquals(20, ledger.intendedQuota(sender));
            assertFalse(ledger.isGone(sender));
        }
        assertEquals(0, ledger.creditsStolen() + ledger.requests() + ledger.revoked() + ledger.piggybacked());
    }

    @Test
    void shouldReturnThresholdAndStartAgain()
    {
        assertTrue(ledger.onRetrieved(1, 6));
        assertEquals("", actions.take());
        assertEquals(6, ledger.retrieved(1));
        assertEquals(14, ledger.currentCredits(1));
        assertEquals(0, ledger.availableSlots());
        assertTrue(ledger.onRequestRetrieved(1));
        assertEquals("grant 1: 7", actions.take());
        assertEquals(0, ledger.retrieved(1));
        assertEquals(20, ledger.currentCredits(1));
        assertTrue(ledger.onRetrieved(1, 16));
        assertEquals("grant 1: 14", actions.take());
        assertEquals(2, ledger.retrieved(1));
        assertEquals(18, ledger.currentCredits(1));
        assertEquals(2, ledger.creditPackets());
        assertEquals(21, ledger.creditsGranted());
    }

    @Test
    void shouldPiggybackWhatWasFreed()
    {
        ledger.onRetrieved(2, 5);
        assertEquals(0, ledger.piggyback(2, 0));
        assertEquals(3, ledger.piggyback(2, 3));
        assertEquals(2, ledger.retrieved(2));
        assertEquals(2, ledger.piggyback(2, 255));
        assertEquals(0, ledger.piggyback(2, 255));
        assertEquals(20, ledger.currentCredits(2));
        assertEquals(5, ledger.piggybacked());
        ledger.onRetrieved(2, 6);
        assertEquals("", actions.take());
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        assertFalse(ledger.onRetrieved(0, 0));
        assertFalse(ledger.onRetrieved(0, -1));
        assertFalse(ledger.onRetrieved(0, 21));
        assertFalse(ledger.onRetrieved(0, Integer.MAX_VALUE));
        assertFalse(ledger.onResponseRetrieved(0, 0));
        assertFalse(ledger.rejoin(0));
        assertEquals(20, ledger.currentCredits(0));
        assertEquals(0, ledger.retrieved(0));
        assertTrue(ledger.onRetrieved(0, 20));
        assertEquals("grant 0: 14", actions.take());
    }

    @Test
    void shouldFreeQuotaOfSenderThatIsGone()
    {
        ledger.onRetrieved(0, 5);
        ledger.reclaim(0);
        assertTrue(ledger.isGone(0));
        assertEquals(0, ledger.currentCredits(0));
        assertEquals(0, ledger.retrieved(0));
        assertEquals(20, ledger.availableSlots());
        assertFalse(ledger.onRetrieved(0, 1));
        assertEquals(0, ledger.piggyback(0, 255));
        assertTrue(ledger.rejoin(0));
        assertFalse(ledger.isGone(0));
        assertEquals(20, ledger.currentCredits(0));
        assertEquals(0, ledger.availableSlots());
        assertTrue(ledger.onRetrieved(0, 7));
        assertEquals("grant 0: 7", actions.take());
    }
}
