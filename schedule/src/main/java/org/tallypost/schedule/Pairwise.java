// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * An alltoall in steps: in each, a process sends to one and receives from one, at a distance that grows.
 */
public final class Pairwise extends Collective
{
    /**
     * Alltoalls one after the other.
     *
     * @param processes of the application.
     * @param active    those that take part.
     * @param length    of each message.
     * @param rounds    alltoalls.
     */
    public Pairwise(final int processes, final int active, final int length, final int rounds)
    {
        super(processes, active, length, rounds);
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        for (int distance = 1; distance < active(); distance++)
        {
            to.receive(ringed(rank, -distance));
            to.send(ringed(rank, distance), length());
            to.waitAll();
        }
    }
}
