// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.Arrays;

/**
 * Median and quartiles of some figures.
 *
 * @param q1     a quarter of the figures are below.
 * @param median half of them are below.
 * @param q3     three quarters of them are below.
 */
public record Quartiles(double q1, double median, double q3)
{
    private static final double QUARTER = 0.25;

    /**
     * Sums up figures.
     *
     * @param figures at least one; left as they are.
     * @return their quartiles, between neighbours in proportion.
     * @throws IllegalArgumentException if there is none.
     */
    public static Quartiles of(final double... figures)
    {
        if (figures.length == 0)
        {
            throw new IllegalArgumentException("found no figures, expected at least one");
        }
        final double[] sorted = figures.clone();
        Arrays.sort(sorted);
        return new Quartiles(at(sorted, QUARTER), at(sorted, 2 * QUARTER), at(sorted, 3 * QUARTER));
    }

    /** The value below which a share of the sorted figures lies. */
    static double at(final double[] sorted, final double share)
    {
        final double place = share * (sorted.length - 1);
        final int below = (int)place;
        final int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }
}
