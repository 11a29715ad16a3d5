// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.IdleStrategy;

/**
 * Lets the threads of media drivers in this process rest while it is another contestant's turn: they would wake thousands of
 * times a second.
 */
final class DriverRest implements IdleStrategy
{
    /** A driver that is woken ten times a second keeps its promises. */
    private static final long REST_NS = 100_000_000;
    private static final Set<Thread> RESTING = ConcurrentHashMap.newKeySet();
    /** Until the first turn has ended, all are at work: links have to be made. */
    private static volatile boolean isTurn = true;

    private final IdleStrategy strategy;

    /**
     * Rests between turns.
     *
     * @param strategy in turns.
     */
    DriverRest(final IdleStrategy strategy)
    {
        this.strategy = strategy;
    }

    /** A turn of this process begins, or ends. */
    static void turn(final boolean isBeginning)
    {
        isTurn = isBeginning;
        if (isBeginning)
        {
            RESTING.forEach(LockSupport::unpark);
        }
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount <= 0)
        {
            idle();
        }
        else
        {
            strategy.idle(workCount);
        }
    }

    @Override
    public void idle()
    {
        if (isTurn)
        {
            strategy.idle();
        }
        else
        {
            RESTING.add(Thread.currentThread());
            if (!isTurn)
            {
                LockSupport.parkNanos(REST_NS);
            }
        }
    }

    @Override
    public void reset()
    {
        strategy.reset();
    }
}
