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

    private final PrintStream stream;
    private final long fileIntervalNs;
    private final boolean isTerminal = System.console() != null;
    private long nextNs = System.nanoTime();
    private String shown = "";

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
     * Whether the line is overwritten; otherwise each text is a line that stays.
     *
     * @return true on a terminal.
     */
    public boolean isTerminal()
    {
        return isTerminal;
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
     * Shows a text instead of the last one. The same text is not shown twice.
     *
     * @param text without line breaks.
     */
    public void show(final String text)
    {
        if (text.equals(shown))
        {
            return;
        }
        if (isTerminal)
        {
            stream.print("\r" + text + " ".repeat(Math.max(0, shown.length() - text.length())));
            stream.flush();
        }
        else
        {
            stream.println(text);
        }
        shown = text;
    }

    /**
     * Leaves nothing behind on a terminal.
     */
    public void end()
    {
        if (isTerminal && !shown.isEmpty())
        {
            stream.print("\r" + " ".repeat(shown.length()) + "\r");
            stream.flush();
        }
        shown = "";
    }
}
