// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.AtomicBuffer;
import org.tallypost.endpoint.RankState;
import org.tallypost.node.NameDirectory;

/**
 * A barrier of the first members of a team with a name that come. The first one makes a file for this use, with one word: how
 * many are awaited and how many have come; and a name of the node that tells where it is. The others add themselves to the word.
 * The one that makes it full lets all through, and for those that have the file this stays so, also if members go then. One that
 * does not wait any longer takes itself out of a word that is not full; if it has made the file, or is gone, the others begin
 * anew.
 */
final class CountBarrier implements Progress
{
    private static final int LENGTH = Long.BYTES;
    /** The word, if the others begin anew. */
    private static final long GIVEN_UP = -1;

    private final NamedMembers members;
    private final Meeting meeting;
    private final String team;
    private final int count;
    /** Null as long as this member has not come to a file. */
    private Meeting.Place place;
    private int maker;
    private int incarnation;

    CountBarrier(final NamedMembers members, final Meeting meeting, final String team, final int count)
    {
        this.members = members;
        this.meeting = meeting;
        this.team = team;
        this.count = count;
    }

    private static String name(final int rank, final int incarnation, final int use)
    {
        return "barrier-" + rank + "-" + incarnation + "-" + use;
    }

    private static long word(final int awaited, final int come)
    {
        return (long)awaited << Integer.SIZE | come;
    }

    private static int awaited(final long word)
    {
        return (int)(word >>> Integer.SIZE);
    }

    private static int come(final long word)
    {
        return (int)word;
    }

    /** Whether no member has written it: the one that has made the file stays in the word as long as others wait. */
    private static boolean isDamaged(final long word)
    {
        return word != GIVEN_UP && (come(word) < 1 || come(word) > awaited(word));
    }

    private static boolean isFull(final long word)
    {
        return word != GIVEN_UP && come(word) == awaited(word);
    }

    @Override
    public long progress()
    {
        final long result = place == null ? come() : Team.IN_PROGRESS;
        return result == Team.IN_PROGRESS && place != null ? look() : result;
    }

    private long come()
    {
        final NameDirectory.NamedRank found = members.findBarrier(team);
        if (found == null)
        {
            make();
            return Team.IN_PROGRESS;
        }
        final long state = meeting.rankState(found.rank());
        final Meeting.Place seen = RankState.of(state) == RankState.OPEN ?
            meeting.tryAttach(name(found.rank(), RankState.incarnation(state), (int)found.number())) : null;
        if (seen == null)
        {
            return Team.IN_PROGRESS;
        }
        maker = found.rank();
        incarnation = RankState.incarnation(state);
        final long result = add(seen.buffer());
        if (result == 0)
        {
            place = seen;
            return Team.IN_PROGRESS;
        }
        seen.close();
        return result;
    }

    private void make()
    {
        final int use = members.nextBarrier();
        maker = meeting.rank();
        incarnation = meeting.incarnation();
        final Meeting.Place made = meeting.create(name(maker, incarnation, use), LENGTH);
        boolean isFound = false;
        try
        {
            made.buffer().putLongVolatile(0, word(count, 1));
            isFound = members.tryEnterBarrier(team, use);
        }
        finally
        {
            if (!isFound)
            {
                made.close();
            }
        }
        place = isFound ? made : null;
    }

    /** Adds this member. 0 if it was added; {@link Team#IN_PROGRESS} if it is to look for another file. */
    private long add(final AtomicBuffer buffer)
    {
        while (true)
        {
            final long found = buffer.capacity() < LENGTH ? 0 : buffer.getLongVolatile(0);
            if (found == GIVEN_UP)
            {
                return Team.IN_PROGRESS;
            }
            if (isDamaged(found))
            {
                return Team.DAMAGED;
            }
            if (isFull(found))
            {
                return Team.IN_PROGRESS;
            }
            if (awaited(found) != count)
            {
                return Team.MISMATCH;
            }
            if (buffer.compareAndSetLong(0, found, found + 1))
            {
                return 0;
            }
        }
    }

    private long look()
    {
        final long found = place.buffer().getLongVolatile(0);
        if (isDamaged(found))
        {
            return Team.DAMAGED;
        }
        if (isFull(found))
        {
            return 0;
        }
        if (found == GIVEN_UP || !isMakerThere() && place.buffer().compareAndSetLong(0, found, GIVEN_UP))
        {
            end();
        }
        return Team.IN_PROGRESS;
    }

    private boolean isMakerThere()
    {
        final long state = meeting.rankState(maker);
        return RankState.of(state) == RankState.OPEN && RankState.incarnation(state) == incarnation;
    }

    /**
     * This member does not wait any longer, and lets go of the file: it takes itself out once. Whether it may go; false if all
     * have come, and count on it.
     */
    boolean tryGiveUp()
    {
        while (place != null)
        {
            final long found = place.buffer().getLongVolatile(0);
            if (isFull(found))
            {
                return false;
            }
            if (found == GIVEN_UP ||
                place.buffer().compareAndSetLong(0, found, isMaker() ? GIVEN_UP : found - 1))
            {
                end();
            }
        }
        return true;
    }

    private boolean isMaker()
    {
        return maker == meeting.rank();
    }

    private void end()
    {
        if (isMaker())
        {
            members.removeBarrier(team);
        }
        place.close();
        place = null;
    }

    /** The wait is over, whatever its end. */
    void close()
    {
        if (!tryGiveUp())
        {
            end();
        }
    }

    /** What a program is told that has waited in vain. */
    @Override
    public String toString()
    {
        return "barrier of " + count + " members of team " + team;
    }
}
