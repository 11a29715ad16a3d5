// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

/**
 * Finds out which of two ways to do something is faster on this machine, with what is sent now: both are tried by turns, an epoch
 * each, and the faster one is used until the next trial. When a trial begins and an epoch ends is the caller's affair. For one
 * thread.
 */
final class Trial
{
    /** Epochs of a trial, of both ways by turns. */
    static final int EPOCHS = 6;
    /** The other way has to be faster by one in so many, or what is just noise would change it. */
    private static final int MARGIN = 32;
    /** For one that has to prove itself: by one in so many each time. */
    static final int PROOF = 8;
    /** One that needs no proof. */
    static final int NONE = 0;
    private static final int NO_TRIAL = -1;

    /** Of the epochs of the first way, and of the second. */
    private final long[][] ns = new long[2][EPOCHS / 2];
    private final int proof;
    private long startNs;
    private int epoch = NO_TRIAL;
    private boolean isFirstChosen;

    /**
     * Nothing is known yet.
     *
     * @param proof   by one in so many the first way has to be faster in the last trial to be used; {@link #NONE} if it is used
     *                until the second one is faster.
     * @param isFirst whether the first way is used until the first trial is over.
     */
    Trial(final int proof, final boolean isFirst)
    {
        this.proof = proof;
        isFirstChosen = isFirst;
    }

    /** Whether a trial is on. */
    boolean isOn()
    {
        return epoch != NO_TRIAL;
    }

    /** Whether the first way is used, but for trials. */
    boolean isFirstChosen()
    {
        return isFirstChosen;
    }

    /**
     * Begins a trial, or ends an epoch of it and with the last one the trial.
     *
     * @param nowNs by any clock that goes on.
     * @return whether the first way is used from now on.
     */
    boolean next(final long nowNs)
    {
        if (isOn())
        {
            ns[epoch & 1][epoch >> 1] = nowNs - startNs;
        }
        startNs = nowNs;
        epoch++;
        if (epoch == EPOCHS)
        {
            choose();
            epoch = NO_TRIAL;
        }
        return isOn() ? (epoch & 1) == 0 : isFirstChosen;
    }

    /**
     * One that has to prove itself has to be a good deal faster, by the middle of its epochs: it costs something else. Of two
     * that cost the same the other one has to be faster in each of its epochs than the one in use in any: how long an epoch
     * takes depends on what is sent as well, and a choice stays for long.
     */
    private void choose()
    {
        if (proof != NONE)
        {
            final long second = middle(ns[1]);
            isFirstChosen = middle(ns[0]) < second - second / proof;
        }
        else
        {
            final long least = least(ns[isFirstChosen ? 0 : 1]);
            isFirstChosen ^= most(ns[isFirstChosen ? 1 : 0]) < least - least / MARGIN;
        }
    }

    /** Of the epochs of one way: three. {@code Arrays.sort} allocates some 60 KB when it is first called, by JDK 25. */
    private static long middle(final long[] of)
    {
        return Math.max(Math.min(of[0], of[1]), Math.min(Math.max(of[0], of[1]), of[2]));
    }

    private static long least(final long[] of)
    {
        return Math.min(Math.min(of[0], of[1]), of[2]);
    }

    private static long most(final long[] of)
    {
        return Math.max(Math.max(of[0], of[1]), of[2]);
    }
}
