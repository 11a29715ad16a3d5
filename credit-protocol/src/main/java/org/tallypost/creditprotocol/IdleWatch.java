// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * Tells senders that rest from those that are merely slower than others. Time is counted in slots freed, of all senders.
 */
final class IdleWatch
{
    /** A sender rests if nothing of it came while the whole data region was used so many times. */
    private static final int TURNOVERS = 4;

    private final int[] lastFreed;
    private final int horizon;
    /** Wraps round; only differences count. */
    private int freed;

    IdleWatch(final int senders, final int dataRegion)
    {
        lastFreed = new int[senders];
        horizon = (int)Math.min(Integer.MAX_VALUE, (long)TURNOVERS * dataRegion);
    }

    void onFreed(final int sender, final int slots)
    {
        freed += slots;
        lastFreed[sender] = freed;
    }

    boolean isIdle(final int sender)
    {
        return Integer.compareUnsigned(freed - lastFreed[sender], horizon) >= 0;
    }

    long stateBytes()
    {
        return (long)lastFreed.length * Integer.BYTES;
    }
}
