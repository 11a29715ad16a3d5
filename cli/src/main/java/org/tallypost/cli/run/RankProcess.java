// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The process of one rank. */
final class RankProcess
{
    private final int rank;
    private final String name;
    private final Process process;
    private final List<Thread> copiers = new ArrayList<>();

    RankProcess(final int rank, final String name, final Process process)
    {
        this.rank = rank;
        this.name = name;
        this.process = process;
    }

    Process process()
    {
        return process;
    }

    /**
     * Copies a stream of the rank to where the lines go, on a thread of its own.
     *
     * @param source   of the rank.
     * @param target   of the lines.
     * @param onClosed told if the target takes no more.
     */
    void copy(final InputStream source, final LineOutput target, final Runnable onClosed)
    {
        final Thread thread = new Thread(() ->
        {
            if (!target.copy(rank, source))
            {
                onClosed.run();
            }
        }, "output-of-rank-" + rank);
        thread.setDaemon(true);
        thread.start();
        copiers.add(thread);
    }

    /**
     * Waits until what the rank wrote is written. Something that the rank has started may hold the streams open: then they are
     * closed.
     *
     * @param deadlineNs on the clock of {@link System#nanoTime}.
     */
    void awaitOutput(final long deadlineNs) throws InterruptedException
    {
        for (final Thread thread : copiers)
        {
            thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime())));
        }
        close(process.getInputStream());
        close(process.getErrorStream());
    }

    private static void close(final InputStream stream)
    {
        try
        {
            stream.close();
        }
        catch (final IOException ignore)
        {
            // it is not used any more
        }
    }

    /** Exit code, with the signal's name if one ended it. */
    String end()
    {
        final int code = process.exitValue();
        final String signal = switch (code)
        {
            case 129 -> "SIGHUP";
            case 130 -> "SIGINT";
            case 131 -> "SIGQUIT";
            case 134 -> "SIGABRT";
            case 135 -> "SIGBUS";
            case 137 -> "SIGKILL";
            case 139 -> "SIGSEGV";
            case 143 -> "SIGTERM";
            default -> null;
        };
        return "exit code " + code + (signal == null ? "" : " (" + signal + ")");
    }

    @Override
    public String toString()
    {
        return name;
    }
}
