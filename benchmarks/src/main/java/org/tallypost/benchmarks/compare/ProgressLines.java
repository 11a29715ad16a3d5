// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.harness.Session;

/**
 * Tells now and then how far a session is, and how long it still takes. For one thread.
 */
public final class ProgressLines implements Session.Progress
{
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(5);

    private final String title;
    private final PrintWriter err;
    private long nextNs = System.nanoTime();
    private String last = "";

    /**
     * Nothing was told yet.
     *
     * @param title that each line begins with.
     * @param err   for the lines.
     */
    public ProgressLines(final String title, final PrintWriter err)
    {
        this.title = title;
        this.err = err;
    }

    @Override
    public void on(final String what, final long remainingNs)
    {
        final long nowNs = System.nanoTime();
        if (nowNs - nextNs >= 0 || !what.equals(last))
        {
            nextNs = nowNs + INTERVAL_NS;
            last = what;
            err.println(title + ": " + what + ", about " + TimeUnit.NANOSECONDS.toSeconds(remainingNs) + " s left");
            err.flush();
        }
    }

    void end()
    {
        err.flush();
    }
}
