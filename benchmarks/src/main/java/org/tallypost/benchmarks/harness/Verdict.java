// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

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
