// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import java.util.Arrays;
import java.util.function.IntPredicate;

/**
 * Which senders of a mailbox get one of its few express lanes: those with the largest shares of what comes by the ring,
 * for as long as they use the lane more than others would. Rules only; for one thread.
 *
 * <p>Shares are found with the counters of Misra and Gries (1982, "Finding repeated elements"): with c of them no sender
 * that sends more than 1/(c+1) of the packets is missed, whatever the number of senders. One packet in
 * {@link #SAMPLE} is looked at. A lane changes hands if its holder has sent next to nothing by it while another sender
 * earned one: between two reviews lies at least what a sender has to send to earn a lane, so lanes do not swing to and
 * fro among senders that take turns faster than that.
 */
public final class LanePolicy
{
    /** No sender, or no lane. */
    public static final int NONE = -1;
    /** One packet of the ring in so many is counted. */
    public static final int SAMPLE = 8;
    /** So many counted packets, those of others subtracted, earn a lane. */
    static final int WORTH = 8;

    private static final int COUNTERS = 8;
    private static final int IDLE_PACKETS = SAMPLE * WORTH / 2;

    private final int[] candidates = new int[COUNTERS];
    private final int[] scores = new int[COUNTERS];
    private final long[] used;
    private int tick;

    /**
     * A policy for a mailbox.
     *
     * @param lanes number of its lanes.
     */
    public LanePolicy(final int lanes)
    {
        used = new long[lanes];
    }

    /**
     * Notes a packet that came by the ring from a sender without a lane.
     *
     * @param sender of the packet.
     * @return true if the sender has earned a lane now.
     */
    public boolean onRing(final int sender)
    {
        return (++tick & SAMPLE - 1) == 0 && isWorth(sender);
    }

    private boolean isWorth(final int sender)
    {
        int free = NONE;
        for (int i = 0; i < COUNTERS; i++)
        {
            if (scores[i] == 0)
            {
                free = i;
            }
            else if (candidates[i] == sender)
            {
                scores[i] = (scores[i] + 1) % WORTH;
                return scores[i] == 0;
            }
        }
        if (free != NONE)
        {
            candidates[free] = sender;
            scores[free] = 1;
        }
        else
        {
            for (int i = 0; i < COUNTERS; i++)
            {
                scores[i]--;
            }
        }
        return false;
    }

    /**
     * Notes what came by a lane.
     *
     * @param lane    index of it.
     * @param packets delivered: several may share a slot.
     */
    public void onLane(final int lane, final int packets)
    {
        used[lane] += packets;
    }

    /**
     * A sender has earned a lane, and none is free: which one is worth less? Ends the time over which use is counted.
     *
     * @param isOnItsWay tells which lanes cannot be asked for: they were already, or have no holder to give them back.
     * @return the lane that was used least, and hardly at all, since the last call; or {@link #NONE}.
     */
    public int review(final IntPredicate isOnItsWay)
    {
        int least = NONE;
        for (int lane = 0; lane < used.length; lane++)
        {
            if (!isOnItsWay.test(lane) && (least == NONE || used[lane] < used[least]))
            {
                least = lane;
            }
        }
        final boolean isIdle = least != NONE && used[least] < IDLE_PACKETS;
        Arrays.fill(used, 0);
        return isIdle ? least : NONE;
    }

    /**
     * A lane was granted: its holder has the benefit of the doubt until the review after next.
     *
     * @param lane index of it.
     */
    public void onGranted(final int lane)
    {
        used[lane] = IDLE_PACKETS;
    }
}
