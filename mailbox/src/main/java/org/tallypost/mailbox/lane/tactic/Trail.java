// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import org.agrona.concurrent.NanoClock;

/**
 * Whether the consumer of a lane that has caught up with a holder in full flow stays behind for a moment. One that reads line
 * after line just behind the holder takes lines from it that it is about to write, its own processor's guesses more than itself,
 * and both wait for them. If the holder gets some dozens of lines ahead both work undisturbed, and the rate may be half as high
 * again or several times as high (docs/lab/049-staying-behind.md); or not at all, if the holder is slow by itself. So it is
 * found out by trials, and no sender waits that has sent only a few messages. For one thread.
 */
public final class Trail
{
    /** How long, at most: a sender of so much has queued for longer than that. */
    private static final long MAX_WAIT_NS = 4_000;
    /** And for each slot of the lane: a holder in full flow fills a quarter of it, or half. */
    private static final long WAIT_NS_PER_SLOT = 4;
    /** Messages without a pause that are a flow. */
    static final int FLOW = 8;

    private final NanoClock clock;
    private final long waitNs;
    private boolean isTrailing;
    private boolean isWaiting;
    private long startNs;
    private int flow;

    /**
     * The consumer does not stay behind.
     *
     * @param laneSlots slots of the lane.
     * @param clock     that a wait is timed with.
     */
    Trail(final int laneSlots, final NanoClock clock)
    {
        this.clock = clock;
        waitNs = Math.min(MAX_WAIT_NS, laneSlots * WAIT_NS_PER_SLOT);
    }

    /** Whether the consumer stays behind flows from now on. */
    void use(final boolean isToTrail)
    {
        isTrailing = isToTrail;
    }

    /**
     * Whether the consumer stays behind now.
     *
     * @return true if so.
     */
    public boolean isWaiting()
    {
        return isWaiting && isStillWaiting();
    }

    private boolean isStillWaiting()
    {
        isWaiting = clock.nanoTime() - startNs < waitNs;
        return isWaiting;
    }

    /**
     * The consumer had a turn.
     *
     * @param count messages of it.
     * @param isEnd whether it found nothing behind them.
     * @return whether it stays behind now.
     */
    public boolean note(final int count, final boolean isEnd)
    {
        flow += count;
        if (isEnd)
        {
            if (isTrailing && flow >= FLOW)
            {
                isWaiting = true;
                startNs = clock.nanoTime();
            }
            flow = 0;
        }
        return isWaiting;
    }

    /** Somebody else has the lane now. */
    public void reset()
    {
        isWaiting = false;
        flow = 0;
    }
}
