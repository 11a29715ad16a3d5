// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.files.NoRoomException;

/**
 * How ranks come to one arena. The first of them makes it, and the name of its file has that rank and its incarnation; the others
 * attach to it. Each enters once: a rank that finds itself entered waits for another arena, because this one is of a team that it
 * has left.
 *
 * <p>A rank that has entered may go before all have: it gives up, closes, dies. Then the arena is of no use. The first rank finds
 * that, and may make another one ({@link #tryJoinAnew}); the others follow when they find that the first rank has given theirs
 * up.
 */
final class TeamArena
{
    /** Names of arenas begin with it. */
    static final String PREFIX = "team-";

    private static final int MAX_PAUSE = 128;
    private static final int HEX = 16;

    private final Meeting meeting;
    private final CollectivesContext context;
    private final long id;
    private final int view;
    private int lastView;
    private final int[] ranks;
    private final int member;
    /** Calls that are passed over after one that has mapped a file in vain: a mapping goes with a garbage collection only. */
    private int pause;
    private int calls;
    /** Incarnation of the first rank that has made the arena. */
    private int maker;
    private Meeting.Place place;
    private Arena arena;
    private AlgorithmTable table;
    private LocalMemory local;

    /** For a team of some ranks, in the order of their member numbers. This rank is one of them. */
    TeamArena(
        final Meeting meeting, final CollectivesContext context, final long id, final int view, final int[] ranks,
        final int member)
    {
        this.meeting = meeting;
        this.context = context;
        this.id = id;
        this.view = view;
        lastView = view;
        this.ranks = ranks;
        this.member = member;
    }

    /** Name of the file with the arena of a team, made by a rank in its incarnation. */
    static String name(final long id, final int view, final int rank, final int incarnation)
    {
        return PREFIX + Long.toUnsignedString(id, HEX) + "-" + view + "-" + rank + "-" + incarnation;
    }

    private String name(final int incarnation)
    {
        return name(id, view, ranks[0], incarnation);
    }

    /** Makes the arena, or looks for it; whether all ranks are in it. If one has gone, makes or awaits another arena. */
    boolean tryJoinAnew()
    {
        if (arena != null && !isComplete() && isGivenUp())
        {
            leave();
            arena = null;
            place = null;
            pause = 0;
        }
        return tryJoin();
    }

    /** Makes the arena, or looks for it; whether all ranks are in it. */
    boolean tryJoin()
    {
        return tryEnter() && isComplete();
    }

    /** Whether not all ranks will ever come to this arena. The first rank decides it: then there is one arena to go to. */
    boolean isGivenUp()
    {
        boolean isGivenUp = arena != null && member != 0 && isGone(0);
        for (int i = 1; i < ranks.length && member == 0 && arena != null; i++)
        {
            isGivenUp |= arena.entered(i) != 0 && isGone(i);
        }
        return isGivenUp;
    }

    private boolean isGone(final int other)
    {
        final long state = meeting.rankState(ranks[other]);
        return arena.left(other) != 0 || RankState.of(state) != RankState.OPEN ||
            RankState.incarnation(state) != (other == 0 ? maker : arena.entered(other));
    }

    /** Enters an arena that was found; or closes it, if this rank has been there. Whether it has entered. */
    boolean tryEnter(final Meeting.Place found, final int incarnation)
    {
        maker = incarnation;
        return enter(found);
    }

    /** Makes the arena, or looks for it; whether this rank is in it. */
    boolean tryEnter()
    {
        if (arena == null && calls++ >= pause)
        {
            final Meeting.Place found = member == 0 ? create() : attach();
            calls = 0;
            if (found != null && !enter(found))
            {
                pause = Math.min(MAX_PAUSE, pause * 2 + 1);
            }
        }
        return arena != null;
    }

    private Meeting.Place create()
    {
        maker = meeting.incarnation();
        final int wanted = context.windowOf(ranks.length);
        if (context.window() == 0 && wanted > ArenaDescriptor.MIN_WINDOW)
        {
            try
            {
                return create(wanted);
            }
            catch (final NoRoomException ex)
            {
                // a team with few blocks is slower with long data, and better than none
                return create(ArenaDescriptor.MIN_WINDOW);
            }
        }
        return create(wanted);
    }

