// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;

/**
 * What an owner has lent, and its borrowers. A loan comes back when its borrower has released it, or when the borrower's
 * incarnation is over. What the shared table says of a loan counts only together with the generation that the owner knows. For
 * one thread; allocates nothing after its construction.
 */
final class LoanedChunks
{
    private final Endpoint endpoint;
    private final RegionTable table;
    private final int maxLoans;
    private final int[] ids;
    private final int[] places;
    private final int[] borrowers;
    private final long[] states;
    private final int[] counts;
    private int count;
    private long takenBack;

    LoanedChunks(final Endpoint endpoint, final RegionTable table, final int entries, final int ranks, final int maxLoans)
    {
        this.endpoint = endpoint;
        this.table = table;
        this.maxLoans = maxLoans;
        ids = new int[entries];
        places = new int[entries];
        borrowers = new int[entries];
        states = new long[entries];
        counts = new int[ranks];
    }

    /** Lends what an entry shows. */
    long lend(final int id, final int dest)
    {
        final long state = endpoint.rankState(dest);
        if (!endpoint.isSameNode(dest))
        {
            return RegionResult.OTHER_NODE;
        }
        if (RankState.of(state) != RankState.OPEN)
        {
            return RankState.incarnation(state) == 0 ? Endpoint.NOT_CONNECTED : Endpoint.PEER_GONE;
        }
        if (counts[dest] == maxLoans)
        {
            return RegionResult.TOO_MANY_LOANS;
        }
        borrowers[id] = dest;
        states[id] = state;
        counts[dest]++;
        places[id] = count;
        ids[count++] = id;
        table.lend(id, dest, RankState.incarnation(state));
        return 0;
    }

    /** The entry of a loan if it is over, whatever the borrower says; else {@link RegionTable#NONE}. */
    int findOver(final int place)
    {
        final int id = ids[place];
        if (table.isReleased(id))
        {
            return id;
        }
        final boolean isBorrowerGone = endpoint.rankState(borrowers[id]) != states[id];
        takenBack += isBorrowerGone ? 1 : 0;
        return isBorrowerGone ? id : RegionTable.NONE;
    }

    /** The owner ends a loan. */
    void remove(final int id)
    {
        counts[borrowers[id]]--;
        final int last = ids[--count];
        ids[places[id]] = last;
        places[last] = places[id];
    }

    int count()
    {
        return count;
    }

    int count(final int borrower)
    {
        return counts[borrower];
    }

    /** Loans that were taken back since their borrowers are gone. */
    long takenBack()
    {
        return takenBack;
    }
}
