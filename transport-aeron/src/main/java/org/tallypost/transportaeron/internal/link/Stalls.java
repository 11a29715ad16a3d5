// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/**
 * Counts how often and how long a stream takes nothing: from a duty cycle in which it took nothing of what it was offered to one
 * in which it did. For the agent's thread.
 */
final class Stalls
{
    private long refusedBefore;
    private long cycleNs;
    private boolean isStalled;
    private long count;
    private long timeNs;

    /**
     * At the end of a duty cycle.
     *
     * @param nowNs   the time.
     * @param isUp    whether the link is up: without one nothing is taken, and that is no stall.
     * @param refused how often the stream has taken nothing so far.
     */
    void endCycle(final long nowNs, final boolean isUp, final long refused)
    {
        timeNs += isStalled ? nowNs - cycleNs : 0;
        cycleNs = nowNs;
        final boolean isRefused = isUp && refused != refusedBefore;
        refusedBefore = refused;
        count += isRefused && !isStalled ? 1 : 0;
        isStalled = isRefused;
    }

    long count()
    {
        return count;
    }

    long timeNs()
    {
        return timeNs;
    }
}
