// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import org.tallypost.schedule.Schedule;

/**
 * What the processes of a run do, round after round. Without state: asked twice, it answers the same.
 */
public interface Workload
{
    /**
     * Number of processes, those that do nothing included.
     *
     * @return their number.
     */
    int processes();

    /**
     * Number of rounds.
     *
     * @return at least 1.
     */
    int rounds();

    /**
     * What a process does in a round. Rounds follow one another without a barrier unless they contain one; a process without
     * operations goes on with the next round, and still retrieves what is sent to it, as a process waiting in a barrier does.
     *
     * @param rank  of the process.
     * @param round from 0.
     * @param to    empty; the operations are to be put in here.
     */
    void round(int rank, int round, Operations to);

    /**
     * A schedule as a workload.
     *
     * @param schedule of messages.
     * @return the workload that does what the schedule says.
     */
    static Workload of(final Schedule schedule)
    {
        return new ScheduledWorkload(schedule);
    }
}
