// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamMeeting;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/**
 * Teams for the communicators of this rank: by them collective operations go in shared memory. A communicator gets one at its
 * first operation that can use it, if all its ranks are on one node, each has fewer teams than the system property
 * {@value #LIMIT} allows, and there is room for the arena. Its ranks agree about that by messages: all have the team, or none.
 */
final class WorldTeams
{
    static final String LIMIT = "tallypost.mpi.teams";
    private static final int DEFAULT_LIMIT = 32;
    /** Steps of a team: there may be many teams, and each takes so many blocks for each rank. */
    private static final int WINDOW = 16;
    private static final long ENTER_TIMEOUT_NS = 10_000_000_000L;

    private final World world;
    private final Node node;
    private final Endpoint endpoint;
    private final int limit = Integer.getInteger(LIMIT, DEFAULT_LIMIT);
    private Collectives collectives;
    private int open;
    private int made;

    WorldTeams(final World world, final Node node, final Endpoint endpoint)
    {
        this.world = world;
        this.node = node;
        this.endpoint = endpoint;
    }

    /** A team of a communicator's ranks, which all call this; null at all of them if one cannot be in it. */
    Team make(final TeamCollective comm) throws MPIException
    {
        world.enter();
        try
        {
            final int[] ranks = comm.local().ranks();
            if (ranks.length == 1 || !isOneNode(ranks))
            {
                return null;
            }
            final boolean isFirst = comm.ownRank() == 0;
            final boolean isPossible = open < limit;
            // other threads make teams while this one waits
            final int number = ++made;
            TeamMeeting meeting = isFirst && isPossible ? tryEnter(number, ranks) : null;
            final int[][] willing = comm.exchangeAll(isPossible && !isFirst || meeting != null ? 1 : 0, number);
            if (isAll(willing) && !isFirst)
            {
                meeting = tryEnter(willing[0][1], ranks);
            }
            if (!isAll(willing) || !isAll(comm.exchangeAll(meeting == null ? 0 : 1)))
            {
                if (meeting != null)
                {
                    meeting.close();
                }
                return null;
            }
            try
            {
                open++;
                return meeting.team();
            }
            catch (final IllegalStateException ex)
            {
                throw new MPIException(MPI.ERR_OTHER, ex);
            }
        }
        finally
        {
            world.exit();
        }
    }

    /** Whether another rank is on this one's node. */
    boolean hasNeighbor()
    {
        for (int rank = 0; rank < world.size(); rank++)
        {
            if (rank != world.rank() && endpoint.isSameNode(rank))
            {
                return true;
            }
        }
        return false;
    }

    boolean isOneNode(final int[] ranks)
    {
        for (final int rank : ranks)
        {
            // those of one node say so of each other, and all others deny it
            if (!endpoint.isSameNode(rank))
            {
                return false;
            }
        }
        return true;
    }

    private static boolean isAll(final int[][] each)
    {
        for (final int[] numbers : each)
        {
            if (numbers[0] == 0)
            {
                return false;
            }
        }
        return true;
    }

    /** Enters an arena, which the first rank has made already if this is another one; null if that does not work. */
    private TeamMeeting tryEnter(final int number, final int[] ranks)
    {
        TeamMeeting meeting = null;
        try
        {
            if (collectives == null)
            {
                collectives = Collectives.attach(
                    node, endpoint, new CollectivesContext().window(WINDOW).poller(world::workAndLetIn));
            }
            meeting = collectives.meeting(number, ranks);
            final long startNs = System.nanoTime();
            while (!meeting.tryEnter())
            {
                if (System.nanoTime() - startNs > ENTER_TIMEOUT_NS)
                {
                    meeting.close();
                    return null;
                }
                world.turn();
            }
            return meeting;
        }
        catch (final MailboxException | IllegalStateException | IllegalArgumentException ex)
        {
            // there is no room, or too many ranks for an arena: the operations go by messages at all ranks
            if (meeting != null)
            {
                meeting.close();
            }
            return null;
        }
    }

    void close(final Team team)
    {
        world.enter();
        try
        {
            team.close();
            open--;
        }
        finally
        {
            world.exit();
        }
    }
}
