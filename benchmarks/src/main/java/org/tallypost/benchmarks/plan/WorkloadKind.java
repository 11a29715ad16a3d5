// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The communication patterns that can be measured, and which process drives which rank in them.
 */
public enum WorkloadKind
{
    /**
     * Every active rank sends one message to every other active rank, then receives one from each (thesis, section 5.3).
     */
    ALLTOALL("alltoall"),

    /**
     * Two ranks in two processes, a message and its answer.
     */
    PINGPONG("pingpong"),

    /**
     * Ranks i and i + ranks / 2 exchange a message and its answer, all pairs at once (thesis, section 5.3).
     */
    MULTIPINGPONG("multipingpong"),

    /**
     * All active ranks but rank 0 send to rank 0 as fast as they can.
     */
    RATE("rate");

    private final String label;

    WorkloadKind(final String label)
    {
        this.label = label;
    }

    /**
     * The name on the command line and in reports.
     *
     * @return the name in lower case.
     */
    @JsonValue
    public String label()
    {
        return label;
    }

    /**
     * The process that drives a rank. Ranks that talk to each other are in different processes wherever the pattern has
     * pairs or a single receiver; in alltoall the active ranks, which are the lowest, are spread evenly.
     *
     * @param rank      of the endpoint.
     * @param ranks     in the group.
     * @param processes in the run.
     * @return index of the process, from 0.
     */
    public int processOf(final int rank, final int ranks, final int processes)
    {
        return switch (this)
        {
            case ALLTOALL -> rank % processes;
            case PINGPONG, MULTIPINGPONG -> (int)((long)rank * processes / ranks);
            case RATE -> rank == 0 || processes == 1 ? 0 : 1 + (rank - 1) % (processes - 1);
        };
    }

    /**
     * Is a message answered, so that a unit of the measurement is a round trip?
     *
     * @return true for the two ping-pongs.
     */
    public boolean hasRoundTrips()
    {
        return this == PINGPONG || this == MULTIPINGPONG;
    }
}
