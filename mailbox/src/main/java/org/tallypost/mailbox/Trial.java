// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

/**
 * Finds out which of two ways to read a lane is faster on this machine, with what is sent now: now and then both are tried by
 * turns, an epoch each, and the faster one is used until the next trial. For one thread.
 */
final class Trial
{
    /** Epochs of a trial, of both ways by turns. */
    static final int TRIAL_EPOCHS = 6;
    /** The other way has to be faster by one in so many, or what is just noise would change it. */
    private static final int MARGIN = 32;
    /** For one that has to prove itself: by one in so many each time. */
    static final int PROOF = 8;
    /** One that needs no proof. */
    static final int NONE = 0;
    private static final int MIDDLE = TRIAL_EPOCHS / 4;

    private final int epochSlots;
    private final int restEpochs;
    private int slotsLeft;
    private long startNs;
    /** Of the trial first; the one before was not timed, since it may have begun at any time. */
    private int epoch;
    private boolean isTimed;
    /** Epochs of the trial, with the first way and with the second. */
    private final long[][] ns = new long[2][TRIAL_EPOCHS / 2];
    private final int proof;
    private boolean isFirstChosen;

    /**
     * Nothing is known yet.
     *
     * @param epochSlots   freed slots that end an epoch.
     * @param restEpochs   epochs from a trial to the next; half of a trial's are of the slower way.
     * @param proof        by one in so many the first way has to be faster in the last trial to be used; {@link #NONE} if it is
     *                     used until the second one is.
     * @param epochsBefore epochs before the first trial, so that trials of one lane do not fall together.
     */
    Trial(final int epochSlots, final int restEpochs, final int proof, final int epochsBefore)
    {
        this.epochSlots = epochSlots;
        this.restEpochs = restEpochs;
        slotsLeft = epochSlots;
        this.proof = proof;
        isFirstChosen = proof == NONE;
        epoch = TRIAL_EPOCHS + restEpochs - 1 - epochsBefore;
    }

    /** The first way is used until the first trial is over, also if it has to prove itself there. */
    void useFirst()
    {
        isFirstChosen = true;
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
        epoch = epoch + 1 < TRIAL_EPOCHS + restEpochs ? epoch + 1 : 0;
        if (epoch == TRIAL_EPOCHS)
        {
            choose();
        }
        isTimed = epoch < TRIAL_EPOCHS;
        return isTimed ? (epoch & 1) == 0 : isFirstChosen;
    }

    private void note(final long epochNs)
    {
        ns[epoch & 1][epoch >> 1] = epochNs;
    }

    /**
     * One that has to prove itself has to be a good deal faster, by the middle of its epochs: it costs something else. Of two
     * that cost the same the other one has to be faster in each of its epochs than the one in use in any: how long an epoch
     * takes depends on what is sent as well, and a choice stays for long.
     */
    private void choose()
    {
        sort(ns[0]);
        sort(ns[1]);
        if (proof != NONE)
        {
            isFirstChosen = ns[0][MIDDLE] < ns[1][MIDDLE] - ns[1][MIDDLE] / proof;
        }
        else
        {
            final long[] chosen = ns[isFirstChosen ? 0 : 1];
            final long[] other = ns[isFirstChosen ? 1 : 0];
            isFirstChosen ^= other[other.length - 1] < chosen[0] - chosen[0] / MARGIN;
        }
    }

    /** Of three numbers: {@code Arrays.sort} allocates some 60 KB when it is first called, by JDK 25, and that would be here. */
    private static void sort(final long[] numbers)
    {
        for (int i = 1; i < numbers.length; i++)
        {
            for (int j = i; j > 0 && numbers[j] < numbers[j - 1]; j--)
            {
                final long less = numbers[j];
                numbers[j] = numbers[j - 1];
                numbers[j - 1] = less;
            }
        }
    }
}
