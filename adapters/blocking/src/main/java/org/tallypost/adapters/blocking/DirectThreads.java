// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Threads of the program that use the endpoint themselves, each for as long as it lives. They are few, and none is virtual: a
 * thread that sends counts among the sending threads of the node until it ends. Any thread.
 */
final class DirectThreads
{
    /** As many as a mailbox has express lanes. */
    static final int MOST = 4;

    /** Null if the JDK has no virtual threads. */
    private static final MethodHandle IS_VIRTUAL = isVirtualHandle();

    /** A compare-and-set takes a place. A thread finds itself without order, since it has written that itself. */
    private final AtomicReferenceArray<Thread> threads = new AtomicReferenceArray<>(MOST);

    private static MethodHandle isVirtualHandle()
    {
        try
        {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        }
        catch (final ReflectiveOperationException ex)
        {
            return null;
        }
    }

    /** Whether the calling thread is one of them; it becomes one if there is a place. */
    boolean isCurrent()
    {
        final Thread current = Thread.currentThread();
        for (int i = 0; i < MOST; i++)
        {
            if (threads.getPlain(i) == current)
            {
                return true;
            }
        }
        return isPlaceTaken(current);
    }

    private boolean isPlaceTaken(final Thread current)
    {
        for (int i = 0; i < MOST; i++)
        {
            final Thread other = threads.get(i);
            if ((other == null || !other.isAlive()) && !isVirtual(current) && threads.compareAndSet(i, other, current))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isVirtual(final Thread thread)
    {
        try
        {
            return IS_VIRTUAL != null && (boolean)IS_VIRTUAL.invokeExact(thread);
        }
        catch (final Throwable thrown)
        {
            throw new IllegalStateException("Thread.isVirtual has thrown " + thrown, thrown);
        }
    }

    /** The calling thread leaves its place to another one. */
    void leave()
    {
        final Thread current = Thread.currentThread();
        for (int i = 0; i < MOST; i++)
        {
            threads.compareAndSet(i, current, null);
        }
    }
}
