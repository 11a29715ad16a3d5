// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Sizes for messages of some KiB between few ranks in one node. The more messages a ring holds the less often two threads that
 * share a processor change places.
 */
public final class LongRings
{
    private static final int SLOTS_OF_A_RING = 2_048;
    private static final int LEAST_SLOTS = 64;
    private static final int MOST_SLOTS = 512;
    /** They use a lane rather than the ring, and the shorter it is the sooner its lines are in the cache again. */
    private static final int RANKS_WITH_LANES_OF_THEIR_OWN = 2;

    private LongRings()
    {
    }

    /**
     * Sets the sizes. With more than two ranks, {@link NodeContext#slotsPerSender(int)} becomes 2,048 / ranks, 64 to 512: all
     * processes of the group have to call this, or none. With more ranks than processors, mailboxes of this process have no
     * express lanes, because one holds less than the ring.
     *
     * @param context with its ranks.
     * @return the context.
     */
    public static NodeContext set(final NodeContext context)
    {
        return set(context, Runtime.getRuntime().availableProcessors());
    }

    static NodeContext set(final NodeContext context, final int processors)
    {
        final int ranks = context.rankCount();
        if (ranks > RANKS_WITH_LANES_OF_THEIR_OWN)
        {
            context.slotsPerSender(Math.max(LEAST_SLOTS, Math.min(MOST_SLOTS, SLOTS_OF_A_RING / ranks)));
        }
        return ranks > processors ? context.expressLanes(0) : context;
    }
}
