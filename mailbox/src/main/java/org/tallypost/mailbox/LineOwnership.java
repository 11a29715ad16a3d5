// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

/**
 * Whether the consumer of a lane makes the cache lines that it has read its own, by writing into them, before it gives them back.
 * A line that was only read is in two caches, and the holder's next store into it has to wait until the other copy is gone; one
 * that was written is in one cache, and comes over as any other line does. Which of both is faster depends on the processor, by
 * more than half of the rate either way (docs/performance.md), so it is found out: now and then both are tried by turns, a
 * few laps each, and the faster one is used until the next trial. For one thread.
 */
final class LineOwnership
{
    /** Epochs of a trial, of both kinds by turns. */
    static final int TRIAL_EPOCHS = 6;
    /** Epochs from a trial to the next: those of the slower kind are less than one message in a hundred. */
    static final int REST_EPOCHS = 1000;
    private static final int LEAST_SLOTS = 4096;
    private static final int LAPS = 4;
    /** The other kind has to be faster by one in so many, or what is just noise would change the kind. */
    private static final int MARGIN = 32;

    private final int epochSlots;
    private int slotsLeft;
    private long startNs;
    /** Of the trial first; -1 before the first epoch, which may have begun at any time. */
    private int epoch = -1;
    private long owningNs;
    private long leavingNs;
    private boolean isChosen = true;

    /**
     * Nothing is known yet; lines are made the consumer's own until it is.
     *
     * @param laneSlots slots of the lane.
     */
    LineOwnership(final int laneSlots)
    {
        epochSlots = Math.max(LEAST_SLOTS, LAPS * laneSlots);
        slotsLeft = epochSlots;
    }

    /** Whether so many freed slots end an epoch: then {@link #next} is to be called. */
    boolean isDue(final int freed)
    {
        slotsLeft -= freed;
        return slotsLeft <= 0;
    }

    /**
     * An epoch is over.
     *
     * @param nowNs by any clock that goes on.
     * @return whether lines are made the consumer's own in the next one.
     */
    boolean next(final long nowNs)
    {
        if (epoch >= 0 && epoch < TRIAL_EPOCHS)
        {
            note(nowNs - startNs);
        }
        slotsLeft = epochSlots;
        startNs = nowNs;
        epoch = epoch + 1 < TRIAL_EPOCHS + REST_EPOCHS ? epoch + 1 : 0;
        if (epoch == 0)
        {
            owningNs = Long.MAX_VALUE;
            leavingNs = Long.MAX_VALUE;
        }
        else if (epoch == TRIAL_EPOCHS)
        {
            choose();
        }
        return epoch < TRIAL_EPOCHS ? isOwningTried() : isChosen;
    }

    private boolean isOwningTried()
    {
        return (epoch & 1) == 0;
    }

    /** The shortest counts: whatever else keeps a thread from its work only makes an epoch longer. */
    private void note(final long ns)
    {
        if (isOwningTried())
        {
            owningNs = Math.min(owningNs, ns);
        }
        else
        {
            leavingNs = Math.min(leavingNs, ns);
        }
    }

    private void choose()
    {
        final long chosenNs = isChosen ? owningNs : leavingNs;
        final long otherNs = isChosen ? leavingNs : owningNs;
        isChosen ^= otherNs < chosenNs - chosenNs / MARGIN;
    }
}
