// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.harness.TuningFlags;

/**
 * A worker as its parent sees it.
 */
final class WorkerProcess
{
    private final int index;
    private final Process process;
    private final Thread errorReader;

    private WorkerProcess(final int index, final Process process, final PrintStream errorStream)
    {
        this.index = index;
        this.process = process;
        errorReader = new Thread(() -> forwardErrors(errorStream), "worker-" + index + "-stderr");
        errorReader.setDaemon(true);
    }

    /**
     * Starts a worker.
     *
     * @param index       of the worker.
     * @param prefix      what comes before the command.
     * @param flags       of its JVM.
     * @param directory   of the run.
     * @param errorStream gets the worker's standard error, line by line with its index in front.
     * @return the worker.
     * @throws IOException if the process does not start.
     */
    static WorkerProcess start(
        final int index, final List<String> prefix, final List<String> flags, final WorkDirectory directory,
        final PrintStream errorStream) throws IOException
    {
        final List<String> command = new ArrayList<>(prefix);
        command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
        command.addAll(flags);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(Worker.class.getName());
        command.add(directory.directory().getPath());
        command.add(Integer.toString(index));
        final Process process = new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
        final WorkerProcess worker = new WorkerProcess(index, process, errorStream);
        worker.errorReader.start();
        return worker;
    }

    /**
     * Flags of a worker's JVM: what Agrona needs, the heap, and the parent's own tuning flags.
     *
     * @param heapMebibytes largest heap.
     * @return the flags in their order.
     */
    static List<String> flags(final int heapMebibytes)
    {
        final List<String> flags = new ArrayList<>();
        flags.add("--add-opens");
        flags.add("java.base/jdk.internal.misc=ALL-UNNAMED");
        // Nothing is allocated while time is taken: the collector with the fewest threads takes least from the cores.
        flags.add("-XX:+UseSerialGC");
        flags.add("-Xmx" + heapMebibytes + "m");
        flags.addAll(TuningFlags.ofThisJvm());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter((argument) -> argument.startsWith("-Dagrona.") || argument.startsWith("-Dtallypost.")).forEach(flags::add);
        return flags;
    }

    private void forwardErrors(final PrintStream errorStream)
    {
        try (BufferedReader reader = new BufferedReader(
            new InputStreamReader(process.getErrorStream(), Charset.defaultCharset())))
        {
            String line = reader.readLine();
            while (line != null)
            {
                errorStream.println("[process " + index + "] " + line);
                line = reader.readLine();
            }
        }
        catch (final IOException ignore)
        {
            // The worker was destroyed: there is no more to read.
        }
    }

    int index()
    {
        return index;
    }

    long pid()
    {
        return process.pid();
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    int exitCode()
    {
        return process.exitValue();
    }

    /** Waits for the end of the process and of what it had to say. */
    boolean await(final long timeoutMs) throws InterruptedException
    {
        final boolean hasEnded = process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        if (hasEnded)
        {
            errorReader.join(TimeUnit.SECONDS.toMillis(1));
        }
        return hasEnded;
    }

    void destroy()
    {
        process.destroyForcibly();
    }
}
