// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.util.ArrayList;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * Regions that were closed while a rank was in the midst of a put, as it says by {@link RemoteRegion#enter}. Their memory comes
 * back when it has left, or is gone. A word that no rank can have written counts as none. For one thread.
 */
final class KeptRegions
{
    private final Endpoint endpoint;
    private final RegionTable table;
    private final int ranks;
    private final ArrayList<Kept> kept = new ArrayList<>();

    /** A region that is closed. */
    private static final class Kept
    {
        final int id;
        final ProcessIdentity process;

        Kept(final int id, final ProcessIdentity process)
        {
            this.id = id;
            this.process = process;
        }
    }

    KeptRegions(final Endpoint endpoint, final RegionTable table, final int ranks)
    {
        this.endpoint = endpoint;
        this.table = table;
        this.ranks = ranks;
    }

    /** Whether no put is under way in a region, the keys of which are over. Behind that, none begins. */
    boolean isLeft(final int id, final ProcessIdentity process)
    {
        final long entrant = table.entrant(id);
        if (entrant == 0)
        {
            return true;
        }
        if (!isGone(RegionDescriptor.rank(entrant), RegionDescriptor.epoch(entrant), process))
        {
            return false;
        }
        table.removeEntrant(id, entrant);
        return true;
    }

    private boolean isGone(final int rank, final int epoch, final ProcessIdentity process)
    {
        if (rank < 0 || rank >= ranks)
        {
            return true;
        }
        final long state = endpoint.rankState(rank);
        final RankState of = RankState.of(state);
        final int incarnation = RankState.incarnation(state);
        if (incarnation == epoch && of != RankState.CLOSED)
        {
            return of != RankState.OPEN;
        }
        return incarnation < epoch || isDead(process);
    }

    /** A rank that is closed says nothing of the thread that puts: its process does. */
    private static boolean isDead(final ProcessIdentity process)
    {
        return process == null || process.probe() == ProcessIdentity.Liveness.DEAD;
    }

    void add(final int id, final ProcessIdentity process)
    {
        kept.add(new Kept(id, process));
    }

    /** Takes one out that is left; {@link RegionTable#NONE} if there is none. */
    int takeLeft()
    {
        for (int i = kept.size() - 1; i >= 0; i--)
        {
            final Kept region = kept.get(i);
            if (isLeft(region.id, region.process))
            {
                kept.remove(i);
                return region.id;
            }
        }
        return RegionTable.NONE;
    }
}
