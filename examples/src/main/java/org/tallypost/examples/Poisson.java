// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

/**
 * Poisson's equation on a square grid, as a matrix that is never stored. A rank has rows of the grid, and a row of halo above
 * and below, which are 0 at the edge. Vectors that have no halo begin with the first row.
 */
public final class Poisson
{
    private static final double TOLERANCE = 1e-8;
    private static final int NEIGHBOURS = 4;

    private Poisson()
    {
    }

    /**
     * The right side of the equation.
     *
     * @param size rows and columns of the grid.
     * @param rows of a rank.
     * @return a vector without halo.
     */
    public static double[] side(final int size, final Share rows)
    {
        final double[] side = new double[rows.count() * size];
        for (int i = 0; i < side.length; i++)
        {
            final long place = (long)rows.first() * size + i;
            side[i] = 1 + place % 7 - place % 11 / 4.0;
        }
        return side;
    }

    /**
     * Multiplies by the matrix.
     *
     * @param halo   a row, the vector, and a row.
     * @param out    product, without halo.
     * @param size   columns of the grid.
     */
    public static void multiply(final double[] halo, final double[] out, final int size)
    {
        for (int row = 0; row < out.length; row += size)
        {
            for (int column = 0; column < size; column++)
            {
                final int i = row + column;
                final int own = i + size;
                final double left = column == 0 ? 0 : halo[own - 1];
                final double right = column == size - 1 ? 0 : halo[own + 1];
                out[i] = NEIGHBOURS * halo[own] - (halo[i] + halo[own + size] + (left + right));
            }
        }
    }

    /**
     * The sum of products.
     *
     * @param left   a vector without halo.
     * @param right  another.
     * @param offset of the second.
     * @return the sum.
     */
    public static double dot(final double[] left, final double[] right, final int offset)
    {
        double sum = 0;
        for (int i = 0; i < left.length; i++)
        {
            sum += left[i] * right[offset + i];
        }
        return sum;
    }

    /**
     * Adds a multiple.
     *
     * @param to     a vector without halo.
     * @param factor of the other.
     * @param from   the other.
     * @param offset of the other.
     */
    public static void add(final double[] to, final double factor, final double[] from, final int offset)
    {
        for (int i = 0; i < to.length; i++)
        {
            to[i] += factor * from[offset + i];
        }
    }

    /**
     * The next direction of the search.
     *
     * @param direction with halo.
     * @param factor    of the old one.
     * @param residual  without halo.
     * @param offset    of the direction behind the halo.
     */
    public static void turn(final double[] direction, final double factor, final double[] residual, final int offset)
    {
        for (int i = 0; i < residual.length; i++)
        {
            direction[offset + i] = residual[i] + factor * direction[offset + i];
        }
    }

    /**
     * The solution on one process.
     *
     * @param size  rows and columns of the grid.
     * @param steps of the method.
     * @return the solution.
     */
    public static double[] alone(final int size, final int steps)
    {
        final double[] residual = side(size, new Share(0, size));
        final double[] solution = new double[residual.length];
        final double[] direction = new double[residual.length + 2 * size];
        System.arraycopy(residual, 0, direction, size, residual.length);
        final double[] product = new double[residual.length];
        double square = dot(residual, residual, 0);
        for (int step = 0; step < steps; step++)
        {
            multiply(direction, product, size);
            final double length = square / dot(product, direction, size);
            add(solution, length, direction, size);
            add(residual, -length, product, 0);
            final double next = dot(residual, residual, 0);
            turn(direction, next / square, residual, size);
            square = next;
        }
        return solution;
    }

    /**
     * Whether two solutions are the same but for the order of sums.
     *
     * @param found    one of them.
     * @param expected the other.
     * @return whether they are.
     */
    public static boolean isEqual(final double[] found, final double[] expected)
    {
        double most = 0;
        double difference = 0;
        for (int i = 0; i < expected.length; i++)
        {
            most = Math.max(most, Math.abs(expected[i]));
            difference = Math.max(difference, Math.abs(found[i] - expected[i]));
        }
        // a difference that is not a number is too large
        return found.length == expected.length && most > 0 && difference <= TOLERANCE * most;
    }
}
