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
 *
 * <p>A rank that has entered may go before all have: it gives up, closes, dies. Then the arena is of no use. The first rank gives
 * it up when it finds that, and makes another one; the others follow when they find that the first rank has given theirs up.
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
    /** Incarnation of the first rank that has made the arena. */
    private int maker;
    private SharedFile file;
    private Arena arena;
    private LocalMemory local;

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

    /** Makes the arena, or looks for it; whether all ranks are in it. */
    boolean tryJoin(final long nowNs)
    {
        if (arena != null && !isComplete() && isGivenUp())
        {
            leave();
            arena = null;
            file = null;
            pauseNs = 0;
        }
        return tryEnter(nowNs) && isComplete();
    }

    /** Whether not all ranks will ever come to this arena. The first rank decides it: then there is one arena to go to. */
    private boolean isGivenUp()
    {
        boolean isGivenUp = endpoint.rank() != 0 && isGone(0);
        for (int i = 1; i < members && endpoint.rank() == 0; i++)
        {
            isGivenUp |= arena.entered(i) != 0 && isGone(i);
        }
        return isGivenUp;
    }

    private boolean isGone(final int member)
    {
        final long state = endpoint.rankState(member);
        return arena.left(member) != 0 || RankState.of(state) != RankState.OPEN ||
            RankState.incarnation(state) != (member == 0 ? maker : arena.entered(member));
    }

    private boolean tryEnter(final long nowNs)
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
        maker = endpoint.epoch();
        final SharedFile created = node.createShared(name(maker), length);
        Arena.initialise(created.buffer(), ID, VIEW, members, context.window(), context.blockLength());
        return created;
    }

    private SharedFile attach()
    {
        final long state = endpoint.rankState(0);
        maker = RankState.incarnation(state);
        return RankState.of(state) == RankState.OPEN ? node.tryAttachShared(name(maker)) : null;
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
                    attached.process(endpoint.rank(), LocalMemory.PROCESS);
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

    /** Ranks that have not entered yet, or have gone again. Without an arena it is the first one that is missing. */
    RankSet missing()
    {
        if (arena == null)
        {
            return RankSet.of(0);
        }
        RankSet missing = RankSet.of();
        for (int i = 0; i < members; i++)
        {
            if (arena.entered(i) == 0 || isGone(i))
            {
                missing = missing.union(RankSet.of(i));
            }
        }
        return missing;
    }

    private boolean isComplete()
    {
        for (int i = 0; i < members; i++)
        {
            // one that has left behind its last operation was there, and what it has shown still is
            if (arena.entered(i) == 0 || arena.left(i) == ArenaDescriptor.GAVE_UP)
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

    /** How members read one another's data; when all have entered. */
    DirectPath direct()
    {
        final String name = file.name();
        boolean isOneProcess = true;
        for (int i = 0; i < members; i++)
        {
            isOneProcess &= arena.process(i) == LocalMemory.PROCESS;
        }
        local = isOneProcess ? LocalMemory.of(file.file().getPath(), members, arena.window()) : null;
        return new DirectPath(endpoint.rank(), members, new MemoryTable(new MemoryTable.Files()
        {
            @Override
            public SharedFile create(final String suffix, final long length)
            {
                return node.createShared(name + "-" + suffix, length);
            }

            @Override
            public SharedFile tryAttach(final String suffix)
            {
                return node.tryAttachShared(name + "-" + suffix);
            }
        }), local);
    }

    void close()
    {
        if (local != null)
        {
            LocalMemory.release(file.file().getPath());
            local = null;
        }
        if (file != null)
        {
            leave();
        }
    }

    /** So that nobody waits for this rank in the arena; no change for one that has left its team. */
    private void leave()
    {
        arena.leave(endpoint.rank(), ArenaDescriptor.GAVE_UP);
        file.close();
    }
}
