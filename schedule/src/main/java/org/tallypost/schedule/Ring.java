// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * Every process sends to its right neighbour, or to both.
 */
public final class Ring extends Collective
{
    private final boolean isBothWays;

    /**
     * Turns of the ring.
     *
     * @param processes  of the application, which all take part.
     * @param length     of each message.
     * @param rounds     turns.
     * @param isBothWays whether the left neighbour gets one too.
     */
    public Ring(final int processes, final int length, final int rounds, final boolean isBothWays)
    {
        super(processes, processes, length, rounds);
        this.isBothWays = isBothWays;
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        to.receive(ringed(rank, -1));
        if (isBothWays)
        {
            to.receive(ringed(rank, 1));
        }
        to.send(ringed(rank, 1), length());
        if (isBothWays)
        {
            to.send(ringed(rank, -1), length());
        }
        to.waitAll();
    }
}
