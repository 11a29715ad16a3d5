// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.NameDirectory;
import org.tallypost.node.Node;

/**
 * Teams with names, which ranks of a node join and leave at any time: {@link Collectives#directory()}. There is no server:
 * members are in the names of the node, and a member is gone from them when its rank closes or its process is found to be gone.
 *
 * <p>A member has a number, the lowest one that was free. A team is made by its first member and goes with its last one. When
 * enough have joined, the members <i>freeze</i> it: from then on its members are fixed, and a {@link Team} does operations with
 * them.
 *
 * <p>For the thread that polls the endpoint. The methods that look take no lock, unless a writer has stopped in a name; create,
 * join, leave, freeze and barrier take the node's for a moment.
 */
public final class TeamDirectory
{
    /** There is no team of that name, or this rank is not in it. */
    public static final long NO_SUCH_TEAM = -20;
    /** There is a team of that name already. */
    public static final long EXISTS = -21;
    /** The team is frozen: no rank joins any more. */
    public static final long FROZEN = -22;

    private static final int MAX_NAME_LENGTH = 80;
    private static final long PARK_NS = 1_000_000;

    private final Endpoint endpoint;
    private final TeamWait waiting;
    private final Meeting meeting;
    private final Teams teams;
    private final NamedMembers members;
    private final DeadlineIdleStrategy idle;

    private TeamDirectory(
        final Endpoint endpoint, final TeamWait waiting, final Meeting meeting, final Teams teams, final NamedMembers members)
    {
        this.endpoint = endpoint;
        this.waiting = waiting;
        this.meeting = meeting;
        this.teams = teams;
        this.members = members;
        idle = endpoint.newIdleStrategy();
    }

    /** Of the names of a node, for one of its endpoints. */
    static TeamDirectory of(
        final Node node, final Endpoint endpoint, final TeamWait waiting, final Meeting meeting, final Teams teams)
    {
        return new TeamDirectory(endpoint, waiting, meeting, teams,
            new NamedMembers(node.names(), endpoint.rank(), node.context().rankCount()));
    }

    /**
     * Makes a team, with this rank as its first member.
     *
     * @param name of the team, at most 80 bytes of UTF-8.
     * @return 0, the number of this member; {@link #EXISTS} if there is such a team.
     * @throws IllegalArgumentException if the name is empty or too long.
     * @throws MailboxException if the node has too many names.
     */
    public long create(final String name)
    {
        check(name);
        return members.tryCreate(name) ? 0 : EXISTS;
    }

    /**
     * Joins a team.
     *
     * @param name of the team.
     * @return the number of this member, the lowest one that was free; {@link #NO_SUCH_TEAM} or {@link #FROZEN}.
     * @throws IllegalArgumentException if the name is empty or too long.
     * @throws IllegalStateException if this rank is in the team already.
     * @throws MailboxException if the node has too many names.
     */
    public long join(final String name)
    {
        check(name);
        if (memberOf(name, endpoint.rank()) >= 0)
        {
            throw new IllegalStateException("rank " + endpoint.rank() + " is in team " + name + " already");
        }
        int member = -1;
        while (member < 0)
        {
            if (!exists(name))
            {
                return NO_SUCH_TEAM;
            }
            if (members.isFrozen(name))
            {
                return FROZEN;
            }
            member = members.tryJoin(name);
        }
        return member;
    }

    /**
     * Leaves a team; its number is free. A {@link Team} that was made of it is closed by the program.
     *
     * @param name of the team.
     * @return 0; {@link #NO_SUCH_TEAM} if this rank is not in it.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public long leave(final String name)
    {
        final long member = memberOf(name, endpoint.rank());
        if (member >= 0)
        {
            members.remove(name, (int)member);
        }
        return member < 0 ? NO_SUCH_TEAM : 0;
    }

    /**
     * Whether there is a team.
     *
     * @param name of the team.
     * @return true if it has a member.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public boolean exists(final String name)
    {
        return size(name) > 0;
    }

    /**
     * Number of members at this moment.
     *
     * @param name of the team.
     * @return 0 if there is no such team.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public int size(final String name)
    {
        check(name);
        return members.present(name).length;
    }

    /**
     * The number of a rank at this moment.
     *
     * @param name of the team.
     * @param rank to look for.
     * @return its number; {@link #NO_SUCH_TEAM} if it is not in such a team.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public long memberOf(final String name, final int rank)
    {
        check(name);
        final int member = members.memberOf(name, rank);
        return member < 0 ? NO_SUCH_TEAM : member;
    }

    /**
     * The rank of a member at this moment.
     *
     * @param name   of the team.
     * @param member its number.
     * @return the rank; {@link #NO_SUCH_TEAM} if there is no such member.
     * @throws IllegalArgumentException if the name is empty or too long.
     */
    public long rankOf(final String name, final int member)
    {
        check(name);
        final NameDirectory.NamedRank found = members.find(name, member);
        return found == null ? NO_SUCH_TEAM : found.rank();
    }

