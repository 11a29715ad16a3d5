// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.Priority;
import org.tallypost.node.Node;

/**
 * A node in which rank 0 receives, and rank 1 sends: a flood, and one probe after the other. A probe carries the time at which it
 * was ready to go, so that what it waits for credits counts.
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
    private static final int DIGITS = 3;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(5);
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    private final File directory;
    private final int highSlots;
    private final long startNs = System.nanoTime();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicLong arrived = new AtomicLong();
    private long received;

    PriorityTrial(final File directory, final int highSlots)
    {
        this.directory = directory;
        this.highSlots = highSlots;
    }

    /**
     * How long probes take one way.
     *
     * @param isFlooded whether the sender sends as much as its credits allow beside them.
     * @param priority  of the probes.
     * @param probes    that count; a tenth more go before.
     * @param workNs    what the receiver does with each message of the flood, in nanoseconds.
     */
    Histogram latency(final boolean isFlooded, final Priority priority, final int probes, final long workNs)
        throws InterruptedException
    {
        final Histogram histogram = new Histogram(DIGITS);
        final int warmup = probes / WARMUP_SHARE;
        final long all = (long)probes + warmup;
        run((sender) -> probe(sender, isFlooded, priority, all), (receiver) ->
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
            }
        };
        run((sender) ->
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            for (long sent = 0; sent < all; sent++)
            {
                while (sender.offer(RECEIVER, FLOOD, message, 0, LENGTH) < 0)
                {
                    sender.poll(NOTHING, 1);
                    pause("the flood");
                }
            }
        }, (receiver) -> receiver.poll(counting, LIMIT), () -> received < all);
        return messages * 1e9 / (times[1] - times[0]);
    }

    /** What the thread that sends does. */
    private interface Sending
    {
        void run(Endpoint sender);
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
        final NodeContext context = new NodeContext().directory(directory).groupName("priority").rankCount(RANKS)
            .slotsPerSender(SLOTS).highSlots(highSlots).deleteOnClose(true);
        try (Node node = Node.launch(context);
            Endpoint receiver = node.open(RECEIVER); Endpoint sender = node.open(SENDER))
        {
            final Thread thread = new Thread(() ->
            {
                try
                {
                    sending.run(sender);
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
                    if (receiving.poll(receiver) == 0)
                    {
                        pause("the receiver");
                    }
                }
            }
            finally
            {
                // it sends by endpoints that are closed next
                thread.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
            }
            if (failure.get() != null || thread.isAlive())
            {
                throw new IllegalStateException("the sender has " + (thread.isAlive() ? "not ended" : "failed") + ": node=" +
                    node + ", messages=" + receiver.counters().received(), failure.get());
            }
        }
    }

    /** Each probe is sent when the one before has come, behind as much of the flood as the receiver's mailbox takes. */
    private void probe(final Endpoint sender, final boolean isFlooded, final Priority priority, final long all)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final UnsafeBuffer more = new UnsafeBuffer(new byte[LENGTH]);
        long sent = 0;
        boolean isWaiting = false;
        while (arrived.get() < all)
        {
            checkTime("the probes");
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
            if (sender.poll(NOTHING, 1) == 0 && isIdle)
            {
                Thread.yield();
            }
        }
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

    private void checkTime(final String what)
    {
        if (System.nanoTime() - startNs > PATIENCE_NS)
        {
            throw new IllegalStateException("a trial is not over within " + TimeUnit.NANOSECONDS.toMinutes(PATIENCE_NS) +
                " minutes, try fewer --probes or --messages: waits=" + what + ", probes that came=" + arrived.get() +
                ", messages that came=" + received + ", directory=" + directory);
        }
    }
}
