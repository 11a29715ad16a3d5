// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.Arrays;

/**
 * Smallest, middle and largest of the times of a run, in nanoseconds.
 *
 * @param min    smallest.
 * @param median middle one, or the mean of the two in the middle.
 * @param max    largest.
 */
public record TimeSummary(double min, double median, double max)
{
    /**
     * Sums up samples.
     *
     * @param samples at least one; left as they are.
     * @return their summary.
     */
    public static TimeSummary of(final double... samples)
    {
        if (samples.length == 0)
        {
            throw new IllegalArgumentException("found no samples, expected at least one");
        }
        final double[] sorted = samples.clone();
        Arrays.sort(sorted);
        final int middle = sorted.length / 2;
        final double median = sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new TimeSummary(sorted[0], median, sorted[sorted.length - 1]);
    }

    /**
     * What this costs more than a reference, by the medians.
     *
     * @param reference to compare with.
     * @return a fraction: 0.17 is 17 % more.
     */
    public double overheadOver(final TimeSummary reference)
    {
        return median / reference.median - 1;
    }
}
