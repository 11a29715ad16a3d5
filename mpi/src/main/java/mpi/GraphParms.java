// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** A graph: where the edges of each node end, and all edges. */
public final class GraphParms
{
    /** End of each node's edges. */
    public final int[] index;
    /** Neighbors of all nodes. */
    public final int[] edges;

    GraphParms(final int[] index, final int[] edges)
    {
        this.index = index;
        this.edges = edges;
    }

    public int getIndexCount()
    {
        return index.length;
    }

    public int getEdgeCount()
    {
        return edges.length;
    }

    public int getIndex(final int i)
    {
        return index[i];
    }

    public int getEdge(final int i)
    {
        return edges[i];
    }
}
