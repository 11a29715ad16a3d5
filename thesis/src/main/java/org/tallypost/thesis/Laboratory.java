// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.tallypost.report.StatusLine;

/**
 * Does runs side by side, each once, and tells how long the rest will take. All methods are for one thread, but for
 * {@link #stop}.
 */
final class Laboratory implements AutoCloseable
{
    private static final long LOOK_MS = 200;
    private static final double MIN_PART = 0.01;

    private final CellRunner runner;
    private final StatusLine line;
    private final ExecutorService threads;
    private final Results results = new Results();
    private final Map<Cell, Future<?>> futures = new LinkedHashMap<>();
    private final long startNs = System.nanoTime();
    private volatile boolean isStopped;

    Laboratory(final CellRunner runner, final int parallel, final StatusLine line)
    {
        this.runner = runner;
        this.line = line;
        threads = Executors.newFixedThreadPool(parallel, (task) ->
        {
            final Thread thread = new Thread(task, "simulation");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Puts runs into the queue that are not there yet, those that take longest first. */
    void submit(final List<Cell> cells)
    {
        cells.stream()
            .distinct()
            .filter((cell) -> !futures.containsKey(cell))
            .sorted((a, b) -> Double.compare(Weight.of(b), Weight.of(a)))
            .forEach(this::enqueue);
    }

    private void enqueue(final Cell cell)
    {
        try
        {
            futures.put(cell, threads.submit(() ->
            {
                results.put(cell, runner.run(cell));
                return null;
            }));
        }
        catch (final RejectedExecutionException ex)
        {
            if (!isStopped)
            {
                throw ex;
            }
            // stopped while the queue was being filled: it is not waited for
        }
    }

    /**
     * Waits for runs that were submitted.
     *
     * @return false if it was stopped before all of them were done.
     */
    boolean await(final List<Cell> cells) throws InterruptedException
    {
        for (final Cell cell : cells)
        {
            while (!isStopped && !isDone(futures.get(cell)))
            {
                tell();
            }
        }
        return results.hasAll(cells);
    }

    private static boolean isDone(final Future<?> future) throws InterruptedException
    {
        try
        {
            future.get(LOOK_MS, TimeUnit.MILLISECONDS);
            return true;
        }
        catch (final TimeoutException ex)
        {
            return false;
        }
        catch (final ExecutionException ex)
        {
            if (ex.getCause() instanceof InterruptedException)
            {
                return true;
            }
            throw new IllegalStateException("a run failed: " + ex.getCause().getMessage(), ex.getCause());
        }
    }

    private void tell()
    {
        if (line.isDue())
        {
            double all = 0;
            double done = 0;
            for (final Cell cell : futures.keySet())
            {
                final double weight = Weight.of(cell);
                all += weight;
                done += results.has(cell) ? weight : 0;
            }
            final double part = done / all;
            final long elapsedS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs);
            line.show(String.format("%d%% of %d runs' packets, %s%s", (int)(part * 100), futures.size(), clock(elapsedS),
                part < MIN_PART ? "" : ", " + clock((long)(elapsedS / part - elapsedS)) + " left"));
        }
    }

    private static String clock(final long seconds)
    {
        return String.format("%d:%02d", seconds / 60, seconds % 60);
    }

    Results results()
    {
        return results;
    }

    boolean isStopped()
    {
        return isStopped;
    }

    /** Gives up what is not done yet. From any thread. */
    void stop()
    {
        isStopped = true;
        threads.shutdownNow();
    }

    @Override
    public void close()
    {
        threads.shutdownNow();
        line.end();
    }
}
