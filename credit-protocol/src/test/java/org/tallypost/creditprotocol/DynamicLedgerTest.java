// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Start, crossings, responses, and senders that go and come back; {@link MonitoringPointTest} has the rest. */
class DynamicLedgerTest
{
    /** More packets than any of these loops needs. */
    private static final int MANY = 100_000;

    private final RecordingActions actions = new RecordingActions();

    private DynamicLedger ledger(final int senders, final int creditSlots, final int slotsPerSender)
    {
        final DynamicLedger ledger = new DynamicLedger(senders, creditSlots, slotsPerSender, actions);
        ledger.checkInvariants(true);
        return ledger;
    }

    /** All that a ledger shows. */
    private static String show(final DynamicLedger ledger)
    {
        final StringBuilder all = new StringBuilder("available " + ledger.availableSlots());
        for (int list = 0; list < 4; list++)
        {
            final int[] members = new int[ledger.senderCount()];
            final int count = ledger.copyList(list, members);
            all.append(Arrays.toString(Arrays.copyOf(members, count)));
        }
        for (int sender = 0; sender < ledger.senderCount(); sender++)
        {
            all.append("\n").append(sender).append(": ").append(show(ledger, sender));
        }
        return all.toString();
    }

    private static String show(final DynamicLedger ledger, final int sender)
    {
        final int[] thresholds = new int[ledger.thresholdCount()];
        for (int i = 0; i < thresholds.length; i++)
        {
            thresholds[i] = ledger.thresholdAt(sender, i);
        }
        return Arrays.toString(thresholds) + " retrieved " + ledger.retrieved(sender) +
            " current " + ledger.currentCredits(sender) + " intended " + ledger.intendedQuota(sender) +
            " monitor " + ledger.sinceMonitor(sender) + "/" + ledger.monitorAt(sender) +
            (ledger.isBlocked(sender) ? " blocked" : "") + (ledger.isGone(sender) ? " gone" : "");
    }

    private static String lists(final DynamicLedger ledger)
    {
        final String all = show(ledger);
        return all.substring(all.indexOf('['), all.indexOf('\n'));
    }

    private static void retrieve(final DynamicLedger ledger, final int sender, final int slots)
    {
        assertTrue(ledger.onRetrieved(sender, slots), "refused");
    }

    /** Retrieves one slot at a time from a sender until its next monitoring point. */
    private static void toMonitoringPoint(final DynamicLedger ledger, final int sender)
    {
        int packets = 0;
        do
        {
            assertTrue(packets++ < MANY, "no monitoring point");
            retrieve(ledger, sender, 1);
        }
        while (ledger.sinceMonitor(sender) != 0);
    }

