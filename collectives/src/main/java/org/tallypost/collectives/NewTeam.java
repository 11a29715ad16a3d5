// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.Consumer;
import org.tallypost.mailbox.files.NoRoomException;

/**
 * Makes teams of members of a team. The members of each new one come to an arena, and then all members of the old one agree
 * whether that has worked. So either all living members have their new teams, or none has.
 */
abstract class NewTeam extends TeamCall
{
    /** All members of the new team are in its arena. */
    private static final int JOINED = 1;
    /** There was room for the arena. */
    private static final int ROOM = 2;
    /** What is in the arena is sound. */
    private static final int SOUND = 4;

    private TeamPlace place;
    private boolean isEntered;
    private boolean isVoting;
    private Team made;
    /** Wants the new team; null if nothing does, or it has got it. */
    private Consumer<Team> wanting;
    private RuntimeException cause;

    NewTeam(final Team team)
    {
        super(team);
    }

    /**
     * The new team.
     *
     * @return the team in which this member is; null before it is made, or if this member is in none.
     */
    public final Team newTeam()
    {
        return made;
    }

    /**
     * What was in the way of this member, if the result is {@link Team#NO_ROOM} or {@link Team#DAMAGED}.
     *
     * @return what it has found; null if it was another member.
     */
    public final RuntimeException cause()
    {
        return cause;
    }

    /** What is started passes its team on, by {@link #pass}. */
    final void passTo(final Consumer<Team> out)
    {
        wanting = out;
    }

    /** Passes the new team on, once, if there is one. */
    final void pass()
    {
        final Consumer<Team> out = wanting;
        if (made != null && out != null)
        {
            wanting = null;
            out.accept(made);
        }
    }

    abstract Votes.Vote about();

    final void beginAnew()
    {
        begin();
        made = null;
        wanting = null;
        cause = null;
        place = null;
    }

    /** Number of a new team: the same at all members, and of no other team that is made of this one or of those made of it. */
    final long newId(final long number, final int color)
    {
        final long parent = OperationIdentity.mix(team().id() ^ (long)team().view() << Integer.SIZE);
        return OperationIdentity.mix(parent + number ^ (long)color << Integer.SIZE);
    }

    /** This member is to come to a place; null if it will be in no new team. */
    final void meet(final TeamPlace meetingPlace)
    {
        place = meetingPlace;
        isEntered = place == null;
        isVoting = false;
    }

    /** This member will be in no new team, because something is in the way: it tells the others. */
    final void refuse()
    {
        isVoting = true;
        votes().refuse(about(), ROOM | SOUND);
    }

    /** Comes to the place, and agrees with all members. 0 if that has worked, MEMBER_GONE if it has to be tried anew. */
    final long tryMeet()
    {
        if (!isVoting)
        {
            final int vote = tryJoin();
            if (vote < 0)
            {
                return Team.IN_PROGRESS;
            }
            isVoting = true;
            if (vote == (JOINED | ROOM | SOUND))
            {
                votes().vote(about(), vote);
            }
            else
            {
                votes().refuse(about(), vote);
            }
        }
        final long result = votes().tryAgree();
        if (result != 0)
        {
            return result;
        }
        if ((votes().flags() & ROOM) == 0)
        {
            return Team.NO_ROOM;
        }
        if ((votes().flags() & SOUND) == 0)
        {
            return Team.DAMAGED;
        }
        return (votes().flags() & JOINED) == 0 || isAnyGone() ? Team.MEMBER_GONE : 0;
    }

    /** What to vote; negative if that is not known yet. */
    private int tryJoin()
    {
        try
        {
            final boolean isJoined = place == null || place.tryJoin();
            if (!isEntered && place.isEntered())
            {
                isEntered = true;
                team().exchange().wakeAll();
            }
            if (isJoined)
            {
                return JOINED | ROOM | SOUND;
            }
        }
        catch (final RuntimeException ex)
        {
            // the others wait for this member: they are told, whatever it is
            cause = ex;
            return ex instanceof NoRoomException ? SOUND : ROOM;
        }
        team().exchange().sleeper().waitFor(team().exchange().member() == 0 ? 1 : 0);
        return isAnyGoneNow() || votes().isRefused(JOINED) ? ROOM | SOUND : -1;
    }

    @Override
    final int late(final int[] into)
    {
        if (isVoting || place == null)
        {
            return super.late(into);
        }
        final RankSet missing = place.missing();
        int count = 0;
        for (int i = 0; i < team().size() && count < into.length; i++)
        {
            if (i != team().member() && missing.contains(team().rankOf(i)) && !votes().isGone(i))
            {
                into[count++] = i;
            }
        }
        return count;
    }

    private boolean isAnyGone()
    {
        for (int i = 0; i < team().size(); i++)
        {
            if (isExpected(i) && !votes().isLiving(i))
            {
                return true;
            }
        }
        return false;
    }

    private boolean isAnyGoneNow()
    {
        for (int i = 0; i < team().size(); i++)
        {
            if (isExpected(i) && votes().isGone(i))
            {
                return true;
            }
        }
        return false;
    }

    /** Whether a member of the old team has to be there for the new ones. */
    abstract boolean isExpected(int member);

    final void leavePlace()
    {
        if (place != null)
        {
            place.close();
            place = null;
        }
    }

    @Override
    final void end(final long found)
    {
        if (found < 0)
        {
            leavePlace();
        }
        else if (place != null)
        {
            made = place.open();
        }
    }
}
