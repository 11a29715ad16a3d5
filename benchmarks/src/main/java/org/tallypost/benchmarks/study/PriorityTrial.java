// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.compare.LoopbackPorts;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/**
 * Rank 0 receives, and rank 1 sends, in one node or in two: a flood, and one probe after the other. A probe carries the time at
 * which it was ready to go, so that what it waits for credits counts. Between nodes each of the two threads does the work of its
 * node's transport itself.
 */
final class PriorityTrial
{
    static final int LENGTH = 8;
    private static final int RECEIVER = 0;
    private static final int SENDER = 1;
    private static final int RANKS = 2;
    /** Tag of the flood. */
    private static final int FLOOD = 0;
    /** Tag of probes. */
    private static final int PROBE = 1;
    private static final int SLOTS = 64;
    private static final int LIMIT = 16;
    private static final int BURST = 8;
    private static final int WARMUP_SHARE = 10;
    private static final int MOST_WARMUP = 1000;
    private static final int DIGITS = 3;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    private static final byte[] SECRET = "the secret of a study".getBytes(StandardCharsets.US_ASCII);

    private final File directory;
    private final int highSlots;
    private final boolean isBetweenNodes;
    private final long limitNs;
    private final long startNs = System.nanoTime();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong arrived = new AtomicLong();
    private long received;

    /**
     * A trial.
     *
     * @param directory      for the files of the nodes; need not be there.
     * @param highSlots      of the group.
     * @param isBetweenNodes whether the two ranks are on different nodes, which reach each other by loopback.
     * @param limitSeconds   after which probes end with those that came, and a rate that is not there by then fails.
     */
    PriorityTrial(final File directory, final int highSlots, final boolean isBetweenNodes, final int limitSeconds)
    {
        limitNs = TimeUnit.SECONDS.toNanos(limitSeconds);
        this.isBetweenNodes = isBetweenNodes;
        this.directory = directory;
        this.highSlots = highSlots;
    }

    /**
     * How long probes take one way; fewer of them if the limit comes first.
     *
     * @param isFlooded whether the sender sends as much as its credits allow beside them.
     * @param priority  of the probes.
     * @param probes    that count; a tenth more, up to 1,000, go before.
     * @param workNs    what the receiver does with each message of the flood, in nanoseconds.
     */
    Histogram latency(final boolean isFlooded, final Priority priority, final int probes, final long workNs)
        throws InterruptedException
    {
        final Histogram histogram = new Histogram(DIGITS);
        final int warmup = Math.min(MOST_WARMUP, probes / WARMUP_SHARE);
        final long all = (long)probes + warmup;
        run((sender, node) -> probe(sender, node, isFlooded, priority, all), (receiver) ->
            receiver.poll((source, tag, buffer, offset, length) ->
            {
                if (tag == FLOOD)
                {
                    work(workNs);
                }
                else
                {
                    final long tookNs = System.nanoTime() - buffer.getLong(offset);
                    final long before = arrived.get();
                    if (before >= warmup)
                    {
                        histogram.recordValue(Math.max(0, tookNs));
                    }
                    arrived.setRelease(before + 1);
                }
            }, LIMIT), () -> arrived.get() < all);
        if (histogram.getTotalCount() == 0)
        {
            checkTime("the first probe that counts");
        }
        return histogram;
    }

