// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * How large the experiments are.
 */
public enum Scale
{
    /** 1,024 processes, as published. */
    FULL("1,024 processes", 1024),
    /** An eighth of the processes, in two minutes at most. */
    QUICK("128 processes", 128);

    private final String label;
    private final int ranks;

    Scale(final String label, final int ranks)
    {
        this.label = label;
        this.ranks = ranks;
    }

    /**
     * How it is called in reports.
     *
     * @return a few words.
     */
    public String label()
    {
        return label;
    }

    /**
     * Processes where the sources have 1,024.
     *
     * @return their number.
     */
    public int ranks()
    {
        return ranks;
    }

    /**
     * Processes of experiments with many alltoalls, where the sources have 1,024 and compare shares of them: fewer, since an
     * alltoall of 1,024 is 39 million packets.
     *
     * @return their number.
     */
    public int alltoallRanks()
    {
        return pick(256, 64);
    }

    /**
     * One of two values.
     *
     * @param full  with {@link #FULL}.
     * @param quick otherwise.
     * @param <T>   of both.
     * @return the one that applies.
     */
    public <T> T pick(final T full, final T quick)
    {
        return this == FULL ? full : quick;
    }
}
