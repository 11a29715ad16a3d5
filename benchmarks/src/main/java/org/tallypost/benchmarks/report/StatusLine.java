// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.io.PrintStream;
import java.util.concurrent.TimeUnit;

/**
 * One line that tells how far something is: overwritten on a terminal, otherwise a new line now and then. For one thread.
 */
public final class StatusLine
{
    private static final long TERMINAL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int WIDTH = 60;

    private final PrintStream stream;
    private final long fileIntervalNs;
    private final boolean isTerminal = System.console() != null;
    private long nextNs = System.nanoTime();
    private boolean isOpen;

    /**
     * A line that shows nothing yet.
     *
     * @param stream       to print it to.
     * @param fileInterval between two lines at least, if it is not a terminal.
     * @param unit         of the interval.
     */
    public StatusLine(final PrintStream stream, final long fileInterval, final TimeUnit unit)
    {
        this.stream = stream;
        fileIntervalNs = unit.toNanos(fileInterval);
    }

    /**
     * Whether the line was not shown for a while. If so, it counts as shown now.
     *
     * @return true if it is to be shown.
     */
    public boolean isDue()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - nextNs < 0)
        {
            return false;
        }
        nextNs = nowNs + (isTerminal ? TERMINAL_INTERVAL_NS : fileIntervalNs);
        return true;
    }

    /**
     * Shows a text instead of the last one.
     *
     * @param text without line breaks.
     */
    public void show(final String text)
    {
        if (isTerminal)
        {
            stream.print("\r" + text + " ".repeat(Math.max(0, WIDTH - text.length())));
            stream.flush();
            isOpen = true;
        }
        else
        {
            stream.println(text);
        }
    }

    /**
     * Leaves nothing behind on a terminal.
     */
    public void end()
    {
        if (isOpen)
        {
            stream.print("\r" + " ".repeat(WIDTH) + "\r");
            stream.flush();
            isOpen = false;
        }
    }
}
