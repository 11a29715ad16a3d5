// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

import java.util.Arrays;

/**
 * Heat in a square plate, one of its edges hot. A step gives each cell the mean of its four neighbours. A cell's number depends
 * on no order, so all runs come to the same bits.
 */
public final class Heat
{
    private static final double QUARTER = 0.25;

    private Heat()
    {
    }

    /**
     * A block of the plate with one line of halo around it. The hot edge is the first row of the plate.
     *
     * @param rows  of the block, without halo.
     * @param width of a row with its halo.
     * @param isTop whether the block is at the hot edge.
     * @return its cells, row by row.
     */
    public static double[] block(final int rows, final int width, final boolean isTop)
    {
        final double[] cells = new double[(rows + 2) * width];
        if (isTop)
        {
            Arrays.fill(cells, 0, width, 1);
        }
        return cells;
    }

    /**
     * Does one step.
     *
     * @param from  cells of a block with halo.
     * @param to    cells after the step; the halo is left as it is.
     * @param rows  of the block, without halo.
     * @param width of a row with its halo.
     */
    public static void step(final double[] from, final double[] to, final int rows, final int width)
    {
        for (int row = 1; row <= rows; row++)
        {
            final int end = (row + 1) * width - 1;
            for (int i = row * width + 1; i < end; i++)
            {
                to[i] = QUARTER * (from[i - width] + from[i + width] + (from[i - 1] + from[i + 1]));
            }
        }
    }

    /**
     * The whole plate on one process.
     *
     * @param size  rows and columns of the plate.
     * @param steps to be done.
     * @return its cells with halo.
     */
    public static double[] alone(final int size, final int steps)
    {
        double[] from = block(size, size + 2, true);
        double[] to = from.clone();
        for (int step = 0; step < steps; step++)
        {
            step(from, to, size, size + 2);
            final double[] next = to;
            to = from;
            from = next;
        }
        return from;
    }
}
