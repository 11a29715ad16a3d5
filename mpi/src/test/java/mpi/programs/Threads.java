// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import mpi.Comm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Status;
import mpi.Win;

/** Several threads of each of two ranks make calls at the same time. The last thread ends the program behind its main thread. */
public final class Threads
{
    private static final int ROUNDS = 60;
    private static final int LONG = 1 << 17;

    private static Comm world;
    private static int rank;
    private static int other;
    private static Throwable failure;

    private Threads()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final int level = MPI.InitThread(arguments, MPI.THREAD_MULTIPLE);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        other = 1 - rank;
        Checks.equal(MPI.THREAD_MULTIPLE, level, "level");
        Checks.equal(MPI.THREAD_MULTIPLE, MPI.queryThread(), "level");
        Checks.equal(true, MPI.isThreadMain(), "main thread");
        exchange();
        receiveWhileOthersSend();
        receiveInterrupted();
        sendToOneself();
        operateTogether();
        countInAWindow();
        final Thread last = new Thread(Threads::end, "last");
        last.start();
        // the rank lives until that thread has ended
    }

    /** Runs all parts, each in a thread of its own; returns when these have ended. */
    private static void together(final Checks.Part... parts) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final Checks.Part part : parts)
        {
            threads.add(started(part));
        }
        for (final Thread thread : threads)
        {
            thread.join();
        }
        if (failure != null)
        {
            throw new AssertionError("in another thread", failure);
        }
    }

    private static Thread started(final Checks.Part part)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                part.run();
            }
            catch (final Throwable ex)
            {
                failure = ex;
                // the other rank waits for this thread
                ex.printStackTrace();
                Runtime.getRuntime().halt(9);
            }
        });
        thread.start();
        return thread;
    }

    /** Two threads here, two there: each pair has a tag, and its messages keep their order. */
    private static void exchange() throws InterruptedException
    {
        together(() -> pingPong(1, 1), () -> pingPong(2, 3_000));
    }

    private static void pingPong(final int tag, final int length) throws MPIException
    {
        final int[] out = new int[length];
        final int[] in = new int[length];
        for (int round = 0; round < ROUNDS; round++)
        {
            out[length - 1] = tag * ROUNDS + round;
            if ((rank + tag) % 2 == 0)
            {
                world.send(out, length, MPI.INT, other, tag);
                world.recv(in, length, MPI.INT, other, tag);
            }
            else
            {
                final Request request = world.iRecv(in, length, MPI.INT, other, tag);
                request.waitFor();
                world.send(out, length, MPI.INT, other, tag);
            }
            Checks.equal(tag * ROUNDS + round, in[length - 1], "round of tag " + tag);
        }
    }

    /** One waits for what comes last, while another one sends and receives. */
    private static void receiveWhileOthersSend() throws InterruptedException
    {
        final CountDownLatch isWaiting = new CountDownLatch(1);
        together(
            () ->
            {
                final int[] last = new int[1];
                isWaiting.countDown();
                final Status status = world.recv(last, 1, MPI.INT, other, 8);
                Checks.equal(other, status.getSource(), "source");
                Checks.equal(ROUNDS, last[0], "last");
            },
            () ->
            {
                isWaiting.await();
                final byte[] bytes = new byte[LONG];
                final byte[] found = new byte[LONG];
                for (int i = 0; i < 20; i++)
                {
                    bytes[LONG - 1] = (byte)i;
                    world.sendRecv(bytes, LONG, MPI.BYTE, other, 9, found, LONG, MPI.BYTE, other, 9);
                    Checks.equal((byte)i, found[LONG - 1], "long message");
                }
                world.send(new int[]{ ROUNDS }, 1, MPI.INT, other, 8);
            });
    }

    /** A call goes on for a thread that is interrupted, which stays so. */
    private static void receiveInterrupted() throws Exception
    {
        final int[] found = new int[1];
        final CountDownLatch isWaiting = new CountDownLatch(1);
        final Thread waiting = started(() ->
        {
            isWaiting.countDown();
            world.recv(found, 1, MPI.INT, other, 10);
            Checks.equal(true, Thread.currentThread().isInterrupted(), "interrupted");
        });
        isWaiting.await();
        waiting.interrupt();
        world.barrier();
        world.send(new int[]{ 7 + rank }, 1, MPI.INT, other, 10);
        waiting.join();
        Checks.equal(7 + other, found[0], "received by a thread that was interrupted");
    }

    /** What one thread sends to its own rank, another one receives. */
    private static void sendToOneself() throws InterruptedException
    {
        together(
            () ->
            {
                final int[] found = new int[1];
                for (int i = 0; i < ROUNDS; i++)
                {
                    world.probe(rank, 11);
                    world.recv(found, 1, MPI.INT, rank, 11);
                    Checks.equal(i, found[0], "from a thread of the same rank");
                }
            },
            () ->
            {
                for (int i = 0; i < ROUNDS; i++)
                {
                    world.sSend(new int[]{ i }, 1, MPI.INT, rank, 11);
                }
            });
    }

    /** Each thread has a communicator of its own for operations of all ranks. */
    private static void operateTogether() throws Exception
    {
        final Comm first = world.dup();
        final Comm second = world.dup();
        together(() -> reduce((Intracomm)first, 1), () -> reduce((Intracomm)second, 2), () -> pingPong(12, 1));
        first.free();
        second.free();
    }

    private static void reduce(final Intracomm comm, final int factor) throws MPIException
    {
        final int[] sum = new int[1];
        for (int i = 0; i < ROUNDS; i++)
        {
            comm.allReduce(new int[]{ factor * (i + rank) }, sum, 1, MPI.INT, MPI.SUM);
            Checks.equal(factor * (2 * i + 1), sum[0], "sum");
        }
    }

    /** Two threads of each rank add to the same number of rank 0, and fetch it. */
    private static void countInAWindow() throws Exception
    {
        final ByteBuffer part = MPI.newByteBuffer(8);
        final Win window = new Win(part, 8, 1, MPI.INFO_NULL, world);
        window.lockAll(0);
        together(() -> count(window), () -> count(window));
        world.barrier();
        if (rank == 0)
        {
            window.sync();
            Checks.equal(4 * ROUNDS, part.getInt(0), "number in the window");
        }
        window.unlockAll();
        window.free();
    }

    private static void count(final Win window) throws MPIException
    {
        final ByteBuffer one = MPI.newByteBuffer(4).putInt(0, 1);
        final ByteBuffer before = MPI.newByteBuffer(4);
        int last = -1;
        for (int i = 0; i < ROUNDS; i++)
        {
            window.fetchAndOp(one, before, MPI.INT, 0, 0, MPI.SUM);
            window.flush(0);
            Checks.equal(true, before.getInt(0) > last, "it grows");
            last = before.getInt(0);
        }
    }

    private static void end()
    {
        try
        {
            Checks.equal(false, MPI.isThreadMain(), "main thread");
            Checks.complete();
            MPI.Finalize();
            MPI.Init(new String[0]);
            world.barrier();
            MPI.Finalize();
        }
        catch (final Throwable ex)
        {
            ex.printStackTrace();
            Runtime.getRuntime().halt(9);
        }
    }
}
