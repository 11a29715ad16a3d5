// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.tallypost.endpoint.internal.remote.CarrierThread;

/**
 * A lock biased to one thread. The holder enters and leaves without a fence; any other thread takes it over once, at the price of
 * a fence that it makes the holder execute (docs/design/lane-memory.md, Ending a lane from another thread). For a lane, and for
 * what carries a node's packets ({@link CarrierThread}).
 *
 * <pre>
 *   holder        enter(); if (!isShut()) ...; leave(), whatever happened
 *   another       shutAndWait(): from then on the holder does not get in, and if it returns true it is not in either
 * </pre>
 *
 * An Error, as for want of stack, may take the holder out at any call, that of leave() among them. A holder that cannot go on
 * after that says so with two stores and no call: shut, then failed. A thread that waits for it goes on then.
 */
public abstract class ThreadHold
{
    private static final VarHandle BUSY;
    private static final VarHandle SHUT;

    static
    {
        try
        {
            BUSY = MethodHandles.lookup().findVarHandle(ThreadHold.class, "busy", boolean.class);
            SHUT = MethodHandles.lookup().findVarHandle(ThreadHold.class, "shut", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** The holder. */
    public final Thread thread;
    /** Written by the holder through {@link #BUSY}. */
    @SuppressWarnings("unused")
    private boolean busy;
    /** The holder reads it behind a fence, others write it and then have the holder pass one. */
    boolean shut;
    /** The holder was taken out by an Error, perhaps without a {@link #leave}, and never does anything here again. */
    public volatile boolean failed;

    public ThreadHold(final Thread thread)
    {
        this.thread = thread;
    }

    /** Whether the calling thread is the holder. */
    public final boolean isHolder()
    {
        return thread == Thread.currentThread();
    }

    /** The holder is in the midst of something. Whether it still may be {@link #isShut} says, from now on. */
    public final void enter()
    {
        BUSY.setOpaque(this, true);
        // SYNC POINT lane-shut: no fence for the processor, which ThreadFence provides; the compiler keeps the order
        VarHandle.acquireFence();
    }

    /** It is not any more. */
    public final void leave()
    {
        BUSY.setRelease(this, false);
    }

    /** For the holder that has entered. */
    public final boolean isShut()
    {
        return (boolean)SHUT.get(this);
    }

    /** For any thread (acquire). */
    final boolean isShutForAll()
    {
        return (boolean)SHUT.getAcquire(this);
    }

    /** The holder does not get in any more, but may be in. */
    final void shut()
    {
        SHUT.setVolatile(this, true);
    }

    /**
     * The holder does not get in any more; waits until it is not in. Any thread, but not the holder while it is in.
     *
     * @param limitNs longest time to wait in nanoseconds. A holder that a debugger has stopped stays in.
     * @return false if the holder is still in: then nothing of what it works on may be touched by another thread. To be tried
     *         again later.
     */
    public final boolean shutAndWait(final long limitNs)
    {
        // SYNC POINT lane-shut
        shut();
        if (isHolder())
        {
            return true;
        }
        ThreadFence.await(thread);
        final long startNs = System.nanoTime();
        // SYNC POINT hold-failed
        while ((boolean)BUSY.getAcquire(this) && !failed && thread.isAlive())
        {
            if (System.nanoTime() - startNs >= limitNs)
            {
                return false;
            }
            Thread.yield();
        }
        return true;
    }
}
