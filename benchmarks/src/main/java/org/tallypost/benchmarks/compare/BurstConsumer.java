// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Receives bursts, and books how long after its beginning the last message of each came. The figure of a turn is the mean of its
 * bursts.
 */
final class BurstConsumer extends CellParty
{

    private final Histogram times = new Histogram(Times.MAX_NS, Times.DIGITS);
    private long received;
    private long burst;

    BurstConsumer(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        times.reset();
        // the control file serves all cells: what another one delivered is not ours
        control.delivered(received);
        final long bursts = BurstProducer.bursts(task, spec);
        final long lead = Math.max(1, lead(bursts));
        final long beginNs = System.nanoTime();
        long sumNs = 0;
        for (long i = 0; i < bursts && !(times.getTotalCount() > 0 && isOver(beginNs)); i++)
        {
            final long ns = burst(inlet, received + spec.burst());
            if (i >= lead)
            {
                sumNs += ns;
                times.recordValue(Math.min(Times.MAX_NS, ns));
            }
        }
        control.stop(task.step());
        drain(inlet, task.step());
        control.end(task.step());
        return new Role.Measured(sumNs, times.getTotalCount(), check.wrong(), Times.encode(times));
    }

    private long burst(final Inlet inlet, final long end)
    {
        while (received < end)
        {
            poll(inlet, POLL_LIMIT);
        }
        final long nowNs = System.nanoTime();
        final long startNs = control.beganNs(-(++burst), patience);
        control.delivered(received);
        return Math.max(0, nowNs - startNs);
    }

    /** A burst that had begun when the turn was cut off. */
    private void drain(final Inlet inlet, final long step)
    {
        while (!control.hasSent(1, step))
        {
            poll(inlet, POLL_LIMIT);
            control.delivered(received);
        }
        while (received < control.sent(1))
        {
            poll(inlet, POLL_LIMIT);
        }
        burst = received / spec.burst();
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        check.onMessage(buffer, offset, messageLength);
        received++;
    }
}
