// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.Arena;
import org.tallypost.endpoint.RankState;

/** The other members of a team by their ranks. */
final class MeetingPeers implements Peers
{
    private final Meeting meeting;
    private final int[] ranks;
    /** With which each member has entered the arena. */
    private final long[] incarnations;

    MeetingPeers(final Meeting meeting, final int[] ranks, final Arena arena)
    {
        this.meeting = meeting;
        this.ranks = ranks;
        incarnations = new long[ranks.length];
        for (int i = 0; i < ranks.length; i++)
        {
            incarnations[i] = arena.entered(i);
        }
    }

    @Override
    public boolean isGone(final int member)
    {
        // its rank goes to another state behind all that it has written here
        final long state = meeting.rankState(ranks[member]);
        return RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != incarnations[member];
    }

    @Override
    public void wake(final int member)
    {
        meeting.wake(ranks[member]);
    }
}
