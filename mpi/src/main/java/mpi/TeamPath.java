// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;

/** The team of a communicator, once it was asked for, and what its operations use again. */
final class TeamPath
{
    /** What has no bytes for this rank. */
    static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    /** What goes out, and what comes in. */
    final Payload out = new Payload();
    final Payload in = new Payload();
    private TeamCollective comm;
    private Team team;
    private boolean isDecided;
    /** Operations that were started and have not ended: the team stays until then. */
    private int operations;
    private boolean isClosed;
    /** Portions of all ranks, packed. */
    private final UnsafeBuffer incoming = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[0]);
    private final UnsafeBuffer flag = new UnsafeBuffer(new byte[Integer.BYTES]);

    /** Whether there is a team. The first call makes it, together with all ranks of the communicator. */
    boolean isThere(final TeamCollective of) throws MPIException
    {
        if (!isDecided)
        {
            // set before, not behind: the ranks agree by operations of the same communicator, in which other threads get in. One
            // that calls an operation of all ranks then breaks their order, which is an error of the program, and finds no team;
            // behind a failure there is none either
            comm = of;
            isDecided = true;
            team = of.world().teams().make(of);
        }
        return team != null;
    }

    /** Whether there is one already: the same at all ranks before the same operation. */
    boolean isPresent()
    {
        return team != null;
    }

    Team team()
    {
        return team;
    }

    /** An operation has been started. */
    void hold()
    {
        operations++;
    }

    void release()
    {
        operations--;
        if (isClosed)
        {
            close();
        }
    }

    TeamCalls calls()
    {
        return team.calls();
    }

    /** Room for what comes from all ranks; it is used again. */
    UnsafeBuffer room(final int length)
    {
        return grown(incoming, length);
    }

    /** Room for what goes to all ranks. */
    UnsafeBuffer outRoom(final int length)
    {
        return grown(outgoing, length);
    }

    private static UnsafeBuffer grown(final UnsafeBuffer buffer, final int length)
    {
        if (buffer.capacity() < length)
        {
            buffer.wrap(new byte[length]);
        }
        return buffer;
    }

    /** Whether all ranks have passed true. */
    boolean isTrueAtAll(final boolean own) throws MPIException
    {
        flag.putInt(0, own ? 1 : 0);
        check(calls().allReduce(ElementType.INT, Reducers.MIN, flag, 0, flag, 0, 1));
        return flag.getInt(0) == 1;
    }

    /** Throws what a negative result of an operation means. */
    void check(final long result) throws MPIException
    {
        if (result < 0)
        {
            ProcessEnd.ofThisProcess().beforeFailure(result == Team.MEMBER_GONE);
            final int member = team.goneMember();
            throw new MPIException(MPI.ERR_OTHER, (result == Team.MEMBER_GONE ? "another rank is gone: " :
                "the collective operation has failed: ") + Team.errorString(result) +
                (member < 0 ? "" : "; found it at rank " + member + " of the communicator"));
        }
    }

    /** Gives the team back, now or behind the last operation. */
    void close()
    {
        isClosed = true;
        if (team != null && operations == 0)
        {
            comm.world().teams().close(team);
            team = null;
        }
    }
}
