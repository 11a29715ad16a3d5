// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The teams of one endpoint that are open, and how new ones begin. While a thread waits in one it takes the others on too. */
final class Teams
{
    private static final int FAREWELLS = 1_000;

    private final Meeting meeting;
    private final CollectivesContext context;
    private final TeamWait waiting;
    private final List<Team> open = new ArrayList<>();
    /** Of teams of several nodes, also of those that have not begun. */
    private final List<NodeLinks> links = new ArrayList<>();
    private long emptyPolls;
    private final CollectivesCounters counters = new CollectivesCounters();

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

    /** Leaders that may become a team, and its members, by links that get messages from now on. */
    NodeLinks link(final NodeMap map, final int[] ranks, final long id, final int view)
    {
        final NodeLinks linked = new NodeLinks(meeting, map, ranks, id, view, context);
        links.add(linked);
        return linked;
    }

    /** A team is over, or has not come about: messages for it are dropped. */
    void unlink(final NodeLinks linked)
    {
        links.remove(linked);
    }

    /** All members of a team of several nodes have met: it begins. The members of this node have theirs already. */
    Team open(final Team inner, final TeamArena joined, final NodeMap map, final NodeLinks linked)
    {
        final Team team = new Team(this, joined, inner, new NodesPath(inner, map, linked, this));
        open.add(team);
        return team;
    }

    /** Takes a message that another node has sent, or another member of a team of several. */
    void onMessage(final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        counters.count(length >= HEAD_LENGTH && isTaken(source, buffer, offset, length));
    }

    private boolean isTaken(final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = 0; i < links.size(); i++)
        {
            if (links.get(i).isOf(buffer.getLong(offset + TEAM_OFFSET), buffer.getInt(offset + VIEW_OFFSET)))
            {
                return links.get(i).onMessage(source, buffer, offset, length);
            }
        }
        return false;
    }

    /** What has come otherwise than as a message is of no team that is here. */
    void refuse()
    {
        counters.count(false);
    }

    CollectivesCounters counters()
    {
        return counters;
    }

    /** Tells other nodes that this one has left: tries it for some turns, in which it polls. */
    void leave(final NodeLinks left)
    {
        // both, whatever the first one says
        for (int i = 0; !(left.tryLeave() & left.votes().tryLeave()) && i < FAREWELLS && waiting != null; i++)
        {
            if (waiting.poll() < 0)
            {
                return;
            }
            Thread.yield();
        }
    }

    /** A poll of the endpoint has found nothing. */
    void polledNothing()
    {
        emptyPolls++;
    }

    long emptyPolls()
    {
        return emptyPolls;
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
            final Course course = open.get(i).course();
            final long before = course.position();
            course.progress();
            count += course.position() == before ? 0 : 1;
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
            isTold &= open.get(i).tell();
        }
        return isTold;
    }

    /** Takes back what was told. Returns whether there was anything. */
    boolean awake()
    {
        boolean wasTold = false;
        for (int i = 0; i < open.size(); i++)
        {
            wasTold |= open.get(i).awake();
        }
        return wasTold;
    }

    /** The endpoint is closed. */
    void end()
    {
        for (int i = 0; i < open.size(); i++)
        {
            open.get(i).course().end(Team.CLOSED);
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
