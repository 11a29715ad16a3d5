// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;

/**
 * Least, middle and greatest of some figures.
 *
 * @param min    the least.
 * @param median the middle one, or the mean of the two in the middle.
 * @param max    the greatest.
 */
public record Spread(double min, double median, double max)
{
    /**
     * Sums up figures.
     *
     * @param figures at least one; left as they are.
     * @return their spread.
     */
    public static Spread of(final double... figures)
    {
        if (figures.length == 0)
        {
            throw new IllegalArgumentException("no figures");
        }
        final double[] sorted = figures.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        final double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(sorted[0], median, sorted[sorted.length - 1]);
    }
}
