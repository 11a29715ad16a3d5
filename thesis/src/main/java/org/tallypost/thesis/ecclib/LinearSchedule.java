// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/**
 * A collective message by message between process 0 and each other one, as ECCLib and PVM have them, and LAM for up to 4
 * processes.
 *
 * @param kind      of collective.
 * @param processes that take part, at least 2.
 * @param length    of each message.
 */
record LinearSchedule(Kind kind, int processes, int length) implements Schedule
{
    enum Kind
    {
        /** A broadcast or a scatter: process 0 sends. */
        FROM_ROOT,
        /** A gather: process 0 receives. */
        TO_ROOT,
        /** A barrier: process 0 hears of all, and answers all. */
        TO_AND_FROM_ROOT
    }

    @Override
    public int rounds()
    {
        return 1;
    }

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        if (kind != Kind.FROM_ROOT)
        {
            move(rank, true, to);
        }
        if (kind != Kind.TO_ROOT)
        {
            move(rank, false, to);
        }
    }

    private void move(final int rank, final boolean isToRoot, final Steps to)
    {
        if (rank == 0)
        {
            for (int peer = 1; peer < processes; peer++)
            {
                if (isToRoot)
                {
                    to.receive(peer);
                }
                else
                {
                    to.send(peer, length);
                }
            }
            to.waitAll();
        }
        else if (isToRoot)
        {
            to.sendAndWait(0, length);
        }
        else
        {
            to.receiveAndWait(0);
        }
    }
}
