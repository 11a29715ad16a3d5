// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.List;

/**
 * What a ratio says of the first contestant, the one that is divided by the other.
 */
public enum Verdict
{
    /** It is ahead. */
    BETTER("better"),
    /** It is behind. */
    WORSE("worse"),
    /** The interval holds 1, or lies within {@value #TOLERANCE} of it. */
    NO_DIFFERENCE("no difference"),
    /** There is no ratio that could be trusted. */
    INVALID("INVALID");

    /** A difference so small is none. */
    public static final double TOLERANCE = 0.02;
    /** With fewer pairs a median says little. */
    public static final int MIN_PAIRS = 20;
    /** Blocks of turns are drawn to find the interval: one block would have none, however much its turns differ. */
    public static final int MIN_BLOCKS = 5;

    private final String label;

    Verdict(final String label)
    {
        this.label = label;
    }

    /**
     * The verdict in words.
     *
     * @return words for tables and reports.
     */
    public String label()
    {
        return label;
    }

    /**
     * Why an interval of these pairs would say nothing.
     *
     * @param pairs of two contestants.
     * @return what was found and expected, or null if there are enough.
     */
    public static String whyTooFew(final List<Pair> pairs)
    {
        final long blocks = Pair.blocks(pairs);
        return pairs.size() >= MIN_PAIRS && blocks >= MIN_BLOCKS ? null :
            "too few " + (pairs.size() >= MIN_PAIRS ? "blocks" : "pairs") + ": found " + pairs.size() + " pairs of turns in " +
            blocks + (blocks == 1 ? " block" : " blocks") + ", expected at least " + MIN_PAIRS + " in " + MIN_BLOCKS +
            ": give it more time (--seconds)";
    }

    /**
     * The verdict of a ratio.
     *
     * @param ratio        with its interval.
     * @param isMoreBetter whether a greater figure is the better one.
     * @return {@link #BETTER}, {@link #WORSE} or {@link #NO_DIFFERENCE}.
     */
    public static Verdict of(final Ratio ratio, final boolean isMoreBetter)
    {
        final boolean holdsOne = ratio.low() <= 1 && ratio.high() >= 1;
        final boolean isNear = ratio.low() >= 1 - TOLERANCE && ratio.high() <= 1 + TOLERANCE;
        return holdsOne || isNear ? NO_DIFFERENCE : ratio.low() > 1 == isMoreBetter ? BETTER : WORSE;
    }
}
