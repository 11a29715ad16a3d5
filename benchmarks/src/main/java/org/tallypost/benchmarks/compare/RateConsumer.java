// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Consumer of a rate: counts and checks what comes until all messages of the turn are there.
 */
final class RateConsumer extends CellParty
{
    private static final int LOOK_MASK = 0xFF;

    private long received;

    RateConsumer(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        final long first = received;
        final long end = received + task.messages();
        final long lead = received + Math.max(1, lead(task.messages()));
        final long beginNs = System.nanoTime();
        while (received < lead && (received == first || !isLeadOver(beginNs)))
        {
            // no more than that, or nothing of a short turn would be left to count
            poll(inlet, (int)Math.min(POLL_LIMIT, lead - received));
        }
        final long startNs = System.nanoTime();
        final long startCount = received;
        int polls = 0;
        while (received < end)
        {
            final long slowNs = slowStart();
            poll(inlet, POLL_LIMIT);
            slow(slowNs);
            // where the producers had no core yet, the turn goes on until something counts
            if ((++polls & LOOK_MASK) == 0 && received > startCount && isOver(beginNs))
            {
                break;
            }
        }
        final long elapsedNs = System.nanoTime() - startNs;
        final long counted = received - startCount;
        if (counted == 0)
        {
            // a transport that packs messages brought all of a short turn at once
            drain(inlet, task.step());
            control.end(task.step());
            return measured(System.nanoTime() - beginNs, received - first);
        }
        if (received < end)
        {
            control.stop(task.step());
        }
        drain(inlet, task.step());
        control.end(task.step());
        return measured(elapsedNs, counted);
    }

    /** Takes what a turn that was cut off left under way. */
    private void drain(final Inlet inlet, final long step)
    {
        long sent = 0;
        for (int producer = 1; producer < spec.parties(); producer++)
        {
            while (!control.hasSent(producer, step))
            {
                poll(inlet, POLL_LIMIT);
            }
            sent += control.sent(producer);
        }
        while (received < sent)
        {
            poll(inlet, POLL_LIMIT);
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        check.onMessage(buffer, offset, messageLength);
        received++;
    }
}
