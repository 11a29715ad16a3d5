// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import mpi.Comm;
import mpi.Datatype;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.UserFunction;
import mpi.User_function;
import mpi.Win;

/** Calls with what cannot be: each fails with the class of the standard, and the rank goes on. For one rank or more. */
public final class BadInput
{
    private static Intracomm world;
    private static int rank;
    private static int size;

    private BadInput()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        world = MPI.COMM_WORLD;
        outside();
        Checks.fails(MPI.ERR_OTHER, MPI::Finalize, "Finalize before Init");
        MPI.Init(arguments);
        rank = world.getRank();
        size = world.getSize();
        ranksAndTags();
        buffers();
        limits();
        mpiJava();
        final Prequest request = world.sendInit(MPI.newIntBuffer(1), 1, MPI.INT, MPI.PROC_NULL, 0);
        freed();
        Checks.complete();
        MPI.Finalize();
        outside();
        Checks.fails(MPI.ERR_OTHER, request::start, "start of a request behind Finalize");
        Checks.fails(MPI.ERR_OTHER, MPI::Finalize, "a second Finalize");
    }

    /** Before Init, or behind Finalize. */
    private static void outside() throws Exception
    {
        final int[] one = new int[1];
        final IntBuffer buffer = MPI.newIntBuffer(1);
        Checks.fails(MPI.ERR_OTHER, () -> world.send(one, 1, MPI.INT, 0, 0), "send");
        Checks.fails(MPI.ERR_OTHER, () -> world.recv(one, 1, MPI.INT, 0, 0), "recv");
        Checks.fails(MPI.ERR_OTHER, () -> world.iSend(buffer, 1, MPI.INT, 0, 0), "iSend");
        Checks.fails(MPI.ERR_OTHER, () -> world.sendInit(buffer, 1, MPI.INT, 0, 0), "sendInit");
        Checks.fails(MPI.ERR_OTHER, () -> world.probe(0, 0), "probe");
        Checks.fails(MPI.ERR_OTHER, () -> world.barrier(), "barrier");
        Checks.fails(MPI.ERR_OTHER, () -> world.iBarrier(), "iBarrier");
        Checks.fails(MPI.ERR_OTHER, () -> world.allReduce(one, 1, MPI.INT, MPI.SUM), "allReduce");
        Checks.fails(MPI.ERR_OTHER, () -> world.dup(), "dup");
        Checks.fails(MPI.ERR_OTHER, () -> world.split(0, 0), "split");
        Checks.fails(MPI.ERR_OTHER, () -> world.createCart(new int[]{ 1 }, new boolean[]{ false }, false), "createCart");
        Checks.fails(MPI.ERR_OTHER, () -> world.getRank(), "getRank");
        Checks.fails(MPI.ERR_OTHER, () -> new Win(buffer, 1, 1, MPI.INFO_NULL, world), "window");
        Checks.fails(MPI.ERR_OTHER, () -> world.Send(one, 0, 1, MPI.INT, 0, 0), "Send");
        Checks.fails(MPI.ERR_OTHER, () -> world.Recv(one, 0, 1, MPI.INT, 0, 0), "Recv");
        Checks.fails(MPI.ERR_OTHER, () -> world.Isend(one, 0, 1, MPI.INT, 0, 0), "Isend");
        Checks.fails(MPI.ERR_OTHER, () -> world.Irecv(one, 0, 1, MPI.INT, 0, 0), "Irecv");
        Checks.fails(MPI.ERR_OTHER, () -> world.Send_init(one, 0, 1, MPI.INT, 0, 0), "Send_init");
        Checks.fails(MPI.ERR_OTHER, () -> world.Iprobe(0, 0), "Iprobe");
        Checks.fails(MPI.ERR_OTHER, () -> world.Barrier(), "Barrier");
        Checks.fails(MPI.ERR_OTHER, () -> world.Bcast(one, 0, 1, MPI.INT, 0), "Bcast");
        Checks.fails(MPI.ERR_OTHER, () -> world.Allreduce(one, 0, one, 0, 1, MPI.INT, MPI.SUM), "Allreduce");
        Checks.fails(MPI.ERR_OTHER, () -> world.Split(0, 0), "Split");
        Checks.fails(MPI.ERR_OTHER, () -> world.Rank(), "Rank");
    }

    /** The same faults in the dialect of mpiJava, with offsets. */
    private static void mpiJava() throws Exception
    {
        final int[] two = new int[2];
        for (final int bad : new int[]{ size, -7, Integer.MIN_VALUE })
        {
            Checks.fails(MPI.ERR_RANK, () -> world.Send(two, 0, 1, MPI.INT, bad, 0), "rank of a Send");
            Checks.fails(MPI.ERR_RANK, () -> world.Irecv(two, 0, 1, MPI.INT, bad, 0), "rank of an Irecv");
            Checks.fails(MPI.ERR_RANK, () -> world.Probe(bad, 0), "rank of a Probe");
            Checks.fails(MPI.ERR_ROOT, () -> world.Bcast(two, 0, 1, MPI.INT, bad), "root of a Bcast");
        }
        Checks.fails(MPI.ERR_TAG, () -> world.Ssend(two, 0, 1, MPI.INT, rank, -7), "tag of an Ssend");
        Checks.fails(MPI.ERR_TAG, () -> world.Recv_init(two, 0, 1, MPI.INT, rank, -7), "tag of a Recv_init");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Isend(two, 1, 2, MPI.INT, rank, 0), "offset and count behind an array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Recv(two, -1, 1, MPI.INT, rank, 0), "offset before an array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Bcast(two, 1, 2, MPI.INT, 0), "offset and count of a Bcast");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Allreduce(two, 1, new int[2], 0, 2, MPI.INT, MPI.SUM), "operands");
        Checks.fails(MPI.ERR_COUNT, () -> world.Send(two, 0, -1, MPI.INT, rank, 0), "count");
        Checks.fails(MPI.ERR_TYPE, () -> world.Send(two, 0, 1, MPI.OBJECT, rank, 0), "objects of an array of numbers");
        Checks.fails(MPI.ERR_TYPE, () -> world.Irecv(new Object[1], 0, 1, MPI.INT, rank, 0), "numbers of an array of objects");
        Checks.fails(MPI.ERR_TYPE, () -> world.Send(two, 0, 1, null, rank, 0), "no type");
        final Intracomm comm = world.clone();
        comm.Free();
        Checks.fails(MPI.ERR_COMM, () -> comm.Send(two, 0, 1, MPI.INT, rank, 0), "Send by a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.Irecv(two, 0, 1, MPI.INT, rank, 0), "Irecv by a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.Barrier(), "Barrier of a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.Split(0, 0), "Split of a freed communicator");
        // never called
        final Op op = new Op(new User_function()
        {
            @Override
            public void Call(
                final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count,
                final Datatype type)
            {
            }
        }, true);
        op.Free();
        Checks.fails(MPI.ERR_OP, () -> world.Allreduce(two, 0, new int[2], 0, 1, MPI.INT, op), "a freed reduction");
        Checks.fails(MPI.ERR_OP, () -> world.Scan(two, 0, new int[2], 0, 1, MPI.INT, op), "a freed reduction of a Scan");
    }

    private static void ranksAndTags() throws Exception
    {
        final int[] one = new int[1];
        final IntBuffer buffer = MPI.newIntBuffer(1);
        for (final int bad : new int[]{ size, -7, Integer.MAX_VALUE, Integer.MIN_VALUE })
        {
            Checks.fails(MPI.ERR_RANK, () -> world.send(one, 1, MPI.INT, bad, 0), "rank of a send");
            Checks.fails(MPI.ERR_RANK, () -> world.recv(one, 1, MPI.INT, bad, 0), "rank of a receive");
            Checks.fails(MPI.ERR_RANK, () -> world.iSend(buffer, 1, MPI.INT, bad, 0), "rank of a send that is started");
            Checks.fails(MPI.ERR_RANK, () -> world.iProbe(bad, 0), "rank of a probe");
            Checks.fails(MPI.ERR_ROOT, () -> world.gather(one, 1, MPI.INT, bad), "root");
        }
        Checks.fails(MPI.ERR_RANK, () -> world.send(one, 1, MPI.INT, MPI.ANY_SOURCE, 0), "any rank as a destination");
        for (final int bad : new int[]{ -7, Integer.MIN_VALUE })
        {
            Checks.fails(MPI.ERR_TAG, () -> world.send(one, 1, MPI.INT, rank, bad), "tag of a send");
            Checks.fails(MPI.ERR_TAG, () -> world.recv(one, 1, MPI.INT, rank, bad), "tag of a receive");
            Checks.fails(MPI.ERR_TAG, () -> world.iRecv(buffer, 1, MPI.INT, rank, bad), "tag of a receive that is started");
            Checks.fails(MPI.ERR_TAG, () -> world.probe(rank, bad), "tag of a probe");
        }
        Checks.fails(MPI.ERR_TAG, () -> world.send(one, 1, MPI.INT, rank, MPI.ANY_TAG), "any tag of a send");
    }

    private static void buffers() throws Exception
    {
        final int[] two = new int[2];
        Checks.fails(MPI.ERR_BUFFER, () -> world.send(two, 3, MPI.INT, rank, 0), "count behind an array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.recv(two, Integer.MAX_VALUE / 8, MPI.INT, rank, 0), "count far behind an array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Send(two, 1, 2, MPI.INT, rank, 0), "offset and count behind an array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.Send(two, -1, 1, MPI.INT, rank, 0), "offset before an array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.send(null, 1, MPI.INT, rank, 0), "no buffer");
        Checks.fails(MPI.ERR_TYPE, () -> world.send(two, 1, MPI.OBJECT, rank, 0), "objects of an array of numbers");
        Checks.fails(MPI.ERR_TYPE, () -> world.send(new Object[1], 1, MPI.INT, rank, 0), "numbers of an array of objects");
        Checks.fails(MPI.ERR_BUFFER, () -> world.send(two, 2, MPI.DOUBLE, rank, 0), "items that are longer than the array");
        Checks.fails(MPI.ERR_BUFFER, () -> world.iSend(ByteBuffer.allocateDirect(4).asReadOnlyBuffer().asIntBuffer(), 2,
            MPI.INT, rank, 0), "count behind a buffer");
        Checks.fails(MPI.ERR_COUNT, () -> world.iRecv(MPI.newIntBuffer(1), -1, MPI.INT, rank, 0), "count");
    }

    /** Items are counted from the begin of a buffer to its capacity, whatever its position and limit are. */
    private static void limits() throws Exception
    {
        final ByteBuffer from = MPI.newByteBuffer(8);
        from.putInt(0, 1).putInt(4, 2).position(6).limit(7);
        final ByteBuffer to = MPI.newByteBuffer(8);
        to.position(3).limit(3);
        Request.waitAll(new Request[]{ world.iRecv(to, 2, MPI.INT, rank, 0), world.iSend(from, 2, MPI.INT, rank, 0) });
        Checks.equal(6 + ", " + 7, from.position() + ", " + from.limit(), "position and limit of what was sent");
        Checks.equal(3 + ", " + 3, to.position() + ", " + to.limit(), "position and limit of what was received");
        to.clear();
        Checks.equal(1 + ", " + 2, to.getInt(0) + ", " + to.getInt(4), "items behind position and limit");
    }

    private static void freed() throws Exception
    {
        final int[] one = new int[1];
        final IntBuffer buffer = MPI.newIntBuffer(1);
        final Intracomm comm = world.dup();
        final Prequest request = comm.sendInit(buffer, 1, MPI.INT, rank, 0);
        comm.free();
        Checks.fails(MPI.ERR_COMM, () -> comm.send(one, 1, MPI.INT, rank, 0), "send by a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.iRecv(buffer, 1, MPI.INT, rank, 0), "receive by a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.recvInit(buffer, 1, MPI.INT, rank, 0), "request of a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.barrier(), "barrier of a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> comm.iBarrier(), "started barrier of a freed communicator");
        Checks.fails(MPI.ERR_COMM, comm::free, "a freed communicator that is freed");
        Checks.fails(MPI.ERR_COMM, () -> comm.dup(), "duplicate of a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> Comm.compare(world, comm), "comparison with a freed communicator");
        Checks.fails(MPI.ERR_COMM, () -> new Win(buffer, 1, 1, MPI.INFO_NULL, comm), "window of a freed communicator");
        Checks.fails(MPI.ERR_COMM, request::start, "start of a request of a freed communicator");
        // never called
        final Op op = new Op(new UserFunction()
        {
        }, true);
        op.free();
        Checks.fails(MPI.ERR_OP, () -> world.allReduce(one, 1, MPI.INT, op), "a freed reduction");
        Checks.fails(MPI.ERR_OP, () -> world.iReduce(buffer, 1, MPI.INT, op, 0), "a freed reduction that is started");
        Checks.fails(MPI.ERR_OP, () -> world.scan(one, 1, MPI.INT, op), "a freed reduction of a scan");
        final Datatype type = Datatype.createContiguous(1, MPI.INT);
        type.commit();
        type.free();
        Checks.fails(MPI.ERR_TYPE, () -> world.recv(one, 1, type, rank, 0), "a freed type");
        Checks.fails(MPI.ERR_TYPE, () -> world.iSend(buffer, 1, type, rank, 0), "a freed type of a send that is started");
    }
}
