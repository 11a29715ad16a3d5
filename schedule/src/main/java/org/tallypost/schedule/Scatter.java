// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * A scatter down a binomial tree, or a gather up the same tree: each message has the data of a whole subtree, which is a
 * range of ranks. The root changes from round to round, as in the benchmarks.
 */
public final class Scatter extends Collective
{
    private final boolean isUpwards;

    /**
     * Scatters or gathers one after the other.
     *
     * @param processes of the application, which all take part.
     * @param length    of the data of each process.
     * @param rounds    operations.
     * @param isUpwards whether it is a gather.
     */
    public Scatter(final int processes, final int length, final int rounds, final boolean isUpwards)
    {
        super(processes, processes, length, rounds);
        this.isUpwards = isUpwards;
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        final int root = round % active();
        final int place = ringed(rank, -root);
        final int lowest = place == 0 ? Integer.highestOneBit(2 * active() - 1) : Integer.lowestOneBit(place);
        final int parent = ringed(place - lowest, root);
        if (isUpwards)
        {
            for (int bit = 1; bit < lowest && place + bit < active(); bit <<= 1)
            {
                to.receive(ringed(place + bit, root));
            }
            to.waitAll();
            if (place != 0)
            {
                to.sendAndWait(parent, subtree(place, lowest) * length());
            }
            return;
        }
        if (place != 0)
        {
            to.receiveAndWait(parent);
        }
        for (int bit = lowest >> 1; bit > 0; bit >>= 1)
        {
            if (place + bit < active())
            {
                to.send(ringed(place + bit, root), subtree(place + bit, bit) * length());
            }
        }
        to.waitAll();
    }

    private int subtree(final int place, final int lowest)
    {
        return Math.min(lowest, active() - place);
    }
}
