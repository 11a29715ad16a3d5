// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;


/**
 * Keeps the threads of a trial in step. The first party is the receiver, which leads. Each writes to lines of its own.
 */
final class Pace
{
    private static final int STRIDE = 16;
    private static final int ARRIVED = 0;
    private static final int SENT = 1;
    private static final int SENT_STEP = 2;
    private static final int BUSY = 3;
    private static final int GO = 0;
    private static final int STOP = STRIDE;
    private static final int FINISHED = 2 * STRIDE;
    private static final int ABORTED = 3 * STRIDE;
    private static final int PARTIES = 4 * STRIDE;

    private final AtomicLongArray words;
    private final int parties;

    Pace(final int parties)
    {
        this.parties = parties;
        words = new AtomicLongArray(PARTIES + parties * STRIDE);
    }

    private static int index(final int party, final int field)
    {
        return PARTIES + party * STRIDE + field;
    }

    /** Waits until all parties have come to a step. */
    void await(final int party, final long step, final Waiter waiter)
    {
        words.setRelease(index(party, ARRIVED), step);
        if (party == 0)
        {
            for (int other = 1; other < parties; other++)
            {
                while (words.getAcquire(index(other, ARRIVED)) < step)
                {
                    waiter.idle("thread " + other + " at step " + step);
                }
            }
            words.setRelease(GO, step);
        }
        else
        {
            while (words.getAcquire(GO) < step)
            {
                if (party == 1)
                {
                    waiter.idle("a step");
                }
                else
                {
                    // it has no part in the probe and must not take a core from those that have
                    waiter.rest("a step");
                }
            }
        }
    }

    void stop(final long step)
    {
        words.setRelease(STOP, step);
    }

    boolean isStopped(final long step)
    {
        return words.getAcquire(STOP) >= step;
    }

    /** The receiver has what it wants; all see it at the next step. */
    void finish(final long step)
    {
        words.setRelease(FINISHED, step);
    }

    boolean isFinished(final long step)
    {
        return words.getAcquire(FINISHED) >= step;
    }

    void abort()
    {
        words.setRelease(ABORTED, 1);
    }

    /** All messages of a run are sent: how many there were since the beginning. */
    void sent(final int party, final long step, final long messages)
    {
        words.setPlain(index(party, SENT), messages);
        words.setRelease(index(party, SENT_STEP), step);
    }

    boolean hasSent(final int party, final long step)
    {
        return words.getAcquire(index(party, SENT_STEP)) >= step;
    }

    long sent(final int party)
    {
        return words.getPlain(index(party, SENT));
    }

    void busy(final int party, final double share)
    {
        words.setRelease(index(party, BUSY), Double.doubleToLongBits(share));
    }

    /** The least share of all parties; to be called when all of them have come to a later step. */
    double busy()
    {
        double least = 1;
        for (int party = 0; party < parties; party++)
        {
            least = Math.min(least, Double.longBitsToDouble(words.getAcquire(index(party, BUSY))));
        }
        return least;
    }

    int parties()
    {
        return parties;
    }

    /** How one party waits: spins if every thread has a core, otherwise yields. For one thread. */
    final class Waiter
    {
        private static final int LOOK_MASK = 0x3FF;
        private static final long REST_NS = 20_000;

        private final boolean yields;
        private final long deadlineNs;
        private int count;

        Waiter(final boolean yields, final long deadlineNs)
        {
            this.yields = yields;
            this.deadlineNs = deadlineNs;
        }

        public void idle(final String awaited)
        {
            if (yields)
            {
                Thread.yield();
            }
            if ((++count & LOOK_MASK) == 0)
            {
                look(awaited);
            }
        }

        private void rest(final String awaited)
        {
            LockSupport.parkNanos(REST_NS);
            look(awaited);
        }

        private void look(final String awaited)
        {
            if (words.getAcquire(ABORTED) != 0)
            {
                throw new IllegalStateException("another thread failed");
            }
            if (System.nanoTime() - deadlineNs >= 0)
            {
                throw new IllegalStateException("timeout: waited for " + awaited);
            }
        }
    }
}
