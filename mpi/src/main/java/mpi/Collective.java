// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Collective operations, as Open MPI has them. */
abstract class Collective extends StartedCollective
{
    Collective()
    {
    }

    final boolean inPlaceAt(final int root) throws MPIException
    {
        check();
        return !isBetweenGroups() && ownRank() == root;
    }

    final int[] equalCounts(final int count) throws MPIException
    {
        check();
        final int[] counts = new int[local().size()];
        java.util.Arrays.fill(counts, count);
        return counts;
    }

    /** Items of all ranks reduced, and the results spread. */
    final Request startScatterReduced(
        final Object sendBuffer, final Object recvBuffer, final int[] counts, final Datatype type, final Op op)
        throws MPIException
    {
        return startReduceScatter(Items.of(sendBuffer, 0, total(counts), type), Items.of(recvBuffer, 0, 0, type), counts, op);
    }

    /** Items of all ranks. */
    final int total(final int... counts) throws MPIException
    {
        check();
        int total = 0;
        for (int rank = 0; counts != null && rank < Math.min(counts.length, local().size()); rank++)
        {
            total += counts[rank];
        }
        return total;
    }

    private void doReduceScatter(
        final Object sendBuffer, final Object recvBuffer, final int[] counts, final Datatype type, final Op op)
        throws MPIException
    {
        doReduceScatter(Items.of(sendBuffer, 0, total(counts), type), Items.of(recvBuffer, 0, 0, type), counts, op);
    }

    public final void barrier() throws MPIException
    {
        doBarrier();
    }

    public final void bcast(final Object buffer, final int count, final Datatype type, final int root) throws MPIException
    {
        doBcast(Items.of(buffer, 0, count, type), root);
    }

