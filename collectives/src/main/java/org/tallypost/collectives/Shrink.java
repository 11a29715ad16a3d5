// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;

/**
 * Makes a team of the living members of a team, in the same order, with the next view and a number of its own. It works
 * in a team that has ended, for whatever reason. Members that die meanwhile are left out too. {@link Team#newShrink()} makes it.
 */
public final class Shrink extends NewTeam
{
    /** No split has it. */
    private static final int NO_COLOR = -1;

    private final boolean[] isLiving;
    private boolean isCounting;

    Shrink(final Team team)
    {
        super(team);
        isLiving = new boolean[team.size()];
    }

    /**
     * Begins. All living members have to.
     *
     * @return as {@link #progress()}; {@link Team#NO_ROOM} if there was no room for an arena.
     * @throws IllegalStateException if an agreement, a split or a shrink is under way in the team.
     */
    public long start()
    {
        beginAnew();
        isCounting = true;
        if (team().exchange().failure() != Team.CLOSED)
        {
            votes().vote(Votes.Vote.SHRINK, 0);
        }
        return progress();
    }

    @Override
    long advance()
    {
        long result = isCounting ? votes().tryAgree() : tryMeet();
        while (result == (isCounting ? 0 : Team.MEMBER_GONE))
        {
            isCounting = false;
            leavePlace();
            count();
            if (!isLiving[team().member()])
            {
                return Team.CLOSED;
            }
            meet(place());
            result = tryMeet();
        }
        return result;
    }

    /** Which members live by the last agreement. */
    private void count()
    {
        for (int i = 0; i < isLiving.length; i++)
        {
            isLiving[i] = votes().isLiving(i);
        }
    }

    private TeamPlace place()
    {
        final int[] members = new int[isLiving.length];
        int count = 0;
        int member = 0;
        for (int i = 0; i < members.length; i++)
        {
            member = i == team().member() ? count : member;
            if (isLiving[i])
            {
                members[count++] = i;
            }
        }
        final int view = team().nextView();
        // with the team's own number it would be the same as a team that another shrink has made of a shrunk team
        return TeamPlace.of(team(), newId(view, NO_COLOR), view, Arrays.copyOf(members, count), member);
    }

    @Override
    Votes.Vote about()
    {
        return Votes.Vote.SHRINK;
    }

    @Override
    boolean isExpected(final int member)
    {
        return isLiving[member];
    }
}
