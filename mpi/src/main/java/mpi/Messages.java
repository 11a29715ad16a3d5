// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import org.tallypost.messaging.Envelope;

/** Messages from rank to rank, as Open MPI has them. */
abstract class Messages extends CommCore
{
    Messages()
    {
    }

    final SendTransfer prepare(
        final SendTransfer transfer, final SendTransfer.Mode mode, final Object buffer, final long offset, final int count,
        final Datatype type, final int dest, final int tag) throws MPIException
    {
        final int peer = dest(dest);
        checkTag(tag, false);
        return transfer.items(buffer, offset, 0, count, type).to(channels(), false, mode, peer, tag);
    }

    final ReceiveTransfer prepare(
        final ReceiveTransfer transfer, final Object buffer, final long offset, final int count, final Datatype type,
        final int source, final int tag) throws MPIException
    {
        final int peer = source(source);
        checkTag(tag, true);
        return transfer.items(buffer, offset, 0, count, type).from(channels(), false, peer, tag, peerBase());
    }

    final void sendBy(
        final SendTransfer.Mode mode, final Object buffer, final long offset, final int count, final Datatype type,
        final int dest, final int tag) throws MPIException
    {
        final World entered = enter();
        try
        {
            world().send(prepare(world().newSend(), mode, buffer, offset, count, type, dest, tag));
        }
        finally
        {
            entered.exit();
        }
    }

    final Request startSend(
        final SendTransfer.Mode mode, final Object buffer, final long offset, final int count, final Datatype type,
        final int dest, final int tag) throws MPIException
    {
        final World entered = enter();
        try
        {
            return Request.started(world(), prepare(world().newSend(), mode, buffer, offset, count, type, dest, tag));
        }
        finally
        {
            entered.exit();
        }
    }

    final Prequest initSend(
        final SendTransfer.Mode mode, final Object buffer, final long offset, final int count, final Datatype type,
        final int dest, final int tag) throws MPIException
    {
        return new Prequest(world(), prepare(new SendTransfer(), mode, buffer, offset, count, type, dest, tag));
    }

    final Status receive(
        final Object buffer, final long offset, final int count, final Datatype type, final int source, final int tag)
        throws MPIException
    {
        final World entered = enter();
        try
        {
            return world().receive(prepare(world().newReceive(), buffer, offset, count, type, source, tag));
        }
        finally
        {
            entered.exit();
        }
    }

    final Request startReceive(
        final Object buffer, final long offset, final int count, final Datatype type, final int source, final int tag)
        throws MPIException
    {
        final World entered = enter();
        try
        {
            return Request.started(world(), prepare(world().newReceive(), buffer, offset, count, type, source, tag));
        }
        finally
        {
            entered.exit();
        }
    }

    /** Sends and receives at the same time. */
    final Status exchange(final SendTransfer send, final ReceiveTransfer receive) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            world().start(receive);
            try
            {
                world().start(send);
            }
            catch (final MPIException ex)
            {
                receive.cancel();
                throw ex;
            }
            world().await(receive);
            world().await(send);
            return Status.of(receive);
        }
        finally
        {
            entered.exit();
        }
    }

    final Status exchangeInPlace(
        final Object buffer, final long offset, final int count, final Datatype type, final int dest, final int sendTag,
        final int source, final int receiveTag) throws MPIException
    {
        final SendTransfer send =
            prepare(new SendTransfer(), SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, sendTag);
        send.copyItems();
        return exchange(send, prepare(new ReceiveTransfer(), buffer, offset, count, type, source, receiveTag));
    }

    public final void send(final Object buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        sendBy(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    public final void bSend(final Object buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        sendBy(SendTransfer.Mode.BUFFERED, buffer, 0, count, type, dest, tag);
    }

    public final void sSend(final Object buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        sendBy(SendTransfer.Mode.SYNCHRONOUS, buffer, 0, count, type, dest, tag);
    }

    public final void rSend(final Object buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        sendBy(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    public final Status recv(final Object buffer, final int count, final Datatype type, final int source, final int tag)
        throws MPIException
    {
        return receive(buffer, 0, count, type, source, tag);
    }

    public final Request iSend(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return startSend(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    /** Takes arrays as well, where Open MPI takes direct buffers only. */
    public final Request iSend(final Object buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return startSend(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    public final Request ibSend(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return startSend(SendTransfer.Mode.BUFFERED, buffer, 0, count, type, dest, tag);
    }

    public final Request isSend(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return startSend(SendTransfer.Mode.SYNCHRONOUS, buffer, 0, count, type, dest, tag);
    }

    public final Request irSend(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return startSend(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    public final Request iRecv(final Buffer buffer, final int count, final Datatype type, final int source, final int tag)
        throws MPIException
    {
        return startReceive(buffer, 0, count, type, source, tag);
    }

    /** Takes arrays as well, where Open MPI takes direct buffers only. */
    public final Request iRecv(final Object buffer, final int count, final Datatype type, final int source, final int tag)
        throws MPIException
    {
        return startReceive(buffer, 0, count, type, source, tag);
    }

    public final Prequest sendInit(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return initSend(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    public final Prequest bSendInit(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return initSend(SendTransfer.Mode.BUFFERED, buffer, 0, count, type, dest, tag);
    }

    public final Prequest sSendInit(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return initSend(SendTransfer.Mode.SYNCHRONOUS, buffer, 0, count, type, dest, tag);
    }

    public final Prequest rSendInit(final Buffer buffer, final int count, final Datatype type, final int dest, final int tag)
        throws MPIException
    {
        return initSend(SendTransfer.Mode.STANDARD, buffer, 0, count, type, dest, tag);
    }

    public final Prequest recvInit(final Buffer buffer, final int count, final Datatype type, final int source, final int tag)
        throws MPIException
    {
        return new Prequest(world(), prepare(new ReceiveTransfer(), buffer, 0, count, type, source, tag));
    }

    public final Status sendRecv(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final int dest, final int sendTag,
        final Object recvBuffer, final int recvCount, final Datatype recvType, final int source, final int recvTag)
        throws MPIException
    {
        return exchange(
            prepare(new SendTransfer(), SendTransfer.Mode.STANDARD, sendBuffer, 0, sendCount, sendType, dest, sendTag),
            prepare(new ReceiveTransfer(), recvBuffer, 0, recvCount, recvType, source, recvTag));
    }

    public final Status sendRecvReplace(
        final Object buffer, final int count, final Datatype type, final int dest, final int sendTag, final int source,
        final int recvTag) throws MPIException
    {
        return exchangeInPlace(buffer, 0, count, type, dest, sendTag, source, recvTag);
    }

    private Status look(final int source, final int tag) throws MPIException
    {
        final int peer = source(source);
        checkTag(tag, true);
        if (peer == MPI.PROC_NULL)
        {
            return Status.found(MPI.PROC_NULL, MPI.ANY_TAG, 0);
        }
        final Envelope envelope = new Envelope();
        return world().messenger().probe(channels().messages(false), peer, tag, envelope) ?
            Status.found(envelope.source() - peerBase(), envelope.tag(), envelope.length()) : null;
    }

    /** Waits for a message, and leaves it there. */
    public final Status probe(final int source, final int tag) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            Status found = look(source, tag);
            while (found == null)
            {
                world().turn();
                found = look(source, tag);
            }
            return found;
        }
        finally
        {
            entered.exit();
        }
    }

    /** Looks for a message; null if there is none. */
    public final Status iProbe(final int source, final int tag) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            world().work();
            return look(source, tag);
        }
        finally
        {
            entered.exit();
        }
    }
}
