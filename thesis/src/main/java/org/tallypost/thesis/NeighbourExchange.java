// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/**
 * An allgather of an even number of processes: each exchanges its block with one neighbour, and then by turns with both the two
 * blocks that it got last, as Open MPI does where all blocks together are long.
 */
record NeighbourExchange(int processes, int rounds, int length) implements Schedule
{
    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        for (int step = 0; step < processes / 2; step++)
        {
            final int way = rank % 2 == step % 2 ? 1 : -1;
            final int peer = Math.floorMod(rank + way, processes);
            to.receive(peer);
            to.send(peer, step == 0 ? length : 2 * length);
            to.waitAll();
        }
    }
}
