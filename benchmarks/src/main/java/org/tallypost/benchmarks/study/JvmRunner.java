// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.agrona.IoUtil;
import org.tallypost.benchmarks.compare.JvmFlags;
import org.tallypost.benchmarks.harness.ShutdownHooks;

/**
 * Runs each trial in a JVM of its own, with a directory of its own, and leaves neither behind.
 */
public final class JvmRunner implements AutoCloseable
{
    private static final int GRACE_MS = 30_000;
    private static final int FAILURE_GRACE_MS = 500;
    private static final int MAX_REASON_LENGTH = 200;

    private final File directory;
    private final List<Process> running = new CopyOnWriteArrayList<>();
    private final Thread hook = new Thread(this::cleanUp, "study-clean-up");
    private int forks;

    /**
     * Creates a directory for the forks.
     *
     * @param parent existing directory, best in memory.
     * @throws IOException if it cannot be created.
     */
    public JvmRunner(final File parent) throws IOException
    {
        directory = Files.createTempDirectory(parent.toPath(), "tallypost-study-").toFile();
        ShutdownHooks.add(hook);
    }

    /**
     * Flags of all JVMs of all forks.
     *
     * @return the flags.
     */
    public static List<String> flags()
    {
        final List<String> flags = new ArrayList<>(JvmFlags.flags());
        flags.add("-XX:+AlwaysPreTouch");
        return flags;
    }

    /**
     * Runs one JVM in a directory of its own.
     *
     * @param main      its class; called with the directory and "0"; tells of a failure as {@link TrialFork} does.
     * @param prepare   puts into the directory what the JVM needs.
     * @param collect   reads what the JVM has left there, if it ended well.
     * @param timeoutMs after which it is given up, in milliseconds.
     * @param <T>       what is collected.
     * @return what was collected, or null; and then why.
     * @throws IOException          if it could not be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    public <T> Outcome<T> run(
        final Class<?> main, final Step<Void> prepare, final Step<T> collect, final int timeoutMs)
        throws IOException, InterruptedException
    {
        return run(main, 1, List.of(), prepare, collect, timeoutMs);
    }

    /** The same for several JVMs with further flags: each is called with the directory and its number, from 0 on. */
    <T> Outcome<T> run(
        final Class<?> main, final int count, final List<String> further, final Step<Void> prepare, final Step<T> collect,
        final int timeoutMs) throws IOException, InterruptedException
    {
        final File forkDirectory = newDirectory();
        prepare.apply(forkDirectory);
        final List<Process> processes = new ArrayList<>();
        try
        {
            for (int i = 0; i < count; i++)
            {
                processes.add(start(main, further, forkDirectory, Integer.toString(i)));
            }
            final String failure = await(timeoutMs, forkDirectory, processes);
            return new Outcome<>(failure == null ? collect.apply(forkDirectory) : null, failure);
        }
        finally
        {
            end(processes);
            IoUtil.delete(forkDirectory, true);
        }
    }

    private File newDirectory() throws IOException
    {
        return Files.createDirectory(new File(directory, "fork-" + forks++).toPath()).toFile();
    }

    private Process start(
        final Class<?> main, final List<String> further, final File forkDirectory, final String name) throws IOException
    {
        final List<String> command = new ArrayList<>();
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags());
        command.addAll(further);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(main.getName());
        command.add(forkDirectory.getPath());
        command.add(name);
        final Process process = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(errorFile(forkDirectory, name).toFile())
            .start();
        running.add(process);
        return process;
    }

    private static Path errorFile(final File forkDirectory, final String name)
    {
        return forkDirectory.toPath().resolve("errors-" + name);
    }

    /** Waits until all processes have ended, or one has failed; null if all of them ended well. */
    private static String await(final int timeoutMs, final File forkDirectory, final List<Process> processes)
        throws IOException, InterruptedException
    {
        final CompletableFuture<Void> end = new CompletableFuture<>();
        final List<CompletableFuture<Process>> exits = processes.stream().map(Process::onExit).toList();
        for (final CompletableFuture<Process> exit : exits)
        {
            exit.thenAccept((process) ->
            {
                if (process.exitValue() != 0)
                {
                    end.complete(null);
                }
            });
        }
        CompletableFuture.allOf(exits.toArray(new CompletableFuture<?>[0])).thenRun(() -> end.complete(null));
        try
        {
            end.get(timeoutMs + GRACE_MS, TimeUnit.MILLISECONDS);
        }
        catch (final TimeoutException ex)
        {
            return "timeout: no end after " + timeoutMs + " ms";
        }
        catch (final ExecutionException ex)
        {
            throw new IllegalStateException(ex);
        }
        return failure(forkDirectory, processes);
    }

    /** What those that have ended say. The others may not know yet that one of them has failed. */
    private static String failure(final File forkDirectory, final List<Process> processes)
        throws IOException, InterruptedException
    {
        String failure = null;
        for (int i = 0; i < processes.size(); i++)
        {
            if (processes.get(i).waitFor(FAILURE_GRACE_MS, TimeUnit.MILLISECONDS) && processes.get(i).exitValue() != 0)
            {
                final String reason = reason(errorFile(forkDirectory, Integer.toString(i)), processes.get(i).exitValue());
                if (failure == null || failure.contains("another party failed"))
                {
                    failure = reason;
                }
            }
        }
        return failure;
    }

    private static String reason(final Path errors, final int exitCode) throws IOException
    {
        final String text = new String(Files.readAllBytes(errors), StandardCharsets.UTF_8);
        final int at = text.indexOf(ParentEnd.FAILED);
        final String reason = at >= 0 ? text.substring(at + ParentEnd.FAILED.length()) : "exit code " + exitCode + ": " + text;
        final String line = reason.strip().lines().findFirst().orElse("");
        return line.length() <= MAX_REASON_LENGTH ? line : line.substring(0, MAX_REASON_LENGTH) + "...";
    }

    private void end(final List<Process> processes) throws InterruptedException
    {
        for (final Process process : processes)
        {
            process.destroyForcibly();
        }
        for (final Process process : processes)
        {
            // the directory goes only when nothing writes to it any more
            process.waitFor(GRACE_MS, TimeUnit.MILLISECONDS);
            running.remove(process);
        }
    }

    private void cleanUp()
    {
        running.forEach(Process::destroyForcibly);
        IoUtil.delete(directory, true);
    }

    @Override
    public void close()
    {
        ShutdownHooks.remove(hook);
        cleanUp();
    }

    /**
     * What is done in the directory of a JVM.
     *
     * @param <T> what is read there.
     */
    public interface Step<T>
    {
        /**
         * Does it.
         *
         * @param forkDirectory that is only this JVM's.
         * @return what was read, or null.
         * @throws IOException if that is not possible.
         */
        T apply(File forkDirectory) throws IOException;
    }

    /**
     * How a JVM ended.
     *
     * @param value   that was collected, or null.
     * @param failure why there is none, or null.
     * @param <T>     what is collected.
     */
    public record Outcome<T>(T value, String failure)
    {
    }
}
