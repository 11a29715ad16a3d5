// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Where data of a shift come from, and where they go. */
public final class ShiftParms
{
    /** Rank from which data come. */
    public final int rank_source;
    /** Rank to which data go. */
    public final int rank_dest;

    ShiftParms(final int source, final int dest)
    {
        rank_source = source;
        rank_dest = dest;
    }

    public int getRankSource()
    {
        return rank_source;
    }

    public int getRankDest()
    {
        return rank_dest;
    }
}
