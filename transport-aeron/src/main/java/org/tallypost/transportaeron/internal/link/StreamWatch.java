// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/**
 * Whether a stream of the other node is heard of in time, and whether its next batch waits for one of the other stream for too
 * long. For the agent's thread; the time is told.
 */
final class StreamWatch
{
    private static final long NONE = -1;

    private final long limitNs;
    /** From then on it must not fall silent. */
    private boolean isHeard;
    private long heardNs;
    /** Batches that had been taken when the next one had to wait; {@link #NONE} if none waits. */
    private long waitsAt = NONE;
    private long waitNs;

    StreamWatch(final long intervalNs)
    {
        // a little less than the interval: it is to be told within that
        limitNs = intervalNs - (intervalNs >> 3);
    }

    /** A link begins. */
    void open(final boolean isHeardNow, final long nowNs)
    {
        isHeard = isHeardNow;
        heardNs = nowNs;
        waitsAt = NONE;
    }

    /** A batch was taken. */
    void onBatch(final long nowNs)
    {
        isHeard = true;
        heardNs = nowNs;
        waitsAt = NONE;
    }

    /** The next batch has come, and cannot be taken before one of the other stream. */
    void onWait(final long taken, final long nowNs)
    {
        heardNs = nowNs;
        if (waitsAt != taken)
        {
            waitsAt = taken;
            waitNs = nowNs;
        }
    }

    /** While this node stood still it could not hear anything. */
    void pause(final long pauseNs)
    {
        heardNs += pauseNs;
        waitNs += pauseNs;
    }

    boolean isSilent(final long nowNs)
    {
        return isHeard && nowNs - heardNs > limitNs;
    }

    boolean isStuck(final long nowNs)
    {
        return waitsAt != NONE && nowNs - waitNs > limitNs;
    }

    long limitMs()
    {
        return limitNs / 1_000_000;
    }
}
