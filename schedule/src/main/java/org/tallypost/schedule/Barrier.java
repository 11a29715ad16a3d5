// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * A barrier by dissemination: in each step a process tells the one at twice the distance of the step before. Or a linear one: all
 * tell the first, which then tells all.
 */
public final class Barrier extends Collective
{
    private final boolean isLinear;

    /**
     * Barriers by dissemination, one after the other.
     *
     * @param processes of the application, which all take part.
     * @param rounds    barriers.
     */
    public Barrier(final int processes, final int rounds)
    {
        this(processes, rounds, false);
    }

    /**
     * Barriers one after the other.
     *
     * @param processes of the application, which all take part.
     * @param rounds    barriers.
     * @param isLinear  whether all tell the first, as without optimised collectives.
     */
    public Barrier(final int processes, final int rounds, final boolean isLinear)
    {
        super(processes, processes, 0, rounds);
        this.isLinear = isLinear;
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        if (isLinear)
        {
            takeLinear(rank, to);
            return;
        }
        for (int distance = 1; distance < active(); distance <<= 1)
        {
            to.receive(ringed(rank, -distance));
            to.send(ringed(rank, distance), length());
            to.waitAll();
        }
    }

    private void takeLinear(final int rank, final Steps to)
    {
        if (rank != 0)
        {
            to.sendAndWait(0, length());
            to.receiveAndWait(0);
            return;
        }
        for (int peer = 1; peer < active(); peer++)
        {
            to.receive(peer);
        }
        to.waitAll();
        for (int peer = 1; peer < active(); peer++)
        {
            to.send(peer, length());
        }
        to.waitAll();
    }
}
