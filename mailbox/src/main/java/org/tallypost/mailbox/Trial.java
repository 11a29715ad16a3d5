// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.util.Arrays;

/**
 * Finds out which of two ways to read a lane is faster on this machine, with what is sent now: now and then both are tried by
 * turns, four laps or more each, and the faster one is used until the next trial. For one thread.
 */
final class Trial
{
    /** Epochs of a trial, of both ways by turns. */
    static final int TRIAL_EPOCHS = 6;
    /** Epochs from a trial to the next: those of the slower way are less than one message in a hundred. */
    static final int REST_EPOCHS = 1000;
    private static final int LEAST_SLOTS = 4096;
    private static final int LAPS = 4;
    /** The other way has to be faster by one in so many, or what is just noise would change it. */
    private static final int MARGIN = 32;

    private final int epochSlots;
    private int slotsLeft;
    private long startNs;
    /** Of the trial first; the one before was not timed, since it may have begun at any time. */
    private int epoch;
    private boolean isTimed;
    /** Shortest and longest epoch of the trial: with the first way, and with the second. */
    private final long[] leastNs = new long[2];
    private final long[] mostNs = new long[2];
    private boolean isFirstChosen;

    /**
     * Nothing is known yet.
     *
     * @param laneSlots    slots of the lane.
     * @param isFirst      whether the first way is used until it is known which is faster.
     * @param epochsBefore epochs before the first trial, so that trials of one lane do not fall together.
     */
    Trial(final int laneSlots, final boolean isFirst, final int epochsBefore)
    {
        epochSlots = Math.max(LEAST_SLOTS, LAPS * laneSlots);
        slotsLeft = epochSlots;
        isFirstChosen = isFirst;
        epoch = TRIAL_EPOCHS + REST_EPOCHS - 1 - epochsBefore;
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
     * @return whether the first way is used in the next one.
     */
    boolean next(final long nowNs)
    {
        if (isTimed)
        {
            note(nowNs - startNs);
        }
        slotsLeft = epochSlots;
        startNs = nowNs;
        epoch = epoch + 1 < TRIAL_EPOCHS + REST_EPOCHS ? epoch + 1 : 0;
        if (epoch == 0)
        {
            Arrays.fill(leastNs, Long.MAX_VALUE);
            Arrays.fill(mostNs, 0L);
        }
        else if (epoch == TRIAL_EPOCHS)
        {
            choose();
        }
        isTimed = epoch < TRIAL_EPOCHS;
        return isTimed ? (epoch & 1) == 0 : isFirstChosen;
    }

    private void note(final long ns)
    {
        final int way = epoch & 1;
        leastNs[way] = Math.min(leastNs[way], ns);
        mostNs[way] = Math.max(mostNs[way], ns);
    }

    /**
     * The other way has to be faster in each of its epochs than the one in use in any: how long an epoch takes depends on what
     * is sent as well, and a choice stays for long.
     */
    private void choose()
    {
        final int chosen = isFirstChosen ? 0 : 1;
        isFirstChosen ^= mostNs[chosen ^ 1] < leastNs[chosen] - leastNs[chosen] / MARGIN;
    }
}
