// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/**
 * A reduction to rank 0, which then sends each rank its items, as Open MPI does where some ranks have none. These wait for
 * nothing: those of them that have no children in the tree go on to the next operation at once, however far the others are.
 *
 * @param processes that all take part.
 * @param length    of the vector in bytes.
 * @param rounds    operations.
 */
record ReduceScatter(int processes, int length, int rounds) implements Schedule
{
    /** A number of single precision, as in the benchmark. */
    private static final int ITEM_LENGTH = 4;

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        new HalvesTree(processes, length, 1, true).round(rank, 0, to);
        if (rank == 0)
        {
            for (int peer = 1; peer < processes; peer++)
            {
                if (items(peer) > 0)
                {
                    to.sendAndWait(peer, items(peer) * ITEM_LENGTH);
                }
            }
        }
        else if (items(rank) > 0)
        {
            to.receiveAndWait(0);
        }
    }

    /** Split evenly, the first ranks have one more. */
    private int items(final int rank)
    {
        final int all = length / ITEM_LENGTH;
        return all / processes + (rank < all % processes ? 1 : 0);
    }
}