    /** Messages of low priority in a second, from one sender; nothing else is sent. */
    double rate(final int messages) throws InterruptedException
    {
        final long[] times = new long[2];
        final long warmup = messages / WARMUP_SHARE;
        final long all = messages + warmup;
        final MessageListener counting = (source, tag, buffer, offset, length) ->
        {
            received++;
            if (received == warmup || received == all)
            {
                times[received == all ? 1 : 0] = System.nanoTime();
                arrived.setRelease(received);
            }
        };
        run((sender, node) ->
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            for (long sent = 0; sent < all; sent++)
            {
                while (sender.offer(RECEIVER, FLOOD, message, 0, LENGTH) < 0)
                {
                    sender.poll(NOTHING, 1);
                    if (node.transportWork() == 0)
                    {
                        pause("the flood");
                    }
                }
            }
            // what is in hand leaves
            while (isBetweenNodes && arrived.get() < all)
            {
                node.transportWork();
                pause("the end of the flood");
            }
        }, (receiver) -> receiver.poll(counting, LIMIT), () -> received < all);
        if (received < all)
        {
            checkTime("the end of the flood");
        }
        return messages * 1e9 / (times[1] - times[0]);
    }

    /** What the thread that sends does. */
    private interface Sending
    {
        void run(Endpoint sender, Node node);
    }

    /** A turn of the thread that receives. */
    private interface Receiving
    {
        int poll(Endpoint receiver);
    }

    /** What a turn ends with. */
    private interface Condition
    {
        boolean isTrue();
    }

    private void run(final Sending sending, final Receiving receiving, final Condition goesOn) throws InterruptedException
    {
        final Topology topology = isBetweenNodes ? Topology.blocks(LoopbackPorts.free(RANKS).stream()
            .map((port) -> new NodeAddress("127.0.0.1", port)).toList(), new int[]{1, 1}) : null;
        try (Node node = Node.launch(context(topology, RECEIVER));
            Node other = isBetweenNodes ? Node.launch(context(topology, SENDER)) : null;
            Endpoint receiver = node.open(RECEIVER); Endpoint sender = (isBetweenNodes ? other : node).open(SENDER))
        {
            final Node senders = isBetweenNodes ? other : node;
            final Thread thread = new Thread(() ->
            {
                try
                {
                    sending.run(sender, senders);
                }
                catch (final Throwable t)
                {
                    failure.set(t);
                }
            }, "priority-sender");
            thread.start();
            try
            {
                while (goesOn.isTrue() && failure.get() == null)
                {
                    final int carried = isBetweenNodes ? node.transportWork() : 0;
                    if (receiving.poll(receiver) == 0 && carried == 0)
                    {
                        if (isLate())
                        {
                            break;
                        }
                        Thread.yield();
                    }
                }
            }
            finally
            {
                // it sends by endpoints that are closed next
                thread.join(TimeUnit.NANOSECONDS.toMillis(2 * limitNs));
            }
            if (failure.get() != null || thread.isAlive())
            {
                throw new IllegalStateException("the sender has " + (thread.isAlive() ? "not ended" : "failed") + ": node=" +
                    node + ", messages=" + receiver.counters().received(), failure.get());
            }
        }
    }

    /** Each probe is sent when the one before has come, behind as much of the flood as the receiver's mailbox takes. */
    private void probe(
        final Endpoint sender, final Node node, final boolean isFlooded, final Priority priority, final long all)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final UnsafeBuffer more = new UnsafeBuffer(new byte[LENGTH]);
        long sent = 0;
        boolean isWaiting = false;
        while (arrived.get() < all && !isLate())
        {
            boolean isIdle = true;
            for (int i = 0; isFlooded && !isWaiting && i < BURST && sender.offer(RECEIVER, FLOOD, more, 0, LENGTH) >= 0; i++)
            {
                isIdle = false;
            }
            if (!isWaiting && sent < all && arrived.get() == sent)
            {
                message.putLong(0, System.nanoTime());
                isWaiting = true;
            }
            if (isWaiting && sender.offer(RECEIVER, PROBE, priority, message, 0, LENGTH) >= 0)
            {
                isWaiting = false;
                isIdle = false;
                sent++;
            }
            isIdle &= !isBetweenNodes || node.transportWork() == 0;
            if (sender.poll(NOTHING, 1) == 0 && isIdle)
            {
                Thread.yield();
            }
        }
    }

    private NodeContext context(final Topology topology, final int node)
    {
        final NodeContext context = new NodeContext().directory(new File(directory, "node-" + node)).groupName("priority")
            .rankCount(RANKS).slotsPerSender(SLOTS).highSlots(highSlots).deleteOnClose(true);
        return topology == null ? context : context.transport(new AeronTransport(topology, node).secret(SECRET))
            .transportSettings(new TransportSettings().thread(false));
    }

    private static void work(final long workNs)
    {
        final long endNs = System.nanoTime() + workNs;
        while (System.nanoTime() - endNs < 0)
        {
            Thread.onSpinWait();
        }
    }

    private void pause(final String what)
    {
        checkTime(what);
        Thread.yield();
    }

    private boolean isLate()
    {
        return System.nanoTime() - startNs > limitNs;
    }

    private void checkTime(final String what)
    {
        if (isLate())
        {
            throw new IllegalStateException("a trial is not over within " + TimeUnit.NANOSECONDS.toSeconds(limitNs) +
                " s, try fewer --probes or --messages, or a longer --limit: waits=" + what + ", probes that came=" +
                arrived.get() + ", messages that came=" + received + ", directory=" + directory);
        }
    }
}
