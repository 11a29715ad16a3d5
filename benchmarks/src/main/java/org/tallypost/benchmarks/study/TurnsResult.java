// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.Arrays;
import java.util.List;

/**
 * What came of the turns.
 *
 * @param rounds of all contenders in their order, each the mean of two turns: nanoseconds of a round trip, or messages per
 *               second.
 * @param wrong  messages that did not arrive as they were sent.
 */
record TurnsResult(List<double[]> rounds, long wrong)
{
    /** The value that a share of all are below, in between two of them if need be. */
    static double quantile(final double[] values, final double share)
    {
        final double[] sorted = values.clone();
        Arrays.sort(sorted);
        final double place = share * (sorted.length - 1);
        final int below = (int)place;
        return below == sorted.length - 1 ? sorted[below] :
            sorted[below] + (place - below) * (sorted[below + 1] - sorted[below]);
    }

    /** Figures of a contender, round by round. */
    double[] figures(final int contender)
    {
        return rounds.stream().mapToDouble((round) -> round[contender]).toArray();
    }

    /** The same divided by those of the first contender in the same rounds. */
    double[] ratios(final int contender)
    {
        return rounds.stream().mapToDouble((round) -> round[contender] / round[0]).toArray();
    }
}
