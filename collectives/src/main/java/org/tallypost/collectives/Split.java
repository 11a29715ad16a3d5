// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Makes a team of those members that have passed the same color. {@link Team#newSplit()} makes it. Either all members get their
 * new teams, or none does.
 */
public final class Split extends NewTeam
{
    private final AllGather gather;
    private final UnsafeBuffer choices;
    private final UnsafeBuffer own = new UnsafeBuffer(new byte[Long.BYTES]);
    private boolean isGathering;
    private long failure;

    Split(final Team team)
    {
        super(team);
        gather = team.newAllGather();
        choices = new UnsafeBuffer(new byte[Long.BYTES * team.size()]);
    }

    /**
     * Begins.
     *
     * @param color which team this member wants to be in; negative for none.
     * @param key   which place it wants there: members are in the order of their keys, those with the same key in the order of
     *              the old team.
     * @return as {@link #progress()}: {@link Team#NO_ROOM} if there was no room for an arena, and {@link Team#MEMBER_GONE} if
     *         a member is gone.
     * @throws IllegalStateException if an agreement, a split or a shrink is under way in the team.
     */
    public long start(final int color, final int key)
    {
        beginAnew();
        isGathering = true;
        own.putInt(0, color);
        own.putInt(Integer.BYTES, key);
        gather.start(own, 0, choices, 0, Long.BYTES);
        return progress();
    }

    @Override
    long advance()
    {
        if (isGathering)
        {
            final long number = gather.progress();
            if (number == Team.IN_PROGRESS)
            {
                return number;
            }
            isGathering = false;
            failure = Math.min(0, number);
            if (failure == 0)
            {
                meet(place(number));
            }
            else
            {
                // others may have got through, and wait for this member's vote
                refuse();
            }
        }
        final long result = tryMeet();
        return result == Team.MEMBER_GONE && failure != 0 ? failure : result;
    }

    private int color(final int member)
    {
        return choices.getInt(member * Long.BYTES);
    }

    private TeamPlace place(final long number)
    {
        final int color = color(team().member());
        if (color < 0)
        {
            return null;
        }
        final long[] chosen = new long[team().size()];
        int count = 0;
        for (int i = 0; i < chosen.length; i++)
        {
            if (color(i) == color)
            {
                chosen[count++] = (long)choices.getInt(i * Long.BYTES + Integer.BYTES) << Integer.SIZE | i;
            }
        }
        Arrays.sort(chosen, 0, count);
        final int[] members = new int[count];
        int member = 0;
        for (int i = 0; i < count; i++)
        {
            members[i] = (int)chosen[i];
            member = members[i] == team().member() ? i : member;
        }
        return TeamPlace.of(team(), newId(number, color), 1, members, member);
    }

    @Override
    Votes.Vote about()
    {
        return Votes.Vote.SPLIT;
    }

    @Override
    boolean isExpected(final int member)
    {
        return true;
    }
}
