// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * A thread that is about to park, or parked, in a {@link Doorbell}.
 */
final class Sleeper
{
    private final Doorbell doorbell;
    private volatile Thread thread;
    private volatile boolean isWoken;

    Sleeper(final Doorbell doorbell)
    {
        this.doorbell = doorbell;
    }

    /** From now on a {@link #wake()} keeps the calling thread from parking. */
    void begin()
    {
        thread = Thread.currentThread();
        isWoken = false;
    }

    boolean isWoken()
    {
        return isWoken;
    }

    Thread thread()
    {
        return thread;
    }

    /** Ends the park, or keeps it from beginning. Any thread. */
    void wake()
    {
        // before the look at who listens: either that thread sees this, or it is seen listening (volatile on both sides)
        isWoken = true;
        doorbell.rouse(this);
    }
}
