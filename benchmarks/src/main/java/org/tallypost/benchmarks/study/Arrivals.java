// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Counts what arrives, and times it from the message after the warm-up to the last one. The thread that receives counts; the
 * one that measures waits.
 */
final class Arrivals
{
    final int warmup;
    final int total;
    private final CountDownLatch over = new CountDownLatch(1);
    private volatile Throwable failure;
    private int count;
    private long startNs;
    private long endNs;

    Arrivals(final int warmup, final int measured)
    {
        this.warmup = warmup;
        total = warmup + measured;
    }

    /** One has arrived. By one thread at a time. */
    void one()
    {
        count++;
        if (count == warmup)
        {
            startNs = System.nanoTime();
        }
        if (count == total)
        {
            endNs = System.nanoTime();
            over.countDown();
        }
    }

    boolean isOver()
    {
        return over.getCount() == 0;
    }

    void fail(final Throwable why)
    {
        failure = why;
        over.countDown();
    }

    /** Waits for the last one. Returns messages a second. */
    double await(final int timeoutS) throws InterruptedException, TimeoutException
    {
        if (!over.await(timeoutS, TimeUnit.SECONDS))
        {
            throw new TimeoutException(
                "found less than " + total + " messages within --timeout " + timeoutS + " s, expected all");
        }
        if (failure != null)
        {
            throw new IllegalStateException("a turn has failed: " + failure, failure);
        }
        return (total - warmup) * 1e9 / Math.max(1, endNs - startNs);
    }
}
