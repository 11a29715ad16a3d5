// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

/**
 * The one thread that polls an endpoint: the first to do so, until it hands the endpoint over, another one takes it over behind
 * its last poll, or it ends. {@link #isCurrent} is true for that thread alone, whatever others see; what {@link #thread} says to
 * others may be of a moment ago.
 */
public final class PollingThread
{
    private final int rank;
    private Thread thread;
    private boolean isPolling;

    public PollingThread(final int rank)
    {
        this.rank = rank;
    }

    /** Of the endpoint. */
    public int rank()
    {
        return rank;
    }

    /** A poll begins. */
    public void enter()
    {
        final Thread current = Thread.currentThread();
        if (thread != current)
        {
            claim(current);
        }
        if (isPolling)
        {
            throw new IllegalStateException("poll called from within a message handler: rank=" + rank);
        }
        isPolling = true;
    }

    /** It is over. */
    public void leave()
    {
        isPolling = false;
    }

    private synchronized void claim(final Thread current)
    {
        if (thread != null && thread.isAlive())
        {
            throw new IllegalStateException("an endpoint is polled by one thread: rank=" + rank + ", found=" +
                current.getName() + ", expected=" + thread.getName() +
                "; call releasePoller() on that thread first to hand it over");
        }
        thread = current;
    }

    /**
     * The caller may change what polls deliver to: nobody polls, or it does.
     *
     * @throws IllegalStateException if another live thread polls.
     */
    public void requireNoOther()
    {
        // each poll with channels asks
        if (!isCurrent())
        {
            requireNoLiveOther(Thread.currentThread());
        }
    }

    private synchronized void requireNoLiveOther(final Thread current)
    {
        if (thread != null && thread != current && thread.isAlive())
        {
            throw new IllegalStateException("only the polling thread can do this: rank=" + rank + ", found=" +
                current.getName() + ", expected=" + thread.getName());
        }
    }

    public synchronized void release()
    {
        if (thread != null && thread != Thread.currentThread())
        {
            throw new IllegalStateException("only the polling thread can hand the endpoint over: rank=" + rank);
        }
        thread = null;
    }

    /** The caller polls from now on; what the former thread did happens before. */
    public synchronized void take()
    {
        requireNoOtherPoll();
        thread = Thread.currentThread();
    }

    /**
     * The caller may take it: no other thread is in the midst of a poll.
     *
     * @throws IllegalStateException if one is.
     */
    public synchronized void requireNoOtherPoll()
    {
        final Thread current = Thread.currentThread();
        if (isPolling && thread != current)
        {
            // a listener may have handed it over, and is in its poll still
            throw new IllegalStateException("another thread is in the midst of a poll: rank=" + rank + ", found=" +
                current.getName() + ", expected=" + (thread == null ? "no thread" : thread.getName()) +
                "; let that poll end before the endpoint is taken over");
        }
    }

    public boolean isCurrent()
    {
        return thread == Thread.currentThread();
    }

    /** Null if there is none. */
    public Thread thread()
    {
        return thread;
    }
}
