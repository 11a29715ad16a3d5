// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.files.MailboxException;

/**
 * How the team of all ranks of a group begins: the ranks of each node come to an arena. If there are several nodes, the leaders
 * meet by messages.
 */
final class WorldTeam
{
    private static final long JOIN_PARK_NS = 1_000_000;
    private static final long ID = 1;

    private final Endpoint endpoint;
    private final CollectivesContext context;
    private final TeamWait waiting;
    private final Teams teams;
    private final NodeContext node;
    private final int rankCount;
    private final TeamArena arena;
    /** Which rank is on which node, and how the nodes speak with each other; null if there is one. */
    private final NodeMap map;
    private final NodeLinks links;
    /** The ranks of this node, of several; and what they wait for to begin together. */
    private Team inner;
    private Broadcast beginning;
    private final UnsafeBuffer session = new UnsafeBuffer(new byte[Long.BYTES]);
    private Team team;
    private MulticastTrial trial;

    WorldTeam(
        final Endpoint endpoint, final CollectivesContext context, final TeamWait waiting, final Teams teams,
        final NodeContext node, final NodeMap map)
    {
        this.endpoint = endpoint;
        this.context = context;
        this.waiting = waiting;
        this.teams = teams;
        this.node = node;
        rankCount = node.rankCount();
        this.map = map;
        final int[] ranks = new int[rankCount];
        Arrays.setAll(ranks, (rank) -> rank);
        links = map == null ? null : teams.link(map, ranks, ID, 1);
        arena = map == null ? teams.arena(ID, 1, ranks, endpoint.rank()) :
            teams.arena(ID, 1, map.locals(), map.localOf(endpoint.rank()));
    }

    /** Waits, by polling, until all ranks have come. The same team each time. A call that has thrown may be made again. */
    Team await()
    {
        if (team == null)
        {
            final long deadlineNs = System.nanoTime() + context.joinTimeoutNs();
            if (inner == null)
            {
                join(deadlineNs);
            }
            final Team begun = trial != null ? trial.team() : map == null ? teams.open(arena) : begin(deadlineNs);
            if (map != null && node.transport().hasMulticast())
            {
                tryOut(begun, deadlineNs);
            }
            team = begun;
        }
        return team;
    }

    /**
     * The ranks of this node have met, and if this one is their leader, the leaders too: that all know this, and what the team is
     * called in messages, is the beginning.
     */
    private Team begin(final long deadlineNs)
    {
        if (inner == null)
        {
            inner = teams.open(arena);
            beginning = inner.newBroadcast();
            session.putLong(0, map.isLeader() ? links.teamSession() : 0);
            beginning.start(0, session, 0, Long.BYTES);
        }
        if (beginning.await(deadlineNs) == Team.TIMED_OUT)
        {
            throw late(RankSet.of(map.leader(map.node())));
        }
        links.votes().links().session(session.getLong(0));
        return teams.open(inner, arena, map, links);
    }

    private void tryOut(final Team begun, final long deadlineNs)
    {
        if (trial == null)
        {
            trial = new MulticastTrial(begun, map.isLeader() ? node : null);
        }
        trial.await(endpoint, waiting, context.multicastProbeNs());
        if (trial.vote(deadlineNs) == Team.TIMED_OUT)
        {
            throw late(links.missing());
        }
    }

    private MailboxException late(final RankSet missing)
    {
        return new MailboxException("ranks have not come to the collectives: found none of " + missing + " after " +
            context.joinTimeoutNs() / 1_000_000 + " ms, expected all of 0 to " + (rankCount - 1) +
            "; start them, or wait for longer (joinTimeoutNs)");
    }

    private void join(final long deadlineNs)
    {
        final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
        long nowNs = System.nanoTime();
        while (!(arena.tryJoinAnew() && (links == null || links.tryConnect())))
        {
            if (nowNs - deadlineNs > 0)
            {
                final RankSet missing = arena.missing();
                throw late(links == null || missing.size() > 0 ? missing : links.missing());
            }
            final int work = waiting.poll();
            if (work < 0)
            {
                throw new IllegalStateException("endpoint of rank " + endpoint.rank() + " is closed");
            }
            idle.idle(work, nowNs + JOIN_PARK_NS);
            nowNs = System.nanoTime();
        }
    }

    /** Gives the arena back. */
    void close()
    {
        if (trial != null)
        {
            trial.close();
        }
        arena.close();
    }
}
