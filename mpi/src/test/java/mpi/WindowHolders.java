// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.LongBuffer;
import mpi.programs.Checks;

/**
 * Locks of windows by messages, as without memory that others map. Argument: "holder", rank 1 ends with a lock for itself of the
 * part of rank 0, and shares that of rank 2; "freed", a rank frees its window while it has a lock. For three ranks.
 */
public final class WindowHolders
{
    private WindowHolders()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final String[] words = MPI.Init(arguments);
        final Intracomm world = MPI.COMM_WORLD;
        final LongBuffer part = MPI.newLongBuffer(1);
        final Win window = new Win(part, 1, 1, MPI.INFO_NULL, world);
        if ("freed".equals(words[0]))
        {
            free(world, window);
            Checks.complete();
            MPI.Finalize();
            return;
        }
        final int[] one = new int[1];
        if (world.getRank() == 1)
        {
            window.lock(MPI.LOCK_SHARED, 2, 0);
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            world.send(one, 1, MPI.INT, 2, 1);
            world.recv(one, 1, MPI.INT, 2, 1);
        }
        else if (world.getRank() == 2)
        {
            world.recv(one, 1, MPI.INT, 1, 1);
            world.send(one, 1, MPI.INT, 1, 1);
            Checks.fails(MPI.ERR_OTHER, () -> window.lock(MPI.LOCK_SHARED, 0, 0), "lock of a rank that is gone");
            window.lock(MPI.LOCK_EXCLUSIVE, 2, 0);
            window.unlock(2);
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            window.unlock(0);
            System.out.println("rank 2 has the lock");
            world.send(one, 1, MPI.INT, 0, 1);
            world.recv(one, 1, MPI.INT, 0, 1);
        }
        else
        {
            world.recv(one, 1, MPI.INT, 2, 1);
            world.send(one, 1, MPI.INT, 2, 1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void free(final Intracomm world, final Win window) throws Exception
    {
        window.lock(MPI.LOCK_SHARED, 0, 0);
        Checks.fails(MPI.ERR_RMA_SYNC, window::free, "a window with a lock");
        window.unlock(0);
        world.barrier();
        window.free();
    }
}
