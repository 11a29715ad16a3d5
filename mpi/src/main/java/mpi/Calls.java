// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;

/**
 * One thread at a time works on a rank. A call enters, and exits behind its work; it may enter again within. One that waits lets
 * others in at each turn. With the lock, the next thread also gets what belongs to the one that polls the endpoint
 * (docs/design/messaging.md, Threads of a rank). A call allocates nothing as long as it finds no other thread in. As long as one
 * thread alone has made calls it takes no lock, and no fence: the second one makes it pass one, then both take the lock.
 */
final class Calls
{
    /** A thread that waits looks so often when others work on the rank too: these may end what it waits for. */
    private static final long PARK_NS = 1_000_000;
    /** The same if something goes on that nothing wakes it for. */
    private static final long LOOK_NS = 100_000;
    private static final int MAX_YIELDS = 100;
    private static final VarHandle FIRST_IN;

    static
    {
        try
        {
            FIRST_IN = MethodHandles.lookup().findVarHandle(Calls.class, "isFirstIn", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

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
    /** The first thread is in, or looks whether it may be, without the lock. */
    private boolean isFirstIn;
    /** The thread that is in has no lock. Read and written by that one. */
    private boolean isAlone;

    /** The calling thread is the first one. */
    Calls(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
        firstIdle = endpoint.newIdleStrategy();
        idles = ThreadLocal.withInitial(endpoint::newIdleStrategy);
    }

    Endpoint endpoint()
    {
        return endpoint;
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
        final boolean isFirst = !isShared && current == first && tryTakeAlone();
        if (!isFirst)
        {
            takeLock();
        }
        isAlone = isFirst;
        inside = current;
        depth = times;
        if (last != current)
        {
            change(current);
        }
    }

    /** For the first thread: goes in without the lock, if no other thread has made a call. */
    private boolean tryTakeAlone()
    {
        // SYNC POINT calls-shared: no fence for the processor, which the second thread provides; the compiler keeps the order
        FIRST_IN.setOpaque(this, true);
        if (isShared)
        {
            FIRST_IN.setRelease(this, false);
            return false;
        }
        return true;
    }

    private void takeLock()
    {
        if (!isShared)
        {
            share();
        }
        if (!lock.tryLock())
        {
            // one that waits within its call may be parked
            endpoint.wakeup();
            lock.lock();
        }
    }

    /** From here on all take the lock: waits until the first thread is not in without it. */
    private synchronized void share()
    {
        if (isShared)
        {
            return;
        }
        isShared = true;
        // its stack is looked at when it has come to a point in its program: it sees that, or what it has stored is seen here
        first.getStackTrace();
        while ((boolean)FIRST_IN.getAcquire(this))
        {
            // it may be parked within its call, for longer than a thread among several
            endpoint.wakeup();
            LockSupport.parkNanos(LOOK_NS);
        }
        // or between its turns
        endpoint.wakeup();
    }

    private void change(final Thread current)
    {
        last = current;
        endpoint.takePoller();
    }

    private void give()
    {
        inside = null;
        if (isAlone)
        {
            FIRST_IN.setRelease(this, false);
        }
        else
        {
            lock.unlock();
        }
    }

    /** Whether another thread waits for the calling one, which is in. */
    private boolean isWanted()
    {
        return isAlone ? isShared : lock.hasQueuedThreads();
    }

    /**
     * Behind a turn of a loop that waits: lets others in, and passes the time if nothing was done; not for long if something may
     * go on that wakes nobody. Within a call.
     */
    void pass(final int work, final boolean isToLook)
    {
        final Thread current = Thread.currentThread();
        final DeadlineIdleStrategy idle = current == first ? firstIdle : idles.get();
        if (work > 0 && !isWanted())
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
        if (isWanted())
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
