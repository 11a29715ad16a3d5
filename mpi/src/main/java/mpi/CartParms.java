// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A grid, and the place of this rank in it. */
public final class CartParms
{
    /** Ranks along each dimension. */
    public final int[] dims;
    /** Which dimensions are rings. */
    public final boolean[] periods;
    /** Coordinates of this rank. */
    public final int[] coords;

    CartParms(final int[] dims, final boolean[] periods, final int[] coords)
    {
        this.dims = dims;
        this.periods = periods;
        this.coords = coords;
    }

    public int getDimCount()
    {
        return dims.length;
    }

    public int getDim(final int i)
    {
        return dims[i];
    }

    public boolean getPeriod(final int i)
    {
        return periods[i];
    }

    public int getCoord(final int i)
    {
        return coords[i];
    }
}
