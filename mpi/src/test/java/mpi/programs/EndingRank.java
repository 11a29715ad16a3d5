// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import mpi.MPI;

/** Ends as its first argument says: alone, or at rank 1 of 2, while rank 0 waits for a message. */
public final class EndingRank
{
    private EndingRank()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final String[] words = MPI.Init(arguments);
        if ("alone".equals(words[0]))
        {
            final int[] found = new int[1];
            Checks.equal(1, MPI.COMM_WORLD.getSize(), "ranks");
            MPI.COMM_WORLD.sendRecv(new int[]{ 5 }, 1, MPI.INT, 0, 0, found, 1, MPI.INT, 0, 0);
            Checks.equal(5, found[0], "message to oneself");
            Checks.complete();
            MPI.Finalize();
            return;
        }
        if (MPI.COMM_WORLD.getRank() == 0)
        {
            MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 1, 0);
        }
        if ("Abort".equals(words[0]))
        {
            MPI.COMM_WORLD.Abort(8);
        }
        MPI.COMM_WORLD.recv(new int[1], 1, MPI.INT, 5, 0);
    }
}
