// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * A collective operation of the first so many processes, once in each round. The others have nothing to do, like a process
 * that waits in a barrier. Receives are posted before sends.
 */
public abstract class Collective implements Schedule
{
    private final int processes;
    private final int active;
    private final int length;
    private final int rounds;

    Collective(final int processes, final int active, final int length, final int rounds)
    {
        if (active < 1 || active > processes || length < 0 || rounds < 1)
        {
            throw new IllegalArgumentException("collective out of range: found active=" + active + " of " + processes +
                ", length=" + length + ", rounds=" + rounds);
        }
        this.processes = processes;
        this.active = active;
        this.length = length;
        this.rounds = rounds;
    }

    @Override
    public final int processes()
    {
        return processes;
    }

    @Override
    public final int rounds()
    {
        return rounds;
    }

    @Override
    public final void round(final int rank, final int round, final Steps to)
    {
        if (rank < active && active > 1)
        {
            take(rank, round, to);
        }
    }

    abstract void take(int rank, int round, Steps to);

    final int active()
    {
        return active;
    }

    final int length()
    {
        return length;
    }

    /** Rank at a distance, round the ring. */
    final int ringed(final int rank, final int distance)
    {
        return Math.floorMod(rank + distance, active);
    }
}
