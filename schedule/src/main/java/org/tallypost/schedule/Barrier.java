// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * A barrier by dissemination: in each step a process tells the one at twice the distance of the step before.
 */
public final class Barrier extends Collective
{
    /**
     * Barriers one after the other.
     *
     * @param processes of the application, which all take part.
     * @param rounds    barriers.
     */
    public Barrier(final int processes, final int rounds)
    {
        super(processes, processes, 0, rounds);
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        for (int distance = 1; distance < active(); distance <<= 1)
        {
            to.receive(ringed(rank, -distance));
            to.send(ringed(rank, distance), length());
            to.waitAll();
        }
    }
}
