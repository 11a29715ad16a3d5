// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Programs of the machine that are not ours: found, run, and ended with all their children.
 */
public final class NativeProgram
{
    private static final int GRACE_MS = 30_000;
    private static final int MAX_REASON_LENGTH = 300;
    /** Started, and not ended by {@link #end} yet. A signal that ends this process ends them. */
    private static final Set<Process> RUNNING = new HashSet<>();

    private static boolean isEnding;

    static
    {
        Runtime.getRuntime().addShutdownHook(new Thread(NativeProgram::endAll, "end-of-programs"));
    }

    private NativeProgram()
    {
    }

    /**
     * How a program ended.
     *
     * @param output  of it, or null.
     * @param failure why there is none, or null.
     */
    public record Outcome(String output, String failure)
    {
    }

    /**
     * Looks for a program.
     *
     * @param name of its file.
     * @param path directories, as in the variable of that name; null for none.
     * @return the file.
     */
    public static Optional<Path> find(final String name, final String path)
    {
        return Arrays.stream(path == null ? new String[0] : path.split(File.pathSeparator))
            .filter((directory) -> !directory.isEmpty())
            .map((directory) -> Path.of(directory, name))
            .filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file))
            .findFirst();
    }

    /**
     * Starts a program without input.
     *
     * @param command   with arguments.
     * @param variables of its environment beside those of this process.
     * @param directory in which it runs, with what it writes in {@code NAME.out} and {@code NAME.err}.
     * @param name      of those files.
     * @return the program.
     * @throws IOException if it cannot be started, or this process is ending.
     */
    public static Process start(
        final List<String> command, final Map<String, String> variables, final File directory, final String name)
        throws IOException
    {
        final ProcessBuilder builder = new ProcessBuilder(command)
            .directory(directory)
            .redirectInput(new File("/dev/null"))
            .redirectOutput(new File(directory, name + ".out"))
            .redirectError(new File(directory, name + ".err"));
        builder.environment().putAll(variables);
        synchronized (RUNNING)
        {
            if (isEnding)
            {
                throw new IOException("this process is ending, and starts no program: found=" + name);
            }
            final Process process = builder.start();
            RUNNING.add(process);
            return process;
        }
    }

    /**
     * Waits for a program that was started in this directory under this name, and ends it if it takes too long.
     *
     * @param process   of it.
     * @param directory of it.
     * @param name      of it.
     * @param timeoutMs for which it may run, in milliseconds.
     * @return how it ended.
     * @throws IOException          if what it wrote cannot be read.
     * @throws InterruptedException if this thread is interrupted.
     */
    public static Outcome await(final Process process, final File directory, final String name, final long timeoutMs)
        throws IOException, InterruptedException
    {
        try
        {
            if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS))
            {
                return new Outcome(null, "timeout: no end after " + timeoutMs + " ms");
            }
            final String output = read(directory, name + ".out");
            return process.exitValue() == 0 ? new Outcome(output, null) :
                new Outcome(null, "exit code " + process.exitValue() + ": " + reason(read(directory, name + ".err") + output));
        }
        finally
        {
            end(process);
        }
    }

    private static String read(final File directory, final String file) throws IOException
    {
        return new String(Files.readAllBytes(directory.toPath().resolve(file)), StandardCharsets.UTF_8);
    }

    /** The first line that is not a frame. */
    private static String reason(final String text)
    {
        final String line = text.lines().map(String::strip).filter((each) -> each.matches(".*\\p{Alnum}.*"))
            .findFirst().orElse("");
        return line.length() <= MAX_REASON_LENGTH ? line : line.substring(0, MAX_REASON_LENGTH) + "...";
    }

    /** Asks first: a launcher that is killed cannot end what it has launched. */
    static void end(final Process process) throws InterruptedException
    {
        final List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        synchronized (RUNNING)
        {
            RUNNING.remove(process);
        }
    }

    /** From here on nothing is started; returns when nothing of it runs any more. For the end of this process. Any thread. */
    public static void endAll()
    {
        final List<Process> left;
        synchronized (RUNNING)
        {
            isEnding = true;
            left = List.copyOf(RUNNING);
        }
        try
        {
            // all are asked before one is waited for
            left.forEach(Process::destroy);
            for (final Process process : left)
            {
                end(process);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
