// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import org.tallypost.schedule.Barrier;
import org.tallypost.schedule.Schedule;
import org.tallypost.schedule.Steps;

/** Operations with a barrier of those that take part after each: two rounds for one operation. */
record BarriersBetween(Schedule operations, int active) implements Schedule
{
    /** Rounds of an operation and its barrier. */
    private static final int ROUNDS = 2;

    @Override
    public int processes()
    {
        return operations.processes();
    }

    @Override
    public int rounds()
    {
        return ROUNDS * operations.rounds();
    }

    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        if (round % ROUNDS == 0)
        {
            operations.round(rank, round / ROUNDS, to);
        }
        else
        {
            new Barrier(active, 1).round(rank, 0, to);
        }
    }
}
