// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.report;

import java.io.Console;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;

/**
 * One line that tells how far something is: overwritten on a terminal, otherwise a new line now and then. For one thread.
 */
public final class StatusLine
{
    private static final long TERMINAL_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PrintStream stream;
    private final long fileIntervalNs;
    private final boolean isTerminal = isTerminal(System.console());
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
     * Whether there is a terminal. From JDK 22 on there may be a console without one, which says so itself.
     *
     * @param console of the system, null if there is none.
     * @return true for a console that has no method {@code isTerminal}, as before JDK 22, or one that returns true.
     */
    static boolean isTerminal(final Object console)
    {
        if (console == null)
        {
            return false;
        }
        try
        {
            // by the public class: the console itself is of a class that the JDK keeps for itself
            final Class<?> type = console instanceof Console ? Console.class : console.getClass();
            return (boolean)MethodHandles.publicLookup()
                .findVirtual(type, "isTerminal", MethodType.methodType(boolean.class)).invoke(console);
        }
        catch (final NoSuchMethodException ex)
        {
            return true;
        }
        catch (final Throwable ex)
        {
            return false;
        }
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
