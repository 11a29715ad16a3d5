// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/**
 * Threads that park, and what wakes them. Parks last an hour, so that a lost wake-up is a test that fails, not one that is slow.
 */
@Tag("once")
class IdleTest
{
    private static final int SLOTS = 8;
    private static final int ROUNDS = Integer.getInteger("tallypost.exchanges", 500);

    @TempDir
    private Path directory;

    private final List<AutoCloseable> closeables = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);

    @AfterEach
    void closeAll() throws Exception
    {
        try
        {
            for (int i = closeables.size() - 1; i >= 0; i--)
            {
                closeables.get(i).close();
            }
        }
        finally
        {
            // what a thread has failed with may be why the close fails
            Watchdog.awaitEnds(threads, failure);
        }
    }

    private Node launch(final int ranks, final CreditReturn creditReturn, final IdleSettings settings)
    {
        final Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, creditReturn, ranks, SLOTS).idle(settings));
        closeables.add(node);
        return node;
    }

    private Node launch(final int ranks)
    {
        return launch(ranks, CreditReturn.DIRECT, IdleProcess.settings());
    }

    private Thread start(final String name, final Runnable body)
    {
        final Thread thread = Fixtures.start(name, body, failure);
        threads.add(thread);
        return thread;
    }

    private static void awaitParked(final Node node, final int count)
    {
        Watchdog.await(count + " parked threads", () -> local(node).wakeups().doorbell().parkedCount() == count);
    }

    private static void pollUntilClosed(final Endpoint endpoint, final MessageListener handler, final AtomicLong polls)
    {
        final IdleStrategy idle = endpoint.newIdleStrategy();
        while (!endpoint.isClosed())
        {
            idle.idle(endpoint.poll(handler, 10));
            polls.incrementAndGet();
        }
    }

    private void send(final Endpoint from, final int dest, final int tag)
    {
        Watchdog.await("offer", () -> from.offer(dest, tag, message, 0, 16) >= 0);
    }

    @Test
    void shouldWakeAPollerThatParked()
    {
        final Node node = launch(2);
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        final AtomicInteger received = new AtomicInteger();
        start("poller", () -> pollUntilClosed(
            receiver, (source, tag, buffer, offset, length) -> received.incrementAndGet(), new AtomicLong()));
        final Random random = new Random(Fixtures.seed());
        for (int i = 1; i <= ROUNDS; i++)
        {
            if (random.nextInt(4) == 0)
            {
                awaitParked(node, 1);
            }
            send(sender, 1, i);
            final int expected = i;
            Watchdog.await("message " + i, () -> received.get() == expected);
        }
    }

    @Test
    void shouldWakeSeveralThreadsEachForItsOwn()
    {
        final int pairs = 4;
        final Node node = launch(2 * pairs);
        final AtomicInteger done = new AtomicInteger();
        for (int rank = 0; rank < 2 * pairs; rank++)
        {
            final Endpoint endpoint = node.open(rank);
            start("rank " + rank, () -> pingPong(endpoint, endpoint.rank() ^ 1, done));
        }
        Watchdog.await("all pairs", () -> done.get() == 2 * pairs || failure.get() != null);
    }

    private void pingPong(final Endpoint endpoint, final int partner, final AtomicInteger done)
    {
        final IdleStrategy idle = endpoint.newIdleStrategy();
        final int[] received = new int[1];
        final MessageListener handler = (source, tag, buffer, offset, length) -> received[0]++;
        for (int i = 0; i < ROUNDS; i++)
        {
            if (endpoint.rank() < partner)
            {
                offer(endpoint, partner, i, handler, idle);
            }
            while (received[0] <= i)
            {
                idle.idle(endpoint.poll(handler, 10));
            }
            if (endpoint.rank() > partner)
            {
                offer(endpoint, partner, i, handler, idle);
            }
        }
        done.incrementAndGet();
    }

    private long offer(
        final Endpoint endpoint, final int dest, final int tag, final MessageListener handler, final IdleStrategy idle)
    {
        long result = endpoint.offer(dest, tag, message, 0, IdleProcess.MessageLength.of(tag));
        while (result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED)
        {
            idle.idle(endpoint.poll(handler, 10));
            result = endpoint.offer(dest, tag, message, 0, IdleProcess.MessageLength.of(tag));
        }
        return result;
    }

    @ParameterizedTest
    @EnumSource(CreditReturn.class)
    void shouldWakeAcrossProcesses(final CreditReturn creditReturn)
    {
        final Node node = launch(2, creditReturn, IdleProcess.settings());
        final Endpoint endpoint = node.open(0);
        final ForkedJvm child = IdleProcess.start(directory, creditReturn, 2, SLOTS, 1);
        closeables.add(child);
        assertEquals("ready", child.readLine());
        final AtomicInteger done = new AtomicInteger();
        start("rank 0", () -> pingPong(endpoint, 1, done));
        Watchdog.await("all messages", () -> done.get() == 1 || failure.get() != null);
        offer(endpoint, 1, IdleProcess.LAST_TAG, Fixtures.NOTHING, new org.agrona.concurrent.YieldingIdleStrategy());
        assertEquals(0, child.waitFor());
    }

    @ParameterizedTest
    @EnumSource(CreditReturn.class)
    void shouldWakeASenderThatWaitsForCredits(final CreditReturn creditReturn)
    {
        final Node node = launch(2, creditReturn, IdleProcess.settings());
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        final AtomicInteger sent = new AtomicInteger();
        final int messages = 300;
        start("sender", () ->
        {
            final IdleStrategy idle = sender.newIdleStrategy();
            for (int i = 0; i < messages; i++)
            {
                assertTrue(offerOneSlot(sender, idle) >= 0);
                sent.incrementAndGet();
            }
        });
        final AtomicInteger received = new AtomicInteger();
        while (received.get() < messages)
        {
            if (sent.get() < messages)
            {
                // nothing is read before the sender sleeps for want of credits, or is through
                Watchdog.await("sleeping sender", () ->
                    local(node).wakeups().doorbell().parkedCount() == 1 || sent.get() == messages || failure.get() != null);
            }
            assertNull(failure.get());
            final int before = received.get();
            Fixtures.pollUntil("messages", (source, tag, buffer, offset, length) -> received.incrementAndGet(),
                () -> received.get() > before || receiver.backlogSlots() == 0, receiver);
        }
    }

    /** Senders that hold lanes wait for room in them, for which nobody is woken, and receivers are not always woken by them. */
    @ParameterizedTest
    @ValueSource(ints = {8, 64, 256})
    void shouldNotSleepOverRoomInALane(final int slots)
    {
        final Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, slots)
            .idle(IdleProcess.settings()));
        closeables.add(node);
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        final int bursts = 60;
        final int burst = 4 * slots;
        final AtomicInteger sent = new AtomicInteger();
        final AtomicInteger received = new AtomicInteger();
        start("sender", () ->
        {
            final IdleStrategy idle = sender.newIdleStrategy();
            for (int i = 0; i < bursts * burst; i++)
            {
                assertTrue(offerOneSlot(sender, idle) >= 0);
                sent.incrementAndGet();
            }
        });
        final Random random = new Random(Fixtures.seed());
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "sent=" + sent + ", received=" + received);
        while (received.get() < bursts * burst && failure.get() == null)
        {
            // all that is there, a part of it, or nothing until the sender sleeps
            final int before = received.get();
            receiver.poll((source, tag, buffer, offset, length) -> received.incrementAndGet(), 1 + random.nextInt(slots));
            if (random.nextInt(16) == 0)
            {
                Watchdog.await("sleeping sender", () -> local(node).wakeups().doorbell().parkedCount() == 1 ||
                    sent.get() == bursts * burst || failure.get() != null);
            }
            if (received.get() > before)
            {
                watchdog.progress();
            }
            watchdog.check();
        }
    }

    private long offerOneSlot(final Endpoint sender, final IdleStrategy idle)
    {
        long result = sender.offer(1, 0, message, 0, 16);
        while (result == Endpoint.NO_CREDIT)
        {
            idle.idle(sender.poll(Fixtures.NOTHING, 10));
            result = sender.offer(1, 0, message, 0, 16);
        }
        return result;
    }

    @Test
    void shouldWakeASendInManyRunsAndThePollerOfTheSameEndpoint()
    {
        final Node node = launch(2);
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        final int length = 100_000;
        // each is more than two hundred waits for credits
        final int longSends = 6;
        final UnsafeBuffer large = new UnsafeBuffer(new byte[length]);
        Fixtures.fill(large, 0, length, 1, 2);
        final AtomicInteger whole = new AtomicInteger();
        final AtomicInteger polled = new AtomicInteger();
        start("receiver", () -> pollUntilClosed(receiver,
            (source, tag, buffer, offset, count) ->
                whole.addAndGet(count == length && Fixtures.isWhole(buffer, offset, count) ? 1 : 0), new AtomicLong()));
        start("poller of the sender", () -> pollUntilClosed(
            sender, (source, tag, buffer, offset, count) -> polled.incrementAndGet(), new AtomicLong()));
        start("sender", () ->
        {
            // a thread that sends but does not poll: it is woken by grants only
            final IdleStrategy idle = sender.newIdleStrategy();
            final LongSend send = sender.newSend();
            for (int i = 0; i < longSends; i++)
            {
                long result = send.start(1, i, large, 0, length);
                while (result == Endpoint.NO_CREDIT)
                {
                    idle.idle();
                    result = send.progress();
                }
                assertTrue(result >= 0, Endpoint.errorString(result));
                idle.reset();
            }
        });
        Watchdog.await("all messages", () -> whole.get() == longSends || failure.get() != null);
        send(receiver, 0, 1);
        Watchdog.await("the answer", () -> polled.get() == 1);
    }

    @Test
    void shouldUseNoProcessorTimeWhileOthersAreBusy()
    {
        final Node node = launch(3);
        final Endpoint idle = node.open(0);
        final Endpoint left = node.open(1);
        final Endpoint right = node.open(2);
        final AtomicLong polls = new AtomicLong();
        final AtomicInteger received = new AtomicInteger();
        final Thread parked = start("idle", () -> pollUntilClosed(
            idle, (source, tag, buffer, offset, length) -> received.incrementAndGet(), polls));
        final ThreadMXBean threadMxBean = ManagementFactory.getThreadMXBean();
        // the first park may still be cut short by the news that the ranks opened
        send(left, 0, 1);
        Watchdog.await("first message", () -> received.get() == 1);
        awaitParked(node, 1);
        final long pollsBefore = polls.get();
        final int[] exchanged = new int[1];
        // the way into the park takes time too, after the thread was counted as parked, and it may have to wait for a processor
        Watchdog.await(ROUNDS + " messages of others without any processor time of the parked thread", () ->
        {
            final long timeBefore = threadMxBean.getThreadCpuTime(parked.getId());
            final int end = exchanged[0] + ROUNDS;
            while (exchanged[0] < end)
            {
                final int expected = exchanged[0] + 1;
                send(left, 2, expected);
                Fixtures.pollUntil("message", (source, tag, buffer, offset, length) -> exchanged[0]++,
                    () -> exchanged[0] == expected, right);
            }
            return threadMxBean.getThreadCpuTime(parked.getId()) == timeBefore;
        });
        assertEquals(pollsBefore, polls.get(), "polls of an endpoint that nobody sent to");
        send(left, 0, 2);
        Watchdog.await("second message", () -> received.get() == 2);
    }

    @Test
    void shouldPollWhatOneThreadPollsForAll()
    {
        final Node node = launch(4);
        final Endpoint first = node.open(0);
        final Endpoint second = node.open(1);
        final Endpoint sender = node.open(2);
        final AtomicInteger received = new AtomicInteger();
        start("poller of two", () ->
        {
            final IdleStrategy idle = first.newIdleStrategy(second);
            boolean isFirst = true;
            while (!first.isClosed())
            {
                // only one of them in a turn
                isFirst = !isFirst;
                idle.idle((isFirst ? first : second).poll(
                    (source, tag, buffer, offset, length) -> received.incrementAndGet(), 10));
            }
        });
        for (int i = 1; i <= 200; i++)
        {
            final int expected = i;
            awaitParked(node, 1);
            send(sender, i & 1, i);
            Watchdog.await("message " + i, () -> received.get() == expected);
        }
    }

    @Test
    void shouldEndAParkWhenItsEndpointIsClosed()
    {
        final Node node = launch(2);
        final Endpoint endpoint = node.open(0);
        final Thread thread = start("poller", () -> pollUntilClosed(endpoint, Fixtures.NOTHING, new AtomicLong()));
        awaitParked(node, 1);
        endpoint.close();
        Watchdog.await("end of the poller", () -> !thread.isAlive());
        // a closed endpoint wakes nobody: parks are short then
        final IdleStrategy idle = endpoint.newIdleStrategy();
        for (int i = 0; i < 10; i++)
        {
            idle.idle();
        }
    }

    @Test
    void shouldTellAParkedSenderThatItsReceiverWasKilled()
    {
        final Node node = launch(2);
        final Endpoint endpoint = node.open(0);
        final ForkedJvm child = IdleProcess.start(directory, CreditReturn.DIRECT, 2, SLOTS, 1);
        closeables.add(child);
        assertEquals("ready", child.readLine());
        send(endpoint, 1, 1);
        final AtomicInteger received = new AtomicInteger();
        Fixtures.pollUntil("answer", (source, tag, buffer, offset, length) -> received.incrementAndGet(),
            () -> received.get() == 1, endpoint);
        endpoint.releasePoller();
        Watchdog.await("bell of the child", () -> bells().length == 1);
        child.stop();
        final AtomicLong result = new AtomicLong();
        start("sender", () ->
        {
            final IdleStrategy idle = endpoint.newIdleStrategy();
            while (result.get() >= 0)
            {
                result.set(offerOneSlot(endpoint, idle));
            }
        });
        // its credits are used up, and the receiver stands still
        awaitParked(node, 1);
        child.kill();
        Watchdog.await("PEER_GONE", () -> result.get() < 0 || failure.get() != null);
        assertEquals(Endpoint.PEER_GONE, result.get(), () -> Endpoint.errorString(result.get()));
        Watchdog.await("removal of the dead process's bell", () -> bells().length == 1);
    }

    @Test
    void shouldWakeSomebodyKilledWhileParkedInVain()
    {
        final Node node = launch(2);
        final Endpoint endpoint = node.open(0);
        final ForkedJvm child = IdleProcess.start(directory, CreditReturn.DIRECT, 2, SLOTS, 1);
        closeables.add(child);
        assertEquals("ready", child.readLine());
        Watchdog.await("bell of the child", () -> bells().length == 1);
        Watchdog.await("armed child", () -> local(node).runtime().mailboxes().get(1, 1).isArmed());
        child.kill();
        // the first one finds the mailbox armed and the bell without an owner
        final long[] result = new long[1];
        Watchdog.await("PEER_GONE", () ->
        {
            result[0] = endpoint.offer(1, 1, message, 0, 16);
            return result[0] == Endpoint.PEER_GONE;
        });
        Watchdog.await("removal of the bell", () -> bells().length == 0);
    }

    private File[] bells()
    {
        final File[] found = directory.resolve("node").toFile().listFiles((dir, name) -> name.startsWith(NodeFiles.BELL_PREFIX));
        return found == null ? new File[0] : found;
    }

    @Test
    void shouldNotTrustWhatComesThroughTheSocket() throws IOException
    {
        final Node node = launch(2);
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        final AtomicInteger received = new AtomicInteger();
        start("poller", () -> pollUntilClosed(
            receiver, (source, tag, buffer, offset, length) -> received.incrementAndGet(), new AtomicLong()));
        awaitParked(node, 1);
        final ByteBuffer noise = ByteBuffer.wrap(new byte[10_000]);
        new Random(Fixtures.seed()).nextBytes(noise.array());
        final List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < 100; i++)
        {
            // more than there can be processes
            final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            channels.add(channel);
            channel.configureBlocking(false);
            try
            {
                if (channel.connect(UnixDomainSocketAddress.of(bells()[0].toPath())))
                {
                    channel.write(noise.clear());
                }
            }
            catch (final IOException ignore)
            {
                // refused: too many
            }
        }
        for (int i = 1; i <= 100; i++)
        {
            final int expected = i;
            send(sender, 1, i);
            Watchdog.await("message " + i, () -> received.get() == expected);
        }
        for (final SocketChannel channel : channels)
        {
            channel.close();
        }
        awaitParked(node, 1);
        assertTrue(bells().length == 1);
    }

    /** The path of a socket is at most 108 bytes long, on some systems less. */
    @Test
    void shouldWakeAnotherProcessInADirectoryWithALongPath()
    {
        final Path deep = directory.resolve("x".repeat(120));
        final Node node = Node.launch(Fixtures.context(deep, Flow.DYNAMIC, CreditReturn.DIRECT, 2, SLOTS)
            .idle(IdleProcess.settings()));
        closeables.add(node);
        final Endpoint endpoint = node.open(0);
        final ForkedJvm child = IdleProcess.start(deep, CreditReturn.DIRECT, 2, SLOTS, 1);
        closeables.add(child);
        assertEquals("ready", child.readLine());
        final AtomicInteger received = new AtomicInteger();
        start("poller", () -> pollUntilClosed(
            endpoint, (source, tag, buffer, offset, length) -> received.incrementAndGet(), new AtomicLong()));
        for (int i = 1; i <= 3; i++)
        {
            final int expected = i;
            Watchdog.await("armed child", () -> local(node).runtime().mailboxes().get(1, 1).isArmed());
            send(endpoint, 1, 1);
            // both sleep for an hour unless they are woken
            Watchdog.await("answer " + i, () -> received.get() == expected);
        }
    }

    @Test
    void shouldParkForShortTimesWhereNoSocketCanBe() throws IOException
    {
        final AtomicInteger errors = new AtomicInteger();
        final AtomicReference<Throwable> error = new AtomicReference<>();
        final Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, SLOTS)
            .idle(IdleProcess.settings()).errorHandler((t) ->
            {
                error.set(t);
                errors.incrementAndGet();
            }));
        closeables.add(node);
        // in its place is something else, which cannot be deleted
        Files.createDirectories(directory.resolve("node").resolve(NodeFiles.BELL_PREFIX + local(node).runtime().process() + "-" +
            local(node).runtime().incarnation()).resolve("full"));
        final Endpoint sender = node.open(0);
        final Endpoint receiver = node.open(1);
        final AtomicInteger received = new AtomicInteger();
        final AtomicLong polls = new AtomicLong();
        start("poller", () -> pollUntilClosed(
            receiver, (source, tag, buffer, offset, length) -> received.incrementAndGet(), polls));
        Watchdog.await("polls between short parks", () -> polls.get() > 20);
        send(sender, 1, 1);
        Watchdog.await("message", () -> received.get() == 1);
        assertEquals(1, errors.get());
        assertTrue(error.get().getMessage().contains("no doorbell, so parked threads look"), error.get().getMessage());
    }

    @Test
    void shouldLeaveNoSocketBehind()
    {
        final Node node = launch(1);
        final Endpoint endpoint = node.open(0);
        start("poller", () -> pollUntilClosed(endpoint, Fixtures.NOTHING, new AtomicLong()));
        awaitParked(node, 1);
        assertEquals(1, bells().length);
        node.close();
        assertEquals(0, bells().length);
    }

    @Test
    void shouldRefuseSettingsAndEndpointsThatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> launch(1, CreditReturn.DIRECT, new IdleSettings().maxSpins(-1)));
        assertThrows(IllegalArgumentException.class, () -> launch(1, CreditReturn.DIRECT, new IdleSettings().maxLooks(-1)));
        assertThrows(IllegalArgumentException.class, () -> launch(1, CreditReturn.DIRECT, new IdleSettings().maxLooks(65)));
        assertThrows(IllegalArgumentException.class, () -> launch(1, CreditReturn.DIRECT, new IdleSettings().maxYieldNs(-1)));
        assertThrows(IllegalArgumentException.class, () -> launch(1, CreditReturn.DIRECT, new IdleSettings().longestParkNs(1)));
        assertThrows(IllegalArgumentException.class,
            () -> launch(1, CreditReturn.DIRECT, new IdleSettings().longestBlindParkNs(1)));
        assertThrows(IllegalArgumentException.class, () -> launch(1, CreditReturn.DIRECT, new IdleSettings().plainParkNs(999)));
        final Endpoint endpoint = launch(2).open(0);
        final Endpoint stranger = launch(2).open(1);
        assertThrows(IllegalArgumentException.class, () -> endpoint.newIdleStrategy(stranger));
        assertFalse(endpoint.isClosed());
    }
}
