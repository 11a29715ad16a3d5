// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/**
 * A broadcast or a reduction over a binary tree in two halves of a message, as Open MPI does them with 2 KB and many processes.
 * Down the tree one half goes over each of the root's two branches, and ranks of the two then exchange what they have. Up the
 * tree both halves go one after the other. The root changes from round to round, as in the benchmarks.
 *
 * @param processes that all take part.
 * @param length    of a message in bytes.
 * @param rounds    operations.
 * @param isUpwards whether it is a reduction.
 */
record HalvesTree(int processes, int length, int rounds, boolean isUpwards) implements Schedule
{
    private static final int HALVES = 2;

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        final int root = round % processes;
        final int place = Math.floorMod(rank - root, processes);
        if (isUpwards)
        {
            for (int half = 0; half < HALVES; half++)
            {
                reduce(place, root, to);
            }
        }
        else
        {
            broadcast(place, root, to);
        }
    }

    private void reduce(final int place, final int root, final Steps to)
    {
        final int step = step(place);
        for (int child = place + step; child <= place + 2 * step && child < processes; child += step)
        {
            to.receive(rank(child, root));
        }
        to.waitAll();
        if (place != 0)
        {
            to.sendAndWait(rank(parent(place), root), length / HALVES);
        }
    }

    private void broadcast(final int place, final int root, final Steps to)
    {
        if (place != 0)
        {
            to.receiveAndWait(rank(parent(place), root));
        }
        final int step = step(place);
        for (int child = place + step; child <= place + 2 * step && child < processes; child += step)
        {
            to.send(rank(child, root), length / HALVES);
        }
        to.waitSends();
        // odd places are in one branch, even ones in the other; with an even number the last one has only the root left
        final boolean isLastAlone = processes % 2 == 0;
        if (place == 0 && isLastAlone)
        {
            to.sendAndWait(rank(processes - 1, root), length / HALVES);
        }
        else if (place == processes - 1 && isLastAlone)
        {
            to.receiveAndWait(root);
        }
        else if (place != 0)
        {
            final int other = rank(place % 2 == 1 ? place + 1 : place - 1, root);
            to.receive(other);
            to.send(other, length / HALVES);
            to.waitAll();
        }
    }

    private int rank(final int place, final int root)
    {
        return (place + root) % processes;
    }

    /** Places of a level of the tree: children are once and twice as far on. */
    private static int step(final int place)
    {
        return Integer.highestOneBit(place + 1);
    }

    private static int parent(final int place)
    {
        final int step = step(place);
        return place - step / 2 <= step - 2 ? place - step / 2 : place - step;
    }
}
