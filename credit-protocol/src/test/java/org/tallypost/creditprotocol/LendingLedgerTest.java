// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * What senders hold where slots are lent: eight senders, k = 2, 12 slots each, so a data region of 80: 16 static slots and
 * 64 more, of which each sender has one at the start and 56 are spare.
 */
class LendingLedgerTest
{
    private static final int SENDERS = 8;
    private final RecordingActions actions = new RecordingActions();
    private final LendingLedger ledger = newLedger();

    private LendingLedger newLedger()
    {
        final LendingLedger fresh = new LendingLedger(SENDERS, 2, 12, actions);
        fresh.checkInvariants(true);
        return fresh;
    }

    /** A message of one-slot packets, each of which says how many come behind it; as far as the sender has credits. */
    private static int send(final Ledger ledger, final int sender, final int packets)
    {
        int sent = 0;
        while (sent < packets && ledger.onRetrieved(sender, 1, packets - sent - 1))
        {
            sent++;
        }
        return sent;
    }

    @Test
    void shouldStartWithStaticSlotsAndAFifthOfTheRest()
    {
        for (int sender = 0; sender < SENDERS; sender++)
        {
            assertEquals(3, ledger.currentCredits(sender));
        }
        assertEquals(56, ledger.spareSlots());
        assertEquals(56, ledger.availableSlots());
    }

    @Test
    void shouldLendWhatAMessageLacksInOneReturn()
    {
        assertTrue(ledger.onRetrieved(0, 1, 20));
        // two credits are left, 20 slots are to come, and a share of (64 - 3/5 x 64) / 8 beyond the static slots stays
        assertEquals("grant 0: 23", actions.take());
        assertEquals(25, ledger.currentCredits(0));
        assertEquals(20, send(ledger, 0, 20));
        assertEquals("", actions.take());
        // what was lent is spare again as soon as nothing more is announced; the share was not used
        assertEquals(5, ledger.currentCredits(0));
        assertEquals(54, ledger.spareSlots());
    }

    /** All that is freed goes back as it comes: no threshold is reached, and no return would bring it to its share. */
    @Test
    void shouldGrowToItsShare()
    {
        for (int i = 0; i < 1_000; i++)
        {
            assertTrue(ledger.onRetrieved(0, 1));
            assertEquals(1, ledger.piggyback(0, 1));
        }
        assertEquals("", actions.take());
        assertEquals(3, ledger.currentCredits(0));
        final int share = ledger.intendedQuota(0);
        assertTrue(share > 6, "nothing to grow to: " + share);
        ledger.grow(0);
        assertEquals("grant 0: " + (share - 3), actions.take());
        assertEquals(share, ledger.currentCredits(0));
        assertEquals(56 - (share - 3), ledger.spareSlots());
        ledger.grow(0);
        assertEquals("", actions.take());
        // what was not there for one is not there for another either
        ledger.reclaim(1);
        ledger.grow(1);
        assertEquals("", actions.take());
        assertEquals(share, send(ledger, 0, share));
    }

    @Test
    void shouldLendNoMoreThanIsSpare()
    {
        assertTrue(ledger.onRetrieved(0, 1, 1_000_000));
        assertEquals("grant 0: 57", actions.take());
        assertEquals(0, ledger.spareSlots());
        // the others keep what they have, and get it back
        assertEquals(3, send(ledger, 1, 3));
        assertEquals("grant 1: 3", actions.take());
    }

    @Test
    void shouldShareEvenlyWhereMessagesFitAShare()
    {
        for (int round = 0; round < 60; round++)
        {
            for (int sender = 0; sender < SENDERS; sender++)
            {
                assertEquals(4, send(ledger, sender, 4));
            }
        }
        for (int sender = 0; sender < SENDERS; sender++)
        {
            assertEquals(10, ledger.intendedQuota(sender));
            assertEquals(10, ledger.currentCredits(sender) + ledger.retrieved(sender));
        }
        assertEquals(0, ledger.requests());
        assertEquals(0, ledger.spareSlots());
    }

    @Test
    void shouldShareAmongThoseThatSend()
    {
        for (int round = 0; round < 60; round++)
        {
            assertEquals(4, send(ledger, 0, 4));
            assertEquals(4, send(ledger, 1, 4));
        }
        // 64 slots, less one that each of six others has had from the start, for two
        assertEquals(2 + 58 / 2, ledger.intendedQuota(0));
        assertEquals(31, ledger.currentCredits(0) + ledger.retrieved(0));
        assertEquals(31, ledger.currentCredits(1) + ledger.retrieved(1));
        // those that rest are asked once, if at all
        assertTrue(ledger.requests() <= SENDERS - 2, "requests: " + ledger.requests());
    }

    @Test
    void shouldNotRobThoseWhoTakeTurns()
    {
        for (int round = 0; round < 40; round++)
        {
            for (int sender = 0; sender < SENDERS; sender++)
            {
                assertEquals(37, send(ledger, sender, 37), "round " + round + ", sender " + sender);
            }
        }
        assertEquals(0, ledger.requests());
        assertEquals(0, ledger.creditsStolen());
        for (int sender = 0; sender < SENDERS; sender++)
        {
            assertTrue(ledger.currentCredits(sender) >= 2, "sender " + sender);
        }
    }

