// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/**
 * Does operations of all ranks of a group together, for one endpoint. The ranks may be on several nodes.
 *
 * <pre>
 *   try (Collectives collectives = Collectives.attach(node, endpoint, new CollectivesContext()))
 *   {
 *       Team world = collectives.world();
 *       AllReduce sum = world.newAllReduce(ElementType.LONG, Reducers.SUM);
 *       sum.start(in, 0, out, 0, 1);
 *       if (sum.await() &lt; 0) ...
 *   }
 * </pre>
 *
 * For the thread that polls the endpoint. While it waits it polls: messages of channels go to their listeners, others where
 * {@link CollectivesContext#listener} says.
 */
public final class Collectives implements AutoCloseable
{
    private static final long JOIN_PARK_NS = 1_000_000;
    private static final long WORLD_ID = 1;

    private final Node node;
    private final Endpoint endpoint;
    private final Meeting meeting;
    private final CollectivesContext context;
    private final Channel channel;
    private final TeamArena worldArena;
    private final TeamWait waiting;
    private final Teams teams;
    /** Which rank is on which node, and how the nodes speak with each other; null if there is one. */
    private final NodeMap map;
    private final NodeLinks links;
    /** The ranks of this node, of several; and what they wait for to begin together. */
    private Team inner;
    private Barrier beginning;
    private Team world;
    private TeamDirectory directory;
    private boolean isClosed;

    private Collectives(final Node node, final Endpoint endpoint, final CollectivesContext context, final NodeMap map)
    {
        this.endpoint = endpoint;
        this.context = context;
        channel = endpoint.channel(context.channel(), this::onMessage);
        final boolean isCrowded = node.context().rankCount() > Runtime.getRuntime().availableProcessors();
        waiting = new TeamWait(endpoint, context.listener(), isCrowded ? 0 : context.maxLooks());
        this.node = node;
        meeting = new NodeMeeting(node, endpoint, channel);
        teams = new Teams(meeting, context, waiting);
        waiting.teams(teams);
        final int[] ranks = new int[node.context().rankCount()];
        Arrays.setAll(ranks, (rank) -> rank);
        this.map = map;
        links = map == null ? null : teams.link(map, ranks, WORLD_ID, 1);
        worldArena = map == null ? teams.arena(WORLD_ID, 1, ranks, endpoint.rank()) :
            teams.arena(WORLD_ID, 1, map.locals(), map.localOf(endpoint.rank()));
    }

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        // those without bytes wake
        if (length > 0)
        {
            teams.onMessage(source, buffer, offset, length);
        }
    }

    /**
     * Makes an endpoint ready for collectives.
     *
     * @param node     of the endpoint.
     * @param endpoint to be used, by the thread that polls it.
     * @param context  with the same window, block length and channel at all ranks.
     * @return what does collectives for it.
     * @throws IllegalArgumentException if a setting is out of range.
     * @throws IllegalStateException if the channel is in use, another thread polls the endpoint, or it is closed; or a rank of
     *         the group is on another node, and the node's context has no transport that says on which.
     */
    public static Collectives attach(final Node node, final Endpoint endpoint, final CollectivesContext context)
    {
        Checks.isSet("node", node);
        Checks.isSet("endpoint", endpoint);
        Checks.isSet("context", context);
        final int ranks = node.context().rankCount();
        context.check(ranks);
        return new Collectives(node, endpoint, context, map(node, endpoint, ranks));
    }

    private static NodeMap map(final Node node, final Endpoint endpoint, final int ranks)
    {
        boolean isOneNode = true;
        for (int rank = 0; rank < ranks; rank++)
        {
            isOneNode &= endpoint.isSameNode(rank);
        }
        if (isOneNode)
        {
            return null;
        }
        if (node.context().transport() == null)
        {
            throw new IllegalStateException("ranks are on other nodes, and it is not known on which: found no transport in the " +
                "context of the node of rank " + endpoint.rank() + ", expected that of the group");
        }
        return new NodeMap(ranks, endpoint.rank(), node.context().transport().rankMap()::nodeOf);
    }

    /**
     * The team of all ranks of the group. The first call waits until all ranks have called it, and polls the endpoint
     * meanwhile; later ones return the same team, also when it has ended. A call that has thrown may be made again. A rank that
     * gives up and closes may attach anew, or come again, while the others still wait.
     *
     * @return the team; the member numbers are the ranks.
     * @throws MailboxException if the other ranks have not come after {@link CollectivesContext#joinTimeoutNs}: the message names
     *         them; or there is no room for the arena.
     * @throws IllegalStateException if this or its endpoint is closed, or rank 0 has another window or block length.
     */
    public Team world()
    {
        if (isClosed)
        {
            throw new IllegalStateException("collectives of rank " + endpoint.rank() + " are closed");
        }
        if (world == null)
        {
            final long deadlineNs = System.nanoTime() + context.joinTimeoutNs();
            if (inner == null)
            {
                join(deadlineNs);
            }
            world = map == null ? teams.open(worldArena) : begin(deadlineNs);
        }
        return world;
    }

    /**
     * The teams with names of the node.
     *
     * @return the directory, the same one each time.
     * @throws IllegalStateException if this or its node is closed.
     */
    public TeamDirectory directory()
    {
        if (isClosed)
        {
            throw new IllegalStateException("collectives of rank " + endpoint.rank() + " are closed");
        }
        if (directory == null)
        {
            directory = new TeamDirectory(endpoint, waiting, meeting, teams,
                new NamedMembers(node.names(), endpoint.rank(), node.context().rankCount()));
        }
        return directory;
    }

    /** The ranks of this node have met, and if this one is their leader, the leaders too: that all know this is the beginning. */
    private Team begin(final long deadlineNs)
    {
        if (inner == null)
        {
            inner = teams.open(worldArena);
            beginning = inner.newBarrier();
            beginning.start();
        }
        if (beginning.await(deadlineNs) == Team.TIMED_OUT)
        {
            throw late(RankSet.of(map.leader(map.node())));
        }
        return teams.open(inner, worldArena, map, links);
    }

    private MailboxException late(final RankSet missing)
    {
        return new MailboxException("ranks have not come to the collectives: found none of " + missing + " after " +
            context.joinTimeoutNs() / 1_000_000 + " ms, expected all of 0 to " + (node.context().rankCount() - 1) +
            "; start them, or wait for longer (joinTimeoutNs)");
    }

    private void join(final long deadlineNs)
    {
        final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
        long nowNs = System.nanoTime();
        while (!(worldArena.tryJoinAnew() && (links == null || links.tryConnect())))
        {
            if (nowNs - deadlineNs > 0)
            {
                final RankSet missing = worldArena.missing();
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

    /**
     * A duty cycle: polls the endpoint and makes progress with the operations that are under way.
     *
     * @return amount of work done; {@link Endpoint#CLOSED}, which is negative, if the endpoint is closed.
     */
    public int doWork()
    {
        final int work = waiting.poll();
        if (work < 0)
        {
            teams.end();
            return work;
        }
        return work + teams.progress();
    }

    /** Ends all teams for this rank, and gives the channel back. The endpoint stays open. Idempotent. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            teams.close();
            worldArena.close();
            channel.close();
        }
    }

    /** Rank and settings. */
    @Override
    public String toString()
    {
        return "Collectives{rank=" + endpoint.rank() + ", " + context + "}";
    }
}
