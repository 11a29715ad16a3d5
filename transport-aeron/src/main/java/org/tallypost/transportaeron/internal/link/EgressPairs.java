// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * The sending node's account of the pairs with a receiver on another node: which grants were applied, what was given back, and
 * which messages are not known to have arrived. For one thread; pairs are numbered by the caller.
 */
final class EgressPairs
{
    private final PairEpochs epochs;
    private final int[] applied;
    private final int[] returned;
    private final int[] sent;
    private final int[] received;
    private final int[] requests;
    private final int[] nudges;
    private final int[] nudgesRead;
    private final int maxCredits;
    private final Drops drops;
    private long sentMessages;

    /**
     * Pairs that are closed.
     *
     * @param pairs      number of pairs.
     * @param maxCredits most credits that a receiver can give: slots of its data region.
     * @param drops      to count in.
     */
    EgressPairs(final int pairs, final int maxCredits, final Drops drops)
    {
        this.maxCredits = maxCredits;
        this.drops = drops;
        epochs = new PairEpochs(pairs);
        applied = new int[pairs];
        returned = new int[pairs];
        sent = new int[pairs];
        received = new int[pairs];
        requests = new int[pairs];
        nudges = new int[pairs];
        nudgesRead = new int[pairs];
    }

    /** The pair begins anew, with all counts at 0. */
    void open(final int pair, final int senderEpoch, final int receiverEpoch)
    {
        epochs.open(pair, senderEpoch, receiverEpoch);
        applied[pair] = 0;
        returned[pair] = 0;
        sent[pair] = 0;
        received[pair] = 0;
        requests[pair] = 0;
        nudges[pair] = 0;
        nudgesRead[pair] = 0;
    }

    /** Nothing of the pair is taken any more; {@link #unacknowledged} still tells. */
    void close(final int pair)
    {
        epochs.close(pair);
    }

    /** Messages of all pairs, also of those that are closed. */
    long sentMessages()
    {
        return sentMessages;
    }

    boolean isOpen(final int pair)
    {
        return epochs.isOpen(pair);
    }

    /**
     * A GRANT frame came.
     *
     * @param pair          of the frame.
     * @param senderEpoch   it names.
     * @param receiverEpoch it names.
     * @param count         slots granted since the pair was opened.
     * @return credits that are new with it; 0 if it is old, or was refused and counted.
     */
    int onGrant(final int pair, final int senderEpoch, final int receiverEpoch, final int count)
    {
        if (!isCurrent(pair, senderEpoch, receiverEpoch))
        {
            return 0;
        }
        final int credits = Cumulative.advance(applied[pair], count);
        if (credits > maxCredits)
        {
            drops.add(Drop.COUNT);
            return 0;
        }
        applied[pair] += credits;
        return credits;
    }

    /** Messages are complete with what went out. */
    void onSent(final int pair, final int messages)
    {
        sent[pair] += messages;
        sentMessages += messages;
    }

    /** A nudge went out. */
    void onNudge(final int pair)
    {
        nudges[pair]++;
    }

    /**
     * A NUDGED frame came.
     *
     * @return nudges that were read since the one before; 0 if it is old, or was refused and counted.
     */
    int onNudged(final int pair, final int senderEpoch, final int receiverEpoch, final int count)
    {
        if (!isCurrent(pair, senderEpoch, receiverEpoch))
        {
            return 0;
        }
        final int more = Cumulative.advance(nudgesRead[pair], count);
        if (more > nudges[pair] - nudgesRead[pair])
        {
            drops.add(Drop.COUNT);
            return 0;
        }
        nudgesRead[pair] += more;
        return more;
    }

    /** A RECEIPT frame came: as with {@link #onGrant}, old ones change nothing, and those that cannot be are counted. */
    void onReceipt(final int pair, final int senderEpoch, final int receiverEpoch, final int count)
    {
        if (!isCurrent(pair, senderEpoch, receiverEpoch))
        {
            return;
        }
        final int more = Cumulative.advance(received[pair], count);
        if (more > unacknowledged(pair))
        {
            drops.add(Drop.COUNT);
            return;
        }
        received[pair] += more;
    }

    /**
     * A REQUEST frame came.
     *
     * @return whether it is a new one; several that came together count as one.
     */
    boolean onRequest(final int pair, final int senderEpoch, final int receiverEpoch, final int count)
    {
        final int more = isCurrent(pair, senderEpoch, receiverEpoch) ? Cumulative.advance(requests[pair], count) : 0;
        requests[pair] += more;
        return more > 0;
    }

    /**
     * Credits go back to the receiver.
     *
     * @return the cumulative count for a RESPONSE frame.
     */
    int giveBack(final int pair, final int credits)
    {
        returned[pair] += credits;
        return returned[pair];
    }

    /** The cumulative count, to be repeated. */
    int returned(final int pair)
    {
        return returned[pair];
    }

    /** Messages that went out since the pair was opened. */
    int sent(final int pair)
    {
        return sent[pair];
    }

    /** Messages that went out and are not known to be received. */
    int unacknowledged(final int pair)
    {
        return sent[pair] - received[pair];
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
}
