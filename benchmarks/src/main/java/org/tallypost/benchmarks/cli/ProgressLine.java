// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.process.ProgressListener;

/**
 * One line on the standard error that tells how far a run is: overwritten on a terminal, otherwise a new line now and then.
 */
final class ProgressLine implements ProgressListener
{
    private static final long TERMINAL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FILE_INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int WIDTH = 60;

    private final RunPlan plan;
    private final PrintStream stream;
    private final boolean isTerminal = System.console() != null;
    private long nextNs = System.nanoTime();
    private boolean isLineOpen;

    ProgressLine(final RunPlan plan, final PrintStream stream)
    {
        this.plan = plan;
        this.stream = stream;
    }

    @Override
    public void onStarted(final long[] pids)
    {
        show("starting " + pids.length + " processes");
    }

    @Override
    public void onOpening(final long opened, final long ofRanks)
    {
        if (isDue())
        {
            show("opening ranks, " + opened + " of " + ofRanks);
        }
    }

    @Override
    public void onStep(final Step step)
    {
        if (isDue())
        {
            show("flow " + step.flow().name().toLowerCase(Locale.ROOT) + ", " + switch (step.phase())
            {
                case VERIFIED -> "verifying all bytes";
                case WARMUP -> "warming up";
                case TIMED, STAMPED -> "repeat " + step.repeat() + " of " + plan.repeats();
            });
        }
    }

    private boolean isDue()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - nextNs < 0)
        {
            return false;
        }
        nextNs = nowNs + (isTerminal ? TERMINAL_INTERVAL_NS : FILE_INTERVAL_NS);
        return true;
    }

    @Override
    public void onEnd()
    {
        if (isLineOpen)
        {
            stream.print("\r" + " ".repeat(WIDTH) + "\r");
            stream.flush();
            isLineOpen = false;
        }
    }

    private void show(final String text)
    {
        final String line = plan.workload().label() + ": " + text;
        if (isTerminal)
        {
            stream.print("\r" + line + " ".repeat(Math.max(0, WIDTH - line.length())));
            stream.flush();
            isLineOpen = true;
        }
        else
        {
            stream.println(line);
        }
    }
}
