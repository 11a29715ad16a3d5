// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** Ranks as nodes of a graph, as Open MPI has them. */
public class GraphComm extends Intracomm
{
    private final int[] index;
    private final int[] edges;

    GraphComm(final int[] index, final int[] edges) throws MPIException
    {
        this.index = index.clone();
        this.edges = edges.clone();
        int before = 0;
        for (final int end : index)
        {
            if (end < before || end > edges.length)
            {
                throw new MPIException(MPI.ERR_ARG, "no such graph: found index " + Arrays.toString(index) + " of " +
                    edges.length + " edges");
            }
            before = end;
        }
        for (final int edge : edges)
        {
            if (edge < 0 || edge >= index.length)
            {
                throw new MPIException(MPI.ERR_ARG, "no such node: found=" + edge + ", expected=0 to " + (index.length - 1));
            }
        }
    }

    final int[] index()
    {
        return index;
    }

    final int[] edges()
    {
        return edges;
    }

    @Override
    public GraphComm clone()
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
    public GraphComm dup() throws MPIException
    {
        return bindDuplicate(new GraphComm(index, edges), agreeOnContext());
    }

    @Override
    public final int getTopology() throws MPIException
    {
        check();
        return MPI.GRAPH;
    }

    public final GraphParms getDims() throws MPIException
    {
        check();
        return new GraphParms(index.clone(), edges.clone());
    }

    public final int[] getNeighbors(final int rank) throws MPIException
    {
        dest(rank);
        return Arrays.copyOfRange(edges, rank == 0 ? 0 : index[rank - 1], index[rank]);
    }

    /** The rank that a process would have in a graph; UNDEFINED if none. */
    public final int map(final int[] ofIndex, final int[] ofEdges) throws MPIException
    {
        check();
        return ownRank() < ofIndex.length ? ownRank() : MPI.UNDEFINED;
    }
}
