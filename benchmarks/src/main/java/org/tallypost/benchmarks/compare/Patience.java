// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.concurrent.locks.LockSupport;

/**
 * Waits of one party: how it passes the time, and when it gives up. Spins as long as every thread of the measurement has a core
 * of its own, otherwise yields; and gives its transport a turn. For one thread.
 */
final class Patience implements Waiting
{
    private static final int LOOK_MASK = 0x3FF;
    private static final long REST_NS = 20_000;

    private final Control control;
    private final int party;
    private final boolean yields;
    private final long deadlineNs;
    private final Link link;
    private int count;

    /**
     * A party's patience.
     *
     * @param control    that says whether others have failed.
     * @param party      that waits.
     * @param yields     whether it yields.
     * @param deadlineNs when it gives up, by the clock of {@link System#nanoTime()}.
     * @param link       that has something to do meanwhile, or null.
     */
    Patience(final Control control, final int party, final boolean yields, final long deadlineNs, final Link link)
    {
        this.link = link;
        this.control = control;
        this.party = party;
        this.yields = yields;
        this.deadlineNs = deadlineNs;
    }

    /** One for the same party that never yields, and has no transport. */
    Patience spinning()
    {
        return new Patience(control, party, false, deadlineNs, null);
    }

    @Override
    public void idle(final String awaited)
    {
        if (link != null)
        {
            link.work();
        }
        if (yields)
        {
            Thread.yield();
        }
        // No hint to the processor: a pause of the spinning thread would be part of every round trip.
        if ((++count & LOOK_MASK) == 0)
        {
            look(awaited);
        }
    }

    /** Like {@link #idle}, for those who have nothing to do and must not take a core from the others. */
    void rest(final String awaited)
    {
        LockSupport.parkNanos(REST_NS);
        look(awaited);
    }

    private void look(final String awaited)
    {
        if (control.isAborted())
        {
            throw new Aborted();
        }
        if (System.nanoTime() - deadlineNs >= 0)
        {
            throw new IllegalStateException("timeout: party " + party + " waited for " + awaited);
        }
    }

    /** Another party has failed, and tells about it. */
    static final class Aborted extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        Aborted()
        {
            super("another party failed", null, false, false);
        }
    }
}
