// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.benchmarks.harness.Task;

/**
 * Receives messages that are due at a fixed rate, and finds out from when on they come on schedule for good. Messages are looked
 * at in windows. A window is on schedule if most of its messages came within {@value #LATE_NS} ns of when they were due. The
 * figure is the moment at which the last window that was not on schedule had come, by {@link System#nanoTime()}; if all were on
 * schedule, it is when the first message was due.
 */
final class StartConsumer extends CellParty
{
    private static final long LATE_NS = 1_000_000;
    private static final long WINDOW_NS = 50_000_000;

    private long received;
    private long beganNs;
    private double paceNs;
    private long window;
    private long windowEnd;
    private long inWindow;
    private long late;
    private long steadyNs;

    StartConsumer(final Seat seat)
    {
        super(seat);
    }

    @Override
    Role.Measured take(final Task task)
    {
        final Inlet inlet = inlet(task);
        paceNs = task.paceNs();
        window = Math.max(1, (long)(WINDOW_NS / paceNs));
        windowEnd = window;
        final long beginNs = System.nanoTime();
        patience.begin();
        beganNs = control.beganNs(task.step(), patience);
        steadyNs = beganNs;
        while (received < task.messages())
        {
            poll(inlet, POLL_LIMIT);
            if (received > 0 && isOver(beginNs))
            {
                control.stop(task.step());
                steadyNs = System.nanoTime();
                break;
            }
        }
        while (!control.hasSent(1, task.step()) || received < control.sent(1))
        {
            poll(inlet, POLL_LIMIT);
        }
        control.end(task.step());
        return new Role.Measured(steadyNs, 1, check.wrong(), Booking.NO_DETAIL);
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        final long nowNs = System.nanoTime();
        check.onMessage(buffer, offset, messageLength);
        final long dueNs = beganNs + (long)(received * paceNs);
        received++;
        inWindow++;
        late += nowNs - dueNs > LATE_NS ? 1 : 0;
        if (received == windowEnd)
        {
            if (2 * late > inWindow)
            {
                steadyNs = nowNs;
            }
            windowEnd += window;
            inWindow = 0;
            late = 0;
        }
    }
}
