// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Collective operations, as mpiJava has them. */
abstract class MpiJavaCollective extends ImmediateCollective
{
    MpiJavaCollective()
    {
    }

    public final void Barrier() throws MPIException
    {
        doBarrier();
    }

    public final void Bcast(
        final Object buffer, final int offset, final int count, final Datatype type, final int root) throws MPIException
    {
        doBcast(Items.of(buffer, offset, count, type), root);
    }

    public final void Gather(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final Object recvBuffer,
        final int recvOffset, final int recvCount, final Datatype recvType, final int root) throws MPIException
    {
        doGather(Items.of(sendBuffer, sendOffset, sendCount, sendType), Portions.equal(Items.of(recvBuffer,
            recvOffset, recvCount, recvType)), root);
    }

    public final void Gatherv(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final Object recvBuffer,
        final int recvOffset, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType, final int root)
        throws MPIException
    {
        doGather(Items.of(sendBuffer, sendOffset, sendCount, sendType), Portions.of(Items.of(recvBuffer,
            recvOffset, 0, recvType), recvCounts, recvPlaces), root);
    }

    public final void Scatter(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final Object recvBuffer,
        final int recvOffset, final int recvCount, final Datatype recvType, final int root) throws MPIException
    {
        doScatter(Portions.equal(Items.of(sendBuffer, sendOffset, sendCount, sendType)), Items.of(recvBuffer,
            recvOffset, recvCount, recvType), root);
    }

    public final void Scatterv(
        final Object sendBuffer, final int sendOffset, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType,
        final Object recvBuffer, final int recvOffset, final int recvCount, final Datatype recvType, final int root)
        throws MPIException
    {
        doScatter(Portions.of(Items.of(sendBuffer, sendOffset, 0, sendType), sendCounts, sendPlaces),
            Items.of(recvBuffer, recvOffset, recvCount, recvType), root);
    }

    public final void Allgather(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final Object recvBuffer,
        final int recvOffset, final int recvCount, final Datatype recvType) throws MPIException
    {
        doAllGather(Items.of(sendBuffer, sendOffset, sendCount, sendType), Portions.equal(Items.of(recvBuffer,
            recvOffset, recvCount, recvType)));
    }

    public final void Allgatherv(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final Object recvBuffer,
        final int recvOffset, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        doAllGather(Items.of(sendBuffer, sendOffset, sendCount, sendType), Portions.of(Items.of(recvBuffer,
            recvOffset, 0, recvType), recvCounts, recvPlaces));
    }

    public final void Alltoall(
        final Object sendBuffer, final int sendOffset, final int sendCount, final Datatype sendType, final Object recvBuffer,
        final int recvOffset, final int recvCount, final Datatype recvType) throws MPIException
    {
        doAllToAll(Portions.equal(Items.of(sendBuffer, sendOffset, sendCount, sendType)),
            Portions.equal(Items.of(recvBuffer, recvOffset, recvCount, recvType)));
    }

    public final void Alltoallv(
        final Object sendBuffer, final int sendOffset, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType,
        final Object recvBuffer, final int recvOffset, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType)
        throws MPIException
    {
        doAllToAll(Portions.of(Items.of(sendBuffer, sendOffset, 0, sendType), sendCounts, sendPlaces),
            Portions.of(Items.of(recvBuffer, recvOffset, 0, recvType), recvCounts, recvPlaces));
    }

    public final void Reduce(
        final Object sendBuffer, final int sendOffset, final Object recvBuffer, final int recvOffset, final int count,
        final Datatype type, final Op op, final int root) throws MPIException
    {
        doReduce(Items.of(sendBuffer, sendOffset, count, type), Items.of(recvBuffer, recvOffset, count, type),
            op, root);
    }

    public final void Allreduce(
        final Object sendBuffer, final int sendOffset, final Object recvBuffer, final int recvOffset, final int count,
        final Datatype type, final Op op) throws MPIException
    {
        doAllReduce(Items.of(sendBuffer, sendOffset, count, type), Items.of(recvBuffer, recvOffset, count, type),
            op);
    }

    public final void Scan(
        final Object sendBuffer, final int sendOffset, final Object recvBuffer, final int recvOffset, final int count,
        final Datatype type, final Op op) throws MPIException
    {
        doScan(Items.of(sendBuffer, sendOffset, count, type), Items.of(recvBuffer, recvOffset, count, type), op,
            false);
    }

    public final void Exscan(
        final Object sendBuffer, final int sendOffset, final Object recvBuffer, final int recvOffset, final int count,
        final Datatype type, final Op op) throws MPIException
    {
        doScan(Items.of(sendBuffer, sendOffset, count, type), Items.of(recvBuffer, recvOffset, count, type), op,
            true);
    }

    public final void Reduce_scatter(
        final Object sendBuffer, final int sendOffset, final Object recvBuffer, final int recvOffset, final int[] counts,
        final Datatype type, final Op op) throws MPIException
    {
        doReduceScatter(
            Items.of(sendBuffer, sendOffset, total(counts), type), Items.of(recvBuffer, recvOffset, 0, type), counts, op);
    }
}
