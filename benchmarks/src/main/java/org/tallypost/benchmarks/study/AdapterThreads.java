// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads of one turn. What one of them throws ends the turn. */
final class AdapterThreads implements AutoCloseable
{
    private static final int MAX_SPINS = 100;
    private static final long LIMIT_MS = 60_000;

    private final Arrivals arrivals;
    private final List<Thread> threads = new ArrayList<>();

    /** What a thread does. */
    @FunctionalInterface
    interface Body
    {
        void run() throws Exception;
    }

    AdapterThreads(final Arrivals arrivals)
    {
        this.arrivals = arrivals;
    }

    void start(final String name, final Body body)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                body.run();
            }
            catch (final InterruptedException ex)
            {
                // the turn is over
                Thread.currentThread().interrupt();
            }
            catch (final Exception | Error ex)
            {
                arrivals.fail(ex);
            }
        }, name);
        threads.add(thread);
        thread.start();
    }

    /** A short wait for room or for messages, the same for both sides. Returns the next number of the wait. */
    static int idle(final int spins)
    {
        if (spins < MAX_SPINS)
        {
            Thread.onSpinWait();
            return spins + 1;
        }
        Thread.yield();
        return spins;
    }

    /** Interrupts them, which ends each loop and each wait, and waits until they have ended. */
    @Override
    public void close()
    {
        threads.forEach(Thread::interrupt);
        boolean isInterrupted = false;
        final long beginNs = System.nanoTime();
        for (final Thread thread : threads)
        {
            while (thread.isAlive())
            {
                if (System.nanoTime() - beginNs > TimeUnit.MILLISECONDS.toNanos(LIMIT_MS))
                {
                    throw new IllegalStateException("a thread of a turn was interrupted, and has not ended within " + LIMIT_MS +
                        " ms: found=" + thread);
                }
                try
                {
                    thread.join(LIMIT_MS);
                }
                catch (final InterruptedException ex)
                {
                    isInterrupted = true;
                }
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
