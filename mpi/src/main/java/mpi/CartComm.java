// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** Ranks in a grid, as Open MPI has them: the last coordinate counts fastest. */
public class CartComm extends Intracomm
{
    private final int[] dims;
    private final boolean[] periods;

    CartComm(final int[] dims, final boolean[] periods)
    {
        this.dims = dims.clone();
        this.periods = periods.clone();
    }

    /** Ranks in a grid. */
    static int sizeOf(final int[] dims, final boolean[] periods) throws MPIException
    {
        if (periods.length != dims.length)
        {
            throw new MPIException(MPI.ERR_ARG, "found " + dims.length + " dimensions and " + periods.length + " periods");
        }
        long size = 1;
        for (final int dim : dims)
        {
            if (dim < 1)
            {
                throw new MPIException(MPI.ERR_DIMS, "no such dimension: found=" + Arrays.toString(dims) +
                    ", expected at least 1");
            }
            size = Math.min(Integer.MAX_VALUE, size * dim);
        }
        return (int)size;
    }

    final int[] dims()
    {
        return dims;
    }

    final boolean[] periods()
    {
        return periods;
    }

    @Override
    public CartComm clone()
    {
        try
        {
            return dup();
        }
        catch (final MPIException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public CartComm dup() throws MPIException
    {
        return bindDuplicate(new CartComm(dims, periods), agreeOnContext());
    }

    @Override
    public final int getTopology() throws MPIException
    {
        check();
        return MPI.CART;
    }

    public final CartParms getTopo() throws MPIException
    {
        check();
        return new CartParms(dims.clone(), periods.clone(), getCoords(ownRank()));
    }

    public final int getRank(final int[] coords) throws MPIException
    {
        check();
        int rank = 0;
        for (int i = 0; i < dims.length; i++)
        {
            final int coord = periods[i] ? Math.floorMod(coords[i], dims[i]) : coords[i];
            if (coord < 0 || coord >= dims[i])
            {
                throw new MPIException(MPI.ERR_ARG, "no such coordinate: found=" + coord + " of dimension " + i +
                    ", expected=0 to " + (dims[i] - 1));
            }
            rank = rank * dims[i] + coord;
        }
        return rank;
    }

    public final int[] getCoords(final int rank) throws MPIException
    {
        dest(rank);
        final int[] coords = new int[dims.length];
        int left = rank;
        for (int i = dims.length - 1; i >= 0; i--)
        {
            coords[i] = left % dims[i];
            left /= dims[i];
        }
        return coords;
    }

    /** The ranks from which and to which data move by so many steps; PROC_NULL beyond an end. */
    public final ShiftParms shift(final int direction, final int steps) throws MPIException
    {
        if (direction < 0 || direction >= dims.length)
        {
            throw new MPIException(MPI.ERR_ARG, "no such direction: found=" + direction + ", expected=0 to " + (dims.length - 1));
        }
        return new ShiftParms(moved(direction, -steps), moved(direction, steps));
    }

    private int moved(final int direction, final int steps) throws MPIException
    {
        final int[] coords = getCoords(ownRank());
        final long to = (long)coords[direction] + steps;
        if (!periods[direction] && (to < 0 || to >= dims[direction]))
        {
            return MPI.PROC_NULL;
        }
        coords[direction] = (int)Math.floorMod(to, (long)dims[direction]);
        return getRank(coords);
    }

    /** Makes grids of the dimensions that remain. */
    public CartComm sub(final boolean[] remains) throws MPIException
    {
        return bindSub(new CartComm(remainingDims(remains), remainingPeriods(remains)), remains);
    }

    final int[] remainingDims(final boolean[] remains) throws MPIException
    {
        if (remains.length != dims.length)
        {
            throw new MPIException(MPI.ERR_ARG, "found=" + remains.length + " flags, expected=" + dims.length);
        }
        final int[] kept = new int[dims.length];
        int count = 0;
        for (int i = 0; i < dims.length; i++)
        {
            kept[count] = dims[i];
            count += remains[i] ? 1 : 0;
        }
        return Arrays.copyOf(kept, count);
    }

    final boolean[] remainingPeriods(final boolean[] remains)
    {
        final boolean[] kept = new boolean[dims.length];
        int count = 0;
        for (int i = 0; i < dims.length; i++)
        {
            kept[count] = periods[i];
            count += remains[i] ? 1 : 0;
        }
        return Arrays.copyOf(kept, count);
    }

    final <T extends CartComm> T bindSub(final T made, final boolean[] remains) throws MPIException
    {
        final int[] coords = getCoords(ownRank());
        int color = 0;
        for (int i = 0; i < dims.length; i++)
        {
            color = remains[i] ? color : color * dims[i] + coords[i];
        }
        made.bindAs(split(color, ownRank()));
        return made;
    }

    /** The rank that a process would have in a grid; UNDEFINED if none. */
    public final int map(final int[] ofDims, final boolean[] ofPeriods) throws MPIException
    {
        check();
        return ownRank() < sizeOf(ofDims, ofPeriods) ? ownRank() : MPI.UNDEFINED;
    }

    /** Sets dimensions that are 0, so that the grid has so many ranks and is as even as can be. */
    public static void createDims(final int ranks, final int[] dims) throws MPIException
    {
        long fixed = 1;
        int free = 0;
        for (final int dim : dims)
        {
            fixed *= Math.max(1, dim);
            free += dim == 0 ? 1 : 0;
        }
        if (ranks < 1 || Arrays.stream(dims).anyMatch((dim) -> dim < 0) || ranks % fixed != 0 || free == 0 && fixed != ranks)
        {
            throw new MPIException(MPI.ERR_DIMS, "no grid of " + ranks + " ranks with " + Arrays.toString(dims));
        }
        final int[] found = new int[free];
        Arrays.fill(found, 1);
        int left = (int)(ranks / fixed);
        for (int factor = largestFactor(left); free > 0 && left > 1; factor = largestFactor(left))
        {
            Arrays.sort(found);
            found[0] *= factor;
            left /= factor;
        }
        Arrays.sort(found);
        for (int i = 0; i < dims.length; i++)
        {
            dims[i] = dims[i] == 0 ? found[--free] : dims[i];
        }
    }

    private static int largestFactor(final int of)
    {
        int largest = 1;
        int left = of;
        for (int factor = 2; (long)factor * factor <= left; factor++)
        {
            while (left % factor == 0)
            {
                largest = factor;
                left /= factor;
            }
        }
        return Math.max(largest, left);
    }
}
