// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A thread that is about to park, or parked, in a {@link Doorbell}.
 *
 * <pre>
 *   thread that parks                         source
 *   woken := false (RMW)                      makes its work visible
 *   looks at everything                       woken := true (RMW)
 *   looks at woken, parks                     unparks the thread, or ends its look at the socket
 * </pre>
 *
 * SYNC POINT woken. If the source's RMW comes first, the thread's RMW reads from it, and the look finds the work. Else the look
 * at woken finds it, or comes before it, and then the source finds the thread parked or leaves a permit that ends the park.
 */
public final class Sleeper
{
    private final Doorbell doorbell;
    private volatile Thread thread;
    private final AtomicBoolean woken = new AtomicBoolean();

    public Sleeper(final Doorbell doorbell)
    {
        this.doorbell = doorbell;
    }

    /** From now on a {@link #wake()} keeps the calling thread from parking. */
    public void begin()
    {
        thread = Thread.currentThread();
        // SYNC POINT woken: reads what woke it before, so that all that was done before that is visible to the look
        woken.getAndSet(false);
    }

    public boolean isWoken()
    {
        return woken.get();
    }

    Thread thread()
    {
        return thread;
    }

    /** Ends the park, or keeps it from beginning. Any thread. */
    public void wake()
    {
        // SYNC POINT woken: before the look for threads that listen: either that thread sees this, or it is seen listening
        woken.getAndSet(true);
        doorbell.rouse(this);
    }
}
