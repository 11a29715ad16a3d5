// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.endpoint.RankState;
import org.tallypost.node.NameDirectory;

/**
 * How the members of a team with a name come to an arena. The one with the lowest number decides which members these are: it
 * marks the team frozen, looks which are there, and writes their ranks into an arena; the others find them in it. If one of them
 * goes before all have come, it gives the arena up and begins anew with the next view. If it goes itself, the next is the lowest.
 */
final class Freezing implements Progress
{
    private final NamedMembers members;
    private final Meeting meeting;
    private final Teams teams;
    private final String name;
    private final int size;
    private TeamArena arena;
    /** Rank and view of the member that has made the arena. */
    private int maker;
    private int view;

    Freezing(final NamedMembers members, final Meeting meeting, final Teams teams, final String name, final int size)
    {
        this.members = members;
        this.meeting = meeting;
        this.teams = teams;
        this.name = name;
        this.size = size;
    }

    private static long id(final String name)
    {
        long id = name.length();
        for (int i = 0; i < name.length(); i++)
        {
            id = OperationIdentity.mix(id + name.charAt(i) + 1);
        }
        return id;
    }

    @Override
    public long progress()
    {
        final int[] ranks = members.ranks(name);
        int self = 0;
        while (self < ranks.length && ranks[self] != meeting.rank())
        {
            self++;
        }
        if (self == ranks.length)
        {
            return TeamDirectory.NO_SUCH_TEAM;
        }
        int lowest = 0;
        while (ranks[lowest] < 0)
        {
            lowest++;
        }
        if (arena != null && !arena.tryJoin() && isGivenUp(ranks))
        {
            close(self);
        }
        if (arena == null && lowest == self)
        {
            tryMake(self, ranks);
        }
        else if (arena == null)
        {
            tryFind(lowest);
        }
        return arena != null && arena.tryJoin() ? self : Team.IN_PROGRESS;
    }

    /** The maker's arena lost a member, or the maker has gone, or has made another one. */
    private boolean isGivenUp(final int[] ranks)
    {
        if (meeting.rank() == maker)
        {
            for (final int rank : arena.ranks())
            {
                if (Arrays.stream(ranks).noneMatch((present) -> present == rank))
                {
                    return true;
                }
            }
            return arena.isGivenUp();
        }
        final NameDirectory.NamedRank found = members.find(name, Math.max(0, members.memberOf(name, maker)));
        return arena.isGivenUp() || found == null || found.rank() != maker || !NamedMembers.isFrozen(found) ||
            NamedMembers.view(found) != view;
    }

    private void tryMake(final int self, final int[] ranks)
    {
        // as seen without the lock: mostly this waits for members
        if (Arrays.stream(ranks).filter((rank) -> rank >= 0).count() >= size)
        {
            final int next = members.nextView(name);
            final int[] present = members.tryFreeze(name, self, size, next);
            if (present != null)
            {
                maker = meeting.rank();
                view = next;
                arena = teams.arena(id(name), view, present, 0);
            }
        }
    }

    private void tryFind(final int lowest)
    {
        final NameDirectory.NamedRank found = members.find(name, lowest);
        if (found != null && NamedMembers.isFrozen(found) && found.rank() != meeting.rank())
        {
            final long state = meeting.rankState(found.rank());
            final Meeting.Place place = RankState.of(state) == RankState.OPEN ? meeting.tryAttach(TeamArena.name(
                id(name), NamedMembers.view(found), found.rank(), RankState.incarnation(state))) : null;
            // what was looked at is entered: by its name there may be another one by now
            final TeamArena seen = place == null ? null : look(place, found);
            if (seen != null && seen.tryEnter(place, RankState.incarnation(state)))
            {
                maker = found.rank();
                view = NamedMembers.view(found);
                arena = seen;
            }
        }
    }

    /** The arena in a file, if this rank is to come there; otherwise null, and the file is closed. */
    private TeamArena look(final Meeting.Place place, final NameDirectory.NamedRank found)
    {
        TeamArena looked = null;
        try
        {
            if (Arena.isComplete(place.buffer()))
            {
                final Arena seen = Arena.attach(place.buffer());
                final int[] ranks = new int[seen.members()];
                int self = -1;
                for (int i = 0; i < ranks.length; i++)
                {
                    ranks[i] = seen.rank(i);
                    self = ranks[i] == meeting.rank() ? i : self;
                }
                members.requireRanks(name, ranks);
                if (self > 0 && ranks[0] == found.rank() && seen.left(0) == 0 && seen.entered(self) == 0)
                {
                    looked = teams.arena(id(name), NamedMembers.view(found), ranks, self);
                }
            }
        }
        finally
        {
            if (looked == null)
            {
                place.close();
            }
        }
        return looked;
    }

    /** This rank does not wait any longer. Whether it may go; false if all have come, and count on it. */
    boolean tryGiveUp()
    {
        return arena == null || arena.tryGiveUp();
    }

    /** All have come. */
    Team open(final int self)
    {
        members.mark(name, self, true, view);
        return teams.open(arena);
    }

    /** This rank does not come any more, or begins anew. Its number in the team, negative if it is not in it. */
    void close(final int self)
    {
        if (arena != null)
        {
            arena.close();
            arena = null;
            if (meeting.rank() == maker && self >= 0)
            {
                members.mark(name, self, false, view);
            }
        }
    }

    /** What a program is told that has waited in vain. */
    @Override
    public String toString()
    {
        return "team " + name + " of " + size + " members";
    }
}
