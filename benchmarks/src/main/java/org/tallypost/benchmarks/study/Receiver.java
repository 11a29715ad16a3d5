// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.concurrent.TimeUnit;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.compare.Inlet;
import org.tallypost.benchmarks.compare.Link;
import org.tallypost.benchmarks.compare.Payload;
import org.tallypost.benchmarks.compare.PayloadCheck;

/**
 * The receiving thread: checks every word of every message, does the work that is asked for, and takes the time that the
 * quiet sender's messages were under way, from just before the first attempt to send until they are delivered. Both times are of
 * the same clock.
 */
final class Receiver extends TrialParty implements Inlet
{
    /** No message of a quiet sender is expected. */
    static final int NOBODY = -1;
    private static final int POLLS = 16;
    private static final long MAX_NS = 10_000_000_000L;
    private static final int SHIFT = 31;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private final Link link;
    private final PayloadCheck check;
    private final int work;
    private final int quiet;
    private final QuietTimes times;
    private final Histogram histogram = new Histogram(MAX_NS, 3);
    private long received;
    private long quietReceived;
    private long mixed = 1;
    private long leastNs;

    Receiver(
        final TrialSpec spec,
        final Pace pace,
        final Pace.Waiter waiter,
        final int warmups,
        final Link link,
        final int work,
        final int quiet,
        final QuietTimes times)
    {
        super(spec, pace, waiter, 0, warmups);
        this.link = link;
        this.work = work;
        this.quiet = quiet;
        this.times = times;
        check = new PayloadCheck(spec.senders() + 1, spec.length());
    }

    @Override
    TrialRun run(final long step, final Phase phase)
    {
        final long before = received;
        while (received == before)
        {
            polls();
        }
        histogram.reset();
        final long startCount = received;
        final long startNs = System.nanoTime();
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(spec.durationMs());
        long elapsedNs = 0;
        while (elapsedNs < durationNs || received == startCount || quiet != NOBODY && histogram.getTotalCount() == 0)
        {
            polls();
            elapsedNs = System.nanoTime() - startNs;
        }
        final long count = received - startCount;
        // what is not 0 never becomes 0 by these steps: the work is used
        final double figure = mixed == 0 ? 0 : count * 1e9 / elapsedNs;
        pace.stop(step);
        final TrialRun run = new TrialRun(
            figure, percentile(50), percentile(99), percentile(99.9), count);
        drain(step);
        if (leastNs < 0)
        {
            throw new IllegalStateException("a message came " + -leastNs + " ns before it was sent: the cores' clocks differ");
        }
        return run;
    }

    private double percentile(final double percent)
    {
        return quiet == NOBODY ? 0 : histogram.getValueAtPercentile(percent);
    }

    private void polls()
    {
        for (int i = 0; i < POLLS; i++)
        {
            poll();
        }
    }

    private void poll()
    {
        if (link.poll(this, TrialSpec.LIMIT) == 0)
        {
            waiter.idle("messages");
        }
    }

    private void drain(final long step)
    {
        long sent = 0;
        for (int party = 1; party < pace.parties(); party++)
        {
            while (!pace.hasSent(party, step))
            {
                poll();
            }
            sent += pace.sent(party);
        }
        while (received < sent)
        {
            poll();
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (quiet != NOBODY && Payload.source(buffer, offset) == quiet)
        {
            record(System.nanoTime() - times.sentNs());
        }
        check.onMessage(buffer, offset, length);
        received++;
        for (int i = 0; i < work; i++)
        {
            // not a product alone: the compiler would make one multiplication of many
            mixed = (mixed ^ (mixed >>> SHIFT)) * MULTIPLIER;
        }
    }

    private void record(final long ns)
    {
        leastNs = Math.min(leastNs, ns);
        histogram.recordValue(Math.max(0, Math.min(MAX_NS, ns)));
        times.arrived(++quietReceived);
    }

    /** Messages that did not arrive as they were sent. */
    long wrong()
    {
        return check.wrong();
    }
}
