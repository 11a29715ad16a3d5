// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/**
 * A child process that works for as long as it is told: rank 1 sends to rank 0 in every way, rank 2 comes, sends to rank 0 and
 * goes, again and again, and each other process that joins the node sends to rank 0 too. All that arrives is checked. Lines on
 * standard input: "sample" (say what of the machine it has in use) and "exit" (stop, wait until the books balance, close).
 */
public final class SoakProcess
{
    static final int RANKS = 7;
    static final int SLOTS = 16;
    private static final int VISITOR = 2;
    private static final int MESSAGES_OF_A_VISIT = 500;
    private static final int LONG_LENGTH = 20_000;

    private final Node node;
    private final Endpoint receiver;
    private final Endpoint sender;
    private final int[] epochs = new int[RANKS];
    private final long[] next = new long[RANKS];
    private volatile boolean isRunning = true;
    private volatile boolean isVisited = true;
    private volatile String failure;
    private volatile long received;
    private long sampled;
    private volatile long visits;

    private SoakProcess(final Path directory)
    {
        node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS).errorHandler((t) ->
        {
            t.printStackTrace();
            failure = t.toString();
        }));
        receiver = node.open(0);
        sender = node.open(1);
    }

    /**
     * Works.
     *
     * @param arguments directory in which the node is.
     * @throws Exception if it cannot.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final SoakProcess soak = new SoakProcess(Path.of(arguments[0]));
        final Thread keeper = new Thread(soak::keep, "keeper");
        final Thread visitor = new Thread(soak::visit, "visitor");
        keeper.start();
        visitor.start();
        System.out.println("ready");
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); !"exit".equals(line); line = input.readLine())
        {
            if (line == null)
            {
                Runtime.getRuntime().halt(1);
            }
            soak.sample();
        }
        soak.isVisited = false;
        visitor.join();
        soak.isRunning = false;
        keeper.join();
        soak.node.close();
        System.out.println(soak.failure == null ? "balanced received=" + soak.received + " visits=" + soak.visits :
            "failed " + soak.failure);
    }

    private void sample() throws IOException
    {
        // however long that takes: where threads have to wait for a processor nothing may come for a while
        Watchdog.await("a message since the last sample", () -> received > sampled || failure != null);
        sampled = received;
        long mapped = 0;
        long direct = 0;
        for (final BufferPoolMXBean pool : ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class))
        {
            mapped += pool.getName().equals("mapped") ? pool.getMemoryUsed() : 0;
            direct += pool.getName().equals("direct") ? pool.getMemoryUsed() : 0;
        }
        final long resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter((line) -> line.startsWith("RssAnon")).mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
            .findFirst().orElse(0);
        System.out.println("sample rss=" + (resident >> 10) + " mapped=" + (mapped >> 10) + " direct=" + (direct >> 10) +
            " descriptors=" + new File("/proc/self/fd").list().length + " threads=" +
            ManagementFactory.getThreadMXBean().getThreadCount() + " files=" + node.context().directory().list().length +
            " visits=" + visits + " received=" + sampled);
    }

    private void onMessage(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final int epoch = (int)(Fixtures.stream(buffer, offset) >>> 32);
        final long sequence = Fixtures.sequence(buffer, offset);
        if (epoch > epochs[source])
        {
            epochs[source] = epoch;
            next[source] = 0;
        }
        if ((int)Fixtures.stream(buffer, offset) != source || epoch != epochs[source] || sequence != next[source] ||
            !Fixtures.isWhole(buffer, offset, length))
        {
            failure = "source=" + source + ", epoch=" + epoch + ", found sequence=" + sequence + ", expected=" + next[source] +
                " of epoch " + epochs[source];
        }
        next[source] = sequence + 1;
        received++;
    }

    /** Polls, and sends by rank 1. */
    private void keep()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LONG_LENGTH]);
        final MessageClaim claim = new MessageClaim();
        final LongSend handle = sender.newSend();
        final long stream = (long)sender.epoch() << 32 | sender.rank();
        long sequence = 0;
        Fixtures.fill(message, 0, LONG_LENGTH, stream, sequence);
        while (isRunning)
        {
            final long result = send(handle, claim, message, (int)sequence & 7);
            if (result >= 0)
            {
                sequence++;
                Fixtures.fill(message, 0, length((int)sequence & 7), stream, sequence);
            }
            poll();
        }
        while (handle.isActive())
        {
            handle.progress();
            poll();
        }
        balance();
    }

    private static int length(final int way)
    {
        return way == 0 ? LONG_LENGTH : Fixtures.MIN_LENGTH + way * 40;
    }

    private long send(final LongSend handle, final MessageClaim claim, final UnsafeBuffer message, final int way)
    {
        if (way == 0)
        {
            return handle.isActive() ? handle.progress() : handle.start(0, 1, message, 0, LONG_LENGTH);
        }
        if (way == 1)
        {
            final long result = sender.tryClaim(0, 1, length(way), claim);
            if (result >= 0)
            {
                claim.putBytes(message, 0);
                claim.commit();
            }
            return result;
        }
        return sender.offer(0, 1, message, 0, length(way));
    }

    private int poll()
    {
        return receiver.poll(this::onMessage, 16) + sender.poll(Fixtures.NOTHING, 16);
    }

    private void balance()
    {
        try
        {
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> Fixtures.books(receiver));
            while (!Fixtures.isBalanced(receiver) || !Fixtures.isBalanced(sender))
            {
                poll();
                watchdog.idle();
            }
            Fixtures.assertConserved(receiver);
            Fixtures.assertConserved(sender);
        }
        catch (final AssertionError | IllegalStateException ex)
        {
            failure = ex.toString();
        }
        if (receiver.counters().refused() != 0 && failure == null)
        {
            failure = "refused=" + receiver.counters().refused();
        }
    }

    /** A rank that comes and goes. */
    private void visit()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[256]);
        while (isVisited)
        {
            try (Endpoint visitor = node.open(VISITOR))
            {
                final long stream = (long)visitor.epoch() << 32 | visitor.rank();
                for (int sequence = 0; sequence < MESSAGES_OF_A_VISIT && isVisited; )
                {
                    Fixtures.fill(message, 0, 100, stream, sequence);
                    if (visitor.offer(0, 1, message, 0, 100) >= 0)
                    {
                        sequence++;
                    }
                    else if (visitor.poll(Fixtures.NOTHING, 16) == 0)
                    {
                        Thread.yield();
                    }
                }
            }
            visits++;
        }
    }
}
