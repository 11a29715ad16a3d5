// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * The receiving node's account of the pairs with a sender on another node: what was granted over the wire, and what was
 * used of it. No packet gets into a mailbox without a credit that this node gave, whatever the other node does. For one
 * thread; pairs are numbered by the caller.
 */
final class IngressPairs
{
    private final PairEpochs epochs;
    private final int[] granted;
    /** Of what was granted, what the sender has been told. */
    private final int[] told;
    private final int[] used;
    private final int[] returned;
    private final int[] received;
    private final int[] requested;
    private final int[] nudged;
    private final Drops drops;
    private long receivedMessages;
    /** Room in a mailbox that is used up already, for packets of this pair that come next. */
    private int reservedPair;
    private int reservedSlots;

    IngressPairs(final int pairs, final Drops drops)
    {
        this.drops = drops;
        epochs = new PairEpochs(pairs);
        granted = new int[pairs];
        told = new int[pairs];
        used = new int[pairs];
        returned = new int[pairs];
        received = new int[pairs];
        requested = new int[pairs];
        nudged = new int[pairs];
    }

    /** The pair begins anew, with all counts at 0. */
    void open(final int pair, final int senderEpoch, final int receiverEpoch)
    {
        epochs.open(pair, senderEpoch, receiverEpoch);
        granted[pair] = 0;
        told[pair] = 0;
        used[pair] = 0;
        returned[pair] = 0;
        received[pair] = 0;
        requested[pair] = 0;
        nudged[pair] = 0;
    }

    /** Nothing of the pair is taken any more. */
    void close(final int pair)
    {
        epochs.close(pair);
    }

    /** Messages of all pairs, also of those that are closed. */
    long receivedMessages()
    {
        return receivedMessages;
    }

    boolean isOpen(final int pair)
    {
        return epochs.isOpen(pair);
    }

    /**
     * Credits go to the sender.
     *
     * @return the cumulative count for a GRANT frame.
     */
    int grant(final int pair, final int credits)
    {
        granted[pair] += credits;
        return granted[pair];
    }

    /** The sender is told of all that was granted. */
    void grantTold(final int pair)
    {
        told[pair] = granted[pair];
    }

    /** Whether the sender has no more credits than it would get: it may run out of them. */
    boolean isGrantUrgent(final int pair)
    {
        final int news = granted[pair] - told[pair];
        return news > 0 && news >= told[pair] - used[pair];
    }

    /** The receiver asks for credits back. */
    void request(final int pair)
    {
        requested[pair]++;
    }

    /** Requests made so far, for a REQUEST frame. */
    int requested(final int pair)
    {
        return requested[pair];
    }

    /** The receiver has read nudges. */
    void onNudgesRead(final int pair, final int nudges)
    {
        nudged[pair] += nudges;
    }

    /** Nudges read so far, for a NUDGED frame. */
    int nudged(final int pair)
    {
        return nudged[pair];
    }

    /** The cumulative count, to be repeated. */
    int granted(final int pair)
    {
        return granted[pair];
    }

    /**
     * A data or nudge frame came.
     *
     * @param pair          of the frame.
     * @param senderEpoch   it names.
     * @param receiverEpoch it names.
     * @param slots         that it takes in the mailbox.
     * @param isMessageEnd  whether a message is complete with it.
     * @return whether it may be written; it is used up then. If not, it was counted.
     */
    boolean onPacket(
        final int pair, final int senderEpoch, final int receiverEpoch, final int slots, final boolean isMessageEnd)
    {
        if (!isCurrent(pair, senderEpoch, receiverEpoch))
        {
            return false;
        }
        if (!takeReserved(pair, slots))
        {
            if (slots > creditsOut(pair))
            {
                drops.add(Drop.NO_CREDIT);
                return false;
            }
            used[pair] += slots;
        }
        if (isMessageEnd)
        {
            received[pair]++;
            receivedMessages++;
        }
        return true;
    }

    /** Whether packets that take so many slots together would be taken now. */
    boolean mayTake(final int pair, final int senderEpoch, final int receiverEpoch, final int slots)
    {
        return epochs.fits(pair, senderEpoch, receiverEpoch) && slots <= creditsOut(pair);
    }

    /** Room for packets that come next was claimed: it is used up, whether or not they come, as the receiver frees all of it. */
    void reserve(final int pair, final int slots)
    {
        used[pair] += slots;
        reservedPair = pair;
        reservedSlots = slots;
    }

    /** What was reserved and is not used is given up. */
    void release()
    {
        reservedSlots = 0;
    }

    /** A run came for which room was reserved, and took its place there. */
    int onNextRun(final int slots, final boolean isMessageEnd)
    {
        reservedSlots -= slots;
        if (isMessageEnd)
        {
            received[reservedPair]++;
            receivedMessages++;
        }
        return reservedPair;
    }

    private boolean takeReserved(final int pair, final int slots)
    {
        if (reservedSlots == 0)
        {
            return false;
        }
        if (pair != reservedPair || slots > reservedSlots)
        {
            release();
            return false;
        }
        reservedSlots -= slots;
        return true;
    }

    /**
     * A RESPONSE frame came.
     *
     * @param pair          of the frame.
     * @param senderEpoch   it names.
     * @param receiverEpoch it names.
     * @param count         slots given back since the pair was opened.
     * @return slots that come back with it; 0 if it is old, or was refused and counted.
     */
    int onReturned(final int pair, final int senderEpoch, final int receiverEpoch, final int count)
    {
        if (!isCurrent(pair, senderEpoch, receiverEpoch))
        {
            return 0;
        }
        final int back = Cumulative.advance(returned[pair], count);
        if (back > creditsOut(pair))
        {
            drops.add(Drop.COUNT);
            return 0;
        }
        returned[pair] += back;
        used[pair] += back;
        return back;
    }

    private boolean isCurrent(final int pair, final int senderEpoch, final int receiverEpoch)
    {
        if (epochs.fits(pair, senderEpoch, receiverEpoch))
        {
            return true;
        }
        drops.add(Drop.RANK_EPOCH);
        return false;
    }

    /** Credits that the sender holds, that are on their way to it, or that travel with packets. */
    int creditsOut(final int pair)
    {
        return granted[pair] - used[pair];
    }

    /** The cumulative count for a RECEIPT frame. */
    int received(final int pair)
    {
        return received[pair];
    }
}
