// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;
import java.util.function.ToDoubleFunction;

import org.tallypost.benchmarks.compare.Spread;

/**
 * A run.
 *
 * @param figure   messages per second.
 * @param p50Ns    median of the quiet sender's times in nanoseconds; 0 for rates.
 * @param p99Ns    99th percentile; 0 for rates.
 * @param p999Ns   99.9th percentile; 0 for rates.
 * @param messages that were counted.
 */
public record TrialRun(double figure, double p50Ns, double p99Ns, double p999Ns, long messages)
{
    /** What stands for several runs of a round: the median of each figure by itself. */
    static TrialRun medians(final List<TrialRun> runs)
    {
        return new TrialRun(median(runs, TrialRun::figure), median(runs, TrialRun::p50Ns), median(runs, TrialRun::p99Ns),
            median(runs, TrialRun::p999Ns), runs.stream().mapToLong(TrialRun::messages).sum());
    }

    private static double median(final List<TrialRun> runs, final ToDoubleFunction<TrialRun> value)
    {
        return Spread.of(runs.stream().mapToDouble(value).toArray()).median();
    }
}
