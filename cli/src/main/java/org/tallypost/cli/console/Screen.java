// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import java.io.Console;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Text that is shown again and again: in its own place on a terminal, one behind the other elsewhere.
 */
public final class Screen
{
    private static final int USUAL_ROWS = 24;
    private static final long PATIENCE_S = 2;
    private static final String CLEAR_LINE = "\033[K";
    private static final String CLEAR_BELOW = "\033[J";

    private final PrintWriter out;
    private final boolean isTerminal;
    private int lines;

    /**
     * Where the text goes.
     *
     * @param out        of the command.
     * @param isTerminal whether that is a terminal.
     */
    public Screen(final PrintWriter out, final boolean isTerminal)
    {
        this.out = out;
        this.isTerminal = isTerminal;
    }

    /**
     * Whether the text is drawn in place.
     *
     * @return true if so.
     */
    public boolean isTerminal()
    {
        return isTerminal;
    }

    /**
     * Shows a text in the place of the one before it.
     *
     * @param text of several lines.
     */
    public void draw(final String text)
    {
        if (!isTerminal)
        {
            out.println(text);
            out.flush();
            return;
        }
        final List<String> now = text.lines().toList();
        final StringBuilder drawn = new StringBuilder();
        if (lines > 0)
        {
            drawn.append("\033[").append(lines).append('A');
        }
        now.forEach((line) -> drawn.append(line).append(CLEAR_LINE).append(System.lineSeparator()));
        out.print(drawn.append(CLEAR_BELOW));
        out.flush();
        lines = now.size();
    }

    /** What was shown stays, and the next text comes below it. */
    public void leave()
    {
        lines = 0;
    }

    /**
     * Whether this process writes to a terminal that can draw.
     *
     * @return false also if the terminal says that it is a dumb one.
     */
    public static boolean isOnTerminal()
    {
        final Object console = System.console();
        final String term = System.getenv("TERM");
        return console != null && term != null && !term.equals("dumb") && isTerminal(console);
    }

    /** A console that has no such method, as before JDK 22, is a terminal. */
    private static boolean isTerminal(final Object console)
    {
        try
        {
            return (boolean)MethodHandles.publicLookup()
                .findVirtual(Console.class, "isTerminal", MethodType.methodType(boolean.class)).invoke(console);
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
     * Rows of this process's terminal, as the program stty says.
     *
     * @return the usual number if it does not say.
     */
    public static int rows()
    {
        try
        {
            final Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty"))
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            if (stty.waitFor(PATIENCE_S, TimeUnit.SECONDS))
            {
                final String text = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
                return Math.max(1, Integer.parseInt(text.strip().split(" ")[0]));
            }
            stty.destroy();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        catch (final IOException | NumberFormatException ex)
        {
            // no terminal, or no such program
        }
        return USUAL_ROWS;
    }
}
