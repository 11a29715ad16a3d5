// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/** The same schedule in several groups of processes at once, which know nothing of each other. */
record Simultaneous(Schedule ofGroup, int processes) implements Schedule
{
    Simultaneous
    {
        if (processes % ofGroup.processes() != 0)
        {
            throw new IllegalArgumentException("groups do not fit: found processes=" + processes + ", expected a multiple of " +
                ofGroup.processes());
        }
    }

    @Override
    public int rounds()
    {
        return ofGroup.rounds();
    }

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        final int first = rank - rank % ofGroup.processes();
        ofGroup.round(rank - first, round, new Shifted(first, to));
    }

    /** Peers of a group, by their ranks among all. */
    private record Shifted(int first, Steps to) implements Steps
    {
        @Override
        public void send(final int peer, final int length)
        {
            to.send(first + peer, length);
        }

        @Override
        public void receive(final int peer)
        {
            to.receive(first + peer);
        }

        @Override
        public void waitSends()
        {
            to.waitSends();
        }

        @Override
        public void waitAll()
        {
            to.waitAll();
        }
    }
}
