// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.List;

/** Threads of one turn. What one of them throws ends the turn. */
final class AdapterThreads implements AutoCloseable
{
    private static final int MAX_SPINS = 100;

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

    /** Ends them: each loop looks whether the turn is over, and those that wait are interrupted. */
    @Override
    public void close()
    {
        threads.forEach(Thread::interrupt);
        boolean isInterrupted = false;
        for (final Thread thread : threads)
        {
            while (thread.isAlive())
            {
                try
                {
                    thread.join();
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