    /**
     * Fixes the members of a team, and makes a {@link Team} of them, in the order of their numbers. All members call it. It waits
     * until so many have joined, and all that are there then have called it. Members that go meanwhile are left out.
     *
     * @param name       of the team.
     * @param size       least number of members, at least 1.
     * @param deadlineNs time on the clock of {@link System#nanoTime()}.
     * @param out        gets the team.
     * @return the number of this member, or {@link #NO_SUCH_TEAM} if this rank is not in it, {@link Team#TIMED_OUT} or
     *         {@link Team#CLOSED}. After a time-out it may be called again.
     * @throws IllegalArgumentException if the name is empty or too long, or the size is less than 1.
     * @throws MailboxException if there is no room for the arena: at the member that makes it, and the others wait until their
     *         deadlines.
     */
    public long freeze(final String name, final int size, final long deadlineNs, final Consumer<Team> out)
    {
        check(name);
        Checks.atLeast("size", size, 1);
        final Freezing freezing = new Freezing(members, meeting, teams, name, size);
        long result = Team.IN_PROGRESS;
        try
        {
            result = await(freezing, deadlineNs);
            if (result == Team.TIMED_OUT && !freezing.tryGiveUp())
            {
                // the last one came when the time was over
                result = members.memberOf(name, endpoint.rank());
            }
        }
        finally
        {
            if (result < 0)
            {
                freezing.close(result == Team.CLOSED ? -1 : members.memberOf(name, endpoint.rank()));
            }
        }
        if (result >= 0)
        {
            out.accept(freezing.open((int)result));
        }
        return result;
    }

    /**
     * Waits until so many members have called it, this one among them. All pass the same count; the first ones that come go on
     * together, and later ones are the first of the next barrier. The team need not be frozen, and may have more members. One
     * that dies while it waits has come.
     *
     * @param name       of the team.
     * @param count      number of members, from 1 to the number of ranks.
     * @param deadlineNs time on the clock of {@link System#nanoTime()}.
     * @return 0; {@link #NO_SUCH_TEAM} if this rank is not in it; {@link Team#MISMATCH} if those that wait have passed another
     *         count; {@link Team#TIMED_OUT}, and then this member has not come; {@link Team#CLOSED}; or {@link Team#DAMAGED}.
     * @throws IllegalArgumentException if the name is empty or too long, or the count is out of range.
     * @throws MailboxException if the node has too many names, or there is no room for a file of a page.
     */
    public long barrier(final String name, final int count, final long deadlineNs)
    {
        check(name);
        Checks.range("count", count, 1, members.most());
        if (members.memberOf(name, endpoint.rank()) < 0)
        {
            return NO_SUCH_TEAM;
        }
        final CountBarrier barrier = new CountBarrier(members, meeting, name, count);
        try
        {
            final long result = await(barrier, deadlineNs);
            // the last one may have come when the time was over
            return result == Team.TIMED_OUT && !barrier.tryGiveUp() ? 0 : result;
        }
        finally
        {
            barrier.close();
        }
    }

    /**
     * Sends a message to all that are members at this moment, but not to this rank, which may be no member.
     *
     * @param name       of the team.
     * @param tag        of the message, as with {@link Endpoint#offer(int, int, DirectBuffer, int, int)}.
     * @param buffer     with the message.
     * @param offset     of it in bytes.
     * @param length     of it in bytes, 0 to {@link Endpoint#MAX_RUN_LENGTH}.
     * @param deadlineNs time on the clock of {@link System#nanoTime()}: until then it waits for credits.
     * @return number of ranks to which it was sent, without those that have gone; {@link #NO_SUCH_TEAM};
     *         {@link Team#TIMED_OUT}, and then some have been sent it; or {@link Team#CLOSED}.
     * @throws IllegalArgumentException if the name is empty or too long, or as the endpoint's offer.
     */
    public long multicast(
        final String name, final int tag, final DirectBuffer buffer, final int offset, final int length, final long deadlineNs)
    {
        check(name);
        Checks.range("length", length, 0, Endpoint.MAX_RUN_LENGTH);
        final int[] ranks = members.present(name);
        if (ranks.length == 0)
        {
            return NO_SUCH_TEAM;
        }
        int sent = 0;
        for (final int rank : ranks)
        {
            if (rank != endpoint.rank())
            {
                final long result = await(() -> offer(rank, tag, buffer, offset, length), deadlineNs);
                if (result == Team.TIMED_OUT || result == Team.CLOSED)
                {
                    return result;
                }
                sent += (int)result;
            }
        }
        return sent;
    }

    private long offer(final int rank, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final long result = endpoint.offer(rank, tag, buffer, offset, length);
        if (result >= 0)
        {
            return 1;
        }
        return result == Endpoint.PEER_GONE ? 0 : result == Endpoint.CLOSED ? Team.CLOSED : Team.IN_PROGRESS;
    }

    private long await(final Progress awaited, final long deadlineNs)
    {
        while (true)
        {
            final long result = awaited.progress();
            if (result != Team.IN_PROGRESS)
            {
                return result;
            }
            final int work = waiting.work();
            if (work < 0)
            {
                return Team.CLOSED;
            }
            final long nowNs = System.nanoTime();
            if (nowNs - deadlineNs >= 0)
            {
                return Team.TIMED_OUT;
            }
            idle.idle(work, nowNs + PARK_NS);
        }
    }

    private static void check(final String name)
    {
        Checks.isSet("name", name);
        Checks.range("length of the name", name.getBytes(StandardCharsets.UTF_8).length, 1, MAX_NAME_LENGTH);
    }

    /** Rank. */
    @Override
    public String toString()
    {
        return "TeamDirectory{rank=" + endpoint.rank() + "}";
    }
}
