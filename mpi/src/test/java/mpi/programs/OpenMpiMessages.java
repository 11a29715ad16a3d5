// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Message;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;

/** Messages from rank to rank in the dialect of Open MPI. For any number of ranks from 2 on. */
public final class OpenMpiMessages
{
    private static final int LONG = 1 << 18;

    private static Comm world;
    private static int rank;
    private static int size;
    private static int next;
    private static int before;

    private OpenMpiMessages()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        Checks.equal(false, MPI.isInitialized(), "initialized");
        MPI.Init(arguments);
        Checks.equal(true, MPI.isInitialized(), "initialized");
        Checks.fails(MPI.ERR_OTHER, () -> MPI.Init(arguments), "a second Init");
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        next = (rank + 1) % size;
        before = (rank + size - 1) % size;
        ring();
        requests();
        allocations();
        modes();
        persistent();
        probes();
        nowhere();
        errors();
        Checks.complete();
        MPI.Finalize();
        Checks.equal(true, MPI.isFinalized(), "finalized");
        MPI.Init(arguments);
        ring();
        MPI.Finalize();
        Checks.fails(MPI.ERR_OTHER, () -> world.send(new byte[1], 1, MPI.BYTE, 0, 0), "a call behind Finalize");
    }

    /** Arrays and buffers of each kind go once round. */
    private static void ring() throws Exception
    {
        final int[] number = { rank };
        final int[] got = new int[1];
        final Status status = world.sendRecv(number, 1, MPI.INT, next, 7, got, 1, MPI.INT, before, 7);
        Checks.equal(before, got[0], "number");
        Checks.equal(before, status.getSource(), "source");
        Checks.equal(7, status.getTag(), "tag");
        Checks.equal(1, status.getCount(MPI.INT), "count");
        Checks.equal(MPI.UNDEFINED, status.getCount(MPI.LONG), "half a long");
        world.sendRecvReplace(number, 1, MPI.INT, next, 8, before, 8);
        Checks.equal(before, number[0], "replaced");

        final double[] values = new double[LONG];
        Arrays.fill(values, rank + 0.5);
        final double[] room = new double[LONG];
        world.sendRecv(values, LONG, MPI.DOUBLE, next, 9, room, LONG, MPI.DOUBLE, before, 9);
        Checks.equal(before + 0.5, room[LONG - 1], "last of a long message");

        final ByteBuffer out = MPI.newByteBuffer(LONG);
        final ByteBuffer in = MPI.newByteBuffer(LONG);
        out.put(LONG - 1, (byte)rank);
        // position and limit do not count
        out.position(LONG);
        in.limit(0);
        world.sendRecv(out, LONG, MPI.BYTE, next, 10, in, LONG, MPI.BYTE, before, 10);
        in.clear();
        Checks.equal((byte)before, in.get(LONG - 1), "last of a direct buffer");

        final boolean[] flags = { rank % 2 == 0, true };
        final boolean[] gotFlags = new boolean[2];
        world.sendRecv(flags, 2, MPI.BOOLEAN, next, 11, gotFlags, 2, MPI.BOOLEAN, before, 11);
        Checks.equal(before % 2 == 0, gotFlags[0], "flag");
        final char[] text = { 'a', (char)('b' + rank) };
        final char[] gotText = new char[2];
        world.sendRecv(text, 2, MPI.CHAR, next, 12, gotText, 2, MPI.CHAR, before, 12);
        Checks.equal((char)('b' + before), gotText[1], "character");
    }

    private static void requests() throws Exception
    {
        final IntBuffer out = MPI.newIntBuffer(4);
        final IntBuffer in = MPI.newIntBuffer(4);
        final Request[] all = new Request[8];
        for (int i = 0; i < 4; i++)
        {
            out.put(i, 10 * rank + i);
            all[i] = world.iRecv(MPI.slice(in, i), 1, MPI.INT, before, i);
        }
        for (int i = 3; i >= 0; i--)
        {
            all[4 + i] = world.iSend(MPI.slice(out, i), 1, MPI.INT, next, i);
        }
        final int any = Request.waitAny(all);
        Checks.equal(true, all[any].isNull(), "null behind the wait");
        int done = 1;
        final int[] some = Request.waitSome(all);
        done += some.length;
        final Status[] rest = Request.waitAllStatus(all);
        Checks.equal(8, rest.length, "statuses");
        for (int i = 0; i < 4; i++)
        {
            Checks.equal(10 * before + i, in.get(i), "number " + i);
        }
        Checks.equal(MPI.UNDEFINED, Request.waitAny(all), "none is active");
        Checks.equal(true, Request.testAll(all), "all are done");
        Checks.equal(true, done >= 2, "some were done");

        final CharBuffer late = MPI.newCharBuffer(1);
        final Request request = world.iRecv(late, 1, MPI.CHAR, before, 20);
        Checks.equal(true, request.testStatus() == null, "nothing was sent");
        world.barrier();
        world.send(new char[]{ 'x' }, 1, MPI.CHAR, next, 20);
        Status status = request.testStatus();
        while (status == null)
        {
            status = request.testStatus();
        }
        Checks.equal('x', late.get(0), "late");
        Checks.equal(before, status.getSource(), "source of the late one");

        final Request cancelled = world.iRecv(late, 1, MPI.CHAR, before, 21);
        cancelled.cancel();
        Checks.equal(true, cancelled.waitStatus().isCancelled(), "cancelled");
    }

    private static void modes() throws Exception
    {
        MPI.attachBuffer(MPI.newByteBuffer(4 * LONG + 4 * MPI.BSEND_OVERHEAD));
        final int[] out = new int[LONG / 4];
        Arrays.fill(out, rank);
        final int[] in = new int[LONG / 4];
        world.bSend(out, out.length, MPI.INT, next, 30);
        Arrays.fill(out, -1);
        world.recv(in, in.length, MPI.INT, before, 30);
        Checks.equal(before, in[in.length - 1], "buffered");
        Checks.equal(4 * LONG + 4 * MPI.BSEND_OVERHEAD, MPI.detachBuffer().capacity(), "buffer");

        final IntBuffer number = MPI.newIntBuffer(1).put(0, rank);
        final Request synchronous = world.isSend(number, 1, MPI.INT, next, 31);
        world.recv(in, 1, MPI.INT, before, 31);
        synchronous.waitFor();
        Checks.equal(before, in[0], "synchronous");
        if (rank % 2 == 0 && (rank + 1 < size))
        {
            world.sSend(out, 1, MPI.INT, rank + 1, 32);
        }
        else if (rank % 2 == 1)
        {
            world.recv(in, 1, MPI.INT, rank - 1, 32);
            Checks.equal(-1, in[0], "sSend");
        }
        final Request receive = world.iRecv(MPI.newIntBuffer(1), 1, MPI.INT, before, 33);
        world.barrier();
        world.rSend(out, 1, MPI.INT, next, 33);
        Checks.equal(1, receive.waitStatus().getCount(MPI.INT), "ready");
    }

    private static void persistent() throws Exception
    {
        final IntBuffer out = MPI.newIntBuffer(1);
        final IntBuffer in = MPI.newIntBuffer(1);
        final Prequest[] both = { world.recvInit(in, 1, MPI.INT, before, 40), world.sendInit(out, 1, MPI.INT, next, 40) };
        for (int round = 0; round < 100; round++)
        {
            out.put(0, 1000 * round + rank);
            Prequest.startAll(both);
            Request.waitAll(both);
            Checks.equal(1000 * round + before, in.get(0), "round " + round);
            Checks.equal(false, both[0].isNull(), "a persistent request stays");
        }
        both[0].free();
        both[1].free();
        Checks.equal(true, both[0].isNull(), "freed");
    }

    private static void probes() throws Exception
    {
        final int[] out = { rank, rank, rank };
        world.send(out, 3, MPI.INT, next, 50);
        final Status status = world.probe(MPI.ANY_SOURCE, 50);
        Checks.equal(3, status.getCount(MPI.INT), "length of what was found");
        final Message message = new Message();
        message.mProbe(before, 50, world);
        Checks.equal(true, world.iProbe(before, 50) == null, "taken by the probe");
        final int[] in = new int[3];
        final Status received = message.mRecv(in, 3, MPI.INT);
        Checks.equal(before, in[2], "received what was found");
        Checks.equal(before, received.getSource(), "its source");
        Checks.equal(true, message.isNull(), "no message any more");
        Checks.equal(true, new Message().imProbe(before, 51, world) == null, "nothing there");
    }

    private static void nowhere() throws Exception
    {
        world.send(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0);
        final Status status = world.recv(new int[1], 1, MPI.INT, MPI.PROC_NULL, 0);
        Checks.equal(MPI.PROC_NULL, status.getSource(), "source of nothing");
        Checks.equal(0, status.getCount(MPI.INT), "count of nothing");
        final Message message = new Message();
        message.mProbe(MPI.PROC_NULL, 0, world);
        Checks.equal(true, message.isNoProc(), "message of nobody");
        message.mRecv(new int[1], 1, MPI.INT);
    }

    /** What is under way has no memory of its own each time, but for the requests that the program gets, and statuses. */
    private static void allocations() throws Exception
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)java.lang.management.ManagementFactory.getThreadMXBean();
        final IntBuffer out = MPI.newIntBuffer(1);
        final IntBuffer in = MPI.newIntBuffer(1);
        long before = 0;
        final int warmup = 2_000;
        final int rounds = 10_000;
        for (int round = -warmup; round < rounds; round++)
        {
            before = round == 0 ? threads.getThreadAllocatedBytes(Thread.currentThread().getId()) : before;
            final Request receive = world.iRecv(in, 1, MPI.INT, rank, 80);
            world.iSend(out.put(0, round), 1, MPI.INT, rank, 80).waitFor();
            receive.waitFor();
            Checks.equal(true, in.get(0) == round, "number");
        }
        final long bytes = (threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before) / rounds;
        Checks.equal(true, bytes <= 256, "at most 256 bytes for two requests and two statuses, found " + bytes);
    }

    /** One of two fails: the statuses say which. */
    private static void failedRequests() throws Exception
    {
        final IntBuffer in = MPI.newIntBuffer(2);
        final Request[] both = {
            world.iRecv(MPI.slice(in, 0), 1, MPI.INT, before, 70), world.iRecv(MPI.slice(in, 1), 1, MPI.INT, before, 71) };
        world.send(new int[]{ 5 }, 1, MPI.INT, next, 70);
        world.send(new int[]{ 6, 7 }, 2, MPI.INT, next, 71);
        final MPIException[] found = new MPIException[1];
        Checks.fails(MPI.ERR_IN_STATUS, () ->
        {
            try
            {
                Request.waitAll(both);
            }
            catch (final MPIException ex)
            {
                found[0] = ex;
                throw ex;
            }
        }, "one of two");
        Checks.equal(MPI.SUCCESS, found[0].getStatuses()[0].getError(), "the first has not failed");
        Checks.equal(MPI.ERR_TRUNCATE, found[0].getStatuses()[1].getError(), "the second has");
        Checks.equal(5, in.get(0), "number of the first");
        Checks.equal(true, both[0].isNull() && both[1].isNull(), "both have ended");
    }

    private static void errors() throws Exception
    {
        final int[] one = new int[1];
        Checks.fails(MPI.ERR_RANK, () -> world.send(one, 1, MPI.INT, size, 0), "rank");
        Checks.fails(MPI.ERR_TAG, () -> world.send(one, 1, MPI.INT, next, -1), "tag");
        Checks.fails(MPI.ERR_COUNT, () -> world.send(one, -1, MPI.INT, next, 0), "count");
        Checks.fails(MPI.ERR_TYPE, () -> world.send(one, 1, null, next, 0), "no type");
        Checks.fails(MPI.ERR_TYPE, () -> world.send(one, 1, MPI.OBJECT, next, 0), "wrong type");
        Checks.fails(MPI.ERR_BUFFER, () -> world.send(one, 2, MPI.INT, next, 0), "buffer");
        Checks.fails(MPI.ERR_BUFFER, () -> world.send("text", 1, MPI.INT, next, 0), "no buffer");
        Checks.fails(MPI.ERR_BUFFER, () -> world.bSend(one, 1, MPI.INT, next, 0), "no attached buffer");
        Checks.fails(MPI.ERR_COMM, () -> MPI.COMM_NULL.send(one, 1, MPI.INT, next, 0), "communicator");
        world.send(new int[]{ 1, 2, 3 }, 3, MPI.INT, next, 60);
        final int[] in = { 0, 0, 9 };
        Checks.fails(MPI.ERR_TRUNCATE, () -> world.recv(in, 2, MPI.INT, before, 60), "too long");
        Checks.equal(new int[]{ 1, 2, 9 }, in, "what fits is there");
        failedRequests();
    }
}
