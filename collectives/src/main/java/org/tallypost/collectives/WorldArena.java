// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/**
 * How the ranks of a group come to one arena. The first rank makes it, and the name of its file has that rank's incarnation; the
 * others attach to it. Each enters once: a rank that finds itself entered waits for another arena, because this one is of a team
 * that it has left.
 */
final class WorldArena
{
    static final long ID = 1;
    static final int VIEW = 1;

    private static final long MAX_PAUSE_NS = 100_000_000;

    private final Node node;
    private final Endpoint endpoint;
    private final CollectivesContext context;
    private final int members;
    private long pauseNs;
    private long nextLookNs;
    private SharedFile file;
    private Arena arena;

    WorldArena(final Node node, final Endpoint endpoint, final CollectivesContext context)
    {
        this.node = node;
        this.endpoint = endpoint;
        this.context = context;
        members = node.context().rankCount();
    }

    private static String name(final int incarnation)
    {
        return "team-" + ID + "-" + VIEW + "-" + incarnation;
    }

    /** Makes the arena, or looks for it; whether this rank is in it. */
    boolean tryEnter(final long nowNs)
    {
        if (arena == null && (pauseNs == 0 || nowNs - nextLookNs >= 0))
        {
            final SharedFile found = endpoint.rank() == 0 ? create() : attach();
            if (found != null && !enter(found))
            {
                // each look maps the file, and a mapping goes with a garbage collection only
                pauseNs = Math.min(MAX_PAUSE_NS, Math.max(1_000_000, pauseNs * 2));
                nextLookNs = nowNs + pauseNs;
            }
        }
        return arena != null;
    }

    private SharedFile create()
    {
        final long length = ArenaDescriptor.length(members, context.window(), context.blockLength());
        final SharedFile created = node.createShared(name(endpoint.epoch()), length);
        Arena.initialise(created.buffer(), ID, VIEW, members, context.window(), context.blockLength());
        return created;
    }

    private SharedFile attach()
    {
        final long state = endpoint.rankState(0);
        return RankState.of(state) == RankState.OPEN ? node.tryAttachShared(name(RankState.incarnation(state))) : null;
    }

    private boolean enter(final SharedFile found)
    {
        boolean isMine = false;
        try
        {
            if (Arena.isComplete(found.buffer()))
            {
                final Arena attached = Arena.attach(found.buffer(), ID, VIEW, members);
                if (attached.window() != context.window() || attached.blockLength() != context.blockLength())
                {
                    throw new IllegalStateException("rank 0 has other settings: found window=" + attached.window() +
                        ", blockLength=" + attached.blockLength() + ", expected=" + context);
                }
                if (attached.entered(endpoint.rank()) == 0)
                {
                    attached.enter(endpoint.rank(), endpoint.epoch());
                    isMine = true;
                    arena = attached;
                    file = found;
                }
            }
        }
        finally
        {
            if (!isMine)
            {
                found.close();
            }
        }
        return isMine;
    }

    /** Ranks that have not entered yet. */
    RankSet missing()
    {
        RankSet missing = RankSet.of();
        for (int i = 0; i < members; i++)
        {
            if (arena == null || arena.entered(i) == 0)
            {
                missing = missing.union(RankSet.of(i));
            }
        }
        return missing;
    }

    boolean isComplete()
    {
        for (int i = 0; i < members; i++)
        {
            if (arena.entered(i) == 0)
            {
                return false;
            }
        }
        return true;
    }

    int members()
    {
        return members;
    }

    Arena arena()
    {
        return arena;
    }

    void close()
    {
        if (file != null)
        {
            file.close();
        }
    }
}
