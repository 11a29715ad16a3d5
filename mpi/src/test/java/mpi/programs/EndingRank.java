// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import mpi.MPI;

/** Ends as its first argument says, at rank 1 of 2, while rank 0 waits for a message. */
public final class EndingRank
{
    private EndingRank()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final String[] words = MPI.Init(arguments);
        if (MPI.COMM_WORLD.getRank() == 0)
        {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
        }
        if ("abort".equals(words[0]))
        {
            MPI.COMM_WORLD.abort(7);
        }
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 5, 0);
    }
}
