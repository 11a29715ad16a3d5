// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Bulk beside messages. */
class BulkPacingTest
{
    private final BulkPacing pacing = new BulkPacing();
    private long batches;

    /** Frames that go in some duty cycles. */
    private int frames(final int cycles, final int batchesEach)
    {
        int count = 0;
        for (int i = 0; i < cycles; i++)
        {
            batches += batchesEach;
            pacing.beginCycle(batches);
            while (pacing.isDue())
            {
                pacing.sent();
                count++;
            }
        }
        return count;
    }

    @Test
    void shouldSendWhatItLikesWithoutMessages()
    {
        assertEquals(10 * BulkPacing.MAX_FRAMES, frames(10, 0));
        assertFalse(pacing.isPaced());
    }

    @Test
    void shouldSendAFrameNowAndThenBesideMessages()
    {
        frames(1, 1);
        assertTrue(pacing.isPaced());
        assertEquals(10, frames(10 * BulkPacing.GAP_CYCLES, 1));
        assertEquals((BulkPacing.ACTIVE_CYCLES - 1) / BulkPacing.GAP_CYCLES, frames(BulkPacing.ACTIVE_CYCLES - 1, 0),
            "the last message counts still");
        assertTrue(pacing.isPaced());
        assertEquals(3 * BulkPacing.MAX_FRAMES, frames(3, 0));
    }
}
