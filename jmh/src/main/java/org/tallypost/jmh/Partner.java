// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.function.BooleanSupplier;

/**
 * The other side of a benchmark: a thread that takes one step after another until it is closed. If it ends early, the thread
 * that waits for it is told instead of waiting on.
 */
final class Partner implements AutoCloseable
{
    private static final long JOIN_MS = 10_000;

    private final BooleanSupplier step;
    private final Patience patience;
    private final Thread thread;
    private volatile boolean isStopping;
    private volatile Throwable failure;

    /** Starts the thread; {@code step} says whether it did anything. */
    Partner(final String name, final int threads, final BooleanSupplier step)
    {
        this.step = step;
        patience = new Patience(threads);
        thread = new Thread(this::run, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        try
        {
            while (!isStopping)
            {
                if (step.getAsBoolean())
                {
                    patience.reset();
                }
                else
                {
                    patience.miss();
                }
            }
        }
        catch (final Throwable t)
        {
            failure = t;
        }
    }

    /** Throws if the thread has failed. */
    void check()
    {
        if (failure != null)
        {
            throw new IllegalStateException("the other side failed: " + thread.getName(), failure);
        }
    }

    @Override
    public void close()
    {
        isStopping = true;
        try
        {
            thread.join(JOIN_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        check();
        if (thread.isAlive())
        {
            throw new IllegalStateException("the other side does not end: " + thread.getName());
        }
    }
}
