// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.openmpi;

import java.nio.DoubleBuffer;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.tallypost.examples.Poisson;
import org.tallypost.examples.Rounds;
import org.tallypost.examples.Share;

/**
 * The same as the program of mpiJava, with direct buffers for the halo, sums in place, and requests that are waited for together.
 * Arguments: size, steps, rounds.
 */
public final class ConjugateGradient
{
    private static final int TAG = 1;

    private final int rank = MPI.COMM_WORLD.getRank();
    private final int ranks = MPI.COMM_WORLD.getSize();
    private final int size;
    private final Share rows;
    private final DoubleBuffer sum = MPI.newDoubleBuffer(1);
    private final DoubleBuffer toAbove;
    private final DoubleBuffer toBelow;
    private final DoubleBuffer fromAbove;
    private final DoubleBuffer fromBelow;

    private ConjugateGradient(final int size) throws MPIException
    {
        this.size = size;
        rows = Share.of(size, rank, ranks);
        toAbove = MPI.newDoubleBuffer(size);
        toBelow = MPI.newDoubleBuffer(size);
        fromAbove = MPI.newDoubleBuffer(size);
        fromBelow = MPI.newDoubleBuffer(size);
    }

    /**
     * Runs as one rank.
     *
     * @param arguments of the program.
     * @throws MPIException if a call fails.
     */
    public static void main(final String[] arguments) throws MPIException
    {
        final String[] words = MPI.Init(arguments);
        final int size = Rounds.argument(words, 0, 32);
        final int steps = Rounds.argument(words, 1, 20);
        final int rounds = Rounds.argument(words, 2, 1);
        final ConjugateGradient gradient = new ConjugateGradient(size);
        double[] solution = null;
        for (int round = 0; round < rounds; round++)
        {
            MPI.COMM_WORLD.barrier();
            final long startNs = System.nanoTime();
            solution = gradient.run(steps);
            MPI.COMM_WORLD.barrier();
            if (gradient.rank == 0)
            {
                Rounds.print(startNs);
            }
        }
        final double[] all = gradient.collect(solution);
        if (gradient.rank == 0)
        {
            Rounds.finish("cg", Poisson.isEqual(all, Poisson.alone(size, steps)));
        }
        MPI.Finalize();
    }

    private double[] run(final int steps) throws MPIException
    {
        final double[] residual = Poisson.side(size, rows);
        final double[] solution = new double[residual.length];
        final double[] direction = new double[residual.length + 2 * size];
        System.arraycopy(residual, 0, direction, size, residual.length);
        final double[] product = new double[residual.length];
        double square = sum(Poisson.dot(residual, residual, 0));
        for (int step = 0; step < steps; step++)
        {
            exchange(direction);
            Poisson.multiply(direction, product, size);
            final double length = square / sum(Poisson.dot(product, direction, size));
            Poisson.add(solution, length, direction, size);
            Poisson.add(residual, -length, product, 0);
            final double next = sum(Poisson.dot(residual, residual, 0));
            Poisson.turn(direction, next / square, residual, size);
            square = next;
        }
        return solution;
    }

    /** The edges are null processes: nothing comes from there, and the halo stays 0. */
    private void exchange(final double[] direction) throws MPIException
    {
        final int above = rank == 0 ? MPI.PROC_NULL : rank - 1;
        final int below = rank == ranks - 1 ? MPI.PROC_NULL : rank + 1;
        final int last = rows.count() * size;
        toAbove.put(0, direction, size, size);
        toBelow.put(0, direction, last, size);
        Request.waitAll(new Request[] {
            MPI.COMM_WORLD.iRecv(fromAbove, size, MPI.DOUBLE, above, TAG),
            MPI.COMM_WORLD.iRecv(fromBelow, size, MPI.DOUBLE, below, TAG),
            MPI.COMM_WORLD.iSend(toAbove, size, MPI.DOUBLE, above, TAG),
            MPI.COMM_WORLD.iSend(toBelow, size, MPI.DOUBLE, below, TAG) });
        fromAbove.get(0, direction, 0, size);
        fromBelow.get(0, direction, last + size, size);
    }

    private double sum(final double own) throws MPIException
    {
        sum.put(0, own);
        MPI.COMM_WORLD.allReduce(sum, 1, MPI.DOUBLE, MPI.SUM);
        return sum.get(0);
    }

    /** The whole solution at rank 0. */
    private double[] collect(final double[] solution) throws MPIException
    {
        final int[] counts = new int[ranks];
        final int[] starts = new int[ranks];
        for (int i = 0; i < ranks; i++)
        {
            counts[i] = Share.of(size, i, ranks).count() * size;
            starts[i] = Share.of(size, i, ranks).first() * size;
        }
        final double[] all = new double[rank == 0 ? size * size : 0];
        MPI.COMM_WORLD.gatherv(solution, solution.length, MPI.DOUBLE, all, counts, starts, MPI.DOUBLE, 0);
        return all;
    }
}
