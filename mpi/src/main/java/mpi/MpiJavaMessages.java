// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Messages from rank to rank, as mpiJava has them: an offset behind each array, and names that begin with a capital. */
abstract class MpiJavaMessages extends Messages
{
    MpiJavaMessages()
    {
    }

    public final void Send(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        sendBy(SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public final Request Isend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return startSend(SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public final Prequest Send_init(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return initSend(SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public final void Bsend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        sendBy(SendTransfer.Mode.BUFFERED, buffer, offset, count, type, dest, tag);
    }

    public final Request Ibsend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return startSend(SendTransfer.Mode.BUFFERED, buffer, offset, count, type, dest, tag);
    }

    public final Prequest Bsend_init(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return initSend(SendTransfer.Mode.BUFFERED, buffer, offset, count, type, dest, tag);
    }

    public final void Ssend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        sendBy(SendTransfer.Mode.SYNCHRONOUS, buffer, offset, count, type, dest, tag);
    }

    public final Request Issend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return startSend(SendTransfer.Mode.SYNCHRONOUS, buffer, offset, count, type, dest, tag);
    }

    public final Prequest Ssend_init(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return initSend(SendTransfer.Mode.SYNCHRONOUS, buffer, offset, count, type, dest, tag);
    }

    public final void Rsend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        sendBy(SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public final Request Irsend(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return startSend(SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public final Prequest Rsend_init(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest,
        final int tag) throws MPIException
    {
        return initSend(SendTransfer.Mode.STANDARD, buffer, offset, count, type, dest, tag);
    }

    public final Status Recv(
        final Object buffer, final int offset, final int count, final Datatype type, final int source,
        final int tag) throws MPIException
    {
        return receive(buffer, offset, count, type, source, tag);
    }

    public final Request Irecv(
        final Object buffer, final int offset, final int count, final Datatype type, final int source,
        final int tag) throws MPIException
    {
        return startReceive(buffer, offset, count, type, source, tag);
    }

    public final Prequest Recv_init(
        final Object buffer, final int offset, final int count, final Datatype type, final int source,
        final int tag) throws MPIException
    {
        return new Prequest(world(), prepare(new ReceiveTransfer(), buffer, offset, count, type, source, tag));
    }

    public final Status Sendrecv(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final int dest,
        final int sendTag, final Object recvBuffer, final int recvOffset, final int recvCount, final Datatype recvType,
        final int source, final int recvTag) throws MPIException
    {
        return exchange(
            prepare(new SendTransfer(), SendTransfer.Mode.STANDARD, sendBuffer, sendOffset, sendCount, sendType, dest, sendTag),
            prepare(new ReceiveTransfer(), recvBuffer, recvOffset, recvCount, recvType, source, recvTag));
    }

    public final Status Sendrecv_replace(
        final Object buffer, final int offset, final int count, final Datatype type, final int dest, final int sendTag,
        final int source, final int recvTag) throws MPIException
    {
        return exchangeInPlace(buffer, offset, count, type, dest, sendTag, source, recvTag);
    }

    public final Status Probe(final int source,
        final int tag) throws MPIException
    {
        return probe(source, tag);
    }

    public final Status Iprobe(final int source,
        final int tag) throws MPIException
    {
        return iProbe(source, tag);
    }
}
