// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.NameDirectory;

/**
 * The members of teams with names, in the node's names: each member has a name made of the team's and its number. The name
 * also tells whether the member has seen the team frozen, and with which view. A name goes when its rank does: so nothing is kept
 * of members that died, and no process serves the others.
 */
final class NamedMembers
{
    private static final long FROZEN = 1L << Integer.SIZE;

    private final NameDirectory names;
    private final int rank;
    private final int most;
    private int lastMade;
    private int lastBarrier;

    NamedMembers(final NameDirectory names, final int rank, final int most)
    {
        this.names = names;
        this.rank = rank;
        this.most = most;
    }

    private static String key(final String team, final int member)
    {
        return "team." + team + "." + member;
    }

    /** Number of ranks. */
    int most()
    {
        return most;
    }

    /** What is known of a member; null if there is none of that number. */
    NameDirectory.NamedRank find(final String team, final int member)
    {
        final NameDirectory.NamedRank found = names.find(key(team, member));
        return found == null || found.rank() >= most ? null : found;
    }

    /** The ranks of all members by their numbers, -1 where none is, as of now. */
    int[] ranks(final String team)
    {
        final int[] ranks = new int[most];
        Arrays.setAll(ranks, (member) ->
        {
            final NameDirectory.NamedRank found = find(team, member);
            return found == null ? -1 : found.rank();
        });
        return ranks;
    }

    /** Ranks of the members in the order of their numbers. */
    int[] present(final String team)
    {
        return Arrays.stream(ranks(team)).filter((found) -> found >= 0).toArray();
    }

    /** Number of a rank; -1 if it is no member. */
    int memberOf(final String team, final int wanted)
    {
        final int[] ranks = ranks(team);
        for (int member = 0; member < ranks.length; member++)
        {
            if (ranks[member] == wanted)
            {
                return member;
            }
        }
        return -1;
    }

    private static String barrierKey(final String team)
    {
        return "barrier." + team;
    }

    /** The rank with the barrier to which members come, and the number of it there; null if there is none. */
    NameDirectory.NamedRank findBarrier(final String team)
    {
        final NameDirectory.NamedRank found = names.find(barrierKey(team));
        return found == null || found.rank() >= most ? null : found;
    }

    /** This rank has made a barrier for the members. Whether no other rank was faster. */
    boolean tryEnterBarrier(final String team, final int use)
    {
        return names.tryEnter(barrierKey(team), rank, use);
    }

    void removeBarrier(final String team)
    {
        names.remove(barrierKey(team), rank);
    }

    /** Number of a barrier that this rank makes: none that it has made before. */
    int nextBarrier()
    {
        return ++lastBarrier;
    }

    /** Makes a team, with this rank as member 0. False if there is one. */
    boolean tryCreate(final String team)
    {
        return names.tryEnter(key(team, 0), rank, 0, () -> present(team).length == 0);
    }

    /** The lowest number that is free; -1 if another rank was faster, the team is frozen, or there is none any more. */
    int tryJoin(final String team)
    {
        final int[] ranks = ranks(team);
        int free = 0;
        while (free < most && ranks[free] >= 0)
        {
            free++;
        }
        if (free == most)
        {
            throw new MailboxException("team " + team + " has no number left for rank " + rank + ": found members of ranks " +
                Arrays.toString(ranks) + ", expected fewer than " + most + "; its names are damaged");
        }
        // a rank that joins before a team is frozen is one of those that are frozen: nothing comes between
        final boolean isJoined =
            names.tryEnter(key(team, free), rank, 0, () -> present(team).length > 0 && !isFrozen(team));
        return isJoined ? free : -1;
    }

    void remove(final String team, final int member)
    {
        names.remove(key(team, member), rank);
    }

    /**
     * Freezes the team, if it has so many members and this rank is the first of them. No rank joins between the look at the
     * members and the mark.
     *
     * @return the ranks of its members in the order of their numbers; null if it was not frozen.
     */
    int[] tryFreeze(final String team, final int member, final int size, final int view)
    {
        final AtomicReference<int[]> found = new AtomicReference<>();
        final boolean isFrozen = names.tryEnter(key(team, member), rank, FROZEN | view, () ->
        {
            final int[] present = present(team);
            found.set(present);
            return present.length >= size && present[0] == rank;
        });
        return isFrozen ? found.get() : null;
    }

    /** This rank has seen that the team is frozen, or is no more about to be. */
    void mark(final String team, final int member, final boolean isFrozen, final int view)
    {
        names.enter(key(team, member), rank, (isFrozen ? FROZEN : 0) | view);
    }

    static boolean isFrozen(final NameDirectory.NamedRank member)
    {
        return (member.number() & FROZEN) != 0;
    }

    static int view(final NameDirectory.NamedRank member)
    {
        return (int)member.number();
    }

    /** What an arena says of its ranks comes from another process. */
    void requireRanks(final String team, final int[] found)
    {
        final boolean isSound = Arrays.stream(found).allMatch((each) -> each >= 0 && each < most) &&
            Arrays.stream(found).distinct().count() == found.length;
        if (!isSound)
        {
            throw new MailboxException("arena of team " + team + " is damaged: found ranks " + Arrays.toString(found) +
                ", expected different ones from 0 to " + (most - 1));
        }
    }

    /** Whether some member has seen the team frozen. */
    boolean isFrozen(final String team)
    {
        return lastView(team, true) >= 0;
    }

    /** Of an arena that this rank makes: no member has seen it, and this rank has made none with it for any team. */
    int nextView(final String team)
    {
        lastMade = Math.max(lastMade, lastView(team, false)) + 1;
        return lastMade;
    }

    /** The last view that a member has seen, or seen frozen; -1 if none. */
    int lastView(final String team, final boolean isFrozenOnly)
    {
        int last = -1;
        for (int member = 0; member < most; member++)
        {
            final NameDirectory.NamedRank found = find(team, member);
            if (found != null && (!isFrozenOnly || isFrozen(found)))
            {
                last = Math.max(last, view(found));
            }
        }
        return last;
    }
}
