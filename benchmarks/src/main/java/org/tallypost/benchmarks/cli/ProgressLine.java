// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.process.ProgressListener;
import org.tallypost.benchmarks.report.StatusLine;

/**
 * One line on the standard error that tells how far a run is: overwritten on a terminal, otherwise a new line now and then.
 */
final class ProgressLine implements ProgressListener
{
    private static final long FILE_INTERVAL_S = 2;

    private final RunPlan plan;
    private final StatusLine line;

    ProgressLine(final RunPlan plan, final PrintStream stream)
    {
        this.plan = plan;
        line = new StatusLine(stream, FILE_INTERVAL_S, TimeUnit.SECONDS);
    }

    @Override
    public void onStarted(final long[] pids)
    {
        show("starting " + pids.length + " processes");
    }

    @Override
    public void onOpening(final long opened, final long ofRanks)
    {
        if (line.isDue())
        {
            show("opening ranks, " + opened + " of " + ofRanks);
        }
    }

    @Override
    public void onStep(final Step step)
    {
        if (line.isDue())
        {
            show("flow " + step.flow().name().toLowerCase(Locale.ROOT) + ", " + switch (step.phase())
            {
                case VERIFIED -> "verifying all bytes";
                case WARMUP -> "warming up";
                case TIMED, STAMPED -> "repeat " + step.repeat() + " of " + plan.repeats();
            });
        }
    }

    @Override
    public void onEnd()
    {
        line.end();
    }

    private void show(final String text)
    {
        line.show(plan.workload().label() + ": " + text);
    }
}
