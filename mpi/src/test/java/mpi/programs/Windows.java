// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import mpi.Datatype;
import mpi.Group;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.Win;

/** Windows: memory of other ranks, in each kind of epoch. For any number of ranks from 2 on. */
public final class Windows
{
    /** Numbers in a part of a window: more than a message takes. */
    private static final int LONG = 20_000;
    private static final int ROUNDS = 20;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private Windows()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        fences();
        reductions();
        locks();
        swaps();
        posts();
        errors();
        Checks.complete();
        MPI.Finalize();
    }

    private static Win window(final java.nio.Buffer buffer) throws MPIException
    {
        return new Win(buffer, buffer.capacity(), 1, MPI.INFO_NULL, world);
    }

    private static void fences() throws Exception
    {
        final DoubleBuffer part = MPI.newDoubleBuffer(LONG);
        final Win window = window(part);
        final int next = (rank + 1) % size;
        final DoubleBuffer numbers = MPI.newDoubleBuffer(LONG);
        for (int i = 0; i < LONG; i++)
        {
            numbers.put(i, rank * LONG + i);
        }
        window.fence(0);
        window.put(numbers, LONG, MPI.DOUBLE, next, 0, LONG, MPI.DOUBLE);
        window.fence(0);
        final int previous = (rank + size - 1) % size;
        Checks.equal((double)previous * LONG, part.get(0), "first of long data");
        Checks.equal((double)previous * LONG + LONG - 1, part.get(LONG - 1), "last of long data");
        final Datatype odd = Datatype.createVector(LONG / 2, 1, 2, MPI.DOUBLE);
        odd.commit();
        final DoubleBuffer fetched = MPI.newDoubleBuffer(LONG / 2);
        window.get(fetched, LONG / 2, MPI.DOUBLE, next, 1, 1, odd);
        window.fence(MPI.MODE_NOSUCCEED);
        for (int i = 0; i < LONG / 2; i++)
        {
            Checks.equal((double)rank * LONG + 2 * i + 1, fetched.get(i), "every second number");
        }
        Checks.fails(MPI.ERR_RMA_SYNC, () -> window.put(numbers, 1, MPI.DOUBLE, next, 0, 1, MPI.DOUBLE), "behind the last epoch");
        odd.free();
        window.free();
    }

    private static void reductions() throws Exception
    {
        final IntBuffer part = MPI.newIntBuffer(4).put(0, 1);
        final Win window = window(part);
        window.fence(0);
        final IntBuffer numbers = MPI.newIntBuffer(2).put(0, rank + 1).put(1, rank);
        for (int target = 0; target < size; target++)
        {
            window.accumulate(numbers, 2, MPI.INT, target, 0, 2, MPI.INT, MPI.SUM);
        }
        window.fence(0);
        Checks.equal(1 + size * (size + 1) / 2, part.get(0), "sum");
        Checks.equal(size * (size - 1) / 2, part.get(1), "second sum");
        window.accumulate(numbers, 1, MPI.INT, 0, 3, 1, MPI.INT, MPI.MAX);
        window.accumulate(numbers, 1, MPI.INT, MPI.PROC_NULL, 3, 1, MPI.INT, MPI.MAX);
        window.fence(MPI.MODE_NOSUCCEED);
        Checks.equal(rank == 0 ? size : 0, part.get(3), "maximum");
        window.free();

        final ByteBuffer pair = MPI.newByteBuffer(16);
        pair.putLong(0, 1_000).putInt(8, -1);
        final Win pairs = window(pair);
        final ByteBuffer own = MPI.newByteBuffer(16);
        own.putLong(0, 100 - rank).putInt(8, rank);
        pairs.fence(0);
        pairs.accumulate(own, 1, MPI.LONG_INT, 0, 0, 1, MPI.LONG_INT, MPI.MINLOC);
        pairs.fence(MPI.MODE_NOSUCCEED);
        Checks.equal(rank == 0 ? size - 1 : -1, pair.getInt(8), "place of the least");
        pairs.free();
    }

    private static void locks() throws Exception
    {
        final LongBuffer part = MPI.newByteBuffer(16).asLongBuffer();
        final Win window = window(part);
        final LongBuffer number = MPI.newByteBuffer(8).asLongBuffer();
        final LongBuffer one = MPI.newByteBuffer(8).asLongBuffer().put(0, 1);
        for (int i = 0; i < ROUNDS; i++)
        {
            // a lock makes a get and a put one
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            window.get(number, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
            window.flush(0);
            number.put(0, number.get(0) + 1);
            window.put(number, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
            window.unlock(0);
        }
        long last = -1;
        window.lockAll(0);
        for (int i = 0; i < ROUNDS; i++)
        {
            window.fetchAndOp(one, number, MPI.LONG, 0, 1, MPI.SUM);
            window.flush(0);
            Checks.equal(true, number.get(0) > last, "numbers that others have not got");
            last = number.get(0);
        }
        final Request request = window.rGet(number, 1, MPI.LONG, rank, 0, 1, MPI.LONG);
        request.waitFor();
        window.unlockAll();
        world.barrier();
        Checks.equal(rank == 0 ? (long)size * ROUNDS : 0L, part.get(0), "sum under a lock");
        Checks.equal(rank == 0 ? (long)size * ROUNDS : 0L, part.get(1), "sum of fetches");
        window.free();
    }

    private static void swaps() throws Exception
    {
        final IntBuffer part = MPI.newIntBuffer(2).put(0, -1);
        final Win window = window(part);
        final IntBuffer own = MPI.newIntBuffer(1).put(0, rank);
        final IntBuffer free = MPI.newIntBuffer(1).put(0, -1);
        final IntBuffer found = MPI.newIntBuffer(1);
        window.lockAll(0);
        for (int i = 0; i < ROUNDS; i++)
        {
            do
            {
                window.compareAndSwap(own, free, found, MPI.INT, 0, 0);
                window.flush(0);
            }
            while (found.get(0) != -1);
            window.compareAndSwap(free, own, found, MPI.INT, 0, 0);
            window.flush(0);
            Checks.equal(rank, found.get(0), "the one that has taken it");
        }
        window.getAccumulate(own, 1, MPI.INT, found, 1, MPI.INT, rank, 1, 1, MPI.INT, MPI.REPLACE);
        window.flushAll();
        window.unlockAll();
        Checks.equal(0, found.get(0), "what was there");
        Checks.equal(rank, part.get(1), "what is there");
        world.barrier();
        window.free();
    }

    private static void posts() throws Exception
    {
        final IntBuffer part = MPI.newIntBuffer(size);
        final Win window = window(part);
        final Group all = world.getGroup();
        final Group origins = all.incl(new int[]{ (rank + size - 1) % size });
        final Group targets = all.incl(new int[]{ (rank + 1) % size });
        final IntBuffer own = MPI.newIntBuffer(1);
        for (int i = 1; i <= ROUNDS; i++)
        {
            window.post(origins, 0);
            window.start(targets, 0);
            window.put(own.put(0, i), 1, MPI.INT, (rank + 1) % size, rank, 1, MPI.INT);
            window.complete();
            if (i % 2 == 0)
            {
                window.waitFor();
            }
            else
            {
                while (!window.test())
                {
                    Thread.onSpinWait();
                }
            }
            Checks.equal(i, part.get((rank + size - 1) % size), "number of the round");
        }
        window.free();
    }

    private static void errors() throws Exception
    {
        final IntBuffer part = MPI.newIntBuffer(2);
        final Win window = new Win(part, 2, 1, MPI.INFO_NULL, world);
        Checks.fails(MPI.ERR_RMA_SYNC, () -> window.put(part, 1, MPI.INT, 0, 0, 1, MPI.INT), "without an epoch");
        Checks.fails(MPI.ERR_RMA_SYNC, () -> window.unlock(0), "without a lock");
        Checks.fails(MPI.ERR_RMA_SYNC, window::complete, "without a start");
        Checks.fails(MPI.ERR_RMA_SYNC, window::waitFor, "without a post");
        Checks.fails(MPI.ERR_LOCKTYPE, () -> window.lock(7, 0, 0), "lock");
        window.fence(0);
        Checks.fails(MPI.ERR_RANK, () -> window.put(part, 1, MPI.INT, size, 0, 1, MPI.INT), "rank");
        Checks.fails(MPI.ERR_DISP, () -> window.put(part, 1, MPI.INT, 0, 2, 1, MPI.INT), "behind the part");
        Checks.fails(MPI.ERR_DISP, () -> window.get(part, 1, MPI.INT, 0, -1, 1, MPI.INT), "before the part");
        Checks.fails(MPI.ERR_BUFFER, () -> window.put(part, 3, MPI.INT, 0, 0, 1, MPI.INT), "behind the buffer");
        Checks.fails(MPI.ERR_ARG, () -> window.put(part, 2, MPI.INT, 0, 0, 1, MPI.INT), "lengths");
        Checks.fails(MPI.ERR_TYPE, () -> window.put(part, 1, null, 0, 0, 1, MPI.INT), "no type");
        Checks.fails(MPI.ERR_OP, () -> window.accumulate(part, 1, MPI.INT, 0, 0, 1, MPI.INT, MPI.OP_NULL), "no reduction");
        Checks.fails(MPI.ERR_OP, () -> world.allReduce(part, 1, MPI.INT, MPI.REPLACE), "a reduction of windows");
        window.fence(MPI.MODE_NOSUCCEED);
        window.free();
        Checks.fails(MPI.ERR_WIN, () -> window.fence(0), "freed");
        Checks.fails(MPI.ERR_SIZE, () -> new Win(part, 3, 1, MPI.INFO_NULL, world), "longer than the buffer");
    }
}