    @Test
    void shouldTakeBackOnlyFromThoseThatRestAndOncePerRest()
    {
        // a loan that is never used
        assertTrue(ledger.onRetrieved(7, 1, 40));
        assertEquals(45, ledger.currentCredits(7));
        actions.taken = LedgerActions.REQUESTED;
        actions.take();
        for (int message = 0; message < 30; message++)
        {
            send(ledger, 0, 37);
            send(ledger, 1, 37);
        }
        final String decisions = actions.take();
        assertEquals(1, decisions.split("revoke 7 keep 2", -1).length - 1, decisions);
        assertFalse(decisions.contains("revoke 0") || decisions.contains("revoke 1"), decisions);
        assertTrue(ledger.isBlocked(7));
        assertTrue(ledger.onResponseRetrieved(7, 43));
        assertFalse(ledger.isBlocked(7));
        assertEquals(2, ledger.currentCredits(7) + ledger.retrieved(7));
    }

    @Test
    void shouldNotAskAgainWhoIsAskedAlready()
    {
        assertTrue(ledger.onRetrieved(7, 1, 40));
        actions.take();
        // it rests, is asked, sends something else than the answer, and rests again
        for (int rest = 0; rest < 2; rest++)
        {
            for (int message = 0; message < 30; message++)
            {
                send(ledger, 0, 37);
                send(ledger, 1, 37);
            }
            assertTrue(ledger.isBlocked(7));
            assertTrue(ledger.onRetrieved(7, 1));
        }
        final String decisions = actions.take();
        assertEquals(1, decisions.split("revoke 7 keep 2", -1).length - 1, decisions);
    }

    /** Also if the share grows at that moment, as the first round ends in which the others sent nothing. */
    @Test
    void shouldLeaveASenderItsShareAfterALoan()
    {
        final Random random = new Random(1);
        for (int trial = 0; trial < 1_000; trial++)
        {
            final LendingLedger fresh = newLedger();
            for (int step = 0; step < 100; step++)
            {
                final int held = fresh.currentCredits(0) + fresh.retrieved(0);
                final int announced = random.nextInt(20) == 0 ? random.nextInt(30) : 0;
                if (fresh.onRetrieved(0, 1 + random.nextInt(3), announced) && announced == 0)
                {
                    final int kept = fresh.currentCredits(0) + fresh.retrieved(0);
                    final int share = fresh.intendedQuota(0);
                    assertTrue(kept >= Math.min(held, share), "held " + held + ", holds " + kept + ", share " + share);
                }
            }
        }
    }

    @Test
    void shouldTakeBackAtOnceWhereItCan()
    {
        assertTrue(ledger.onRetrieved(7, 1, 40));
        actions.taken = 43;
        for (int message = 0; message < 30; message++)
        {
            send(ledger, 0, 37);
            send(ledger, 1, 37);
        }
        assertEquals(2, ledger.currentCredits(7));
        assertTrue(ledger.revoked() >= 43);
    }

    @Test
    void shouldNotBelieveWhatCannotBe()
    {
        assertFalse(ledger.onRetrieved(0, 4, 0));
        assertFalse(ledger.onRetrieved(0, 0, 5));
        assertFalse(ledger.onRetrieved(8, 1, 5));
        assertFalse(ledger.onResponseRetrieved(0, 3));
        assertFalse(ledger.onRevoked(0, 2));
        assertTrue(ledger.onRevoked(0, 1));
        assertEquals(5, ledger.refused());
        assertTrue(ledger.onRetrieved(0, 1, Integer.MIN_VALUE));
        assertTrue(ledger.onRetrieved(1, 1, Integer.MAX_VALUE));
    }

    @Test
    void shouldKeepStaticSlotsOfWhoIsGone()
    {
        send(ledger, 0, 30);
        ledger.reclaim(0);
        assertTrue(ledger.isGone(0));
        assertEquals(0, ledger.currentCredits(0));
        assertFalse(ledger.onRetrieved(0, 1, 0));
        assertTrue(ledger.onRetrieved(1, 1, 1_000_000));
        assertEquals(0, ledger.spareSlots());
        assertTrue(ledger.rejoin(0));
        assertFalse(ledger.rejoin(0));
        assertEquals(2, ledger.currentCredits(0));
        assertTrue(send(ledger, 0, 5) >= 2);
    }

    @Test
    void shouldKeepAFloodFromTheShareOfAQuietSender()
    {
        final Random random = new Random(1);
        for (int step = 0; step < 20_000; step++)
        {
            final int sender = random.nextInt(50) == 0 ? 1 : 0;
            final int credits = ledger.currentCredits(sender);
            assertTrue(credits >= 1, "sender " + sender + " may not send in step " + step);
            assertTrue(ledger.onRetrieved(sender, 1, sender == 0 ? 1000 : 0));
        }
    }
}
