// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * A median of ratios with an interval.
 *
 * @param median of the ratios of all pairs.
 * @param low    end of the 95 % interval.
 * @param high   end of the 95 % interval.
 */
public record Ratio(double median, double low, double high)
{
}
