// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.blocking;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Threads wait for messages and for room, for as long as they say, and a message that was taken back never comes. */
class BlockingEndpointTest
{
    private static final int CAPACITY = 4;
    private static final int THREADS = 200;
    private static final int MESSAGES = 10;
    private static final long LIMIT_S = Watchdog.DEFAULT_LIMIT.toSeconds();

    @TempDir
    private Path directory;
    private Node node;
    private Endpoint from;
    private Endpoint to;
    private BlockingEndpoint sender;
    private BlockingEndpoint receiver;

    @BeforeEach
    void open()
    {
        // fewer sending threads than threads that send
        node = Node.launch(new NodeContext().directory(directory.resolve("node").toFile()).groupName("blocking").rankCount(3)
            .maxSendingThreads(8).deleteOnClose(true));
        from = node.open(0);
        to = node.open(1);
        sender = new BlockingEndpoint(from, CAPACITY);
        receiver = new BlockingEndpoint(to, CAPACITY);
    }

    @AfterEach
    void close()
    {
        sender.close();
        receiver.close();
        node.close();
    }

    private static byte[] message(final int length, final int value)
    {
        final byte[] bytes = new byte[length];
        java.util.Arrays.fill(bytes, (byte)value);
        return bytes;
    }

    private ReceivedMessage receive() throws InterruptedException
    {
        final ReceivedMessage message = receiver.receive(LIMIT_S, TimeUnit.SECONDS);
        assertTrue(message != null, "a message came");
        return message;
    }

