// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import mpi.MPI;

/** Rank 1 of 2 is stopped for some seconds, with all its threads, while rank 0 waits for a message of it. */
public final class StoppedRank
{
    private StoppedRank()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        final int[] item = new int[1];
        if (MPI.COMM_WORLD.getRank() == 0)
        {
            MPI.COMM_WORLD.recv(item, 1, MPI.INT, 1, 0);
            Checks.equal(5, item[0], "message of the rank that was stopped");
            MPI.COMM_WORLD.send(item, 1, MPI.INT, 1, 0);
        }
        else
        {
            final String script = "kill -STOP $0; sleep 3; kill -CONT $0";
            final String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("sh", "-c", script, self).inheritIO().start().waitFor();
            item[0] = 5;
            MPI.COMM_WORLD.send(item, 1, MPI.INT, 0, 0);
            MPI.COMM_WORLD.recv(item, 1, MPI.INT, 0, 0);
        }
        Checks.complete();
        MPI.Finalize();
    }
}
