// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/**
 * The barrier of chapter 4: in each stage a process exchanges a message with the one that has a number with one other bit, and
 * does nothing where that one is out of range. It is a barrier for powers of two only.
 *
 * @param processes that take part, at least 2.
 * @param length    of each message.
 */
record ButterflySchedule(int processes, int length) implements Schedule
{
    @Override
    public int rounds()
    {
        return 1;
    }

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        for (int distance = 1; distance < processes; distance <<= 1)
        {
            final int peer = rank ^ distance;
            if (peer < processes)
            {
                to.receive(peer);
                to.send(peer, length);
                to.waitAll();
            }
        }
    }
}
