// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.mpijava;

import mpi.Cartcomm;
import mpi.Datatype;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.ShiftParms;
import org.tallypost.examples.Heat;
import org.tallypost.examples.Rounds;
import org.tallypost.examples.Share;

/**
 * The heat stencil on a grid of ranks. Before each step a block gets the outermost cells of its four neighbours; columns go by a
 * type of their own. In the end rank 0 puts the blocks together. Arguments: size, steps, rounds.
 */
public final class HeatStencil
{
    private static final int DIMENSIONS = 2;
    private static final int TAG = 1;

    private final Cartcomm grid;
    private final int size;
    private final Share rows;
    private final Share columns;
    private final int width;
    private final Datatype column;
    private final ShiftParms vertical;
    private final ShiftParms horizontal;
    private final Request[] requests = new Request[2 * 2 * DIMENSIONS];
    private int started;

    private HeatStencil(final int size) throws MPIException
    {
        this.size = size;
        final int[] dimensions = new int[DIMENSIONS];
        // some libraries leave 1 by 4 for 4 ranks
        for (int lines = 1; lines * lines <= MPI.COMM_WORLD.Size(); lines++)
        {
            if (MPI.COMM_WORLD.Size() % lines == 0)
            {
                dimensions[0] = MPI.COMM_WORLD.Size() / lines;
                dimensions[1] = lines;
            }
        }
        grid = MPI.COMM_WORLD.Create_cart(dimensions, new boolean[DIMENSIONS], false);
        final int[] own = grid.Coords(grid.Rank());
        rows = Share.of(size, own[0], dimensions[0]);
        columns = Share.of(size, own[1], dimensions[1]);
        width = columns.count() + 2;
        column = Datatype.Vector(rows.count(), 1, width, MPI.DOUBLE);
        column.Commit();
        vertical = grid.Shift(0, 1);
        horizontal = grid.Shift(1, 1);
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
        final int size = Rounds.argument(words, 0, 64);
        final int steps = Rounds.argument(words, 1, 50);
        final int rounds = Rounds.argument(words, 2, 1);
        final HeatStencil stencil = new HeatStencil(size);
        double[] cells = null;
        for (int round = 0; round < rounds; round++)
        {
            MPI.COMM_WORLD.Barrier();
            final long startNs = System.nanoTime();
            cells = stencil.run(steps);
            MPI.COMM_WORLD.Barrier();
            if (MPI.COMM_WORLD.Rank() == 0)
            {
                Rounds.print(startNs);
            }
        }
        final double[] plate = stencil.collect(cells);
        if (MPI.COMM_WORLD.Rank() == 0)
        {
            Rounds.finish("heat", stencil.isEqual(plate, Heat.alone(size, steps)));
        }
        MPI.Finalize();
    }

    private double[] run(final int steps) throws MPIException
    {
        double[] from = Heat.block(rows.count(), width, rows.first() == 0);
        double[] to = from.clone();
        for (int step = 0; step < steps; step++)
        {
            exchange(from);
            Heat.step(from, to, rows.count(), width);
            final double[] next = to;
            to = from;
            from = next;
        }
        return from;
    }

    private void exchange(final double[] cells) throws MPIException
    {
        final int count = columns.count();
        final int last = rows.count() * width;
        started = 0;
        receive(cells, 1, count, MPI.DOUBLE, vertical.rank_source);
        receive(cells, last + width + 1, count, MPI.DOUBLE, vertical.rank_dest);
        receive(cells, width, 1, column, horizontal.rank_source);
        receive(cells, 2 * width - 1, 1, column, horizontal.rank_dest);
        send(cells, width + 1, count, MPI.DOUBLE, vertical.rank_source);
        send(cells, last + 1, count, MPI.DOUBLE, vertical.rank_dest);
        send(cells, width + 1, 1, column, horizontal.rank_source);
        send(cells, 2 * width - 2, 1, column, horizontal.rank_dest);
        for (int i = 0; i < started; i++)
        {
            requests[i].Wait();
        }
    }

    /** At an edge of the plate there is no neighbour. Not every library takes the null process here. */
    private void receive(final double[] cells, final int offset, final int count, final Datatype type, final int neighbour)
        throws MPIException
    {
        if (neighbour >= 0)
        {
            requests[started++] = grid.Irecv(cells, offset, count, type, neighbour, TAG);
        }
    }

    private void send(final double[] cells, final int offset, final int count, final Datatype type, final int neighbour)
        throws MPIException
    {
        if (neighbour >= 0)
        {
            requests[started++] = grid.Isend(cells, offset, count, type, neighbour, TAG);
        }
    }

    /** The plate without halo at rank 0. */
    private double[] collect(final double[] cells) throws MPIException
    {
        final int[] place = { rows.first(), rows.count(), columns.first(), columns.count() };
        final int ranks = grid.Size();
        final int[] places = new int[place.length * ranks];
        grid.Gather(place, 0, place.length, MPI.INT, places, 0, place.length, MPI.INT, 0);
        final Datatype inner = Datatype.Vector(rows.count(), columns.count(), width, MPI.DOUBLE);
        inner.Commit();
        final Request sent = grid.Isend(cells, width + 1, 1, inner, 0, TAG);
        final double[] plate = new double[grid.Rank() == 0 ? size * size : 0];
        for (int rank = 0; rank < ranks && grid.Rank() == 0; rank++)
        {
            final int at = rank * place.length;
            final Datatype outer = Datatype.Vector(places[at + 1], places[at + 3], size, MPI.DOUBLE);
            outer.Commit();
            grid.Recv(plate, places[at] * size + places[at + 2], 1, outer, rank, TAG);
        }
        sent.Wait();
        return plate;
    }

    private boolean isEqual(final double[] plate, final double[] alone)
    {
        for (int row = 0; row < size; row++)
        {
            for (int i = 0; i < size; i++)
            {
                if (plate[row * size + i] != alone[(row + 1) * (size + 2) + i + 1])
                {
                    return false;
                }
            }
        }
        return true;
    }
}
