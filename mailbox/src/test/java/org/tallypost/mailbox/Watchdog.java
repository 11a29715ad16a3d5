// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Waits for a condition instead of for a time, and says what it waited for if that never came. For one thread.
 */
public final class Watchdog
{
    /**
     * For everything that a test waits for: long enough for a machine that is busy with other things, where a thread is away for
     * seconds and a JVM takes half a minute to start. It ends tests that hang; no test may expect that anything is quick.
     */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(180);

    private static final int YIELDS = 200;
    private static final long PARK_NS = 50_000;
    /** Turns without progress from which on it is a long wait, as for the start of a process: each park costs processor time. */
    private static final int LONG_WAIT = 2_000;
    private static final long LONG_PARK_NS = 1_000_000;
    /** What lies between two looks counts for no more: a process that was stopped has waited for nothing meanwhile. */
    private static final long LONGEST_TURN_NS = 20_000_000_000L;

    private final Supplier<String> what;
    private final LongSupplier clock;
    private final long limitNs;
    private long lookNs;
    private long deadlineNs;
    private int idleCount;

    /**
     * A watchdog for a loop that has to make progress.
     *
     * @param limit longest time without progress.
     * @param what  is waited for, with the state that helps to understand why it did not come.
     */
    public Watchdog(final Duration limit, final Supplier<String> what)
    {
        this(limit, what, System::nanoTime);
    }

    Watchdog(final Duration limit, final Supplier<String> what, final LongSupplier clock)
    {
        this.what = what;
        this.clock = clock;
        limitNs = limit.toNanos();
        progress();
    }

    /** The loop has come forward. */
    public void progress()
    {
        idleCount = 0;
        lookNs = clock.getAsLong();
        deadlineNs = lookNs + limitNs;
    }

    /** The loop has not come forward: gives the processor away, and fails if that went on for too long. */
    public void idle()
    {
        check();
        if (++idleCount < YIELDS)
        {
            Thread.yield();
        }
        else
        {
            LockSupport.parkNanos(idleCount < LONG_WAIT ? PARK_NS : LONG_PARK_NS);
        }
    }

    /** Fails if the last progress is too long ago; for loops that always have something to do. */
    public void check()
    {
        final long nowNs = clock.getAsLong();
        deadlineNs += Math.max(0, nowNs - lookNs - LONGEST_TURN_NS);
        lookNs = nowNs;
        if (nowNs - deadlineNs > 0)
        {
            throw new AssertionError("waited " + limitNs / 1_000_000 + " ms for " + what.get());
        }
    }

    /**
     * Waits for a condition for {@link #DEFAULT_LIMIT}.
     *
     * @param what      is waited for.
     * @param condition to become true.
     */
    public static void await(final String what, final BooleanSupplier condition)
    {
        await(what, DEFAULT_LIMIT, condition);
    }

    /**
     * Waits for a condition.
     *
     * @param what      is waited for.
     * @param limit     longest time to wait.
     * @param condition to become true.
     */
    public static void await(final String what, final Duration limit, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(limit, () -> what);
        while (!condition.getAsBoolean())
        {
            watchdog.idle();
        }
    }

    /**
     * Waits until threads have ended, or one of them has failed: the others may wait for that one, so the test fails at once,
     * with what that one has failed with.
     *
     * @param threads that have been started.
     * @param failure of the first one that has failed, which sets it; null in it if none has.
     */
    public static void awaitEnds(final Collection<Thread> threads, final AtomicReference<Throwable> failure)
    {
        awaitEnds(threads, failure, () -> 0);
    }

    /**
     * The same for threads with much to do: the limit is that of the time in which they do not come forward.
     *
     * @param threads that have been started.
     * @param failure of the first one that has failed, which sets it; null in it if none has.
     * @param count   of what they have done.
     */
    public static void awaitEnds(
        final Collection<Thread> threads, final AtomicReference<Throwable> failure, final LongSupplier count)
    {
        final Watchdog watchdog = new Watchdog(DEFAULT_LIMIT, () -> "the ends of threads, found " + stacks(threads));
        long done = count.getAsLong();
        while (failure.get() == null && threads.stream().anyMatch(Thread::isAlive))
        {
            final long now = count.getAsLong();
            if (now != done)
            {
                done = now;
                watchdog.progress();
            }
            watchdog.idle();
        }
        if (failure.get() != null)
        {
            throw new AssertionError("a thread failed: " + failure.get(), failure.get());
        }
    }

    private static String stacks(final Collection<Thread> threads)
    {
        final StringBuilder text = new StringBuilder();
        threads.stream().filter(Thread::isAlive).forEach((thread) ->
            text.append(thread).append(' ').append(List.of(thread.getStackTrace())).append('\n'));
        return text.toString();
    }
}
