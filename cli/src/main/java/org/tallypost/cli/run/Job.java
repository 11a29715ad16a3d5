// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All ranks of one job, from the start of the first to the end of the last.
 * <p>
 * The thread that runs the job starts the processes and stays until all have ended: the kernel may take its end for the end of
 * the parent. A shutdown hook ends the ranks when a signal ends this process.
 */
final class Job
{
    static final int TIMED_OUT = 124;
    private static final int OUTPUT_CLOSED = 1;
    private static final int NOT_STARTED = 127;
    /** How long output is waited for that something holds which has left the job. */
    private static final long OUTPUT_LIMIT_MS = 1_000;
    private static final long KILL_LIMIT_MS = 10_000;

    private final Ranks place;
    private final int ranks;
    private final boolean isTagged;
    private final Duration timeout;
    private final Consumer<String> messages;
    private final LineOutput output;
    private final LineOutput errors;
    private final List<RankProcess> processes = new ArrayList<>();
    /** Ranks that have ended, and none for an output that takes no more. */
    private final BlockingQueue<List<RankProcess>> news = new LinkedBlockingQueue<>();
    /** What is told when nothing runs any more: a message may have to wait for what reads the errors. */
    private final List<String> reasons = new ArrayList<>();
    private volatile boolean isInterrupted;

    /**
     * A job.
     *
     * @param place    of the ranks; closed too if a signal ends this process.
     * @param ranks    number of them.
     * @param isTagged if each line of output begins with its rank.
     * @param timeout  after which the job is ended; null for no limit.
     * @param messages to the user.
     */
    Job(
        final Ranks place, final int ranks, final boolean isTagged, final Duration timeout, final Consumer<String> messages)
    {
        this.place = place;
        this.ranks = ranks;
        this.isTagged = isTagged;
        this.timeout = timeout;
        this.messages = messages;
        output = new LineOutput(new FileOutputStream(FileDescriptor.out), isTagged);
        errors = new LineOutput(new FileOutputStream(FileDescriptor.err), isTagged);
    }

    /**
     * Starts all ranks, and waits until all have ended.
     *
     * @return the exit code.
     */
    int run() throws InterruptedException
    {
        final Thread hook = new Thread(this::interrupted, "end-of-job");
        Runtime.getRuntime().addShutdownHook(hook);
        final int code = start() ? await() : NOT_STARTED;
        end();
        tell();
        for (final RankProcess process : processes)
        {
            process.awaitOutput(OUTPUT_LIMIT_MS);
        }
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ignore)
        {
            // a signal has come meanwhile: the hook does the rest
        }
        return code;
    }

    private boolean start()
    {
        for (int rank = 0; rank < ranks; rank++)
        {
            final ProcessBuilder builder = place.builder(rank);
            final boolean isDirect = ranks == 1 && !isTagged;
            if (isDirect)
            {
                builder.redirectOutput(Redirect.INHERIT).redirectError(Redirect.INHERIT);
            }
            try
            {
                final Process process = builder.start();
                add(new RankProcess(rank, place.name(rank, process), process), isDirect);
                place.started(process);
            }
            catch (final IOException ex)
            {
                reasons.add(place.program() + " could not be started as rank " + rank + ": " + ex.getMessage());
                return false;
            }
        }
        return true;
    }

    private synchronized void add(final RankProcess process, final boolean isDirect)
    {
        processes.add(process);
        if (!isDirect)
        {
            final Runnable onClosed = () -> news.add(List.of());
            process.copy(process.process().getInputStream(), output, onClosed);
            process.copy(process.process().getErrorStream(), errors, onClosed);
        }
        process.process().onExit().thenRun(() -> news.add(List.of(process)));
    }

    /** Waits until all ranks have ended, or something ends the job. */
    private int await() throws InterruptedException
    {
        final long startNs = System.nanoTime();
        final long limitNs = timeout == null ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(timeout);
        int running = ranks;
        while (running > 0)
        {
            final List<RankProcess> ended = news.poll(limitNs - (System.nanoTime() - startNs), TimeUnit.NANOSECONDS);
            if (ended == null)
            {
                reasons.add("the time of --timeout, " + timeout.toMillis() + " ms, is over; these still ran and were ended: " +
                    running());
                return TIMED_OUT;
            }
            if (ended.isEmpty())
            {
                reasons.add("the output takes no more; these still ran and were ended: " + running());
                return OUTPUT_CLOSED;
            }
            running--;
            final RankProcess process = ended.get(0);
            final int code = process.process().exitValue();
            if (code != 0)
            {
                if (!isInterrupted)
                {
                    // those that have ended since then are in the news, and not counted yet
                    final String others = running();
                    reasons.add(process + " failed: " + process.end() +
                        (others.isEmpty() ? "" : "; the others were ended: " + others));
                }
                return code;
            }
        }
        return 0;
    }

    private void tell()
    {
        reasons.forEach(messages);
    }

    private String running()
    {
        return processes.stream().filter((process) -> process.process().isAlive()).map(RankProcess::toString)
            .collect(Collectors.joining(", "));
    }

    private void interrupted()
    {
        isInterrupted = true;
        try
        {
            end();
            place.close();
        }
        catch (final InterruptedException | IOException ex)
        {
            messages.accept("the job could not be ended: " + ex.getMessage());
        }
    }

    /**
     * Ends what still runs: it is asked to, and killed after the time of grace. What is started meanwhile is found by a further
     * look, until there is nothing.
     */
    private synchronized void end() throws InterruptedException
    {
        processes.forEach((process) -> place.askToEnd(process.process()));
        awaitEnd(living(), TimeUnit.NANOSECONDS.convert(place.grace()));
        final long startNs = System.nanoTime();
        List<ProcessHandle> living = living();
        while (!living.isEmpty())
        {
            living.forEach(ProcessHandle::destroyForcibly);
            final long leftNs = TimeUnit.MILLISECONDS.toNanos(KILL_LIMIT_MS) - (System.nanoTime() - startNs);
            if (!awaitEnd(living, leftNs))
            {
                reasons.add("waited " + KILL_LIMIT_MS + " ms for processes that SIGKILL has not ended: " +
                    living.stream().filter(ProcessHandle::isAlive).map((handle) -> "pid " + handle.pid())
                    .collect(Collectors.joining(", ")));
                return;
            }
            living = living();
        }
    }

    /** The ranks, and what they have started, also if its parent is gone. */
    private List<ProcessHandle> living()
    {
        return Stream.concat(processes.stream().map((process) -> process.process().toHandle()), place.started())
            .distinct().filter(ProcessHandle::isAlive).collect(Collectors.toCollection(ArrayList::new));
    }

    private static boolean awaitEnd(final List<ProcessHandle> handles, final long limitNs) throws InterruptedException
    {
        final long startNs = System.nanoTime();
        while (handles.stream().anyMatch(ProcessHandle::isAlive))
        {
            if (System.nanoTime() - startNs > limitNs)
            {
                return false;
            }
            Thread.sleep(2);
        }
        return true;
    }
}
