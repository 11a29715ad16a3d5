// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/**
 * Does operations of all ranks of a group together, for one endpoint. The ranks have to be on one node.
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
    private Team world;
    private TeamDirectory directory;
    private boolean isClosed;

    private Collectives(final Node node, final Endpoint endpoint, final CollectivesContext context)
    {
        this.endpoint = endpoint;
        this.context = context;
        channel = endpoint.channel(context.channel(), (source, tag, buffer, offset, length) -> {});
        final boolean isCrowded = node.context().rankCount() > Runtime.getRuntime().availableProcessors();
        waiting = new TeamWait(endpoint, context.listener(), isCrowded ? 0 : context.maxLooks());
        this.node = node;
        meeting = new NodeMeeting(node, endpoint, channel);
        teams = new Teams(meeting, context, waiting);
        waiting.teams(teams);
        final int[] ranks = new int[node.context().rankCount()];
        Arrays.setAll(ranks, (rank) -> rank);
        worldArena = teams.arena(WORLD_ID, 1, ranks, endpoint.rank());
    }

    /**
     * Makes an endpoint ready for collectives.
     *
     * @param node     of the endpoint.
     * @param endpoint to be used, by the thread that polls it.
     * @param context  with the same window, block length and channel at all ranks.
     * @return what does collectives for it.
     * @throws IllegalArgumentException if a setting is out of range.
     * @throws IllegalStateException if a rank of the group is on another node, the channel is in use, another thread polls the
     *         endpoint, or it is closed.
     */
    public static Collectives attach(final Node node, final Endpoint endpoint, final CollectivesContext context)
    {
        Checks.isSet("node", node);
        Checks.isSet("endpoint", endpoint);
        Checks.isSet("context", context);
        final int ranks = node.context().rankCount();
        context.check(ranks);
        for (int rank = 0; rank < ranks; rank++)
        {
            if (!endpoint.isSameNode(rank))
            {
                throw new IllegalStateException("collectives are inside of a node: found rank " + rank +
                    " on another node, expected all of 0 to " + (ranks - 1) + " on this one");
            }
        }
        return new Collectives(node, endpoint, context);
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
            join();
            world = teams.open(worldArena);
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

    private void join()
    {
        final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
        final long startNs = System.nanoTime();
        long nowNs = startNs;
        while (!worldArena.tryJoinAnew())
        {
            if (nowNs - startNs > context.joinTimeoutNs())
            {
                throw new MailboxException("ranks have not come to the collectives: found none of " + worldArena.missing() +
                    " after " + context.joinTimeoutNs() / 1_000_000 + " ms, expected all of 0 to " +
                    (worldArena.ranks().length - 1) + "; start them, or wait for longer (joinTimeoutNs)");
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
