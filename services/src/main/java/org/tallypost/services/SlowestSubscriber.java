// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** The subscriber that a publisher waits for, and since when. One thread. */
final class SlowestSubscriber
{
    private final long limitNs;
    private int rank = -1;
    private long position;
    private long sinceNs;

    SlowestSubscriber(final long limitNs)
    {
        this.limitNs = limitNs;
    }

    /** It is waited for at a position. True if it has not moved for longer than the limit, and there is one. */
    boolean isOver(final int waitedFor, final long at)
    {
        final long nowNs = limitNs == 0 ? 0 : System.nanoTime();
        if (waitedFor != rank || at != position)
        {
            rank = waitedFor;
            position = at;
            sinceNs = nowNs;
        }
        return nowNs - sinceNs > limitNs;
    }

    /** There is room. */
    void end()
    {
        rank = -1;
    }

    /** Rank of it, -1 for none. */
    int rank()
    {
        return rank;
    }
}
