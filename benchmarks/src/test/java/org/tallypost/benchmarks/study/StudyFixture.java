// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;

import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.compare.Probe;

/**
 * Trials and rounds that tests change as they need.
 */
final class StudyFixture
{
    static final int TIMEOUT_MS = 1_800_000;
    static final double FAST_NS = 130;
    static final double SLOW_NS = 500;

    private StudyFixture()
    {
    }

    static TrialSpec trial(final Study study, final Contender contender, final int senders, final TrialSpec.Point... points)
    {
        return new TrialSpec(study, contender, senders, 2, List.of(points), 48, 4, 2, 1, 1, 1, false, TIMEOUT_MS);
    }

    static TrialSpec corrupt(final TrialSpec spec)
    {
        // as many warm-up runs as it takes to come to the damaged message, however slow the machine is
        return new TrialSpec(spec.study(), spec.contender(), spec.senders(), spec.threads(), spec.points(), spec.length(),
            spec.turn(), spec.durationMs(), 40, 1, 1, true, spec.timeoutMs());
    }

    static Series series(final String group, final Contender contender, final Mode mode, final Phase phase)
    {
        return new Series(new Series.Entry(group, contender.label(), mode, phase, 2, 48, 65_536, 0));
    }

    static ForkResult.Run run(final double before, final double figure, final double p99Ns, final double after)
    {
        return new ForkResult.Run(
            new Probe(before, before, 0), new Probe(after, after, 0), figure, p99Ns / 2, p99Ns, p99Ns * 2, 1_000, 1);
    }

    static Series withRounds(final Series series, final ForkResult.Run... runs)
    {
        for (final ForkResult.Run run : runs)
        {
            series.add(List.of(run), 0);
        }
        return series;
    }
}
