// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.mpijava;

import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import org.tallypost.examples.Poisson;
import org.tallypost.examples.Rounds;
import org.tallypost.examples.Share;

/**
 * Solves Poisson's equation by conjugate gradients. A step takes a row of both neighbours, and two sums of all ranks. In the end
 * rank 0 puts the solution together. Arguments: size, steps, rounds.
 */
public final class ConjugateGradient
{
    private static final int TAG = 1;

    private final int rank = MPI.COMM_WORLD.Rank();
    private final int ranks = MPI.COMM_WORLD.Size();
    private final int size;
    private final Share rows;
    private final double[] sum = new double[1];

    private ConjugateGradient(final int size) throws MPIException
    {
        this.size = size;
        rows = Share.of(size, rank, ranks);
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
        final int size = Rounds.argument(words, 0, 32);
        final int steps = Rounds.argument(words, 1, 20);
        final int rounds = Rounds.argument(words, 2, 1);
        final ConjugateGradient gradient = new ConjugateGradient(size);
        double[] solution = null;
        for (int round = 0; round < rounds; round++)
        {
            MPI.COMM_WORLD.Barrier();
            final long startNs = System.nanoTime();
            solution = gradient.run(steps);
            MPI.COMM_WORLD.Barrier();
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

    private void exchange(final double[] direction) throws MPIException
    {
        final int last = rows.count() * size;
        Request above = null;
        Request below = null;
        if (rank > 0)
        {
            above = MPI.COMM_WORLD.Irecv(direction, 0, size, MPI.DOUBLE, rank - 1, TAG);
        }
        if (rank < ranks - 1)
        {
            below = MPI.COMM_WORLD.Irecv(direction, last + size, size, MPI.DOUBLE, rank + 1, TAG);
            MPI.COMM_WORLD.Send(direction, last, size, MPI.DOUBLE, rank + 1, TAG);
        }
        if (above != null)
        {
            MPI.COMM_WORLD.Send(direction, size, size, MPI.DOUBLE, rank - 1, TAG);
            above.Wait();
        }
        if (below != null)
        {
            below.Wait();
        }
    }

    private double sum(final double own) throws MPIException
    {
        final double[] in = { own };
        MPI.COMM_WORLD.Allreduce(in, 0, sum, 0, 1, MPI.DOUBLE, MPI.SUM);
        return sum[0];
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
        MPI.COMM_WORLD.Gatherv(solution, 0, solution.length, MPI.DOUBLE, all, 0, counts, starts, MPI.DOUBLE, 0);
        return all;
    }
}
