// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Sends messages that are due at a fixed rate. One that is behind sends as fast as it goes until it has caught up; messages are
 * never left out. In a turn without a pace it sends as fast as it goes.
 */
final class PacedProducer extends CellParty
{
    private static final int BATCH = 16;

    PacedProducer(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        inlet(task);
        final double paceNs = task.paceNs();
        final long startNs = System.nanoTime();
        control.begin(task.step(), startNs);
        long sent = 0;
        while (sent < task.messages() && !control.isStopped(task.step()))
        {
            final long slowNs = slowStart();
            final long end = Math.min(task.messages(), sent + (paceNs > 0 ? 1 : BATCH));
            for (; sent < end; sent++)
            {
                if (paceNs > 0)
                {
                    await(startNs + (long)(sent * paceNs));
                }
                send(payload.prepare());
            }
            slow(slowNs);
        }
        flush();
        control.sent(party, task.step(), payload.sequence());
        awaitEnd(task);
        return Role.Measured.nothing(check.wrong());
    }

    private void flush()
    {
        patience.begin();
        while (!link.flush())
        {
            patience.idle("room for the last messages");
        }
    }

    private static void await(final long dueNs)
    {
        while (System.nanoTime() - dueNs < 0)
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        throw new IllegalStateException("a producer received a message of " + messageLength + " bytes, expected none");
    }
}
