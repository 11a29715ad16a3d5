// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One run over a link: a thread that sends to all receivers in turn, and one on which they poll. The last receiver is without
 * messages, or gets as many as fit and stops polling for good when the warm-up is over.
 */
final class LinkTrial implements SharedLink.Taker
{
    private static final int POLL_LIMIT = 16;
    private static final int CHECK_INTERVAL = 64;
    private static final int MAX_TIMES = 8;
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(180);

    private final SharedLink link;
    private final int receivers;
    private final boolean isStopped;
    private final UnsafeBuffer message;
    private final long[] sent;
    private final long[] received;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile boolean isOver;
    private long wrong;

    /**
     * What came out.
     *
     * @param ratePerSecond messages per second that the others received.
     * @param unread        messages that were accepted for the one that stopped and not read.
     * @param wrong         messages that did not come once and in order.
     */
    record Result(double ratePerSecond, long unread, long wrong)
    {
    }

    LinkTrial(final SharedLink link, final int receivers, final boolean isStopped, final int length)
    {
        this.link = link;
        this.receivers = receivers;
        this.isStopped = isStopped;
        message = new UnsafeBuffer(new byte[length]);
        sent = new long[receivers];
        received = new long[receivers];
    }

    /** Runs it. */
    Result run(final long warmupNs, final long durationNs) throws InterruptedException
    {
        final Thread sending = new Thread(() -> guarded(this::send), "sender");
        sending.setDaemon(true);
        sending.start();
        final double[] rate = new double[1];
        guarded(() -> rate[0] = receive(warmupNs, durationNs));
        isOver = true;
        sending.join();
        if (failure.get() != null)
        {
            throw new IllegalStateException("the run failed: " + failure.get(), failure.get());
        }
        return new Result(rate[0], isStopped ? sent[receivers - 1] - received[receivers - 1] : 0, wrong);
    }

    private void guarded(final Runnable side)
    {
        try
        {
            side.run();
        }
        catch (final RuntimeException | Error ex)
        {
            failure.compareAndSet(null, ex);
            isOver = true;
        }
    }

    private void send()
    {
        final int count = isStopped ? receivers : receivers - 1;
        while (!isOver)
        {
            int work = link.sendingWork();
            for (int receiver = 0; receiver < count; receiver++)
            {
                message.putLong(0, sent[receiver]);
                if (link.send(receiver, message, message.capacity()))
                {
                    sent[receiver]++;
                    work++;
                }
            }
            if (work == 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    private double receive(final long warmupNs, final long durationNs)
    {
        final long startNs = System.nanoTime();
        while (!haveAll() && !isOver)
        {
            poll(receivers);
            if (System.nanoTime() - startNs > CONNECT_NS)
            {
                throw new IllegalStateException("the receivers are not connected");
            }
        }
        pollFor(warmupNs, receivers);
        // from here on the last one does nothing any more: the time counts when it has no room left
        final long stopNs = System.nanoTime();
        while (isStopped && !link.isFull(receivers - 1) && !isOver)
        {
            poll(receivers - 1);
            if (System.nanoTime() - stopNs > CONNECT_NS)
            {
                throw new IllegalStateException("there is still room for the one that does not poll");
            }
        }
        pollFor(warmupNs, receivers - 1);
        final long before = others();
        long elapsedNs = pollFor(durationNs, receivers - 1);
        while (others() == before && elapsedNs < MAX_TIMES * durationNs && !isOver)
        {
            // nothing at all: perhaps the threads had to wait for a core
            elapsedNs += pollFor(durationNs, receivers - 1);
        }
        return (others() - before) * 1e9 / elapsedNs;
    }

    private boolean haveAll()
    {
        for (int receiver = 0; receiver < (isStopped ? receivers : receivers - 1); receiver++)
        {
            if (received[receiver] == 0)
            {
                return false;
            }
        }
        return true;
    }

    private long pollFor(final long durationNs, final int count)
    {
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < durationNs && !isOver)
        {
            for (int i = 0; i < CHECK_INTERVAL; i++)
            {
                poll(count);
            }
            elapsedNs = System.nanoTime() - startNs;
        }
        return elapsedNs;
    }

    private void poll(final int count)
    {
        int work = link.receivingWork();
        for (int receiver = 0; receiver < count; receiver++)
        {
            work += link.poll(receiver, this, POLL_LIMIT);
        }
        if (work == 0)
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void onMessage(final int receiver, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length != message.capacity() || buffer.getLong(offset) != received[receiver])
        {
            wrong++;
        }
        received[receiver]++;
    }

    private long others()
    {
        long sum = 0;
        for (int receiver = 0; receiver < receivers - 1; receiver++)
        {
            sum += received[receiver];
        }
        return sum;
    }
}