    private Meeting.Place create(final int window)
    {
        try
        {
            final Meeting.Place created =
                meeting.create(name(maker), ArenaDescriptor.length(ranks.length, window, context.blockLength()));
            // all members go by the table of this one: it is there when the arena is complete
            AlgorithmTable.of(context, ranks.length, window).write(created.buffer());
            Arena.initialise(created.buffer(), id, view, ranks, window, context.blockLength());
            return created;
        }
        catch (final NoRoomException ex)
        {
            throw new NoRoomException("no room for the blocks of a team: members=" + ranks.length + ", window=" + window +
                ", blockLength=" + context.blockLength() + "; set CollectivesContext.window or blockLength lower, " +
                "or close teams: " + ex.getMessage(), ex, ex.neededLength());
        }
    }

    /** Whether the first member may have made an arena with so many blocks for each. */
    private boolean isPossible(final int window)
    {
        return window == context.windowOf(ranks.length) || context.window() == 0 && window == ArenaDescriptor.MIN_WINDOW;
    }

    private Meeting.Place attach()
    {
        final long state = meeting.rankState(ranks[0]);
        maker = RankState.incarnation(state);
        return RankState.of(state) == RankState.OPEN ? meeting.tryAttach(name(maker)) : null;
    }

    private boolean enter(final Meeting.Place found)
    {
        boolean isMine = false;
        try
        {
            if (Arena.isComplete(found.buffer()))
            {
                final Arena attached = Arena.attach(found.buffer(), id, view, ranks.length);
                if (!isPossible(attached.window()) || attached.blockLength() != context.blockLength())
                {
                    throw new IllegalStateException("rank " + ranks[0] + " has other settings: found window=" +
                        attached.window() + ", blockLength=" + attached.blockLength() + ", expected=" + context);
                }
                final AlgorithmTable read = AlgorithmTable.read(attached.buffer(), context.algorithm());
                if (attached.entered(member) == 0)
                {
                    table = read;
                    attached.process(member, meeting.process());
                    attached.enter(member, meeting.incarnation());
                    isMine = true;
                    arena = attached;
                    place = found;
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
            return RankSet.of(ranks[0]);
        }
        RankSet missing = RankSet.of();
        for (int i = 0; i < ranks.length; i++)
        {
            if (arena.entered(i) == 0 || isGone(i))
            {
                missing = missing.union(RankSet.of(ranks[i]));
            }
        }
        return missing;
    }

    /** Whether all ranks have come to the arena, and none had given up by then: the same for all of them, and for ever. */
    boolean isComplete()
    {
        if (arena.isMeetingComplete())
        {
            return true;
        }
        for (int i = 0; i < ranks.length; i++)
        {
            // one that has left behind its last operation was there, and what it has shown still is
            if (arena.entered(i) == 0 || arena.left(i) == ArenaDescriptor.GAVE_UP)
            {
                return false;
            }
        }
        return arena.tryComplete();
    }

    /** This rank does not wait any longer. Whether it may go; false if all have come, and count on it. */
    boolean tryGiveUp()
    {
        return arena == null || arena.tryGiveUp();
    }

    Arena arena()
    {
        return arena;
    }

    /** How members read one another's data; when all have entered. */
    DirectPath direct()
    {
        boolean isOneProcess = true;
        for (int i = 0; i < ranks.length; i++)
        {
            isOneProcess &= arena.process(i) == meeting.process();
        }
        local = isOneProcess ? LocalMemory.of(place.path(), ranks.length, arena.window()) : null;
        return new DirectPath(member, ranks.length, new MemoryTable(meeting.memories(name(maker))), local,
            new EarlyPortions(arena, member));
    }

    /** By which algorithm operations go; when this rank has entered. */
    AlgorithmTable table()
    {
        return table;
    }

    long id()
    {
        return id;
    }

    int view()
    {
        return view;
    }

    /** View of the next team that is made of this one's members. */
    int nextView()
    {
        return ++lastView;
    }

    int[] ranks()
    {
        return ranks;
    }

    int member()
    {
        return member;
    }

    void close()
    {
        if (local != null)
        {
            LocalMemory.release(place.path());
            local = null;
        }
        if (place != null)
        {
            leave();
        }
    }

    /** So that no member waits for this rank in the arena; no change for one that has left its team. */
    private void leave()
    {
        arena.tryGiveUp();
        arena.leave(member, ArenaDescriptor.GAVE_UP);
        place.close();
    }

    @Override
    public String toString()
    {
        return name(maker) + " of ranks " + Arrays.toString(ranks);
    }
}
