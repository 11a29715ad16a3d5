// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** What a peer writes need not be true: what cannot be is refused, and changes nothing. */
class HostileInputTest
{
    /** More packets than any of these loops needs. */
    private static final int MANY = 100_000;
    private static final int SENDERS = 3;
    private static final int K = 2;
    private static final int[] NO_SENDERS = {-1, SENDERS, Integer.MIN_VALUE, Integer.MAX_VALUE};
    private static final int[] NEVER = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, Integer.MAX_VALUE - 1, 1 << 30};

    @Property(tries = 300)
    void shouldRefuseWhatCannotBeInAnyState(
        @ForAll @Size(max = 120) final List<Integer> choices, @ForAll final boolean thesis, @ForAll final boolean direct)
    {
        final RecordingActions actions = new RecordingActions();
        actions.taken = direct ? 0 : LedgerActions.REQUESTED;
        final DynamicLedger ledger = new DynamicLedger(SENDERS, K, 12, actions,
            thesis ? PiggybackPolicy.THESIS : PiggybackPolicy.ONE_FOR_ONE,
            thesis ? StealPolicy.MONITORED : StealPolicy.IDLE_FIRST);
        ledger.checkInvariants(true);
        for (final int choice : choices)
        {
            honestStep(ledger, choice & 0x7fff_ffff);
            assertRefusesAll(ledger);
        }
    }

    private static void honestStep(final DynamicLedger ledger, final int choice)
    {
        final int sender = choice % SENDERS;
        final int number = choice / 64;
        final int current = ledger.currentCredits(sender);
        switch (choice / SENDERS % 8)
        {
            case 0 ->
            {
                ledger.piggyback(sender, number % 20);
                if (number % 3 == 0)
                {
                    ledger.grow(sender);
                }
            }
            case 1 ->
            {
                if (current > 0)
                {
                    ledger.onResponseRetrieved(sender, number % current);
                }
            }
            case 2 -> ledger.onRevoked(sender, number % (current + 1));
            case 3 -> changeLife(ledger, sender);
            default ->
            {
                if (current > 0)
                {
                    assertTrue(ledger.onRetrieved(sender, 1 + number % current));
                }
            }
        }
    }

    private static void changeLife(final DynamicLedger ledger, final int sender)
    {
        if (ledger.isGone(sender))
        {
            ledger.rejoin(sender);
        }
        else
        {
            ledger.reclaim(sender);
        }
    }

    private static void assertRefusesAll(final DynamicLedger ledger)
    {
        final String before = state(ledger);
        final long refused = ledger.refused();
        int tried = 0;
        for (final int sender : NO_SENDERS)
        {
            assertFalse(ledger.onRetrieved(sender, 1));
            assertFalse(ledger.onRequestRetrieved(sender));
            assertFalse(ledger.onResponseRetrieved(sender, 0));
            assertFalse(ledger.onRevoked(sender, 0));
            tried += 4;
        }
        for (int sender = 0; sender < SENDERS; sender++)
        {
            final int current = ledger.currentCredits(sender);
            for (final int never : NEVER)
            {
                assertFalse(ledger.onRetrieved(sender, never));
                assertFalse(ledger.onResponseRetrieved(sender, never));
                assertFalse(ledger.onRevoked(sender, never));
                tried += 3;
            }
            assertFalse(ledger.onRetrieved(sender, 0));
            assertFalse(ledger.onRetrieved(sender, current + 1));
            assertFalse(ledger.onResponseRetrieved(sender, current));
            assertFalse(ledger.onRevoked(sender, Math.max(1, current - K + 1)));
            tried += 4;
            if (ledger.isGone(sender))
            {
                assertFalse(ledger.onRetrieved(sender, 1));
                assertFalse(ledger.onRequestRetrieved(sender));
                assertFalse(ledger.onResponseRetrieved(sender, 0));
                assertFalse(ledger.onRevoked(sender, 0));
                assertEquals(0, ledger.piggyback(sender, 100));
                tried += 4;
            }
        }
        assertEquals(before, state(ledger));
        assertEquals(refused + tried, ledger.refused());
    }

    @Test
    void shouldRefuseResponseThatThresholdsCannotSpare()
    {
        final DynamicLedger ledger = new DynamicLedger(1, K, 12, new RecordingActions());
        ledger.checkInvariants(true);
        // 2 credits and thresholds of 1, 1, 1: a response costs one credit, and there is nothing to lower
        assertFalse(ledger.onResponseRetrieved(0, 1));
        assertEquals(2, ledger.currentCredits(0));
        assertTrue(ledger.onResponseRetrieved(0, 0));
    }

    @Test
    void shouldGoOnWhenRevocationAnswersNonsense()
    {
        for (final int nonsense : new int[] {-2, Integer.MIN_VALUE, 5, 1000, Integer.MAX_VALUE})
        {
            final RecordingActions actions = new RecordingActions();
            actions.taken = nonsense;
            final DynamicLedger ledger = new DynamicLedger(2, K, 12, actions);
            ledger.checkInvariants(true);
            assertTrue(ledger.onRetrieved(1, 1));
            assertEquals(5, ledger.currentCredits(1));
            for (int i = 0; ledger.intendedQuota(1) > K; i++)
            {
                assertTrue(i < MANY, "quota " + ledger.intendedQuota(1));
                assertTrue(ledger.onRetrieved(0, 1));
            }
            assertTrue(actions.take().contains("revoke 1 keep 2"));
            assertEquals(5, ledger.currentCredits(1), "nothing of it is believed");
            assertEquals(1, ledger.refused());
            assertEquals(0, ledger.revoked());
            assertFalse(ledger.isBlocked(1));
            assertTrue(ledger.onRetrieved(1, 5), "it still has them");
        }
    }

    @Test
    void shouldBookWhatWasRevokedDirectly()
    {
        final DynamicLedger ledger = new DynamicLedger(2, K, 12, new RecordingActions());
        ledger.checkInvariants(true);
        assertTrue(ledger.onRetrieved(1, 1));
        for (int i = 0; ledger.intendedQuota(1) > K; i++)
        {
            assertTrue(i < MANY, "quota " + ledger.intendedQuota(1));
            assertTrue(ledger.onRetrieved(0, 1));
        }
        assertTrue(ledger.isBlocked(1));
        final int available = ledger.availableSlots();
        assertTrue(ledger.onRevoked(1, 2));
        assertFalse(ledger.isBlocked(1));
        assertEquals(3, ledger.currentCredits(1));
        assertEquals(available + 2, ledger.availableSlots());
        assertEquals(2, ledger.revoked());
        assertEquals("[1, 1, 2]", thresholds(ledger, 1));
        assertTrue(ledger.onRevoked(1, 1));
        assertFalse(ledger.onRevoked(1, 1), "static slots stay");
        assertTrue(ledger.onRevoked(1, 0), "nothing is no reason to refuse");
    }

    @Test
    void shouldRefuseToRevokeFixedQuotas()
    {
        final StaticLedger ledger = new StaticLedger(2, K, 12, new RecordingActions());
        assertFalse(ledger.onRevoked(0, 1));
        assertFalse(ledger.onRetrieved(2, 1));
        assertFalse(ledger.onRetrieved(-1, 1));
        assertEquals(10, ledger.currentCredits(0));
        assertEquals(3, ledger.refused());
    }

    @Test
    void shouldNotWrapWhenBlockedSenderNeverAnswers()
    {
        // one sender holds nearly all of a region of 2^30 and a compulsory request never gets its answer
        final RecordingActions actions = new RecordingActions();
        final DynamicLedger ledger = new DynamicLedger(2, 1, Ledger.MAX_SLOTS / 2, actions);
        ledger.checkInvariants(true);
        assertTrue(ledger.onRetrieved(1, 1));
        for (int point = 0; !ledger.isBlocked(1); point++)
        {
            assertTrue(point < 1000, "blocked after " + point + " packets of the other: quota " + ledger.intendedQuota(1));
            assertTrue(ledger.onRetrieved(0, ledger.currentCredits(0)));
        }
        long freed = 0;
        for (int i = 0; ledger.currentCredits(1) > 1; i++)
        {
            assertTrue(i < MANY, "credits " + ledger.currentCredits(1));
            final int slots = ledger.currentCredits(1) - 1;
            assertTrue(ledger.onRetrieved(1, slots));
            freed += slots;
        }
        for (int i = 0; i < 1000; i++)
        {
            assertTrue(ledger.onRetrieved(1, 1));
            freed++;
        }
        assertTrue(freed > 1 << 20, "freed " + freed);
        assertTrue(ledger.sinceMonitor(1) > 0 && ledger.sinceMonitor(1) <= Ledger.MAX_SLOTS);
    }

    @Test
    void shouldRejectSizesWithNumbers()
    {
        final RecordingActions actions = new RecordingActions();
        assertRejects("senders out of range: found=0", 0, 2, 16, actions);
        assertRejects("creditSlots out of range: found=0", 1, 0, 16, actions);
        assertRejects("slotsPerSender out of range: found=15, expected at least twice creditSlots=8", 1, 8, 15, actions);
        assertRejects("found=16 x 67108865, expected at most 1073741824", 67_108_865, 1, 16, actions);
        assertRejects("creditSlots=1073741824", 1, 1 << 30, Integer.MAX_VALUE, actions);
        assertThrows(NullPointerException.class, () -> new DynamicLedger(1, 2, 16, null));
    }

    private static void assertRejects(
        final String expected, final int senders, final int creditSlots, final int slots, final LedgerActions actions)
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> new DynamicLedger(senders, creditSlots, slots, actions)).getMessage();
        assertTrue(message.contains(expected), message);
        assertThrows(IllegalArgumentException.class, () -> new StaticLedger(senders, creditSlots, slots, actions));
    }

    private static String thresholds(final DynamicLedger ledger, final int sender)
    {
        final int[] thresholds = new int[ledger.thresholdCount()];
        Arrays.setAll(thresholds, (i) -> ledger.thresholdAt(sender, i));
        return Arrays.toString(thresholds);
    }

    private static String state(final DynamicLedger ledger)
    {
        final StringBuilder state = new StringBuilder().append(ledger.availableSlots());
        for (int sender = 0; sender < SENDERS; sender++)
        {
            state.append('|').append(ledger.currentCredits(sender)).append(' ').append(ledger.intendedQuota(sender)).append(' ')
                .append(ledger.retrieved(sender)).append(' ').append(thresholds(ledger, sender)).append(' ')
                .append(ledger.sinceMonitor(sender)).append('/').append(ledger.monitorAt(sender)).append(' ')
                .append(ledger.isBlocked(sender)).append(ledger.isGone(sender)).append(ledger.list(sender));
        }
        for (int list = DynamicLedger.LOW; list <= DynamicLedger.NULL; list++)
        {
            final int[] members = new int[SENDERS];
            state.append(Arrays.toString(Arrays.copyOf(members, ledger.copyList(list, members))));
        }
        return state.append(ledger.creditPackets()).append(' ').append(ledger.creditsStolen()).append(' ')
            .append(ledger.revoked()).append(' ').append(ledger.piggybacked()).toString();
    }
}
