// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.mailbox.lane.Lane;

/**
 * The credits in hand of an express lane: withdrawn from the pair for several messages at once, and what is left of them given
 * back. The holder withdraws; the holder, or a thread that has shut it out, gives back.
 */
final class LaneCredits
{
    private final SendingThread holder;
    private final Peer peer;
    private final Lane lane;
    private final int chunk;
    private final boolean creditless;

    LaneCredits(final SendingThread holder, final Peer peer, final Lane lane, final int chunk, final boolean creditless)
    {
        this.holder = holder;
        this.peer = peer;
        this.lane = lane;
        this.chunk = chunk;
        this.creditless = creditless;
    }

    /** Takes the credits for a run in hand, and more; waits a little for those that the receiver gives by the lane. */
    boolean bring(final int slots)
    {
        if (creditless)
        {
            lane.pay(Math.max(chunk, slots));
            return true;
        }
        return withdraw(slots) || lane.awaitPaid(slots);
    }

    /** Takes the next credits in hand. */
    private boolean withdraw(final int slots)
    {
        long word = peer.creditWord();
        while (peer.isOurs(word))
        {
            // never more in hand than a chunk, or than a longer message needs
            final int take = Math.min(peer.credits(word), Math.max(chunk, slots) - (int)lane.inHand());
            if (take + lane.inHand() < slots)
            {
                return false;
            }
            if (withdraw(word, take))
            {
                return true;
            }
            word = peer.creditWord();
        }
        return false;
    }

    private boolean withdraw(final long word, final int credits)
    {
        int taken = 0;
        holder.finishLeft();
        try
        {
            holder.mark.intend(peer.claimKey, credits);
            final boolean isTaken = peer.tryWithdraw(word, credits);
            taken = isTaken ? credits : 0;
            if (isTaken)
            {
                // before the mark is cleared: a thread that finds no mark finds these credits here
                lane.pay(credits);
            }
            taken = 0;
            holder.mark.clear();
            return isTaken;
        }
        catch (final Throwable t)
        {
            holder.leftPeer = peer;
            holder.leftTaken = taken;
            holder.isLeft = true;
            holder.finishLeft();
            throw t;
        }
    }

    /** Gives back what is in hand. */
    void refund(final SendingThread by)
    {
        if (!lane.mayHaveInHand())
        {
            return;
        }
        int rest = 0;
        by.finishLeft();
        try
        {
            by.mark.intend(peer.claimKey, 1);
            rest = (int)lane.refund();
            if (!creditless)
            {
                peer.add(rest);
            }
            rest = 0;
            by.mark.clear();
        }
        catch (final Throwable t)
        {
            by.leftPeer = peer;
            by.leftTaken = creditless ? 0 : rest;
            by.isLeft = true;
            by.finishLeft();
            throw t;
        }
    }
}
