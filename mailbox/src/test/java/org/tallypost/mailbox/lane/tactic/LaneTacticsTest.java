// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** One trial at a time, first of the lines' owner, then of staying behind. */
class LaneTacticsTest
{
    private static final int SLOTS = 64;
    private static final int TRAIL_EPOCH = 1 << 16;

    private long nowNs;
    private final LaneTactics tactics = new LaneTactics(SLOTS, () -> nowNs);

    /** What is freed until each of the tactics was tried once. */
    static long slotsOfBothTrials(final int laneSlots)
    {
        final long ownershipEpoch = LaneTactics.ownershipEpoch(laneSlots);
        return ownershipEpoch * (2 + Trial.EPOCHS + LaneTactics.FIRST_REST_EPOCHS) +
            (long)(Trial.EPOCHS + 1) * Math.max(TRAIL_EPOCH, 64 * laneSlots);
    }

    /** A whole trial, in which the epochs of the first way take as long, and those of the second. */
    private void trial(final long firstNs, final long secondNs)
    {
        tactics.turn(nowNs);
        for (int epoch = 0; epoch < Trial.EPOCHS; epoch++)
        {
            nowNs += epoch % 2 == 0 ? firstNs : secondNs;
            tactics.turn(nowNs);
        }
    }

    private boolean isTrailingNow()
    {
        tactics.trail().reset();
        final boolean isTrailing = tactics.trail().note(Trail.FLOW, true);
        tactics.trail().reset();
        return isTrailing;
    }

    @Test
    void shouldTryOneAfterTheOtherAndKeepWhatIsFaster()
    {
        assertTrue(tactics.isOwning());
        assertFalse(tactics.isTrailing());
        trial(1_000, 500);
        assertFalse(tactics.isOwning(), "leaving lines as they are was faster");
        assertFalse(tactics.isTrailing());
        trial(500, 1_000);
        assertFalse(tactics.isOwning());
        assertTrue(tactics.isTrailing());
        assertTrue(isTrailingNow());
        trial(500, 1_000);
        assertTrue(tactics.isOwning());
        assertTrue(isTrailingNow(), "not touched by the other one's trial");
        trial(1_000, 1_000);
        assertFalse(tactics.isTrailing());
        assertFalse(isTrailingNow());
    }

    /** Epochs are as long as they say, in slots that were freed. */
    @Test
    void shouldBeginWithTheOwnershipAndGoOnBySlots()
    {
        final int epoch = LaneTactics.ownershipEpoch(SLOTS);
        assertEquals(4096, epoch);
        free(epoch * (1 + Trial.EPOCHS));
        assertFalse(isTrailingNow());
        free(epoch * LaneTactics.FIRST_REST_EPOCHS);
        assertTrue(isTrailingNow(), "its trial has begun");
        free(TRAIL_EPOCH);
        assertFalse(isTrailingNow());
        free(TRAIL_EPOCH);
        assertTrue(isTrailingNow());
    }

    private void free(final int slots)
    {
        for (int i = 0; i < slots; i += SLOTS)
        {
            nowNs += SLOTS;
            tactics.noteFreed(SLOTS);
        }
    }
}
