// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Receives messages that are due at a fixed rate, and books for each how long after it was due it came. The figure of a turn is
 * its 99th percentile; all times go into the detail. A turn without a pace has the time for each message as its figure.
 */
final class PacedConsumer extends CellParty
{
    private static final double FIGURE_PERCENTILE = 99;

    private final Histogram times = new Histogram(Times.MAX_NS, Times.DIGITS);
    private long received;
    private long first;
    private long counted;
    private long beganNs;
    private double paceNs;

    PacedConsumer(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        times.reset();
        paceNs = task.paceNs();
        first = received;
        counted = received + lead(task.messages());
        final long end = received + task.messages();
        final long beginNs = System.nanoTime();
        patience.begin();
        beganNs = control.beganNs(task.step(), patience);
        final long startNs = System.nanoTime();
        while (received < end)
        {
            poll(inlet, POLL_LIMIT);
            if (times.getTotalCount() > 0 && isOver(beginNs))
            {
                control.stop(task.step());
                break;
            }
        }
        final long elapsedNs = System.nanoTime() - startNs;
        final long taken = received - first;
        drain(inlet, task.step());
        control.end(task.step());
        if (paceNs == 0)
        {
            return measured(elapsedNs, taken);
        }
        final long messages = times.getTotalCount();
        return new Role.Measured((long)(messages * (double)times.getValueAtPercentile(FIGURE_PERCENTILE)), messages,
            check.wrong(), Times.encode(times));
    }

    private void drain(final Inlet inlet, final long step)
    {
        while (!control.hasSent(1, step))
        {
            poll(inlet, POLL_LIMIT);
        }
        while (received < control.sent(1))
        {
            poll(inlet, POLL_LIMIT);
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        final long nowNs = System.nanoTime();
        check.onMessage(buffer, offset, messageLength);
        if (received >= counted)
        {
            final long dueNs = beganNs + (long)((received - first) * paceNs);
            times.recordValue(Math.max(0, Math.min(Times.MAX_NS, nowNs - dueNs)));
        }
        received++;
    }
}
