// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;

/**
 * How some ranks of a node become a team without another team in which they all are. {@link Collectives#meeting} makes it at each
 * of them, with the same number and ranks. First each rank enters, the first one before the others. When all have entered, which
 * they find out here or tell each other in another way, each takes the team.
 *
 * <p>Nothing here waits, and nothing is agreed: a rank that cannot enter tells the others itself. For the thread that polls the
 * endpoint.
 */
public final class TeamMeeting implements AutoCloseable
{
    /** So that teams that meet have other numbers than those that are made of a team. */
    private static final long ID = 0x6d65_6574_696e_6773L;

    private final Teams teams;
    private final TeamArena arena;
    private Team team;
    private boolean isClosed;

    private TeamMeeting(final Teams teams, final TeamArena arena)
    {
        this.teams = teams;
        this.arena = arena;
    }

    /** As {@link Collectives#meeting}, of ranks from 0 to a number of ranks, exclusive. */
    static TeamMeeting of(
        final Teams teams, final Endpoint endpoint, final int rankCount, final long number, final int... ranks)
    {
        int member = -1;
        for (int i = 0; i < ranks.length; i++)
        {
            Checks.range("rank", ranks[i], 0, rankCount - 1);
            member = ranks[i] == endpoint.rank() ? i : member;
            if (!endpoint.isSameNode(ranks[i]))
            {
                throw new IllegalArgumentException("ranks of a team are on one node: found rank " + ranks[i] +
                    ", which is on another node than rank " + endpoint.rank());
            }
        }
        if (member < 0 || RankSet.of(ranks).size() != ranks.length)
        {
            throw new IllegalArgumentException("no such team: found ranks " + Arrays.toString(ranks) +
                ", expected rank " + endpoint.rank() + " and others, each once");
        }
        final long id = OperationIdentity.mix(ID + OperationIdentity.mix(number));
        return new TeamMeeting(teams, teams.arena(id, 1, ranks.clone(), member));
    }

    /**
     * Enters: the first rank makes the arena, the others look for it.
     *
     * @return false if the first rank has not entered yet: call it again.
     * @throws MailboxException if there is no room for the arena, or what was found is damaged.
     * @throws IllegalStateException if this is closed, or the first rank has another window or block length.
     */
    public boolean tryEnter()
    {
        requireOpen();
        return arena.tryEnter();
    }

    /**
     * Whether all ranks have entered, and none had given up by then. Once true it stays so, at all ranks.
     *
     * @return true if so: the team may be taken.
     */
    public boolean isComplete()
    {
        return !isClosed && arena.arena() != null && arena.isComplete();
    }

    /**
     * The team of all ranks, in the order in which they were passed.
     *
     * @return the team, the same one each time; it is closed by itself, or with the collectives.
     * @throws IllegalStateException if a rank has not entered, or has given up, or this is closed.
     */
    public Team team()
    {
        if (team == null)
        {
            requireOpen();
            if (!isComplete())
            {
                throw new IllegalStateException("ranks have not entered, or are gone: found none of " + arena.missing() +
                    ", expected all in " + arena);
            }
            team = teams.open(arena);
        }
        return team;
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException("this rank has given the team up: " + arena);
        }
    }

    /**
     * Gives the team up for all its ranks, if none of them has found it complete. Otherwise this rank leaves it, and operations
     * of the others end with {@link Team#MEMBER_GONE}. A team that was taken here stays. Idempotent.
     */
    @Override
    public void close()
    {
        if (!isClosed && team == null)
        {
            isClosed = true;
            arena.close();
        }
    }

    /** The arena and its ranks. */
    @Override
    public String toString()
    {
        return "TeamMeeting{" + arena + (isClosed ? ", closed}" : "}");
    }
}
