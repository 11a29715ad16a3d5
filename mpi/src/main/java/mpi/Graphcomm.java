// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Ranks as nodes of a graph, as mpiJava has them. */
public final class Graphcomm extends GraphComm
{
    Graphcomm(final int[] index, final int[] edges) throws MPIException
    {
        super(index, edges);
    }

    @Override
    public Graphcomm dup() throws MPIException
    {
        return bindDuplicate(new Graphcomm(index(), edges()), agreeOnContext());
    }

    @Override
    public Graphcomm clone()
    {
        return (Graphcomm)super.clone();
    }

    public GraphParms Get() throws MPIException
    {
        return getDims();
    }

    public int[] Neighbours(final int rank) throws MPIException
    {
        return getNeighbors(rank);
    }

    public int Map(final int[] ofIndex, final int[] ofEdges) throws MPIException
    {
        return map(ofIndex, ofEdges);
    }
}
