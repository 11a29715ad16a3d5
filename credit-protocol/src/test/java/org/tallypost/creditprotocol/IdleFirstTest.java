// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/**
 * The victims with {@link StealPolicy#IDLE_FIRST}: eight senders, k = 2, 8 slots each, so a data region of 48, quotas
 * of 6, and rounds of 64 slots of the busiest sender.
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
        assertTrue(thesis.creditsStolen() > 0, "the thesis's rule moves slots to the sender that bursts");
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

    /** A mailbox for many senders of which few are active is as soon theirs as a small one is. */
    @Test
    void shouldSeeWhoRestsWithinAFewMessagesHoweverManyRest()
    {
        final int senders = 1024;
        final DynamicLedger ledger = new DynamicLedger(
            senders, 2, 12, actions, PiggybackPolicy.ONE_FOR_ONE, StealPolicy.IDLE_FIRST);
        for (int message = 0; message < 24; message++)
        {
            for (int sender = 0; sender < 4; sender++)
            {
                for (int left = 36; left >= 0; left--)
                {
                    assertTrue(ledger.onRetrieved(sender, 1, left));
                }
            }
        }
        for (int sender = 0; sender < 4; sender++)
        {
            assertTrue(ledger.intendedQuota(sender) >= 37, "sender " + sender + " has " + ledger.intendedQuota(sender));
        }
        ledger.checkInvariants();
    }

    @Test
    void shouldTakeAllButTheStaticSlotsOfAVictimThatRestsAtOnce()
    {
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        while (ledger.creditsStolen() == 0)
        {
            rounds(ledger, 1, 6, 1);
        }
        assertEquals(4, ledger.creditsStolen());
        assertEquals(10, ledger.intendedQuota(0));
    }

    /** A sender with its static slots alone would need as many packets as its quota once was to be seen at all. */
    @Test
    void shouldGiveASenderThatWantsCreditsItsShareAtOnce()
    {
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        rounds(ledger, 1, 6, 200);
        assertEquals(48 - 7 * 2, ledger.intendedQuota(0));
        assertEquals(2, ledger.currentCredits(5));
        assertTrue(ledger.onNudgeRetrieved(5, 1));
        assertEquals(6, ledger.intendedQuota(5));
        assertEquals(48 - 6 - 6 * 2, ledger.intendedQuota(0));
        // the busy sender gives them up as it sends; the other one has them before its third packet
        rounds(ledger, 1, 1, 34);
        assertTrue(ledger.onNudgeRetrieved(5, 1));
        assertTrue(ledger.currentCredits(5) > 2, "found " + ledger.currentCredits(5));
        // and they stay while it looks for them now and then only
        rounds(ledger, 1, 64, 100);
        assertEquals(6, ledger.intendedQuota(5));
        // but not for ever
        rounds(ledger, 1, 64, 3_000);
        assertEquals(2, ledger.intendedQuota(5));
        assertTrue(ledger.isBlocked(5), "it is asked for what it has not used");
    }

    /** One that is gone wants nothing any more, whatever it said before. */
    @Test
    void shouldTakeTheShareOfASenderThatWantedCreditsAndIsGone()
    {
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        rounds(ledger, 1, 6, 200);
        assertTrue(ledger.onNudgeRetrieved(5, 1));
        assertEquals(6, ledger.intendedQuota(5));
        ledger.reclaim(5);
        rounds(ledger, 1, 64, 20);
        assertEquals(2, ledger.intendedQuota(5));
        assertEquals(48 - 7 * 2, ledger.intendedQuota(0));
    }

    @Test
    void shouldGiveNothingToAWantThatHasItsShareOrIsNoSender()
    {
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        rounds(ledger, 1, 6, 200);
        final int quota = ledger.intendedQuota(0);
        assertFalse(ledger.onNudgeRetrieved(-1, 1));
        assertFalse(ledger.onNudgeRetrieved(SENDERS, 1));
        assertTrue(ledger.onNudgeRetrieved(0, 1));
        assertEquals(quota, ledger.intendedQuota(0));
        ledger.reclaim(3);
        assertFalse(ledger.onNudgeRetrieved(3, 1));
        assertEquals(0, ledger.currentCredits(3));
        final DynamicLedger thesis = ledger(StealPolicy.MONITORED);
        rounds(thesis, 1, 6, 200);
        final int left = thesis.intendedQuota(5);
        assertTrue(thesis.onNudgeRetrieved(5, 1));
        assertEquals(left, thesis.intendedQuota(5));
    }

    @Test
    void shouldCountRestInRoundsOfTheBusiest()
    {
        final IdleWatch watch = new IdleWatch(3, 1000);
        use(watch, 0, 1);
        use(watch, 1, 63);
        use(watch, 2, 63);
        assertFalse(watch.isIdle(0), "no round is over");
        use(watch, 1, 1);
        use(watch, 2, 63);
        assertFalse(watch.isIdle(0), "seen in the round before this");
        use(watch, 1, 64);
        assertTrue(watch.isIdle(0));
        assertFalse(watch.isIdle(1));
        assertFalse(watch.isIdle(2), "seen in the round before this");
        watch.onFreed(0, 1);
        assertFalse(watch.isIdle(0));
    }

    @Test
    void shouldMakeRoundsLongerForLongMessagesAndLargeQuotas()
    {
        final IdleWatch watch = new IdleWatch(2, 500);
        watch.onAnnounced(100);
        use(watch, 1, 199);
        use(watch, 1, 1);
        watch.onFreed(0, 1);
        use(watch, 1, 100);
        use(watch, 1, 99);
        assertFalse(watch.isIdle(0), "the longest message of the round before counts as well");
        use(watch, 1, 1);
        use(watch, 1, 64);
        assertTrue(watch.isIdle(0), "no sender announces any more");

        final IdleWatch rich = new IdleWatch(2, 500);
        rich.onFreed(1, 300);
        rich.onMonitored(1, 200);
        rich.onFreed(1, 100);
        rich.onMonitored(1, 200);
        assertFalse(rich.isIdle(0));
        rich.onFreed(1, 400);
        rich.onMonitored(1, 200);
        assertTrue(rich.isIdle(0));
    }

    /** A sender that announces what cannot be puts off what others see by two mailboxes, and no longer. */
    @Test
    void shouldNotBelieveMoreThanTheDataRegion()
    {
        final IdleWatch watch = new IdleWatch(2, 100);
        watch.onAnnounced(Integer.MAX_VALUE);
        use(watch, 1, 200);
        use(watch, 1, 200);
        assertTrue(watch.isIdle(0));
        final DynamicLedger ledger = ledger(StealPolicy.IDLE_FIRST);
        assertTrue(ledger.onRetrieved(0, 1, Integer.MAX_VALUE));
        assertTrue(ledger.onRetrieved(0, 1, Integer.MIN_VALUE));
        rounds(ledger, 1, 6, 100);
        assertEquals(48 - 7 * 2, ledger.intendedQuota(0));
    }

    private static void use(final IdleWatch watch, final int sender, final int slots)
    {
        watch.onFreed(sender, slots);
        watch.onMonitored(sender, 6);
    }
}
