// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * How long runs take, in relation to each other: the packets that are simulated.
 */
final class Weight
{
    private static final int HEADER_LENGTH = 16;
    private static final int PACKET_LENGTH = 56;
    private static final double FIXED = 10_000;

    private Weight()
    {
    }

    static double of(final Cell cell)
    {
        final double iterations = cell.warmups() + cell.iterations();
        return FIXED + messages(cell) * iterations * ((HEADER_LENGTH + cell.length() + PACKET_LENGTH - 1) / PACKET_LENGTH);
    }

    private static double messages(final Cell cell)
    {
        final double n = cell.active();
        return switch (cell.pattern())
        {
            case ALLTOALL, ALLTOALL_IN_TURN, PAIRWISE, ALLGATHERV -> n * (n - 1);
            case SIMULTANEOUS, SIMULTANEOUS_IN_TURN -> cell.ranks() * (n - 1);
            case MULTI_PINGPONG, PINGPING, SENDRECV -> n;
            case EXCHANGE, BCAST, REDUCE, REDUCE_SCATTER -> 2 * n;
            case GATHER, SCATTER, SCATTERV, GATHERV -> n - 1;
            case ALLREDUCE, ALLGATHER, BARRIER -> n * (32 - Integer.numberOfLeadingZeros(cell.active() - 1));
            // three of all, two of a half, two of a quarter
            case PHASES -> cell.stay() * n * n * (3 + 2.0 / 4 + 2.0 / 16);
        };
    }
}
