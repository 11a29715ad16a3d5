// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.concurrent.locks.LockSupport;

/**
 * Yields the core, and learns from the time it takes what else runs there. For one thread; a sleep consumes its permit.
 *
 * <table>
 * <caption>What a yield tells</caption>
 * <tr><th>it took</th><th>so</th><th>before the next yield</th></tr>
 * <tr><td>less than {@value #SWITCH_NS} ns</td><td>no other thread wants this core</td><td>many looks</td></tr>
 * <tr><td>less than {@value #SLICE_NS} ns</td><td>another thread ran, and waits by now: it may be the one that is awaited</td>
 * <td>few looks, for it cannot run meanwhile</td></tr>
 * <tr><td>longer</td><td>another thread computed until its time was up</td>
 * <td>many looks: what is awaited may come from another core, and the next yield will take as long again</td></tr>
 * </table>
 *
 * <p>Threads that yield to each other never sleep. The scheduler finds them in the cache at any time, and leaves them on one
 * core though another one is idle. A thread that has slept is placed anew. So one that shares its core sleeps now and then, for
 * the shortest time there is, some 60 us; less and less often if that does not help.
 */
public final class CoreYield
{
    /** A system call is shorter; changing to another thread and back is longer. */
    static final long SWITCH_NS = 2_000;
    /** Shorter than the time for which a scheduler lets a thread run that computes. */
    static final long SLICE_NS = 700_000;
    /** Between two sleeps, at first and at most. */
    static final long FIRST_INTERVAL_NS = 200_000;
    static final long LAST_INTERVAL_NS = 3_200_000;
    /** The slack of timers makes it longer. */
    private static final long SLEEP_NS = 1_000;

    private long intervalNs = FIRST_INTERVAL_NS;
    private long sleptNs = System.nanoTime() - LAST_INTERVAL_NS;
    private boolean isSharing;
    private boolean hasSlept;

    /** Knows nothing yet: as if no other thread wanted the core. */
    public CoreYield()
    {
    }

    /** Yields; sleeps after it if another thread ran meanwhile, and the last sleep was long ago. */
    public void yield()
    {
        final long startNs = System.nanoTime();
        Thread.yield();
        if (isToSleep(startNs, System.nanoTime()))
        {
            LockSupport.parkNanos(this, SLEEP_NS);
        }
    }

    /**
     * Whether a thread that waits by now ran at the last yield: what is awaited may need this core.
     *
     * @return true if so, and more looks before the next yield are of little use.
     */
    public boolean isSharing()
    {
        return isSharing;
    }

    /** Takes down a yield, and says whether the thread is to be placed anew. */
    boolean isToSleep(final long startNs, final long endNs)
    {
        final long tookNs = endNs - startNs;
        final boolean isAlone = tookNs < SWITCH_NS;
        isSharing = !isAlone && tookNs < SLICE_NS;
        if (hasSlept)
        {
            hasSlept = false;
            intervalNs = isAlone ? FIRST_INTERVAL_NS : Math.min(2 * intervalNs, LAST_INTERVAL_NS);
        }
        if (isAlone || endNs - sleptNs < intervalNs)
        {
            return false;
        }
        sleptNs = endNs;
        hasSlept = true;
        return true;
    }
}
