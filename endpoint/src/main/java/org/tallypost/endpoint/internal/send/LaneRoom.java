// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.mailbox.lane.Lane;

/**
 * Places in a lane that are paid for, and what becomes of a message that finds none. For the holder. What is in hand it gives
 * back, or a thread that has shut it out does.
 */
final class LaneRoom
{
    private final Lane lane;
    private final Peer peer;
    private final long heldWord;
    private final LaneCredits credits;
    private final LaneCounts counts;
    private final Patience patience = new Patience();

    LaneRoom(
        final SendingThread holder,
        final Peer peer,
        final Lane lane,
        final long heldWord,
        final int chunk,
        final boolean creditless,
        final LaneCounts counts)
    {
        this.lane = lane;
        this.peer = peer;
        this.heldWord = heldWord;
        this.counts = counts;
        credits = new LaneCredits(holder, peer, lane, chunk, creditless);
    }

    /**
     * Claims slots.
     *
     * @return their position, or what {@link LaneSender#offer} returns; then nothing is claimed.
     */
    long claim(final int slots)
    {
        final long claimed = lane.claim(slots);
        final long position = claimed == Lane.UNPAID ? claimUnpaid(slots) : claimed;
        if (position < 0)
        {
            return patience.refused(position);
        }
        patience.renew();
        return position;
    }

    /**
     * A message that lacks credits waits for them as for room in the lane: they come with what is read of it. By the ring it
     * would need as many, and keep those after it out of the lane until it is read.
     */
    private long claimUnpaid(final int slots)
    {
        if (isRecalled())
        {
            return Lane.UNPAID;
        }
        if (!credits.bring(slots))
        {
            return peer.isOurs(peer.creditWord()) ? LaneSender.UNCREDITED : Lane.UNPAID;
        }
        counts.settle();
        return lane.claim(slots);
    }

    /** A message found its place. */
    void found()
    {
        patience.renew();
    }

    /** Whether so many found none that something may be damaged. */
    boolean isTried()
    {
        return patience.isTried();
    }

    /** Whether the receiver wants the lane back. */
    boolean isRecalled()
    {
        return peer.laneWord() != heldWord;
    }

    /** Gives back what is in hand. */
    void refund(final SendingThread by)
    {
        credits.refund(by);
    }
}
