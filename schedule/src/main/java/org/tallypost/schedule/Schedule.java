// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * Which messages the processes of an application send each other, round after round. Without state: asked twice, it answers the
 * same.
 */
public interface Schedule
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
     * The steps of a process in a round. Rounds follow one another without a barrier unless they contain one.
     *
     * @param rank  of the process.
     * @param round from 0.
     * @param to    is told the steps, in their order.
     */
    void round(int rank, int round, Steps to);

    /**
     * Several schedules, one after the other, without a barrier between them.
     *
     * @param parts at least one, all with as many processes.
     * @return the sequence; its rounds are all their rounds.
     */
    static Schedule sequence(final Schedule... parts)
    {
        return new ScheduleSequence(parts);
    }
}
