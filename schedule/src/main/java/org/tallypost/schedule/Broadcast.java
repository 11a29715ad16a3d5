// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * A broadcast down a binomial tree, or a reduction up the same tree. A process has its children at the powers of two that are
 * greater than its own distance from the root. The root changes from round to round, as in the benchmarks.
 */
public final class Broadcast extends Collective
{
    private final boolean isUpwards;

    /**
     * Broadcasts or reductions one after the other.
     *
     * @param processes of the application, which all take part.
     * @param length    of each message.
     * @param rounds    operations.
     * @param isUpwards whether it is a reduction.
     */
    public Broadcast(final int processes, final int length, final int rounds, final boolean isUpwards)
    {
        super(processes, processes, length, rounds);
        this.isUpwards = isUpwards;
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        final int root = round % active();
        final int place = ringed(rank, -root);
        final int parent = ringed(place & ~Integer.highestOneBit(place), root);
        if (isUpwards)
        {
            children(place, root, to);
            to.waitAll();
        }
        if (place != 0)
        {
            if (isUpwards)
            {
                to.sendAndWait(parent, length());
            }
            else
            {
                to.receiveAndWait(parent);
            }
        }
        if (!isUpwards)
        {
            children(place, root, to);
            to.waitAll();
        }
    }

    private void children(final int place, final int root, final Steps to)
    {
        for (int bit = place == 0 ? 1 : Integer.highestOneBit(place) << 1; place + bit < active(); bit <<= 1)
        {
            final int child = ringed(place + bit, root);
            if (isUpwards)
            {
                to.receive(child);
            }
            else
            {
                to.send(child, length());
            }
        }
    }
}
