// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Producer of a rate: sends its share of the turn's messages as fast as there is room.
 */
final class RateProducer extends CellParty
{
    private static final int BATCH = 64;

    RateProducer(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        inlet(task);
        final long share = task.messages() / spec.producers() + (party <= task.messages() % spec.producers() ? 1 : 0);
        long sent = 0;
        while (sent < share && !control.isStopped(task.step()))
        {
            final long slowNs = slowStart();
            final long count = Math.min(BATCH, share - sent);
            for (long i = 0; i < count; i++)
            {
                send(payload.prepare());
            }
            sent += count;
            slow(slowNs);
        }
        patience.begin();
        while (!link.flush())
        {
            patience.idle("room for the last messages");
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
