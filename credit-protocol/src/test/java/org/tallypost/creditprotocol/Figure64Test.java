// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The eight blocks of section 6.7 of the thesis (figure 6.4) at the receiver: two credit slots, an intended quota of 10, and
 * piggybacking with corrections by deficit and by excess. Sender 0 is the one of the figure; the others make slots scarce in
 * block 2 and take over its quota in block 4.
 */
class Figure64Test
{
    private static final int SENDER = 0;
    private static final int ACTIVE = 1;

    private final RecordingActions actions = new RecordingActions();
    private final DynamicLedger ledger = new DynamicLedger(6, 2, 12, actions, PiggybackPolicy.THESIS, StealPolicy.MONITORED);

    @Test
    void shouldReplayEightBlocks()
    {
        ledger.checkInvariants(true);
        assertEquals(10, ledger.intendedQuota(SENDER));
        assertState("start", 0, 1, 1, 1);

        // 1: the threshold is reached in the regular way, 4 credits go back
        retrieve(SENDER, 1);
        assertEquals("grant 0: 4", actions.take());
        assertState("block 1", 0, 1, 1, 4);

        // 2: only 2 credits instead of 4, because only 2 slots are available
        leaveOneSlotAvailable();
        retrieve(SENDER, 1);
        assertEquals("grant 0: 2", actions.take());
        assertEquals(0, ledger.availableSlots());
        assertState("block 2", 0, 1, 4, 2);

        // 3: there are enough again
        retrieve(ACTIVE, 3);
        retrieve(SENDER, 1);
        assertEquals("grant 0: 4", actions.take());
        assertState("block 3", 0, 4, 2, 4);

        // 4: the quota went to a more active sender, so fewer go back
        loseQuota();
        retrieve(SENDER, 3);
        assertEquals("", actions.take());
        retrieve(SENDER, 1);
        assertEquals("grant 0: 2", actions.take());
        assertState("block 4", 0, 2, 4, 2);

        piggybackedBlocks();
    }

    private void piggybackedBlocks()
    {
        // 5: deficit: 2 credits are due, 1 went back with data before, so that 1 goes with data now
        retrieve(SENDER, 1);
        assertEquals(1, ledger.piggyback(SENDER, 255));
        assertState("block 5", 0, 2, 4, 2);
        retrieve(SENDER, 1);
        assertEquals(1, ledger.piggyback(SENDER, 255));
        assertEquals("", actions.take());
        assertState("block 5", 0, 4, 2, 2);

        // 6: excess: 2 are due, 3 went back before, so that none goes and the next threshold is longer by 1
        for (int i = 0; i < 3; i++)
        {
            retrieve(SENDER, 1);
            assertEquals(1, ledger.piggyback(SENDER, 255));
            assertState("block 6", 0, 4, 2, 2);
        }
        retrieve(SENDER, 1);
        assertEquals(0, ledger.piggyback(SENDER, 255));
        assertEquals("", actions.take());
        assertState("block 6", 0, 3, 2, 2);

        // 7: the regular way although credits were piggybacked before: no correction
        retrieve(SENDER, 1);
        assertEquals(1, ledger.piggyback(SENDER, 255));
        retrieve(SENDER, 2);
        assertEquals("", actions.take());
        retrieve(SENDER, 1);
        assertEquals("grant 0: 2", actions.take());
        assertState("block 7", 0, 2, 2, 2);

        // 8: the regular way; nothing of block 7 is left. Active again, the sender wins 3 slots back just now
        retrieve(SENDER, 1);
        assertEquals("", actions.take());
        retrieve(SENDER, 1);
        assertEquals(7, ledger.intendedQuota(SENDER));
        assertEquals("grant 0: 3", actions.take());
        assertState("block 8", 0, 2, 2, 3);
        assertEquals(6, ledger.piggybacked());
    }

    private void leaveOneSlotAvailable()
    {
        for (int other = ACTIVE; other < 6; other++)
        {
            retrieve(other, 1);
            retrieve(other, 1);
            retrieve(other, other == 5 ? 2 : 1);
        }
        assertEquals(1, ledger.availableSlots());
        actions.take();
    }

    private void loseQuota()
    {
        for (int slots = 0; ledger.intendedQuota(SENDER) == 10; slots++)
        {
            assertTrue(slots < 500, "the quota was not stolen");
            retrieve(ACTIVE, 1);
        }
        assertEquals(4, ledger.intendedQuota(SENDER));
        assertEquals(29, ledger.intendedQuota(ACTIVE));
        actions.take();
    }

    private void retrieve(final int sender, final int slots)
    {
        assertTrue(ledger.onRetrieved(sender, slots), "refused");
    }

    private void assertState(final String block, final int retrieved, final int... thresholds)
    {
        final int[] found = new int[ledger.thresholdCount()];
        for (int i = 0; i < found.length; i++)
        {
            found[i] = ledger.thresholdAt(SENDER, i);
        }
        final String where = block + ": intended " + ledger.intendedQuota(SENDER) + ", piggybacked so far " +
            ledger.piggybacked() + ", available " + ledger.availableSlots();
        assertEquals(Arrays.toString(thresholds), Arrays.toString(found), where);
        assertEquals(retrieved, ledger.retrieved(SENDER), where);
    }
}
