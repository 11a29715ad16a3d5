// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/**
 * How often something of one kind is told that strangers can bring about: the first {@value #BURST} times, and from then on once
 * in {@value #INTERVAL_NS} ns, with a count of what was not told. For one thread; the time is told.
 */
final class Notices
{
    /** Enough for nodes that differ in something, and in another thing when that is mended. */
    static final int BURST = 4;
    static final long INTERVAL_NS = 10_000_000_000L;

    private int left = BURST;
    private long sinceNs;
    private long untoldCount;
    private long toldWith;

    /** Whether it is told now; if not it is counted. */
    boolean isDue(final long nowNs)
    {
        if (left == 0 && nowNs - sinceNs < INTERVAL_NS)
        {
            untoldCount++;
            return false;
        }
        left = Math.max(0, left - 1);
        sinceNs = nowNs;
        toldWith = untoldCount;
        untoldCount = 0;
        return true;
    }

    /** For the end of the text that is told. */
    String untold()
    {
        return toldWith == 0 ? "" : " (and " + toldWith + " more since the last time)";
    }
}
