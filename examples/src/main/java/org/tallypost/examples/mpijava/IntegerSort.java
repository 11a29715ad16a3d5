// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.mpijava;

import java.util.Arrays;
import mpi.MPI;
import mpi.MPIException;
import org.tallypost.examples.Keys;
import org.tallypost.examples.Rounds;
import org.tallypost.examples.Share;

/**
 * Sorts integers that all ranks have a share of. A rank sends the keys of each range to the rank that has it, and sorts what it
 * gets. In the end rank 0 puts the ranges together. Arguments: keys, rounds.
 */
public final class IntegerSort
{
    private final int[] keys;
    private final int[] distributed;
    private final int[] sendCounts;
    private final int[] receiveCounts;
    private int[] own = new int[0];
    private int[] spare = new int[0];
    private int count;

    private IntegerSort(final int all) throws MPIException
    {
        final int ranks = MPI.COMM_WORLD.Size();
        keys = Keys.make(Share.of(all, MPI.COMM_WORLD.Rank(), ranks));
        distributed = new int[keys.length];
        sendCounts = new int[ranks];
        receiveCounts = new int[ranks];
    }

    /**
     * Runs as one rank.
     *
     * @param arguments of the launcher, if it has some, and of the program.
     * @throws MPIException if a call fails.
     */
    public static void main(final String[] arguments) throws MPIException
    {
        final String[] words = MPI.Init(arguments);
        final int all = Rounds.argument(words, 0, 10_000);
        final int rounds = Rounds.argument(words, 1, 1);
        final IntegerSort sort = new IntegerSort(all);
        for (int round = 0; round < rounds; round++)
        {
            MPI.COMM_WORLD.Barrier();
            final long startNs = System.nanoTime();
            sort.run();
            MPI.COMM_WORLD.Barrier();
            if (MPI.COMM_WORLD.Rank() == 0)
            {
                Rounds.print(startNs);
            }
        }
        final int[] sorted = sort.collect(all);
        if (MPI.COMM_WORLD.Rank() == 0)
        {
            final int[] alone = Keys.make(new Share(0, all));
            Arrays.sort(alone);
            Rounds.finish("sort", Arrays.equals(alone, sorted));
        }
        MPI.Finalize();
    }

    private void run() throws MPIException
    {
        Keys.distribute(keys, distributed, sendCounts);
        MPI.COMM_WORLD.Alltoall(sendCounts, 0, 1, MPI.INT, receiveCounts, 0, 1, MPI.INT);
        count = Arrays.stream(receiveCounts).sum();
        if (own.length < count)
        {
            own = new int[count];
            spare = new int[count];
        }
        MPI.COMM_WORLD.Alltoallv(distributed, 0, sendCounts, Keys.starts(sendCounts), MPI.INT, own, 0, receiveCounts,
            Keys.starts(receiveCounts), MPI.INT);
        Keys.sort(own, spare, count);
    }

    /** All keys at rank 0. */
    private int[] collect(final int all) throws MPIException
    {
        final int[] counts = new int[MPI.COMM_WORLD.Size()];
        MPI.COMM_WORLD.Gather(new int[] { count }, 0, 1, MPI.INT, counts, 0, 1, MPI.INT, 0);
        final boolean isRoot = MPI.COMM_WORLD.Rank() == 0;
        if (isRoot && Arrays.stream(counts).sum() != all)
        {
            return new int[0];
        }
        final int[] sorted = new int[isRoot ? all : 0];
        MPI.COMM_WORLD.Gatherv(own, 0, count, MPI.INT, sorted, 0, counts, Keys.starts(counts), MPI.INT, 0);
        return sorted;
    }
}
