// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;

/** The ranks of a window, as they were when it was made. */
final class WindowRanks
{
    private final Endpoint endpoint;
    /** By rank of the window: its number in the world, and the incarnation that has made the window. */
    private final int[] ranks;
    private final int[] incarnations;

    WindowRanks(final Endpoint endpoint, final int... ranks)
    {
        this.endpoint = endpoint;
        this.ranks = ranks;
        incarnations = new int[ranks.length];
        for (int rank = 0; rank < ranks.length; rank++)
        {
            incarnations[rank] = RankState.incarnation(endpoint.rankState(ranks[rank]));
        }
    }

    int count()
    {
        return ranks.length;
    }

    /** Whether a rank does nothing with the window any more, as its process has ended or it has closed its node. */
    boolean isGone(final int rank)
    {
        final long state = endpoint.rankState(ranks[rank]);
        return RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != incarnations[rank];
    }
}
