// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.mailbox.lane.tactic.Lookout;

/**
 * How threads pass the time when there is nothing to do: see {@link Endpoint#newIdleStrategy}. First they spin, unless the
 * node has more polling threads than there are processors; then they yield; then they park until somebody wakes them.
 */
public final class IdleSettings
{
    /** Shortest park, in nanoseconds. */
    public static final long MIN_PARK_NS = 1_000;

    private int maxLooks = Lookout.DEFAULT_LOOKS;
    private int maxSpins = 200;
    private long maxYieldNs = 200_000;
    private long plainParkNs = 1_000_000L;
    private long longestParkNs = 1_000_000_000L;
    private long longestBlindParkNs = 10_000_000L;

    /** The defaults. */
    public IdleSettings()
    {
    }

    /**
     * Looks of a poll that found nothing, before it returns, if what it waits for usually comes within them: with spin-wait
     * hints in between, more and more of them, since a receiver that looks all the time keeps its sender waiting for the line.
     * Only if the thread has sent by an express lane, since it last found something, to the one it heard of by a lane, and if
     * trials show that answers come sooner that way. There are at most four such polls in vain between two that find something
     * ({@link Lookout}). Default 14, some 1.3 us on AMD's family 26; 0 if a poll is to return at once.
     *
     * @param maxLooksValue number of looks, 0 to {@link Lookout#MAX_LOOKS}.
     * @return this.
     */
    public IdleSettings maxLooks(final int maxLooksValue)
    {
        this.maxLooks = maxLooksValue;
        return this;
    }

    /**
     * Turns without work before the thread begins to yield. Default 200, some 2 us: long enough for a wait in which a yield
     * would be felt, short enough if the one that is waited for needs this core. None are made while the node has more polling
     * threads than there are processors.
     *
     * @param maxSpinsValue number of turns, at least 0.
     * @return this.
     */
    public IdleSettings maxSpins(final int maxSpinsValue)
    {
        this.maxSpins = maxSpinsValue;
        return this;
    }

    /**
     * How long the thread yields before it parks, in nanoseconds. Default 200 us: several times what it takes to be woken.
     *
     * @param maxYieldNsValue the time, at least 0.
     * @return this.
     */
    public IdleSettings maxYieldNs(final long maxYieldNsValue)
    {
        this.maxYieldNs = maxYieldNsValue;
        return this;
    }

    /**
     * Longest park of an {@code idle} that is given no deadline, in nanoseconds, unless the strategy was made with another one
     * ({@link Endpoint#newIdleStrategy(long, Endpoint...)}). Default 1 ms, as Agrona's BackoffIdleStrategy: a loop may have
     * timers and sources of which the strategy does not know. A thread that parks so uses some 10 ms of processor time a second;
     * one that passes a deadline, or NO_DEADLINE, uses none.
     *
     * @param plainParkNsValue the time, at least 1,000.
     * @return this.
     */
    public IdleSettings plainParkNs(final long plainParkNsValue)
    {
        this.plainParkNs = plainParkNsValue;
        return this;
    }

    /**
     * Longest park of an {@code idle} that is given a deadline ({@link DeadlineIdleStrategy#idle(int, long)}), in nanoseconds,
     * when everything that is waited for wakes the thread. Default 1 s; it bounds what a waker that died or was stopped on the
     * way can cost.
     *
     * @param longestParkNsValue the time, at least 1,000.
     * @return this.
     */
    public IdleSettings longestParkNs(final long longestParkNsValue)
    {
        this.longestParkNs = longestParkNsValue;
        return this;
    }

    /**
     * Longest time parked at a stretch, in nanoseconds, when something is waited for that wakes nobody, such as a rank that is
     * not open yet, or room under {@link Flow#NONE}. Such parks begin with 1 ms and double. Default 10 ms.
     *
     * @param longestBlindParkNsValue the time, at least 1,000.
     * @return this.
     */
    public IdleSettings longestBlindParkNs(final long longestBlindParkNsValue)
    {
        this.longestBlindParkNs = longestBlindParkNsValue;
        return this;
    }

    /**
     * Looks of a poll that found nothing, before it returns.
     *
     * @return number of looks.
     */
    public int maxLooks()
    {
        return maxLooks;
    }

    /**
     * Turns without work before the thread begins to yield.
     *
     * @return number of turns.
     */
    public int maxSpins()
    {
        return maxSpins;
    }

    /**
     * How long the thread yields before it parks.
     *
     * @return the time in nanoseconds.
     */
    public long maxYieldNs()
    {
        return maxYieldNs;
    }

    /**
     * Longest park of an {@code idle} that is given no deadline.
     *
     * @return the time in nanoseconds.
     */
    public long plainParkNs()
    {
        return plainParkNs;
    }

    /**
     * Longest park of an {@code idle} that is given a deadline, when everything that is waited for wakes the thread.
     *
     * @return the time in nanoseconds.
     */
    public long longestParkNs()
    {
        return longestParkNs;
    }

    /**
     * Longest time parked at a stretch when something is waited for that wakes nobody.
     *
     * @return the time in nanoseconds.
     */
    public long longestBlindParkNs()
    {
        return longestBlindParkNs;
    }

    /**
     * Checks the values. {@link NodeContext#conclude} does this.
     *
     * @throws IllegalArgumentException that names the value, found and expected.
     */
    public void check()
    {
        Checks.atLeast("maxLooks", maxLooks, 0);
        if (maxLooks > Lookout.MAX_LOOKS)
        {
            throw new IllegalArgumentException(
                "maxLooks out of range: found=" + maxLooks + ", expected at most " + Lookout.MAX_LOOKS);
        }
        Checks.atLeast("maxSpins", maxSpins, 0);
        Checks.atLeast("maxYieldNs", maxYieldNs, 0);
        Checks.atLeast("plainParkNs", plainParkNs, MIN_PARK_NS);
        Checks.atLeast("longestParkNs", longestParkNs, MIN_PARK_NS);
        Checks.atLeast("longestBlindParkNs", longestBlindParkNs, MIN_PARK_NS);
    }

    /** All values. */
    @Override
    public String toString()
    {
        return "IdleSettings{maxLooks=" + maxLooks + ", maxSpins=" + maxSpins + ", maxYieldNs=" + maxYieldNs + ", plainParkNs=" +
            plainParkNs + ", longestParkNs=" + longestParkNs + ", longestBlindParkNs=" + longestBlindParkNs + "}";
    }
}
