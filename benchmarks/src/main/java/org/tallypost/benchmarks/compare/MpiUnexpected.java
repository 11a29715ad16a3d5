// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Messages that nobody receives, sent over Open MPI by a small program of ours that is compiled on the spot.
 *
 * @param before  resident bytes of the receiver before the first message.
 * @param full    the same when all messages have come.
 * @param after   the same when all were received.
 * @param wrong   messages that were not in order.
 * @param failure why there are no figures, or null.
 */
public record MpiUnexpected(long before, long full, long after, long wrong, String failure)
{
    /** A program beyond that is ended. */
    public static final long MAX_RESIDENT = 4L << 30;

    private static final String PROGRAM = "unexpected";
    private static final Pattern OUTPUT = Pattern.compile("(?s).*FULL (\\d+) (\\d+)\\nRECEIVED (\\d+) (\\d+)\\n.*");

    /**
     * Why it cannot be measured on this machine.
     *
     * @return what is missing, or null.
     */
    public static String whyNot()
    {
        return MpiProgram.whyNot(System.getenv("PATH"));
    }

    /**
     * Measures it.
     *
     * @param directory an existing one for the program and its files.
     * @param senders   number of senders.
     * @param messages  of each.
     * @param length    of a message in bytes, from 8 to 2,048: longer ones may wait for their receive.
     * @param timeoutMs after which it is given up, in milliseconds.
     * @return the figures, or why there are none.
     * @throws IOException          if the directory cannot be written, or a program cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    public static MpiUnexpected measure(
        final File directory, final int senders, final long messages, final int length, final long timeoutMs)
        throws IOException, InterruptedException
    {
        final String path = System.getenv("PATH");
        final Path compiler = NativeProgram.find("mpicc", path).orElseThrow();
        final String why = MpiProgram.compile(compiler, directory, PROGRAM);
        if (why != null)
        {
            return failed(why);
        }
        final List<String> command = new ArrayList<>(MpiProgram.launch(
            NativeProgram.find("mpirun", path).orElseThrow(), directory, PROGRAM, senders + 1,
            Runtime.getRuntime().availableProcessors()));
        command.addAll(List.of(Long.toString(messages), Integer.toString(length), Long.toString(MAX_RESIDENT)));
        final Process process =
            NativeProgram.start(command, MpiProgram.variables(directory, false), directory, PROGRAM);
        final NativeProgram.Outcome outcome = NativeProgram.await(process, directory, PROGRAM, timeoutMs);
        return outcome.failure() != null ? failed(outcome.failure()) : parse(outcome.output());
    }

    /** Reads what the program has printed. */
    static MpiUnexpected parse(final String output)
    {
        final Matcher matcher = OUTPUT.matcher(output);
        return !matcher.matches() ? failed("found '" + output.strip() + "', expected FULL and RECEIVED") :
            new MpiUnexpected(Long.parseLong(matcher.group(1)), Long.parseLong(matcher.group(2)),
            Long.parseLong(matcher.group(3)), Long.parseLong(matcher.group(4)), null);
    }

    private static MpiUnexpected failed(final String why)
    {
        return new MpiUnexpected(0, 0, 0, 0, why);
    }
}
