// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * How a party passes the time while it waits in a turn, and when it gives up. It spins, and yields its core once it has waited
 * for {@value #SPIN_NS} ns, because then what it waits for may need that core. For one thread.
 */
public final class Patience
{
    /** A wait that is longer than this yields. */
    static final long SPIN_NS = 50_000;
    private static final int LOOK_MASK = 0x3F;

    private final Control control;
    private final int party;
    private final boolean yields;
    private final Runnable work;
    private long deadlineNs;
    private long sinceNs;
    private int count;

    /**
     * A party's patience.
     *
     * @param control that says whether others have failed.
     * @param party   that waits.
     * @param yields  whether it yields at once, because there are more threads than cores.
     * @param work    to be done meanwhile, or null.
     */
    public Patience(final Control control, final int party, final boolean yields, final Runnable work)
    {
        this.control = control;
        this.party = party;
        this.yields = yields;
        this.work = work;
    }

    /**
     * A turn begins.
     *
     * @param newDeadlineNs when the party gives up, by the clock of {@link System#nanoTime()}.
     */
    public void restart(final long newDeadlineNs)
    {
        deadlineNs = newDeadlineNs;
        count = 0;
    }

    /** What was waited for has come: the next wait is a new one. */
    public void begin()
    {
        count = 0;
    }

    /**
     * Once more nothing happened.
     *
     * @param awaited what has to happen, for the message.
     * @throws IllegalStateException if the time is up, or another party has failed.
     */
    public void idle(final String awaited)
    {
        if (work != null)
        {
            work.run();
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

    private void look(final String awaited)
    {
        if (control.isAborted())
        {
            throw new IllegalStateException(PartyProcess.ANOTHER_FAILED);
        }
        final long nowNs = System.nanoTime();
        if (nowNs - deadlineNs >= 0)
        {
            throw new IllegalStateException("timeout: party " + party + " waited for " + awaited);
        }
        if (count == LOOK_MASK + 1)
        {
            sinceNs = nowNs;
        }
        else if (nowNs - sinceNs > SPIN_NS)
        {
            Thread.yield();
        }
    }
}