    @Test
    void shouldStartAsInSection63()
    {
        final DynamicLedger ledger = ledger(3, 2, 8);
        assertEquals("available 12[0, 1, 2][][][]\n" +
            "0: [1, 1, 1] retrieved 0 current 2 intended 6 monitor 0/3\n" +
            "1: [1, 1, 1] retrieved 0 current 2 intended 6 monitor 0/3\n" +
            "2: [1, 1, 1] retrieved 0 current 2 intended 6 monitor 0/3", show(ledger));
        assertEquals(18, ledger.dataRegion());
        assertEquals(3, ledger.senderCount());
        assertEquals(3, ledger.thresholdCount());
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1, 2, senders, 0",
        "1, 0, 2, creditSlots, 0",
        "1, -1, 2, creditSlots, -1",
        "1, 2, 3, slotsPerSender, 3",
        "1, 2147483647, 2147483647, slotsPerSender, 2147483647",
        "65536, 2, 32768, slots of a mailbox, 32768 x 65536"})
    void shouldRejectSizes(final int senders, final int creditSlots, final int slots, final String name, final String found)
    {
        final String message =
            assertThrows(IllegalArgumentException.class, () -> ledger(senders, creditSlots, slots)).getMessage();
        assertTrue(message.startsWith(name + " out of range: found=" + found + ","), message);
    }

    @Test
    void shouldAcceptLeastSizes()
    {
        final DynamicLedger ledger = ledger(1, 1, 2);
        retrieve(ledger, 0, 1);
        assertEquals("grant 0: 1", actions.take());
        assertEquals(1, ledger.intendedQuota(0));
        assertThrows(IllegalArgumentException.class, () -> new SenderRows(Integer.MAX_VALUE / 4, 1));
    }

    @Test
    void shouldCrossOnceForEachThresholdAndSendOnePacket()
    {
        final DynamicLedger ledger = ledger(2, 2, 16);
        retrieve(ledger, 0, 2);
        assertEquals("grant 0: 10", actions.take());
        assertEquals("[1, 5, 5] retrieved 0 current 10 intended 14 monitor 2/3", show(ledger, 0));
        retrieve(ledger, 0, 8);
        assertEquals("grant 0: 10", actions.take());
        assertEquals("[5, 5, 5] retrieved 2 current 12 intended 14 monitor 0/11", show(ledger, 0));
        retrieve(ledger, 0, 2);
        assertEquals("", actions.take());
        retrieve(ledger, 0, 1);
        assertEquals("grant 0: 5", actions.take());
        assertEquals(3, ledger.creditPackets());
        assertEquals(25, ledger.creditsGranted());
    }

    /** A ledger with a sender 1 that has just been robbed of all but its static slots while it holds 4 credits. */
    private DynamicLedger robbed()
    {
        final DynamicLedger ledger = ledger(2, 2, 8);
        retrieve(ledger, 1, 1);
        for (int i = 0; i < 4; i++)
        {
            toMonitoringPoint(ledger, 0);
        }
        assertEquals(10, ledger.intendedQuota(0));
        assertEquals("[][][0][1]", lists(ledger));
        assertTrue(String.join(", ", actions.decisions).contains("revoke 1 keep 2"));
        assertEquals(1, ledger.requests());
        actions.take();
        return ledger;
    }

    @Test
    void shouldLowerOldestThresholdsFirst()
    {
        final DynamicLedger ledger = ledger(1, 3, 27);
        for (int i = 0; i < 4; i++)
        {
            retrieve(ledger, 0, 1);
        }
        retrieve(ledger, 0, 7);
        assertEquals("[7, 7, 4, 7] retrieved 0 current 24 intended 24 monitor 7/22", show(ledger, 0));
        assertTrue(ledger.onResponseRetrieved(0, 13));
        // 1, 1, 3, 7, and then the crossing by the slot of the response itself
        assertEquals("[1, 3, 7, 7] retrieved 0 current 17 intended 24 monitor 8/22", show(ledger, 0));
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        final DynamicLedger ledger = robbed();
        final String before = show(ledger);
        for (final int slots : new int[] {0, -1, 5, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            assertFalse(ledger.onRetrieved(1, slots), "slots " + slots);
        }
        for (final int credits : new int[] {-1, 3, 4, Integer.MIN_VALUE, Integer.MAX_VALUE})
        {
            assertFalse(ledger.onResponseRetrieved(1, credits), "credits " + credits);
        }
        assertEquals(0, ledger.piggyback(0, 0));
        assertEquals(0, ledger.piggyback(0, -1));
        assertFalse(ledger.rejoin(1));
        assertEquals(before, show(ledger));
        assertEquals("", actions.take());
        // the packet itself costs one of the credits
        retrieve(ledger, 1, 1);
        retrieve(ledger, 1, 1);
        assertFalse(ledger.onResponseRetrieved(1, 2));
        assertTrue(ledger.onResponseRetrieved(1, 1));
    }

    /** A group of two in which sender 1 is gone and sender 0 has all but one slot. */
    private DynamicLedger alone()
    {
        final DynamicLedger ledger = ledger(2, 2, 8);
        ledger.reclaim(1);
        for (int i = 0; i < 12; i++)
        {
            toMonitoringPoint(ledger, 0);
        }
        retrieve(ledger, 0, 3);
        assertEquals("[4, 4, 4] retrieved 0 current 11 intended 10 monitor 3/12", show(ledger, 0));
        assertEquals(1, ledger.availableSlots());
        assertEquals(0, ledger.requests());
        actions.take();
        return ledger;
    }

    @Test
    void shouldReclaimAll()
    {
        final DynamicLedger ledger = robbed();
        final int available = ledger.availableSlots();
        ledger.reclaim(1);
        assertTrue(ledger.isGone(1));
        assertEquals(available + 4, ledger.availableSlots());
        assertEquals("[1, 1, 1] retrieved 0 current 0 intended 2 monitor 0/3 gone", show(ledger, 1));
        assertEquals("[1][][0][]", lists(ledger));
        final String before = show(ledger);
        ledger.reclaim(1);
        assertFalse(ledger.onRetrieved(1, 1));
        assertFalse(ledger.onResponseRetrieved(1, 0));
        assertEquals(0, ledger.piggyback(1, 255));
        assertEquals(before, show(ledger));
        assertTrue(ledger.rejoin(1));
        assertFalse(ledger.isGone(1));
        assertEquals(available + 2, ledger.availableSlots());
        assertEquals("[1, 1, 1] retrieved 0 current 2 intended 2 monitor 0/3", show(ledger, 1));
        assertEquals("", actions.take());
    }

    @Test
    void shouldPutGoneSenderBehindOtherVictims()
    {
        final DynamicLedger ledger = ledger(3, 1, 8);
        ledger.reclaim(1);
        assertEquals("[0, 2, 1][][][]", lists(ledger));
    }

    @Test
    void shouldTakeFromRichestForSenderThatIsBack()
    {
        final DynamicLedger ledger = alone();
        assertFalse(ledger.rejoin(1));
        assertEquals("revoke 0 keep 2", actions.take());
        assertTrue(ledger.isBlocked(0));
        assertFalse(ledger.rejoin(1));
        assertEquals("", actions.take());
        assertTrue(ledger.onResponseRetrieved(0, 9));
        assertEquals("grant 0: 4", actions.take());
        assertEquals(7, ledger.availableSlots());
        assertTrue(ledger.rejoin(1));
        assertEquals(5, ledger.availableSlots());
        // nothing is set aside any more
        retrieve(ledger, 0, 3);
        assertEquals(0, ledger.availableSlots());
    }

    @Test
    void shouldAdmitAtOnceWhatRevocationMakesRoomFor()
    {
        final DynamicLedger ledger = alone();
        actions.taken = 9;
        assertTrue(ledger.rejoin(1));
        assertEquals("[1, 1, 1] retrieved 0 current 2 intended 10 monitor 3/12", show(ledger, 0));
        assertEquals(8, ledger.availableSlots());
    }

    @Test
    void shouldSetSlotsAsideForSenderThatIsBack()
    {
        final DynamicLedger ledger = alone();
        actions.taken = 0;
        assertFalse(ledger.rejoin(1));
        assertFalse(ledger.rejoin(1));
        assertEquals("revoke 0 keep 2, revoke 0 keep 2", actions.take());
        retrieve(ledger, 0, 1);
        assertEquals(0, ledger.piggyback(0, 255));
        retrieve(ledger, 0, 3);
        assertEquals("grant 0: 3", actions.take());
        assertEquals(2, ledger.availableSlots());
        assertTrue(ledger.rejoin(1));
        assertEquals(0, ledger.availableSlots());
        retrieve(ledger, 0, 4);
        assertEquals("grant 0: 4", actions.take());
    }

    @Test
    void shouldNotAskAgainWhoIsAskedAlready()
    {
        // sender 0 is asked for the sake of sender 2, and robbed by sender 1 meanwhile
        final DynamicLedger ledger = ledger(3, 2, 8);
        toMonitoringPoint(ledger, 1);
        toMonitoringPoint(ledger, 0);
        retrieve(ledger, 1, 5);
        ledger.reclaim(2);
        retrieve(ledger, 0, 3);
        retrieve(ledger, 0, 3);
        for (int i = 0; ledger.availableSlots() > 1; i++)
        {
            assertTrue(i < MANY, show(ledger));
            retrieve(ledger, 1, 1);
        }
        actions.take();
        final int richest = ledger.currentCredits(1) > ledger.currentCredits(0) ? 1 : 0;
        assertFalse(ledger.rejoin(2));
        final int asked = ledger.isBlocked(0) ? 0 : 1;
        assertEquals(richest, asked, show(ledger));
        assertTrue(actions.take().contains("revoke " + asked));
        for (int i = 0; ledger.intendedQuota(asked) > 2; i++)
        {
            assertTrue(i < 500, show(ledger));
            retrieve(ledger, 1 - asked, 1);
        }
        assertTrue(ledger.isBlocked(asked) && ledger.currentCredits(asked) > 2, show(ledger));
        assertFalse(actions.take().contains("revoke"));
        assertEquals(1, ledger.requests());
    }

    @Test
    void shouldAskTheRichestWhoeverThatIs()
    {
        final DynamicLedger ledger = ledger(4, 2, 8);
        ledger.reclaim(3);
        // sender 0 rests with its static slots, sender 2 is robbed by sender 1 of what it holds
        for (int i = 0; ledger.currentCredits(2) < 10; i++)
        {
            assertTrue(i < MANY, show(ledger));
            retrieve(ledger, 2, 1);
        }
        for (int i = 0; ledger.availableSlots() > 1; i++)
        {
            assertTrue(i < MANY, show(ledger));
            retrieve(ledger, 1, 1);
        }
        assertEquals(2, ledger.currentCredits(0), show(ledger));
        final int richest = ledger.currentCredits(1) > ledger.currentCredits(2) ? 1 : 2;
        actions.take();
        assertFalse(ledger.rejoin(3));
        assertEquals("revoke " + richest + " keep 2", actions.take(), show(ledger));
    }

    @Test
    void shouldAskNobodyIfThereIsJustEnough()
    {
        final DynamicLedger ledger = ledger(3, 2, 8);
        ledger.reclaim(2);
        for (int i = 0; ledger.availableSlots() != 2; i++)
        {
            assertTrue(i < MANY, show(ledger));
            retrieve(ledger, 1, 1);
        }
        assertTrue(ledger.currentCredits(1) > 2, show(ledger));
        actions.take();
        assertTrue(ledger.rejoin(2));
        assertEquals("", actions.take());
    }
}
