// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/**
 * How many frames with bytes the bulk streams of a node may send: as many as they like while there are no messages, and one now
 * and then while messages go or come, as these wait for the same thread and the same socket. It counts duty cycles and no time:
 * while the thread has no processor nothing is sent. For the agent's thread.
 */
final class BulkPacing
{
    /** Frames in a duty cycle without messages. */
    static final int MAX_FRAMES = 8;
    /** Duty cycles for which a message counts, of a microsecond or more: a round trip on a local network takes less than all. */
    static final int ACTIVE_CYCLES = 128;
    /** Duty cycles from one frame to the next while messages count: a frame of the default MTU takes as long as a few of them. */
    static final int GAP_CYCLES = 16;

    private long batches;
    private int activeLeft;
    private int gapLeft;
    private int left;

    /**
     * A duty cycle begins.
     *
     * @param allBatches that have gone or come on all links so far.
     */
    void beginCycle(final long allBatches)
    {
        activeLeft = batches != allBatches ? ACTIVE_CYCLES : Math.max(0, activeLeft - 1);
        batches = allBatches;
        gapLeft = Math.max(0, gapLeft - 1);
        left = activeLeft == 0 ? MAX_FRAMES : gapLeft == 0 ? 1 : 0;
    }

    /** Whether messages go or come. */
    boolean isPaced()
    {
        return activeLeft > 0;
    }

    /** Whether a frame with bytes may go in this duty cycle. */
    boolean isDue()
    {
        return left > 0;
    }

    /** A frame with bytes has gone. */
    void sent()
    {
        left--;
        gapLeft = GAP_CYCLES;
    }
}
