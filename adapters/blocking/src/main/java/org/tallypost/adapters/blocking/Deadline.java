// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

/** When a wait is over. One without an end does not look at the clock. */
final class Deadline
{
    private static final Deadline NEVER = new Deadline(0, Long.MAX_VALUE);

    private final long startNs;
    private final long timeoutNs;

    private Deadline(final long startNs, final long timeoutNs)
    {
        this.startNs = startNs;
        this.timeoutNs = timeoutNs;
    }

    static Deadline in(final long timeoutNs)
    {
        return timeoutNs == Long.MAX_VALUE ? NEVER : new Deadline(System.nanoTime(), timeoutNs);
    }

    /** What is left in nanoseconds; 0 or less if it is over. */
    long leftNs()
    {
        return this == NEVER ? timeoutNs : timeoutNs - (System.nanoTime() - startNs);
    }
}
