// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * One rank of an alltoall: in each operation it sends a message to every other rank and receives one from each. The first rank
 * measures the mean of its operations; the next one begins when all messages of the last one are there.
 */
final class AlltoallParty extends CellParty
{
    private static final int LIMIT = 16;

    private final Histogram times = new Histogram(Times.MAX_NS, Times.DIGITS);
    private final Payload[] payloads;
    private final long[] received;
    private final EndpointTransport.Rank rank;

    AlltoallParty(final Seat seat)
    {
        super(seat);
        rank = (EndpointTransport.Rank)seat.link();
        payloads = new Payload[spec.parties()];
        Arrays.setAll(payloads, (dest) -> new Payload(party, length, spec.corrupt() && party == 1, seat.isMixed()));
        received = new long[spec.parties()];
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        for (final Payload each : payloads)
        {
            each.use(task.profile());
        }
        // all ranks have to do the same number of operations: no turn is cut off
        final long lead = lead(task.messages());
        times.reset();
        long startNs = System.nanoTime();
        long beforeNs = startNs;
        for (long operation = 0; operation < task.messages(); operation++)
        {
            if (operation == lead)
            {
                startNs = System.nanoTime();
                beforeNs = startNs;
            }
            final long slowNs = slowStart();
            operation(inlet);
            slow(slowNs);
            if (party == 0 && operation >= lead)
            {
                final long afterNs = System.nanoTime();
                times.recordValue(Math.min(Times.MAX_NS, afterNs - beforeNs));
                beforeNs = afterNs;
            }
        }
        return party == 0 ? new Role.Measured(
            System.nanoTime() - startNs, task.messages() - lead, check.wrong(), Times.encode(times)) :
            Role.Measured.nothing(check.wrong());
    }

    private void operation(final Inlet inlet)
    {
        received[party]++;
        final long expected = received[party];
        for (int i = 1; i < payloads.length; i++)
        {
            // each rank begins with another one
            final int dest = (party + i) % payloads.length;
            final int offset = payloads[dest].prepare();
            patience.begin();
            while (!rank.send(dest, payloads[dest].buffer(), offset, length))
            {
                rank.poll(inlet, LIMIT);
                patience.idle("room for a message to another rank");
            }
        }
        for (int source = 0; source < received.length; source++)
        {
            patience.begin();
            while (received[source] < expected)
            {
                if (rank.poll(inlet, LIMIT) == 0)
                {
                    patience.idle("a message of another rank");
                }
            }
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        check.onMessage(buffer, offset, messageLength);
        received[Payload.source(buffer, offset)]++;
    }
}
