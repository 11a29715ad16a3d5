// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * Recursive doubling among a power of two of processes: in each step a process exchanges with the one that has a rank which
 * differs in one bit. Messages are of one length, as in an allreduce, or double, as in an allgather.
 */
public final class Doubling extends Collective
{
    private final boolean isGathering;

    /**
     * Steps one after the other.
     *
     * @param processes   of the application, which all take part: a power of two.
     * @param length      of the first message.
     * @param rounds      operations.
     * @param isGathering whether messages double.
     */
    public Doubling(final int processes, final int length, final int rounds, final boolean isGathering)
    {
        super(processes, processes, length, rounds);
        this.isGathering = isGathering;
        if (Integer.bitCount(processes) != 1)
        {
            throw new IllegalArgumentException("processes out of range: found=" + processes + ", expected a power of two");
        }
    }

    @Override
    void take(final int rank, final int round, final Steps to)
    {
        for (int bit = 1; bit < active(); bit <<= 1)
        {
            to.receive(rank ^ bit);
            to.send(rank ^ bit, isGathering ? bit * length() : length());
            to.waitAll();
        }
    }
}
