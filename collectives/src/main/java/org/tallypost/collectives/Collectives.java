// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.TakenChannelException;
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
    private final Node node;
    private final Endpoint endpoint;
    private final Meeting meeting;
    private final CollectivesContext context;
    private final Channel channel;
    private final TeamWait waiting;
    private final Teams teams;
    private final WorldTeam world;
    private TeamDirectory directory;
    private boolean isClosed;

    private Collectives(final Node node, final Endpoint endpoint, final CollectivesContext context, final NodeMap map)
    {
        this.endpoint = endpoint;
        this.context = context;
        channel = TakenChannelException.named("CollectivesContext.channel",
            () -> endpoint.channel(context.channel(), this::onMessage));
        final boolean isCrowded = node.context().rankCount() > Runtime.getRuntime().availableProcessors();
        waiting = new TeamWait(endpoint, context, isCrowded ? 0 : context.maxLooks());
        this.node = node;
        meeting = new NodeMeeting(node, endpoint, channel);
        teams = new Teams(meeting, context, waiting);
        waiting.teams(teams);
        world = new WorldTeam(endpoint, context, waiting, teams, node.context(), map);
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
     * @throws IllegalArgumentException if a setting is out of range, or the endpoint is of another node.
     * @throws IllegalStateException if the channel is in use, another thread polls the endpoint, or it is closed; or a rank of
     *         the group is on another node, and the node's context has no transport that says on which.
     */
    public static Collectives attach(final Node node, final Endpoint endpoint, final CollectivesContext context)
    {
        Checks.isSet("node", node);
        Checks.isSet("endpoint", endpoint);
        Checks.isSet("context", context);
        node.requireOwn(endpoint);
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
        return world.await();
    }

    /**
     * Begins a team of ranks of this node, which need not be in another team together. All of them call it.
     *
     * @param number the same at all ranks; none with which the first rank has begun another team of this kind.
     * @param ranks  different ones of this node, this one among them, in the order of their member numbers; the same at all.
     * @return how they meet.
     * @throws IllegalArgumentException if a rank is there twice, is on another node or does not exist, or this one is missing.
     * @throws IllegalStateException if this is closed.
     */
    public TeamMeeting meeting(final long number, final int... ranks)
    {
        if (isClosed)
        {
            throw new IllegalStateException("collectives of rank " + endpoint.rank() + " are closed");
        }
        return TeamMeeting.of(teams, endpoint, node.context().rankCount(), number, ranks);
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
            directory = TeamDirectory.of(node, endpoint, waiting, meeting, teams);
        }
        return directory;
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

    /**
     * What has been counted.
     *
     * @return the counters, the same object each time; they stay readable when this is closed.
     */
    public CollectivesCounters counters()
    {
        return teams.counters();
    }

    /** Ends all teams for this rank, and gives the channel back. The endpoint stays open. Idempotent. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            teams.close();
            world.close();
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
