// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.BitUtil;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** How many slots the rings of a context have that lie beside a mailbox's first one: its lanes, and the high ring. */
final class RingShapes
{
    /** All lanes of a mailbox have as many slots together as its ring, up to so many, or a share of a larger ring, up to more. */
    private static final int LANES_OF_SMALL_RING = 1024;
    private static final int LANES_OF_LARGE_RING = 4096;
    private static final int LARGE_RING_SHIFT = 2;
    /** One slot of each sender is not for data: as the credit slots of the first ring. */
    private static final int LEAST_HIGH_SLOTS = 2;

    private RingShapes()
    {
    }

    /**
     * Credit packets keep to the ring: with them no lanes. Nor are there any for runs of one slot only, which in the ring holds
     * less than in a lane: whether a message is too long must not depend on the sender that has a lane just now.
     */
    static void concludeLanes(final NodeContext context)
    {
        Checks.range("expressLanes", context.expressLanes(), 0, LaneDescriptor.MAX_LANES);
        // one for each of the others: fewer lanes are longer ones, and to itself hardly anybody sends so much
        final int most = context.creditReturn() == CreditReturn.PACKET || context.longestRunSlots() < 2 ? 0 :
            Math.max(1, context.rankCount() - 1);
        context.expressLanes(Math.min(context.expressLanes(), most));
        if (context.expressLanes() == 0)
        {
            context.laneSlots(0);
            return;
        }
        final int ringSlots = context.ringSlots();
        if (context.laneSlots() == 0)
        {
            final int all = Math.max(
                Math.min(LANES_OF_SMALL_RING, ringSlots), Math.min(LANES_OF_LARGE_RING, ringSlots >> LARGE_RING_SHIFT));
            context.laneSlots(
                Math.max(LaneDescriptor.MIN_LANE_SLOTS, Integer.highestOneBit(all / context.expressLanes())));
        }
        final int laneSlots = context.laneSlots();
        Checks.rangeBesideZero("laneSlots", laneSlots, LaneDescriptor.MIN_LANE_SLOTS, LaneDescriptor.MAX_LANE_SLOTS,
            "lanes that fit the ring");
        if (!BitUtil.isPowerOfTwo(laneSlots))
        {
            throw new IllegalArgumentException("laneSlots is no power of two: found=" + laneSlots + ", expected=" +
                BitUtil.findNextPositivePowerOfTwo(laneSlots));
        }
    }

    /** The slots fit one ring, and each high ring, also to a node, has a number beside the mailboxes and the rings to nodes. */
    static void checkHighRings(final NodeContext context)
    {
        if (context.highSlots() == 0)
        {
            return;
        }
        Checks.rangeBesideZero("highSlots", context.highSlots(), LEAST_HIGH_SLOTS, MailboxDescriptor.MAX_RING_SLOTS,
            "no priorities");
        Checks.range("slots of a high ring (rankCount x highSlots)", (long)context.rankCount() * context.highSlots(), 1,
            MailboxDescriptor.MAX_RING_SLOTS);
        final int nodes = context.transport() == null ? 1 : context.transport().rankMap().nodeCount();
        Checks.range("mailboxes, nodes and high rings (2 x rankCount + 2 x nodes)", 2L * context.rankCount() + 2L * nodes, 1,
            MailboxDescriptor.MAX_SOURCES);
    }
}
