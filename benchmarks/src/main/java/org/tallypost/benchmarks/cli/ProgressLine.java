// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.process.ProgressListener;
import org.tallypost.report.StatusLine;

/**
 * One line on the standard error that tells how far a run is: overwritten on a terminal, otherwise a new line now and then.
 */
final class ProgressLine implements ProgressListener
{
    private static final long FILE_INTERVAL_S = 2;

    private static final double PERCENT = 100;
    private static final int FILE_PERCENT = 10;
    private static final double NS_PER_S = 1e9;
    /** Steps done before the time that is left can be told from the time that they took, in hundredths of all. */
    private static final int LEAST_PERCENT = 2;

    private final RunPlan plan;
    private final StatusLine line;
    private final int steps;
    private final LongSupplier clock;
    private long firstNs;
    private int first = -1;
    private int last = -1;

    ProgressLine(final RunPlan plan, final PrintStream stream)
    {
        this(plan, new StatusLine(stream, FILE_INTERVAL_S, TimeUnit.SECONDS), System::nanoTime);
    }

    ProgressLine(final RunPlan plan, final StatusLine line, final LongSupplier clock)
    {
        this.plan = plan;
        this.line = line;
        this.clock = clock;
        steps = new Schedule(plan).steps().size();
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
            final int ways = plan.ways().size();
            show("opening mailboxes, " + opened + " of " + ofRanks +
                (ways == 1 ? "" : " (" + plan.ranks() + " ranks with each of " + ways + (ways == plan.flows().size() ?
                    " flow controls)" : " flow controls and paths)")));
        }
    }

    @Override
    public void onStep(final Step step)
    {
        final long nowNs = clock.getAsLong();
        if (first < 0)
        {
            first = step.index();
            firstNs = nowNs;
        }
        final double percent = PERCENT * step.index() / steps;
        // what has not moved is not told again: the time that is left would change, and nothing else; a file gets each tenth once
        final int state = line.isTerminal() ? step.index() : (int)(percent / FILE_PERCENT);
        if (state == last || !line.isDue())
        {
            return;
        }
        last = state;
        final String left = step.index() > first && percent >= LEAST_PERCENT ? String.format(Locale.ROOT, ", %.0f s left",
            (nowNs - firstNs) / NS_PER_S * (steps - step.index()) / (step.index() - first)) : "";
        show(String.format(Locale.ROOT, "%.0f %%%s (%s, %s)", percent, left, step.way().text(),
            switch (step.phase())
            {
                case VERIFIED -> "verifying all bytes";
                case WARMUP -> "warming up";
                case TIMED, STAMPED -> "repeat " + step.repeat() + " of " + plan.repeats();
            }));
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