    public final void gather(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final Object recvBuffer, final int recvCount,
        final Datatype recvType, final int root) throws MPIException
    {
        doGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.equal(Items.of(recvBuffer, 0, recvCount,
            recvType)), root);
    }

    /** In place at the root. */
    public final void gather(final Object buffer, final int count, final Datatype type, final int root) throws MPIException
    {
        doGather(inPlaceAt(root) ? null : Items.of(buffer, 0, count, type), Portions.equal(Items.of(buffer, 0,
            count, type)), root);
    }

    public final void gatherv(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final Object recvBuffer, final int[] recvCounts,
        final int[] recvPlaces, final Datatype recvType, final int root) throws MPIException
    {
        doGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.of(Items.of(recvBuffer, 0, 0, recvType),
            recvCounts, recvPlaces), root);
    }

    /** Of the root, in place. */
    public final void gatherv(
        final Object recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType, final int root)
        throws MPIException
    {
        doGather(null, Portions.of(Items.of(recvBuffer, 0, 0, recvType), recvCounts, recvPlaces), root);
    }

    /** Of the others, if it is in place at the root. */
    public final void gatherv(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final int root) throws MPIException
    {
        doGather(Items.of(sendBuffer, 0, sendCount, sendType), null, root);
    }

    public final void scatter(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final Object recvBuffer, final int recvCount,
        final Datatype recvType, final int root) throws MPIException
    {
        doScatter(Portions.equal(Items.of(sendBuffer, 0, sendCount, sendType)), Items.of(recvBuffer, 0,
            recvCount, recvType), root);
    }

    /** In place at the root. */
    public final void scatter(final Object buffer, final int count, final Datatype type, final int root) throws MPIException
    {
        doScatter(Portions.equal(Items.of(buffer, 0, count, type)), inPlaceAt(root) ? null : Items.of(buffer, 0,
            count, type), root);
    }

    public final void scatterv(
        final Object sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType,
        final Object recvBuffer, final int recvCount, final Datatype recvType, final int root) throws MPIException
    {
        doScatter(Portions.of(Items.of(sendBuffer, 0, 0, sendType), sendCounts, sendPlaces), Items.of(recvBuffer,
            0, recvCount, recvType), root);
    }

    /** Of the root, in place. */
    public final void scatterv(
        final Object sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType, final int root)
        throws MPIException
    {
        doScatter(Portions.of(Items.of(sendBuffer, 0, 0, sendType), sendCounts, sendPlaces), null, root);
    }

    /** Of the others, if it is in place at the root. */
    public final void scatterv(
        final Object recvBuffer, final int recvCount, final Datatype recvType, final int root) throws MPIException
    {
        doScatter(null, Items.of(recvBuffer, 0, recvCount, recvType), root);
    }

    public final void allGather(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final Object recvBuffer, final int recvCount,
        final Datatype recvType) throws MPIException
    {
        doAllGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.equal(Items.of(recvBuffer, 0,
            recvCount, recvType)));
    }

    /** In place. */
    public final void allGather(final Object buffer, final int count, final Datatype type) throws MPIException
    {
        doAllGather(null, Portions.equal(Items.of(buffer, 0, count, type)));
    }

    public final void allGatherv(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final Object recvBuffer, final int[] recvCounts,
        final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        doAllGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.of(Items.of(recvBuffer, 0, 0,
            recvType), recvCounts, recvPlaces));
    }

    /** In place. */
    public final void allGatherv(
        final Object recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        doAllGather(null, Portions.of(Items.of(recvBuffer, 0, 0, recvType), recvCounts, recvPlaces));
    }

    public final void allToAll(
        final Object sendBuffer, final int sendCount, final Datatype sendType, final Object recvBuffer, final int recvCount,
        final Datatype recvType) throws MPIException
    {
        doAllToAll(Portions.equal(Items.of(sendBuffer, 0, sendCount, sendType)),
            Portions.equal(Items.of(recvBuffer, 0, recvCount, recvType)));
    }

    public final void allToAllv(
        final Object sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType,
        final Object recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        doAllToAll(Portions.of(Items.of(sendBuffer, 0, 0, sendType), sendCounts, sendPlaces),
            Portions.of(Items.of(recvBuffer, 0, 0, recvType), recvCounts, recvPlaces));
    }

    /** Displacements count bytes. */
    public final void allToAllw(
        final Object sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype[] sendTypes,
        final Object recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype[] recvTypes) throws MPIException
    {
        doAllToAll(Portions.of(Items.of(sendBuffer, 0, 0, MPI.BYTE), sendCounts, sendPlaces, sendTypes),
            Portions.of(Items.of(recvBuffer, 0, 0, MPI.BYTE), recvCounts, recvPlaces, recvTypes));
    }

    public final void reduce(
        final Object sendBuffer, final Object recvBuffer, final int count, final Datatype type, final Op op, final int root)
        throws MPIException
    {
        doReduce(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op, root);
    }

    /** In place at the root. */
    public final void reduce(
        final Object buffer, final int count, final Datatype type, final Op op, final int root) throws MPIException
    {
        doReduce(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op, root);
    }

    public final void allReduce(
        final Object sendBuffer, final Object recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doAllReduce(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op);
    }

    /** In place. */
    public final void allReduce(final Object buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doAllReduce(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op);
    }

    public final void reduceScatter(
        final Object sendBuffer, final Object recvBuffer, final int[] counts, final Datatype type, final Op op)
        throws MPIException
    {
        doReduceScatter(sendBuffer, recvBuffer, counts, type, op);
    }

    /** In place. */
    public final void reduceScatter(final Object buffer, final int[] counts, final Datatype type, final Op op) throws MPIException
    {
        doReduceScatter(buffer, buffer, counts, type, op);
    }

    public final void reduceScatterBlock(
        final Object sendBuffer, final Object recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doReduceScatter(sendBuffer, recvBuffer, equalCounts(count), type, op);
    }

    /** In place. */
    public final void reduceScatterBlock(
        final Object buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doReduceScatter(buffer, buffer, equalCounts(count), type, op);
    }

    public final void scan(
        final Object sendBuffer, final Object recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doScan(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op, false);
    }

    /** In place. */
    public final void scan(final Object buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doScan(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op, false);
    }

    public final void exScan(
        final Object sendBuffer, final Object recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doScan(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op, true);
    }

    /** In place. */
    public final void exScan(final Object buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        doScan(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op, true);
    }
}
