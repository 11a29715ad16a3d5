// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Ranks in a grid, as mpiJava has them. */
public final class Cartcomm extends CartComm
{
    Cartcomm(final int[] dims, final boolean[] periods)
    {
        super(dims, periods);
    }

    @Override
    public Cartcomm dup() throws MPIException
    {
        return bindDuplicate(new Cartcomm(dims(), periods()), agreeOnContext());
    }

    @Override
    public Cartcomm clone()
    {
        return (Cartcomm)super.clone();
    }

    public CartParms Get() throws MPIException
    {
        return getTopo();
    }

    public int Rank(final int[] coords) throws MPIException
    {
        return getRank(coords);
    }

    public int[] Coords(final int rank) throws MPIException
    {
        return getCoords(rank);
    }

    public ShiftParms Shift(final int direction, final int steps) throws MPIException
    {
        return shift(direction, steps);
    }

    @Override
    public Cartcomm sub(final boolean[] remains) throws MPIException
    {
        return bindSub(new Cartcomm(remainingDims(remains), remainingPeriods(remains)), remains);
    }

    public Cartcomm Sub(final boolean[] remains) throws MPIException
    {
        return sub(remains);
    }

    public int Map(final int[] ofDims, final boolean[] ofPeriods) throws MPIException
    {
        return map(ofDims, ofPeriods);
    }

    public static void Dims_create(final int ranks, final int[] dims) throws MPIException
    {
        createDims(ranks, dims);
    }
}
