// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;

/** Collective operations that are only started, as Open MPI has them. They go on in all calls that wait or test. */
abstract class ImmediateCollective extends Collective
{
    ImmediateCollective()
    {
    }

    public final Request iBarrier() throws MPIException
    {
        return startBarrier();
    }

    public final Request iBcast(final Buffer buffer, final int count, final Datatype type, final int root) throws MPIException
    {
        return startBcast(Items.of(buffer, 0, count, type), root);
    }

    public final Request iGather(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final Buffer recvBuffer, final int recvCount,
        final Datatype recvType, final int root) throws MPIException
    {
        return startGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.equal(Items.of(recvBuffer, 0,
            recvCount, recvType)), root);
    }

    /** In place at the root. */
    public final Request iGather(final Buffer buffer, final int count, final Datatype type, final int root) throws MPIException
    {
        return startGather(inPlaceAt(root) ? null : Items.of(buffer, 0, count, type),
            Portions.equal(Items.of(buffer, 0, count, type)), root);
    }

    public final Request iGatherv(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final Buffer recvBuffer, final int[] recvCounts,
        final int[] recvPlaces, final Datatype recvType, final int root) throws MPIException
    {
        return startGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.of(Items.of(recvBuffer, 0, 0,
            recvType), recvCounts, recvPlaces), root);
    }

    /** Of the root, in place. */
    public final Request iGatherv(
        final Buffer recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType, final int root)
        throws MPIException
    {
        return startGather(null, Portions.of(Items.of(recvBuffer, 0, 0, recvType), recvCounts, recvPlaces), root);
    }

    /** Of the others, if it is in place at the root. */
    public final Request iGatherv(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final int root) throws MPIException
    {
        return startGather(Items.of(sendBuffer, 0, sendCount, sendType), null, root);
    }

    public final Request iScatter(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final Buffer recvBuffer, final int recvCount,
        final Datatype recvType, final int root) throws MPIException
    {
        return startScatter(Portions.equal(Items.of(sendBuffer, 0, sendCount, sendType)), Items.of(recvBuffer,
            0, recvCount, recvType), root);
    }

    /** In place at the root. */
    public final Request iScatter(final Buffer buffer, final int count, final Datatype type, final int root) throws MPIException
    {
        return startScatter(Portions.equal(Items.of(buffer, 0, count, type)),
            inPlaceAt(root) ? null : Items.of(buffer, 0, count, type), root);
    }

    public final Request iScatterv(
        final Buffer sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType,
        final Buffer recvBuffer, final int recvCount, final Datatype recvType, final int root) throws MPIException
    {
        return startScatter(Portions.of(Items.of(sendBuffer, 0, 0, sendType), sendCounts, sendPlaces),
            Items.of(recvBuffer, 0, recvCount, recvType), root);
    }

    /** Of the root, in place. */
    public final Request iScatterv(
        final Buffer sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType, final int root)
        throws MPIException
    {
        return startScatter(Portions.of(Items.of(sendBuffer, 0, 0, sendType), sendCounts, sendPlaces), null,
            root);
    }

    /** Of the others, if it is in place at the root. */
    public final Request iScatterv(
        final Buffer recvBuffer, final int recvCount, final Datatype recvType, final int root) throws MPIException
    {
        return startScatter(null, Items.of(recvBuffer, 0, recvCount, recvType), root);
    }

    public final Request iAllGather(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final Buffer recvBuffer, final int recvCount,
        final Datatype recvType) throws MPIException
    {
        return startAllGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.equal(Items.of(recvBuffer,
            0, recvCount, recvType)));
    }

    /** In place. */
    public final Request iAllGather(final Buffer buffer, final int count, final Datatype type) throws MPIException
    {
        return startAllGather(null, Portions.equal(Items.of(buffer, 0, count, type)));
    }

    public final Request iAllGatherv(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final Buffer recvBuffer, final int[] recvCounts,
        final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        return startAllGather(Items.of(sendBuffer, 0, sendCount, sendType), Portions.of(Items.of(recvBuffer, 0,
            0, recvType), recvCounts, recvPlaces));
    }

    /** In place. */
    public final Request iAllGatherv(
        final Buffer recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        return startAllGather(null, Portions.of(Items.of(recvBuffer, 0, 0, recvType), recvCounts, recvPlaces));
    }

    public final Request iAllToAll(
        final Buffer sendBuffer, final int sendCount, final Datatype sendType, final Buffer recvBuffer, final int recvCount,
        final Datatype recvType) throws MPIException
    {
        return startAllToAll(Portions.equal(Items.of(sendBuffer, 0, sendCount, sendType)),
            Portions.equal(Items.of(recvBuffer, 0, recvCount, recvType)));
    }

    public final Request iAllToAllv(
        final Buffer sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype sendType,
        final Buffer recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype recvType) throws MPIException
    {
        return startAllToAll(Portions.of(Items.of(sendBuffer, 0, 0, sendType), sendCounts, sendPlaces),
            Portions.of(Items.of(recvBuffer, 0, 0, recvType), recvCounts, recvPlaces));
    }

    /** Displacements count bytes. */
    public final Request iAllToAllw(
        final Buffer sendBuffer, final int[] sendCounts, final int[] sendPlaces, final Datatype[] sendTypes,
        final Buffer recvBuffer, final int[] recvCounts, final int[] recvPlaces, final Datatype[] recvTypes) throws MPIException
    {
        return startAllToAll(Portions.of(Items.of(sendBuffer, 0, 0, MPI.BYTE), sendCounts, sendPlaces,
            sendTypes), Portions.of(Items.of(recvBuffer, 0, 0, MPI.BYTE), recvCounts, recvPlaces, recvTypes));
    }

    public final Request iReduce(
        final Buffer sendBuffer, final Buffer recvBuffer, final int count, final Datatype type, final Op op, final int root)
        throws MPIException
    {
        return startReduce(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op, root);
    }

    /** In place at the root. */
    public final Request iReduce(
        final Buffer buffer, final int count, final Datatype type, final Op op, final int root) throws MPIException
    {
        return startReduce(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op, root);
    }

    public final Request iAllReduce(
        final Buffer sendBuffer, final Buffer recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startAllReduce(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op);
    }

    /** In place. */
    public final Request iAllReduce(final Buffer buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startAllReduce(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op);
    }

    public final Request iReduceScatter(
        final Buffer sendBuffer, final Buffer recvBuffer, final int[] counts, final Datatype type, final Op op)
        throws MPIException
    {
        return startScatterReduced(sendBuffer, recvBuffer, counts, type, op);
    }

    /** In place. */
    public final Request iReduceScatter(
        final Buffer buffer, final int[] counts, final Datatype type, final Op op) throws MPIException
    {
        return startScatterReduced(buffer, buffer, counts, type, op);
    }

    public final Request iReduceScatterBlock(
        final Buffer sendBuffer, final Buffer recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startScatterReduced(sendBuffer, recvBuffer, equalCounts(count), type, op);
    }

    /** In place. */
    public final Request iReduceScatterBlock(
        final Buffer buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startScatterReduced(buffer, buffer, equalCounts(count), type, op);
    }

    public final Request iScan(
        final Buffer sendBuffer, final Buffer recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startScan(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op, false);
    }

    /** In place. */
    public final Request iScan(final Buffer buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startScan(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op, false);
    }

    public final Request iExScan(
        final Buffer sendBuffer, final Buffer recvBuffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startScan(Items.of(sendBuffer, 0, count, type), Items.of(recvBuffer, 0, count, type), op, true);
    }

    /** In place. */
    public final Request iExScan(final Buffer buffer, final int count, final Datatype type, final Op op) throws MPIException
    {
        return startScan(Items.of(buffer, 0, count, type), Items.of(buffer, 0, count, type), op, true);
    }
}
