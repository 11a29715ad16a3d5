// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Second party of a round trip: checks what comes, and sends it back out of the buffer in which it came.
 */
final class Ponger extends CellParty
{
    private long answered;

    Ponger(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        final long end = answered + task.messages();
        patience.begin();
        while (answered < end && !control.isStopped(task.step()))
        {
            if (link.poll(inlet, 1) == 0)
            {
                patience.idle("a message");
            }
            else
            {
                patience.begin();
            }
        }
        patience.begin();
        while (!link.flush())
        {
            patience.idle("room for the last answer");
        }
        awaitEnd(task);
        return Role.Measured.nothing(check.wrong());
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        check.onMessage(buffer, offset, messageLength);
        patience.begin();
        while (!link.send(buffer, offset, messageLength))
        {
            patience.idle("room for an answer");
        }
        answered++;
    }
}
