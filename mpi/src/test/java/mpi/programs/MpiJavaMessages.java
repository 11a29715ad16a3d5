// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.List;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Messages from rank to rank in the dialect of mpiJava, with objects and derived types. For any number of ranks from 2 on. */
public final class MpiJavaMessages
{
    private static Intracomm world;
    private static int rank;
    private static int next;
    private static int before;

    private MpiJavaMessages()
    {
    }

    /** An object that is sent. */
    private record Parcel(int from, String text) implements Serializable
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        for (int i = 0; i < 3; i++)
        {
            MPI.Init(arguments);
            Checks.equal(true, MPI.Initialized(), "initialized");
            world = MPI.COMM_WORLD;
            rank = world.Rank();
            next = (rank + 1) % world.Size();
            before = (rank + world.Size() - 1) % world.Size();
            offsets();
            requests();
            objects();
            types();
            packing();
            if (i == 2)
            {
                Checks.complete();
            }
            MPI.Finalize();
        }
    }

    private static void offsets() throws Exception
    {
        final int[] out = { -1, -1, rank, rank + 1 };
        final int[] in = { 9, 9, 9, 9 };
        final Status status =
            world.Sendrecv(out, 2, 2, MPI.INT, next, 1, in, 1, 2, MPI.INT, before, 1);
        Checks.equal(new int[]{ 9, before, before + 1, 9 }, in, "at an offset");
        Checks.equal(before, status.source, "source");
        Checks.equal(1, status.tag, "tag");
        Checks.equal(2, status.Get_count(MPI.INT), "count");
        world.Sendrecv_replace(out, 3, 1, MPI.INT, next, 2, before, 2);
        Checks.equal(new int[]{ -1, -1, rank, before + 1 }, out, "replaced at an offset");
        MPI.Buffer_attach(ByteBuffer.allocate(1000));
        world.Bsend(out, 2, 1, MPI.INT, next, 3);
        final Status found = world.Probe(MPI.ANY_SOURCE, 3);
        Checks.equal(before, found.source, "source of what was found");
        world.Recv(in, 0, 1, MPI.INT, found.source, found.tag);
        Checks.equal(before, in[0], "buffered");
        MPI.Buffer_detach();
    }

    private static void requests() throws Exception
    {
        final long[] out = { rank, 2 * rank };
        final long[] in = new long[2];
        final Request[] all = {
            world.Irecv(in, 0, 1, MPI.LONG, before, 10), world.Irecv(in, 1, 1, MPI.LONG, before, 11),
            world.Issend(out, 1, 1, MPI.LONG, next, 11), world.Isend(out, 0, 1, MPI.LONG, next, 10) };
        final Status any = Request.Waitany(all);
        Checks.equal(true, all[any.index].Is_null(), "null behind the wait");
        Checks.equal(4, Request.Waitall(all).length, "statuses");
        Checks.equal(2L * before, in[1], "number");
        final Prequest[] both = {
            world.Send_init(out, 0, 1, MPI.LONG, next, 12), world.Recv_init(in, 0, 1, MPI.LONG, before, 12) };
        for (int round = 0; round < 10; round++)
        {
            out[0] = 100 * round + rank;
            Prequest.Startall(both);
            Request.Waitall(both);
            Checks.equal(100L * round + before, in[0], "round " + round);
        }
    }

    private static void objects() throws Exception
    {
        final Object[] out = { new Parcel(rank, "x".repeat(10)), List.of(rank), null };
        final Object[] in = new Object[3];
        Status status = world.Sendrecv(out, 0, 3, MPI.OBJECT, next, 20, in, 0, 3, MPI.OBJECT, before, 20);
        Checks.equal(new Parcel(before, "x".repeat(10)), in[0], "short object");
        Checks.equal(List.of(before), in[1], "list");
        Checks.equal(true, in[2] == null, "no object");
        Checks.equal(3, status.Get_count(MPI.OBJECT), "count of objects");

        out[0] = new Parcel(rank, "y".repeat(100_000));
        final Parcel[] parcels = new Parcel[2];
        final Request receive = world.Irecv(parcels, 1, 1, MPI.OBJECT, MPI.ANY_SOURCE, 21);
        world.Ssend(out, 0, 1, MPI.OBJECT, next, 21);
        status = receive.Wait();
        Checks.equal(new Parcel(before, "y".repeat(100_000)), parcels[1], "long object");
        Checks.equal(before, status.source, "source of a long object");
        world.Sendrecv(out, 0, 1, MPI.OBJECT, next, 25, parcels, 0, 1, MPI.OBJECT, before, 25);
        Checks.equal(new Parcel(before, "y".repeat(100_000)), parcels[0], "long objects at the same time");
        final byte[][] bytes = { new byte[3_000_000] };
        bytes[0][2_999_999] = (byte)rank;
        final Object[] cameBytes = new Object[1];
        status = world.Sendrecv(bytes, 0, 1, MPI.OBJECT, next, 26, cameBytes, 0, 1, MPI.OBJECT, before, 26);
        Checks.equal((byte)before, ((byte[])cameBytes[0])[2_999_999], "the last byte of several messages");
        Checks.equal(1, status.Get_count(MPI.OBJECT), "one object");
        Checks.equal(0, world.Sendrecv(bytes, 0, 0, MPI.OBJECT, next, 27, cameBytes, 0, 1, MPI.OBJECT, before, 27)
            .Get_count(MPI.OBJECT), "no objects");
        final Request sent = world.Isend(out, 0, 2, MPI.OBJECT, next, 22);
        Checks.fails(MPI.ERR_TRUNCATE, () -> world.Recv(in, 2, 1, MPI.OBJECT, before, 22), "one object too many");
        Checks.equal(new Parcel(before, "y".repeat(100_000)), in[2], "the object that fits");
        sent.Wait();
        world.Send(new Object[]{ new Parcel(rank, "z") }, 0, 1, MPI.OBJECT, next, 23);
        System.setProperty("tallypost.mpi.objectFilter", "!mpi.programs.**");
        Checks.fails(MPI.ERR_TYPE, () -> world.Recv(in, 0, 1, MPI.OBJECT, before, 23), "a class that is refused");
        System.clearProperty("tallypost.mpi.objectFilter");
        Checks.fails(MPI.ERR_TYPE, () -> world.Send(new Object[]{ new Object() }, 0, 1, MPI.OBJECT, next, 24), "no bytes");
    }

    private static void types() throws Exception
    {
        final Datatype column = Datatype.Vector(3, 1, 4, MPI.INT);
        column.Commit();
        Checks.equal(3, column.Size(), "size");
        Checks.equal(9, column.Extent(), "extent");
        final int[] matrix = new int[12];
        for (int i = 0; i < 12; i++)
        {
            matrix[i] = 100 * rank + i;
        }
        final int[] row = new int[3];
        world.Sendrecv(matrix, 1, 1, column, next, 30, row, 0, 3, MPI.INT, before, 30);
        Checks.equal(new int[]{ 100 * before + 1, 100 * before + 5, 100 * before + 9 }, row, "column");

        final Datatype indexed = Datatype.Indexed(new int[]{ 2, 1 }, new int[]{ 0, 4 }, MPI.INT);
        final int[] in = new int[10];
        final Status status = world.Sendrecv(matrix, 0, 6, MPI.INT, next, 31, in, 0, 2, indexed, before, 31);
        final int base = 100 * before;
        Checks.equal(new int[]{ base, base + 1, 0, 0, base + 2, base + 3, base + 4, 0, 0, base + 5 }, in, "indexed");
        Checks.equal(2, status.Get_count(indexed), "items");
        Checks.equal(6, status.Get_elements(indexed), "elements");
        world.Send(matrix, 0, 4, MPI.INT, next, 32);
        final Status part = world.Recv(in, 0, 2, indexed, before, 32);
        Checks.equal(MPI.UNDEFINED, part.Get_count(indexed), "an item that is not whole");
        Checks.equal(4, part.Get_elements(indexed), "its elements");

        final Datatype struct = Datatype.Struct(
            new int[]{ 1, 2 }, new int[]{ 0, 3 }, new Datatype[]{ MPI.INT, Datatype.Contiguous(2, MPI.INT) });
        Checks.equal(7, struct.Extent(), "extent of a structure");
        Checks.equal(5, struct.Size(), "size of a structure");
        Checks.equal(4, Datatype.Hvector(2, 1, 3, MPI.DOUBLE).Extent(), "extent with a stride of elements");
        final Datatype bounded = Datatype.Struct(
            new int[]{ 1, 2, 1 }, new int[]{ -1, 1, 5 }, new Datatype[]{ MPI.LB, MPI.INT, MPI.UB });
        Checks.equal(-1, bounded.Lb(), "marked lower bound");
        Checks.equal(5, bounded.Ub(), "marked upper bound");
        Checks.equal(6, bounded.Extent(), "extent between marks");
        Checks.equal(2, bounded.Size(), "size without marks");
        final Datatype mixed = Datatype.createStruct(
            new int[]{ 1, 1 }, new int[]{ 0, 8 }, new Datatype[]{ MPI.INT, MPI.DOUBLE });
        Checks.equal(16, mixed.getExtent(), "extent in bytes");
        final ByteBuffer out = MPI.newByteBuffer(16);
        out.putInt(0, rank).putDouble(8, rank + 0.25);
        final ByteBuffer got = MPI.newByteBuffer(16);
        final Status ofMixed = world.sendRecv(out, 1, mixed, next, 33, got, 1, mixed, before, 33);
        Checks.equal(before, got.getInt(0), "int of a structure");
        Checks.equal(before + 0.25, got.getDouble(8), "double of a structure");
        Checks.equal(2, ofMixed.getElements(mixed), "elements of a structure");
        mixed.free();
        Checks.fails(MPI.ERR_TYPE, () -> world.send(out, 1, mixed, next, 34), "a freed type");
        Checks.fails(MPI.ERR_TYPE, () -> MPI.INT.free(), "a type of the library");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Send(matrix, 2, 2, column, next, 35), "a column outside");

        final Object[] objects = { "a" + rank, "b", "c" + rank };
        final Object[] gotObjects = new Object[2];
        world.Sendrecv(objects, 0, 1, Datatype.Vector(2, 1, 2, MPI.OBJECT), next, 36, gotObjects, 0, 2, MPI.OBJECT, before, 36);
        Checks.equal("c" + before, gotObjects[1], "every second object");
    }

    private static void packing() throws Exception
    {
        final byte[] packed = new byte[world.Pack_size(2, MPI.INT) + world.Pack_size(1, MPI.DOUBLE)];
        final int behind = world.Pack(new int[]{ 0, rank, 2 }, 1, 2, MPI.INT, packed, 0);
        Checks.equal(packed.length, world.Pack(new double[]{ rank }, 0, 1, MPI.DOUBLE, packed, behind), "place behind");
        final byte[] got = new byte[packed.length];
        world.Sendrecv(packed, 0, packed.length, MPI.PACKED, next, 40, got, 0, got.length, MPI.PACKED, before, 40);
        final int[] ints = new int[2];
        final double[] doubles = new double[1];
        final int place = world.Unpack(got, 0, ints, 0, 2, MPI.INT);
        Checks.equal(got.length, world.Unpack(got, place, doubles, 0, 1, MPI.DOUBLE), "place behind what was unpacked");
        Checks.equal(new int[]{ before, 2 }, ints, "unpacked ints");
        Checks.equal(new double[]{ before }, doubles, "unpacked double");
    }
}
