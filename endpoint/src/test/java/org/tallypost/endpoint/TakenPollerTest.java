// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Two threads take turns under a lock: each takes the endpoint over, polls and sends. */
class TakenPollerTest
{
    private static final int MESSAGES = 20_000;
    private static final int LONGEST_TURN = 400;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Object lock = new Object();
    private int sent;
    private int turns;
    private long received;
    private long answered;

    private void takeTurns(final Endpoint endpoint, final Random random)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "message " + sent + " of " + MESSAGES);
        boolean isOver = false;
        while (!isOver && failure.get() == null)
        {
            synchronized (lock)
            {
                endpoint.takePoller();
                turns++;
                final int end = Math.min(MESSAGES, sent + 1 + random.nextInt(LONGEST_TURN));
                while (sent < end)
                {
                    buffer.putLong(0, sent);
                    final int length = random.nextBoolean() ? 8 : 64;
                    if (endpoint.offer(1, 0, buffer, 0, length) >= 0)
                    {
                        sent++;
                    }
                    else
                    {
                        watchdog.idle();
                    }
                    answered += endpoint.poll(Fixtures.NOTHING, 4);
                }
                isOver = sent == MESSAGES;
            }
            Thread.yield();
        }
    }

    /** What the former thread has sent by its lane or by the ring comes before what the next one sends. */
    @Test
    void shouldKeepTheOrderOfThreadsThatTakeTurns() throws InterruptedException
    {
        final long seed = Fixtures.seed();
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 64)))
        {
            final Endpoint endpoint = node.open(0);
            final Endpoint receiver = node.open(1);
            final UnsafeBuffer answer = new UnsafeBuffer(new byte[8]);
            final Thread[] threads = new Thread[2];
            for (int i = 0; i < threads.length; i++)
            {
                final Random random = new Random(seed + i);
                threads[i] = Fixtures.start("thread " + i, () -> takeTurns(endpoint, random), failure);
            }
            Fixtures.pollUntil("all messages", (source, tag, buffer, offset, length) ->
            {
                assertEquals(received++, buffer.getLong(offset));
                receiver.offer(0, 0, answer, 0, 8);
            }, () -> received == MESSAGES || failure.get() != null, receiver);
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
        assertTrue(turns > 1 && answered > 0, "turns=" + turns + ", answered=" + answered);
    }

    @Test
    void shouldRefuseToTakeItInTheMidstOfAPoll() throws InterruptedException
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 64)))
        {
            final Endpoint endpoint = node.open(0);
            Fixtures.awaitOffer(endpoint, 0, new UnsafeBuffer(new byte[8]), 8, Fixtures.NOTHING, endpoint);
            Fixtures.pollUntil("the message", (source, tag, buffer, offset, length) ->
            {
                final Thread other = Fixtures.start("other", () ->
                    assertThrows(IllegalStateException.class, endpoint::takePoller), failure);
                try
                {
                    other.join();
                }
                catch (final InterruptedException ex)
                {
                    throw new AssertionError(ex);
                }
                received++;
            }, () -> received > 0, endpoint);
        }
        assertNull(failure.get());
    }

    private void receiveHigh(final Endpoint endpoint, final int count)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
        assertTrue(endpoint.offer(0, 0, Priority.HIGH, buffer, 0, 8) >= 0);
        Fixtures.pollUntil("message " + count, (source, tag, data, offset, length) -> received++, () -> received == count,
            endpoint);
    }

    /** Each ring knows the thread that polls it. */
    @Test
    void shouldTakeTheRingOfHighPriorityToo() throws InterruptedException
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 1, 64).highSlots(8)))
        {
            final Endpoint endpoint = node.open(0);
            receiveHigh(endpoint, 1);
            final Thread other = Fixtures.start("other", () ->
            {
                endpoint.takePoller();
                receiveHigh(endpoint, 2);
            }, failure);
            other.join();
            assertNull(failure.get());
            endpoint.takePoller();
            receiveHigh(endpoint, 3);
            assertTrue(endpoint.offer(0, 0, Priority.HIGH, new UnsafeBuffer(new byte[8]), 0, 8) >= 0);
            Fixtures.pollUntil("the refusal", (source, tag, buffer, offset, length) ->
            {
                final Thread late = Fixtures.start("late", () ->
                    assertThrows(IllegalStateException.class, endpoint::takePoller), failure);
                received++;
                try
                {
                    late.join();
                }
                catch (final InterruptedException ex)
                {
                    throw new AssertionError(ex);
                }
            }, () -> received == 4, endpoint);
            receiveHigh(endpoint, 5);
        }
        assertNull(failure.get());
    }

    /** A listener that hands the endpoint over is in its poll still. */
    @Test
    void shouldTakeNothingFromAPollThatIsUnderWay() throws InterruptedException
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 64)))
        {
            final Endpoint endpoint = node.open(0);
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);
            final boolean[] isRefused = new boolean[1];
            Fixtures.pollUntil("offer", Fixtures.NOTHING, () -> endpoint.offer(0, 0, buffer, 0, 8) >= 0, endpoint);
            Fixtures.pollUntil("refusal", (source, tag, from, offset, length) ->
            {
                endpoint.releasePoller();
                final Thread other = new Thread(() ->
                {
                    assertThrows(IllegalStateException.class, endpoint::takePoller);
                    isRefused[0] = true;
                }, "taker");
                other.start();
                Watchdog.await("end of the taker", () -> !other.isAlive());
            }, () -> isRefused[0], endpoint);
        }
    }
}
