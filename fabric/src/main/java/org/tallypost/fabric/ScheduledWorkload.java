// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Objects;

import org.tallypost.schedule.Schedule;

/** A schedule as a workload: it sends and receives, and does nothing else. */
record ScheduledWorkload(Schedule schedule) implements Workload
{
    ScheduledWorkload
    {
        Objects.requireNonNull(schedule, "schedule");
    }

    @Override
    public int processes()
    {
        return schedule.processes();
    }

    @Override
    public int rounds()
    {
        return schedule.rounds();
    }

    @Override
    public void round(final int rank, final int round, final Operations to)
    {
        schedule.round(rank, round, to);
    }
}
