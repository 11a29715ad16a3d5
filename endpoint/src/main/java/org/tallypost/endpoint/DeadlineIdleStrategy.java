// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.concurrent.IdleStrategy;

/**
 * An idle strategy that parks until a deadline, and that any thread can wake: see {@link Endpoint#newIdleStrategy}.
 *
 * <p>A parked thread wakes for messages, credits and membership only. If the loop also has timers, pass the deadline of the
 * next one. If the loop also has another source, such as a queue, that source calls {@link #wakeup()}.
 *
 * <pre>
 *   loop with timers:   idle.idle(work, nextTimerNs)
 *   loop without:       idle.idle(work, NO_DEADLINE)
 *   AgentRunner:        idle.idle(work)                as with Agrona's strategies: parks of 1 ms at most
 * </pre>
 *
 * <p>All methods but {@link #wakeup()} are for one thread at a time.
 */
public interface DeadlineIdleStrategy extends IdleStrategy
{
    /** Stands for no deadline: the thread parks until it is woken, and for {@link IdleSettings#longestParkNs} at most. */
    long NO_DEADLINE = Long.MAX_VALUE;

    /**
     * Passes the time after a turn of the loop. With work it returns at once. Without work it spins, yields, or parks until
     * something wakes the thread, at the latest until the deadline. It may return before. Once the deadline has passed it
     * returns at once.
     *
     * @param workCount  amount of work that was done in this turn; 0 or less if there was none.
     * @param deadlineNs time on the clock of {@link System#nanoTime()}, or {@link #NO_DEADLINE}.
     */
    void idle(int workCount, long deadlineNs);

    /**
     * Ends the park of the thread, or keeps the next one from beginning before the loop had another turn. It is not lost if it
     * comes before the thread parks: what the caller wrote before is visible to the turn of the loop that follows. Any thread;
     * does not block, does not throw.
     */
    void wakeup();
}
