// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;

/**
 * Trials and rounds that tests change as they need.
 */
final class StudyFixture
{
    static final int TIMEOUT_MS = 1_800_000;

    private StudyFixture()
    {
    }

    static TrialSpec trial(final Study study, final Contender contender, final int senders, final TrialSpec.Point... points)
    {
        return new TrialSpec(study, contender, senders, 2, List.of(points), 48, 4, 2, 1, 1, false, TIMEOUT_MS);
    }

    static TrialSpec corrupt(final TrialSpec spec)
    {
        // as many warm-up runs as it takes to come to the damaged message, however slow the machine is
        return new TrialSpec(spec.study(), spec.contender(), spec.senders(), spec.threads(), spec.points(), spec.length(),
            spec.turn(), spec.durationMs(), 40, 1, true, spec.timeoutMs());
    }

    static Series series(final String group, final Contender contender, final Phase phase)
    {
        return new Series(new Series.Entry(group, contender.label(), phase, 2, 48, 65_536, 0));
    }

    static TrialRun run(final double figure, final double p99Ns)
    {
        return new TrialRun(figure, p99Ns / 2, p99Ns, p99Ns * 2, 1_000);
    }

    static Series withRounds(final Series series, final TrialRun... runs)
    {
        for (final TrialRun run : runs)
        {
            series.add(List.of(run), 0);
        }
        return series;
    }
}
