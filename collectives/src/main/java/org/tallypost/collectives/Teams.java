// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.ArrayList;
import java.util.List;

/** The teams of one endpoint that are open, and how new ones begin. While a thread waits in one it takes the others on too. */
final class Teams
{
    private final Meeting meeting;
    private final CollectivesContext context;
    private final TeamWait waiting;
    private final List<Team> open = new ArrayList<>();

    /** Without a way of waiting, in tests, no call waits. */
    Teams(final Meeting meeting, final CollectivesContext context, final TeamWait waiting)
    {
        this.meeting = meeting;
        this.context = context;
        this.waiting = waiting;
    }

    /** Where the members of a team to be are to come. This rank is one of them. */
    TeamArena arena(final long id, final int view, final int[] ranks, final int member)
    {
        return new TeamArena(meeting, context, id, view, ranks, member);
    }

    /** All its members are in an arena: their team begins. */
    Team open(final TeamArena joined)
    {
        final Team team = new Team(this, joined, new MeetingPeers(meeting, joined.ranks(), joined.arena()));
        open.add(team);
        return team;
    }

    TeamWait waiting()
    {
        return waiting;
    }

    void closed(final Team team)
    {
        open.remove(team);
    }

    /** Takes on all operations that are under way. Returns how many teams got on. */
    int progress()
    {
        int count = 0;
        for (int i = 0; i < open.size(); i++)
        {
            final Exchange exchange = open.get(i).exchange();
            final long before = exchange.position();
            exchange.progress();
            count += exchange.position() == before ? 0 : 1;
        }
        return count;
    }

    /**
     * Before the thread sleeps: tells in each team which member it waits for.
     *
     * @return whether that was told before, and nothing has changed; otherwise another look has to follow.
     */
    boolean tell()
    {
        boolean isTold = true;
        for (int i = 0; i < open.size(); i++)
        {
            isTold &= open.get(i).exchange().sleeper().tell();
        }
        return isTold;
    }

    /** Takes back what was told. Returns whether there was anything. */
    boolean awake()
    {
        boolean wasTold = false;
        for (int i = 0; i < open.size(); i++)
        {
            wasTold |= open.get(i).exchange().sleeper().awake();
        }
        return wasTold;
    }

    /** The endpoint is closed. */
    void end()
    {
        for (int i = 0; i < open.size(); i++)
        {
            open.get(i).exchange().end(Team.CLOSED);
        }
    }

    void close()
    {
        while (!open.isEmpty())
        {
            open.get(open.size() - 1).close();
        }
    }
}
