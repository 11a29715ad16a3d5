// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Operation;

/**
 * A collective operation by the communicator's team that was started and goes on beside others. Operations of a team get done in
 * the order of their start. Its payloads are its own until then.
 */
final class TeamTransfer extends Transfer
{
    final Payload out = new Payload();
    final Payload in = new Payload();
    private final TeamCollective comm;
    private Operation operation;
    private Runnable beginning;
    private Schedule.Computation ending;

    TeamTransfer(final TeamCollective comm)
    {
        this.comm = comm;
    }

    /** How it begins, and what makes its results available to the program; null if nothing has to. */
    TeamTransfer of(final Operation handle, final Runnable start, final Schedule.Computation end)
    {
        operation = handle;
        beginning = start;
        ending = end;
        return this;
    }

    /** What has come fills the payload. */
    void received()
    {
        in.received(in.length());
    }

    static UnsafeBuffer room(final int length)
    {
        return length == 0 ? TeamPath.NOTHING : new UnsafeBuffer(new byte[length]);
    }

    @Override
    Channels channels()
    {
        return comm.channels();
    }

    @Override
    boolean isCarriedOn()
    {
        return true;
    }

    @Override
    void begin()
    {
        beginning.run();
        comm.path().hold();
    }

    /** Looks at what the others have done, and sleeps until they wake this rank: they ring no bell without that. */
    @Override
    void await()
    {
        operation.await();
    }

    @Override
    boolean isByLooking()
    {
        return true;
    }

    @Override
    boolean advance() throws MPIException
    {
        if (operation.progress() < 0 && operation.isActive())
        {
            return false;
        }
        try
        {
            comm.path().check(operation.progress());
            if (ending != null)
            {
                ending.run();
            }
        }
        finally
        {
            comm.path().release();
        }
        return true;
    }
}
