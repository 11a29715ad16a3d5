// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import org.tallypost.messaging.MatchedMessage;

/** A message that a probe has taken, so that no other receive gets it. */
public final class Message
{
    private CommCore comm;
    private MatchedMessage held;
    private boolean isNoProc;

    /** No message. */
    public Message()
    {
    }

    public boolean isNull()
    {
        return held == null && !isNoProc;
    }

    public boolean isNoProc()
    {
        return isNoProc;
    }

    /** Waits for a message, and takes it. */
    public Status mProbe(final int source, final int tag, final Comm from) throws MPIException
    {
        final World world = World.current();
        world.enter();
        try
        {
            Status found = look(source, tag, from);
            while (found == null)
            {
                world.turn();
                found = look(source, tag, from);
            }
            return found;
        }
        finally
        {
            world.exit();
        }
    }

    /** Takes a message if there is one; null if there is none. */
    public Status imProbe(final int source, final int tag, final Comm from) throws MPIException
    {
        final World world = World.current();
        world.enter();
        try
        {
            world.work();
            return look(source, tag, from);
        }
        finally
        {
            world.exit();
        }
    }

    private Status look(final int source, final int tag, final Comm from) throws MPIException
    {
        if (!isNull())
        {
            throw new MPIException(MPI.ERR_REQUEST, "the message was not received: mRecv it before the next probe");
        }
        final int peer = from.source(source);
        from.checkTag(tag, true);
        isNoProc = peer == MPI.PROC_NULL;
        if (isNoProc)
        {
            return Status.found(MPI.PROC_NULL, MPI.ANY_TAG, 0);
        }
        final MatchedMessage taken = new MatchedMessage();
        if (!from.world().messenger().matchedProbe(from.channels().messages(false), peer, tag, taken))
        {
            return null;
        }
        comm = from;
        held = taken;
        return Status.found(
            taken.envelope().source() - from.peerBase(), taken.envelope().tag(), taken.envelope().length());
    }

    public Status mRecv(final Object buffer, final int count, final Datatype type) throws MPIException
    {
        return received(buffer, count, type).waitStatus();
    }

    public Request imRecv(final Buffer buffer, final int count, final Datatype type) throws MPIException
    {
        return received(buffer, count, type);
    }

    private Request received(final Object buffer, final int count, final Datatype type) throws MPIException
    {
        final World world = World.current();
        world.enter();
        try
        {
            final ReceiveTransfer transfer = new ReceiveTransfer().items(buffer, 0, 0, count, type);
            if (isNoProc)
            {
                transfer.from(null, false, MPI.PROC_NULL, 0, 0);
            }
            else if (held == null)
            {
                throw new MPIException(MPI.ERR_REQUEST, "the message is null: it was received, or none was found");
            }
            else
            {
                transfer.from(comm.channels(), held, comm.peerBase());
            }
            final Request request = Request.started(world, transfer);
            held = null;
            isNoProc = false;
            return request;
        }
        finally
        {
            world.exit();
        }
    }
}
