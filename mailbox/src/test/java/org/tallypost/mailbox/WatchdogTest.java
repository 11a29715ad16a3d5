// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** For how long a test waits. */
class WatchdogTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private long nowNs = Long.MAX_VALUE - SECOND_NS;
    private final Watchdog watchdog = new Watchdog(Duration.ofSeconds(30), () -> "an end", () -> nowNs);

    private void look(final int seconds)
    {
        nowNs += seconds * SECOND_NS;
        watchdog.idle();
    }

    @Test
    void shouldEndAWaitWithoutProgress()
    {
        look(15);
        look(15);
        assertEquals("waited 30000 ms for an end", assertThrows(AssertionError.class, () -> look(1)).getMessage());
        watchdog.progress();
        look(15);
    }

    /** One that is stopped from outside for an hour goes on waiting for what it has left of its time. */
    @Test
    void shouldNotCountATimeInWhichTheProcessWasStopped()
    {
        look(5);
        look(3_600);
        look(5);
        assertThrows(AssertionError.class, () -> look(1));
    }

    /** However slow its turns are, a wait ends. */
    @Test
    void shouldEndAWaitOfSlowTurns()
    {
        look(100);
        assertThrows(AssertionError.class, () -> look(100));
    }

    /** A thread that waits for one that has failed never ends: the failure is told at once. */
    @Test
    void shouldTellTheFirstFailureAtOnce()
    {
        final CountDownLatch end = new CountDownLatch(1);
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread waiting = new Thread(() -> awaitEnd(end), "waiting");
        final IllegalStateException first = new IllegalStateException("first");
        final Thread failing = new Thread(() -> failure.set(first), "failing");
        try
        {
            waiting.start();
            failing.start();
            final List<Thread> threads = List.of(waiting, failing);
            final AssertionError told = assertThrows(AssertionError.class, () -> Watchdog.awaitEnds(threads, failure));
            assertSame(first, told.getCause());
            assertTrue(waiting.isAlive());
            failure.set(null);
            end.countDown();
            Watchdog.awaitEnds(threads, failure);
        }
        finally
        {
            end.countDown();
        }
    }

    private static void awaitEnd(final CountDownLatch latch)
    {
        try
        {
            latch.await();
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
