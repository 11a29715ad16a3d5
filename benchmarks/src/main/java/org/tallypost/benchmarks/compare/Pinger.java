// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * First party of a round trip: sends, waits for the answer, checks it.
 */
final class Pinger extends CellParty
{
    private static final int BATCH = 16;

    private long answers;

    Pinger(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        final long messages = task.messages();
        final long wanted = lead(messages);
        final long beginNs = System.nanoTime();
        long lead = 0;
        while (lead < wanted && (lead == 0 || !isLeadOver(beginNs)))
        {
            final long count = Math.min(BATCH, wanted - lead);
            roundTrips(inlet, count);
            lead += count;
        }
        final long before = link.bytesBeside();
        final long startNs = System.nanoTime();
        long done = lead;
        while (done < messages)
        {
            final long slowNs = slowStart();
            final long count = Math.min(BATCH, messages - done);
            roundTrips(inlet, count);
            done += count;
            slow(slowNs);
            if (isOver(beginNs))
            {
                break;
            }
        }
        final long elapsedNs = System.nanoTime() - startNs;
        control.end(task.step());
        return measured(elapsedNs, done - lead, BesideNotes.detail(link.bytesBeside() - before, elapsedNs));
    }

    private void roundTrips(final Inlet inlet, final long count)
    {
        for (long i = 0; i < count; i++)
        {
            send(payload.prepare());
            final long before = answers;
            patience.begin();
            while (answers == before)
            {
                if (link.poll(inlet, 1) == 0)
                {
                    patience.idle("an answer");
                }
            }
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        check.onMessage(buffer, offset, messageLength);
        answers++;
    }
}
