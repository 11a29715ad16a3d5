// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.Arrays;

/**
 * EM3D: nodes of an electric and a magnetic field on a graph with two sides. In each step the values of one side become sums over
 * those of the other side, two fifths of which are at other ranks and are read by requests.
 */
final class FieldModel extends LoggpProgram
{
    private static final int READ = 0;
    private static final int SIDES = 2;
    private static final int DEGREE = 5;
    private static final int STEPS = 2;
    private static final int FIFTHS = 5;
    private static final int FAR_FIFTHS = 2;
    private static final int EDGE_OPERATIONS = 10;

    private final int nodes;
    private final int[][] values = new int[SIDES][];
    private final int[] read;

    FieldModel(final LoggpRank rank, final int nodes)
    {
        super(rank);
        this.nodes = nodes;
        read = new int[nodes * DEGREE];
        rank.onRequest(READ, (source, edge, node) -> values[node / nodes][node % nodes], (edge, value) -> read[edge] = value);
        begin();
    }

    private void begin()
    {
        for (int side = 0; side < SIDES; side++)
        {
            values[side] = start(side, rank.rank());
        }
    }

    private int[] start(final int side, final int of)
    {
        final int[] first = new int[nodes];
        for (int i = 0; i < nodes; i++)
        {
            first[i] = chance(side, (long)of * nodes + i) & 0xFFFF;
        }
        return first;
    }

    /** The rank of a neighbour. */
    private int neighbourRank(final int side, final int of, final int edge)
    {
        final int chance = chance(10 + side, (long)of * nodes * DEGREE + edge);
        return rank.size() > 1 && chance % FIFTHS < FAR_FIFTHS ?
            (of + 1 + chance / FIFTHS % (rank.size() - 1)) % rank.size() : of;
    }

    private int neighbour(final int side, final int of, final int edge)
    {
        return chance(20 + side, (long)of * nodes * DEGREE + edge) % nodes;
    }

    @Override
    void run()
    {
        begin();
        barrier();
        for (int step = 0; step < STEPS * SIDES; step++)
        {
            final int side = step % SIDES;
            for (int edge = 0; edge < read.length; edge++)
            {
                final int of = neighbourRank(side, rank.rank(), edge);
                final int node = neighbour(side, rank.rank(), edge);
                rank.compute(EDGE_OPERATIONS);
                if (of == rank.rank())
                {
                    read[edge] = values[1 - side][node];
                }
                else
                {
                    rank.request(of, READ, edge, (1 - side) * nodes + node);
                }
            }
            rank.awaitAnswers();
            for (int node = 0; node < nodes; node++)
            {
                values[side][node] = combine(values[side][node], read, node);
            }
            rank.compute(read.length);
            barrier();
        }
    }

    private static int combine(final int own, final int[] neighbours, final int node)
    {
        int value = own;
        for (int i = 0; i < DEGREE; i++)
        {
            value = value * 31 + neighbours[node * DEGREE + i];
        }
        return value;
    }

    /** The whole graph at one place. */
    @Override
    boolean isRight()
    {
        final int[][][] all = new int[SIDES][rank.size()][];
        for (int side = 0; side < SIDES; side++)
        {
            for (int of = 0; of < rank.size(); of++)
            {
                all[side][of] = start(side, of);
            }
        }
        final int[] neighbours = new int[read.length];
        for (int step = 0; step < STEPS * SIDES; step++)
        {
            final int side = step % SIDES;
            for (int of = 0; of < rank.size(); of++)
            {
                for (int edge = 0; edge < neighbours.length; edge++)
                {
                    neighbours[edge] = all[1 - side][neighbourRank(side, of, edge)][neighbour(side, of, edge)];
                }
                for (int node = 0; node < nodes; node++)
                {
                    all[side][of][node] = combine(all[side][of][node], neighbours, node);
                }
            }
        }
        boolean isEqual = true;
        for (int side = 0; side < SIDES; side++)
        {
            isEqual &= Arrays.equals(all[side][rank.rank()], values[side]);
        }
        return sum(isEqual ? 0 : 1) == 0;
    }
}
