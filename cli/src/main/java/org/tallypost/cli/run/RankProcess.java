// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;

/** The process of one rank. */
final class RankProcess
{
    private final int rank;
    private final String name;
    private final Process process;
    private final List<RankOutput> outputs = new ArrayList<>();

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
        outputs.add(RankOutput.start(rank, source, target, onClosed));
    }

    /**
     * Waits until what the rank wrote is written, however slowly it is taken. A process that has left the job may hold the
     * streams open: when nothing has come for some time, they are closed.
     *
     * @param limitMs without any byte.
     */
    void awaitOutput(final long limitMs) throws InterruptedException
    {
        for (final RankOutput output : outputs)
        {
            output.await(limitMs);
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
