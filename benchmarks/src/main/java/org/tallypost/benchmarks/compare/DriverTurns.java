// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.concurrent.locks.LockSupport;

import org.agrona.concurrent.AgentInvoker;

/**
 * Lets the consumer's thread do the work of Aeron's media driver between its polls. Where a driver of its own would be one
 * thread more than there are cores, it would take a core from one of those that are measured, in the midst of every run.
 * <p>
 * Until the consumer polls for the first time, a thread of this does it: the other parties wait for the driver's answers.
 */
final class DriverTurns implements AutoCloseable
{
    /** The driver moves the limit up to which publications may write: often enough for terms of the least length. */
    private static final int TURN_LENGTH = 4096;
    /** An empty poll counts as so many bytes, so that a publication without room is never waited for in vain. */
    private static final int EMPTY_POLL_LENGTH = 16;
    private static final long PAUSE_NS = 50_000;

    private final AgentInvoker invoker;
    private final Thread starter = new Thread(this::start, "driver-start");
    private volatile boolean isTaken;
    private boolean isOurs;
    private int length;

    DriverTurns(final AgentInvoker invoker)
    {
        this.invoker = invoker;
        starter.setDaemon(true);
        invoker.start();
        starter.start();
    }

    private void start()
    {
        while (!isTaken)
        {
            invoker.invoke();
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /**
     * The consumer has polled.
     *
     * @param polledLength bytes that it found, headers included.
     */
    void onPoll(final int polledLength)
    {
        length += polledLength == 0 ? EMPTY_POLL_LENGTH : polledLength;
        if (length >= TURN_LENGTH)
        {
            length = 0;
            if (!isOurs)
            {
                takeOver();
            }
            invoker.invoke();
        }
    }

    private void takeOver()
    {
        isTaken = true;
        boolean isInterrupted = false;
        while (starter.isAlive())
        {
            try
            {
                starter.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        isOurs = true;
    }

    @Override
    public void close()
    {
        takeOver();
    }
}
