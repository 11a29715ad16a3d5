// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.concurrent.locks.ReentrantLock;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;

/**
 * One thread at a time works on a rank. A call enters, and exits behind its work; it may enter again within. One that waits lets
 * others in at each turn. With the lock, the next thread also gets what belongs to the one that polls the endpoint
 * (docs/design/messaging.md, Threads of a rank). A call allocates nothing as long as it finds no other thread in.
 */
final class Calls
{
    /** A thread that waits looks so often when others work on the rank too: these may end what it waits for. */
    private static final long PARK_NS = 1_000_000;
    /** The same if something goes on that nothing wakes it for. */
    private static final long LOOK_NS = 100_000;
    private static final int MAX_YIELDS = 100;

    private final ReentrantLock lock = new ReentrantLock();
    private final Endpoint endpoint;
    private final Thread first = Thread.currentThread();
    private final DeadlineIdleStrategy firstIdle;
    private final ThreadLocal<DeadlineIdleStrategy> idles;
    /** The thread that is in: only that one ever finds itself here. */
    private Thread inside;
    private int depth;
    /** It was in before; its polls happen before those of the next one. */
    private Thread last = first;
    private volatile boolean isShared;

    /** The calling thread is the first one. */
    Calls(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
        firstIdle = endpoint.newIdleStrategy();
        idles = ThreadLocal.withInitial(endpoint::newIdleStrategy);
    }

    void enter()
    {
        final Thread current = Thread.currentThread();
        if (inside == current)
        {
            depth++;
        }
        else
        {
            take(current, 1);
        }
    }

    void exit()
    {
        if (--depth == 0)
        {
            give();
        }
    }

    private void take(final Thread current, final int times)
    {
        if (!lock.tryLock())
        {
            // one that waits within its call may be parked
            endpoint.wakeup();
            lock.lock();
        }
        inside = current;
        depth = times;
        if (last != current)
        {
            change(current);
        }
    }

    private void change(final Thread current)
    {
        last = current;
        endpoint.takePoller();
        if (!isShared)
        {
            isShared = true;
            // the first thread may be parked for longer than a thread among several
            endpoint.wakeup();
        }
    }

    private void give()
    {
        inside = null;
        lock.unlock();
    }

    /**
     * Behind a turn of a loop that waits: lets others in, and passes the time if nothing was done; not for long if something may
     * go on that wakes nobody. Within a call.
     */
    void pass(final int work, final boolean isToLook)
    {
        final Thread current = Thread.currentThread();
        final DeadlineIdleStrategy idle = current == first ? firstIdle : idles.get();
        if (work > 0 && !lock.hasQueuedThreads())
        {
            // it has something to look at, and does not pause
            idle.reset();
            return;
        }
        final int times = depth;
        depth = 0;
        give();
        try
        {
            yieldToOthers();
            idle.idle(work, isToLook ? System.nanoTime() + LOOK_NS :
                isShared ? System.nanoTime() + PARK_NS : DeadlineIdleStrategy.NO_DEADLINE);
        }
        finally
        {
            take(current, times);
        }
    }

    /** Lets those in that wait for it. Within a call. */
    void letIn()
    {
        if (lock.hasQueuedThreads())
        {
            final Thread current = Thread.currentThread();
            final int times = depth;
            depth = 0;
            give();
            yieldToOthers();
            take(current, times);
        }
    }

    /** One that has just left would else be in again before another one is awake. */
    private void yieldToOthers()
    {
        for (int i = 0; i < MAX_YIELDS && lock.hasQueuedThreads(); i++)
        {
            Thread.yield();
        }
    }
}