    private int sendUntilFull(final int length) throws InterruptedException
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a full mailbox");
        int sent = 0;
        boolean isFull = false;
        while (!isFull)
        {
            watchdog.check();
            // a receiver that has all it can keep frees nothing more
            final boolean isTaking = to.counters().received() < CAPACITY;
            final long refusals = sender.refusals();
            if (sender.send(1, sent, message(length, sent), 20, TimeUnit.MILLISECONDS))
            {
                sent++;
            }
            else
            {
                // the time may also be over because a thread was away
                isFull = !isTaking && sender.refusals() > refusals;
            }
        }
        return sent;
    }

    /** A thread that has to be woken by what the test does. */
    private static Thread start(final AtomicReference<Throwable> thrown, final Executed body)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                body.run();
            }
            catch (final Throwable ex)
            {
                thrown.set(ex);
            }
        }, "waits");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private interface Executed
    {
        void run() throws Exception;
    }

    private static void awaitWaiting(final Thread thread)
    {
        Watchdog.await("a thread that waits: " + thread.getState(), () -> thread.getState() == Thread.State.TIMED_WAITING);
    }

    private static void awaitEnd(final Thread thread) throws InterruptedException
    {
        thread.join(Watchdog.DEFAULT_LIMIT.toMillis());
        assertFalse(thread.isAlive(), "the thread has ended");
    }

    @Test
    void shouldDeliverMessagesOfAllLengthsInOrder() throws InterruptedException
    {
        final int[] lengths = {0, 8, 2_048, 2_049, 100_000, 16};
        for (int i = 0; i < lengths.length; i++)
        {
            final int tag = i;
            final AtomicReference<Throwable> thrown = new AtomicReference<>();
            final Thread thread = start(thrown, () -> sender.send(1, tag, message(lengths[tag], tag)));
            final ReceivedMessage received = receive();
            assertEquals(0, received.source());
            assertEquals(tag, received.tag());
            assertArrayEquals(message(lengths[tag], tag), received.bytes());
            awaitEnd(thread);
            assertNull(thrown.get());
        }
        assertNull(receiver.receive(0, TimeUnit.NANOSECONDS));
        assertNull(receiver.receive(1, TimeUnit.MILLISECONDS));
    }

    @Test
    void shouldDeliverNothingThatWasTakenBackForWantOfTime() throws InterruptedException
    {
        final int sent = sendUntilFull(100);
        assertTrue(sent > CAPACITY, () -> "sent: " + sent);
        assertFalse(sender.send(1, -1, message(100_000, 1), 20, TimeUnit.MILLISECONDS), "a long one");
        for (int tag = 0; tag < sent; tag++)
        {
            assertEquals(tag, receive().tag());
        }
        assertTrue(sender.send(1, 77, message(8, 1), LIMIT_S, TimeUnit.SECONDS));
        assertEquals(77, receive().tag(), "what was refused does not come");
    }

    @Test
    void shouldNotWaitForAnotherReceiver() throws InterruptedException
    {
        sendUntilFull(100);
        try (Endpoint third = node.open(2); BlockingEndpoint other = new BlockingEndpoint(third, CAPACITY))
        {
            final AtomicReference<Throwable> thrown = new AtomicReference<>();
            final Thread waiting = start(thrown, () -> sender.send(1, 0, message(100, 1)));
            awaitWaiting(waiting);
            assertTrue(sender.send(2, 5, message(8, 1), LIMIT_S, TimeUnit.SECONDS));
            assertEquals(5, other.receive(LIMIT_S, TimeUnit.SECONDS).tag());
            waiting.interrupt();
            awaitEnd(waiting);
            assertInstanceOf(InterruptedException.class, thrown.get());
        }
    }

    @Test
    void shouldBeInterruptible() throws InterruptedException
    {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread receiving = start(thrown, () -> receiver.receive());
        awaitWaiting(receiving);
        receiving.interrupt();
        awaitEnd(receiving);
        assertInstanceOf(InterruptedException.class, thrown.get());
        final int sent = sendUntilFull(100);
        thrown.set(null);
        final Thread sending = start(thrown, () -> sender.send(1, -1, message(100, 1)));
        awaitWaiting(sending);
        sending.interrupt();
        awaitEnd(sending);
        assertInstanceOf(InterruptedException.class, thrown.get());
        for (int tag = 0; tag < sent; tag++)
        {
            assertEquals(tag, receive().tag());
        }
        assertNull(receiver.receive(1, TimeUnit.MILLISECONDS), "what was interrupted is not sent");
    }

    @Test
    void shouldEndAllThatWaitsWhenItIsClosed() throws InterruptedException
    {
        sendUntilFull(100);
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread sending = start(thrown, () -> sender.send(1, -1, message(100, 1)));
        final AtomicReference<Throwable> thrownToo = new AtomicReference<>();
        final Thread receiving = start(thrownToo, () -> sender.receive());
        awaitWaiting(sending);
        awaitWaiting(receiving);
        sender.close();
        awaitEnd(sending);
        awaitEnd(receiving);
        assertInstanceOf(IllegalStateException.class, thrown.get());
        assertInstanceOf(IllegalStateException.class, thrownToo.get());
        assertThrows(IllegalStateException.class, () -> sender.send(1, 0, message(8, 1)));
        assertThrows(IllegalStateException.class, () -> sender.receive());
        sender.close();
    }

    @Test
    void shouldSayThatTheReceiverOrTheEndpointIsGone() throws InterruptedException
    {
        sender.send(1, 3, message(8, 1));
        assertEquals(3, receive().tag());
        to.close();
        assertThrows(IllegalStateException.class, () -> sender.send(1, 3, message(8, 1)));
        assertThrows(IllegalStateException.class, () -> receiver.receive());
        assertThrows(IllegalArgumentException.class, () -> sender.send(3, 3, message(8, 1)));
        assertThrows(IllegalArgumentException.class, () -> new BlockingEndpoint(from, 0));
    }

    /** Another sender that never rests has the credits that such a message would need at once. */
    @Test
    void shouldSendAMessageOfMoreThanAShareBesideABusySender() throws InterruptedException
    {
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (Node small = Node.launch(new NodeContext().directory(directory.resolve("small").toFile()).groupName("blocking")
            .rankCount(3).slotsPerSender(16).maxSendingThreads(8).deleteOnClose(true));
            BlockingEndpoint first = new BlockingEndpoint(small.open(0), CAPACITY))
        {
            final Endpoint polled = small.open(1);
            final Endpoint busy = small.open(2);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            final int[] counts = new int[2];
            final MessageListener listener = (source, tag, buffer, offset, length) -> counts[source == 0 ? tag : 0]++;
            final CountDownLatch isOver = new CountDownLatch(1);
            final Thread[] sending = new Thread[DirectThreads.MOST + 1];
            Watchdog.await("messages beside a busy sender", () ->
            {
                for (int i = 0; i < 100; i++)
                {
                    while (busy.offer(1, 0, message, 0, 8) >= 0)
                    {
                        // it has all that there is
                        continue;
                    }
                    polled.poll(listener, 100);
                }
                final int started = counts[1];
                if (started < sending.length && sending[started] == null && counts[0] > 1_000)
                {
                    // the last one has the endpoint's thread send, since as many live as send by themselves
                    sending[started] = start(thrown, () ->
                    {
                        first.send(1, 1, new byte[Endpoint.MAX_RUN_LENGTH]);
                        isOver.await();
                    });
                }
                return started == sending.length;
            });
            isOver.countDown();
            for (final Thread thread : sending)
            {
                awaitEnd(thread);
            }
            assertNull(thrown.get());
        }
    }

    /** One thread may not overtake itself, whichever thread sends or polls for it. */
    @Test
    void shouldKeepTheOrderOfAThreadWithShortAndLongMessages() throws InterruptedException
    {
        final int count = 2_000;
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        final Thread sending = start(thrown, () ->
        {
            for (int i = 0; i < count; i++)
            {
                sender.send(1, i, message(i % 50 == 49 ? 5_000 : 8, i));
            }
        });
        for (int i = 0; i < count; i++)
        {
            final long before = to.counters().received();
            assertEquals(i, receive().tag());
            if (i % 500 == 250)
            {
                // there is room now, and nobody takes: the endpoint's thread polls
                Watchdog.await("a message that is kept", () -> to.counters().received() > before);
            }
        }
        awaitEnd(sending);
        assertNull(thrown.get());
    }

    /** On a JDK that has them, by reflection: this compiles with one that has not. */
    private static ExecutorService virtualThreads()
    {
        try
        {
            return (ExecutorService)Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        }
        catch (final ReflectiveOperationException ex)
        {
            return Executors.newCachedThreadPool();
        }
    }

    @Test
    void shouldServeMoreThreadsThanANodeHasSendingThreads() throws Exception
    {
        final ExecutorService threads = virtualThreads();
        try
        {
            final List<Future<?>> sending = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++)
            {
                final int value = thread;
                sending.add(threads.submit(() ->
                {
                    for (int i = 0; i < MESSAGES; i++)
                    {
                        sender.send(1, i, message(24, value));
                    }
                    return null;
                }));
            }
            final int[] next = new int[THREADS];
            for (int i = 0; i < THREADS * MESSAGES; i++)
            {
                final ReceivedMessage message = receive();
                final int thread = message.bytes()[0] & 0xFF;
                assertEquals(next[thread]++, message.tag(), () -> "order of thread " + thread);
            }
            for (final Future<?> each : sending)
            {
                each.get(LIMIT_S, TimeUnit.SECONDS);
            }
        }
        finally
        {
            threads.shutdownNow();
        }
    }
}
