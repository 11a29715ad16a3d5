// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Sends bursts: some messages at once, and the next ones a moment after the last of them has come.
 */
final class BurstProducer extends CellParty
{
    static final long PAUSE_NS = 20_000;

    private long burst;

    BurstProducer(final Seat seat)
    {
        super(seat);
    }

    /** Bursts of a turn, at least two: a part of them does not count. */
    static long bursts(final Task task, final LinkSpec spec)
    {
        return Math.max(2, task.messages() / spec.burst());
    }

    @Override
    Role.Measured take(final Task task)
    {
        inlet(task);
        final long bursts = bursts(task, spec);
        for (long i = 0; i < bursts && !control.isStopped(task.step()); i++)
        {
            patience.begin();
            while (control.delivered() < payload.sequence())
            {
                patience.idle("the last burst's end");
            }
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < PAUSE_NS)
            {
                Thread.onSpinWait();
            }
            final long slowNs = slowStart();
            // turns of other cells have numbers above 0
            control.begin(-(++burst), System.nanoTime());
            for (int message = 0; message < spec.burst(); message++)
            {
                send(payload.prepare());
            }
            patience.begin();
            while (!link.flush())
            {
                patience.idle("room for the last messages");
            }
            slow(slowNs);
        }
        control.sent(party, task.step(), payload.sequence());
        awaitEnd(task);
        return Role.Measured.nothing(check.wrong());
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        throw new IllegalStateException("a producer received a message of " + messageLength + " bytes, expected none");
    }
}
