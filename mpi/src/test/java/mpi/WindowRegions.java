// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.concurrent.locks.LockSupport;
import mpi.programs.Checks;
import org.tallypost.endpoint.RankState;

/**
 * Windows on memory that the ranks of a node map: by counts, no message carries what is put, fetched or reduced, but for what is
 * no single element. Argument: "counts"; "locks", rank 0 makes no calls while the others lock its part; "holder", rank 1 ends
 * with locks; "all", rank 1 ends while others have locks of all parts; "thrown", a function of the program throws while a lock is
 * waited for; "gone", rank 1 ends within an epoch; "room", few bytes are there for such memory. For two ranks or more on one
 * node, three for locks.
 */
public final class WindowRegions
{
    private static final int LENGTH = 64;
    private static final int ROUNDS = 2_000;
    private static final int LOCKS = 25;
    private static final int PIECE = 64 * 1024;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private WindowRegions()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final String[] words = MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        switch (words[0])
        {
            case "counts":
                each();
                together();
                byMessages();
                allocated();
                break;
            case "locks":
                locks();
                break;
            case "holder":
                holder();
                break;
            case "all":
                all();
                break;
            case "thrown":
                thrown();
                break;
            case "gone":
                gone();
                break;
            default:
                room();
                break;
        }
        Checks.complete();
        MPI.Finalize();
    }

    private static Win window(final java.nio.Buffer part) throws MPIException
    {
        return new Win(part, part.capacity(), 1, MPI.INFO_NULL, world);
    }

    private static void checkCounts(final Win window, final long direct, final long byMessages) throws MPIException
    {
        Checks.equal(direct, window.access().operations(), "operations where the memory is");
        Checks.equal(byMessages, window.operationsByMessages(), "operations by messages");
    }

    /** Each operation, with the part of the next rank. */
    private static void each() throws Exception
    {
        final LongBuffer part = MPI.newLongBuffer(LENGTH);
        final Win window = window(part);
        final int next = (rank + 1) % size;
        final LongBuffer own = MPI.newLongBuffer(LENGTH).put(0, 5).put(1, 6);
        final LongBuffer found = LongBuffer.wrap(new long[LENGTH]);
        window.lockAll(0);
        window.put(own, 2, MPI.LONG, next, 3, 2, MPI.LONG);
        window.rPut(own, 1, MPI.LONG, next, 5, 1, MPI.LONG).waitFor();
        window.accumulate(own, 2, MPI.LONG, next, 3, 2, MPI.LONG, MPI.SUM);
        window.rAccumulate(own, 1, MPI.LONG, next, 5, 1, MPI.LONG, MPI.PROD).waitFor();
        window.get(found, 3, MPI.LONG, next, 3, 3, MPI.LONG);
        window.flush(next);
        Checks.equal("10 12 25", found.get(0) + " " + found.get(1) + " " + found.get(2), "what was put and added");
        window.fetchAndOp(own, found, MPI.LONG, next, 3, MPI.REPLACE);
        Checks.equal(10L, found.get(0), "what was replaced");
        window.getAccumulate(own, 1, MPI.LONG, found, 1, MPI.LONG, next, 3, 1, MPI.LONG, MPI.MAX);
        Checks.equal(5L, found.get(0), "what replaced it");
        window.rGetAccumulate(null, 0, MPI.LONG, found, 1, MPI.LONG, next, 4, 1, MPI.LONG, MPI.NO_OP).waitFor();
        Checks.equal(12L, found.get(0), "what is fetched only");
        window.compareAndSwap(own, found, found, MPI.LONG, next, 4);
        window.rGet(found, 1, MPI.LONG, next, 4, 1, MPI.LONG).waitFor();
        Checks.equal(5L, found.get(0), "what was swapped");
        window.compareAndSwap(own, own, found, MPI.LONG, next, 5);
        Checks.equal(25L, found.get(0), "what is no equal");
        final Datatype odd = Datatype.createVector(LENGTH / 2, 1, 2, MPI.LONG);
        odd.commit();
        window.accumulate(own, 1, odd, next, 0, 1, odd, MPI.SUM);
        window.get(found, 1, odd, next, 0, 1, odd);
        Checks.fails(MPI.ERR_DISP, () -> window.put(own, 2, MPI.LONG, next, LENGTH - 1, 2, MPI.LONG), "behind the part");
        Checks.fails(MPI.ERR_DISP, () -> window.fetchAndOp(own, found, MPI.LONG, next, -1, MPI.SUM), "before the part");
        Checks.fails(MPI.ERR_TYPE, () -> window.get(found, 1, null, next, 0, 1, MPI.LONG), "no type");
        Checks.fails(MPI.ERR_ARG, () -> window.accumulate(own, 1, MPI.LONG, next, 0, 2, MPI.LONG, MPI.SUM), "lengths");
        checkCounts(window, 13, 0);
        window.unlockAll();
        world.barrier();
        Checks.equal(0L, window.target().updates(), "messages to this part");
        Checks.equal(5L, part.get(4), "element in its place");
        odd.free();
        window.free();
    }

    /** Elements that share words, changed by all ranks at the same time: none is lost. */
    private static void together() throws Exception
    {
        final ByteBuffer part = MPI.newByteBuffer(LENGTH);
        final Win window = window(part);
        final IntBuffer ints = MPI.newIntBuffer(2).put(0, 1).put(1, 2);
        final DoubleBuffer half = MPI.newDoubleBuffer(1).put(0, 0.5);
        final ByteBuffer one = MPI.newByteBuffer(1).put(0, (byte)1);
        final ByteBuffer shorts = MPI.newByteBuffer(2).putShort(0, (short)1);
        window.fence(0);
        for (int i = 0; i < ROUNDS; i++)
        {
            window.accumulate(one, 1, MPI.BYTE, 0, 1 + rank % 2, 1, MPI.BYTE, MPI.SUM);
            window.accumulate(shorts, 1, MPI.SHORT, 0, 4, 1, MPI.SHORT, MPI.SUM);
            window.accumulate(ints, 2, MPI.INT, 0, 8, 2, MPI.INT, MPI.SUM);
            window.accumulate(half, 1, MPI.DOUBLE, 0, 16, 1, MPI.DOUBLE, MPI.SUM);
        }
        checkCounts(window, 4L * ROUNDS, 0);
        window.fence(MPI.MODE_NOSUCCEED);
        if (rank == 0)
        {
            Checks.equal((byte)(ROUNDS * ((size + 1) / 2)), part.get(1), "sum of bytes");
            Checks.equal((short)(ROUNDS * size), part.getShort(4), "sum of shorts");
            Checks.equal(ROUNDS * size, part.getInt(8), "sum of ints");
            Checks.equal(2 * ROUNDS * size, part.getInt(12), "second sum of ints");
            Checks.equal(ROUNDS * size / 2.0, part.getDouble(16), "sum of doubles");
            Checks.equal((byte)0, part.get(0), "byte beside them");
        }
        window.free();
    }

    /** What is no element in one word, and a part in private memory. */
    private static void byMessages() throws Exception
    {
        final ByteBuffer part = MPI.newByteBuffer(LENGTH);
        final Win window = window(part);
        final ByteBuffer own = MPI.newByteBuffer(16).putLong(0, -1).putInt(8, rank);
        window.fence(0);
        window.accumulate(own, 1, MPI.LONG_INT, 0, 0, 1, MPI.LONG_INT, MPI.MINLOC);
        window.accumulate(own, 1, MPI.LONG, 0, 17, 1, MPI.LONG, MPI.BOR);
        checkCounts(window, 0, 2);
        window.put(own, 1, MPI.LONG_INT, 0, 32 + 1, 1, MPI.LONG_INT);
        checkCounts(window, 1, 2);
        window.fence(MPI.MODE_NOSUCCEED);
        Checks.equal(rank == 0 ? 2L * size : 0L, window.target().updates(), "messages to this part");
        Checks.equal(rank == 0 ? -1L : 0L, part.getLong(17), "what lies in two words");
        window.free();
        final IntBuffer its = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder()).asIntBuffer();
        final Win apart = window(its);
        apart.fence(0);
        apart.accumulate(MPI.newIntBuffer(1).put(0, 1), 1, MPI.INT, 0, 0, 1, MPI.INT, MPI.SUM);
        checkCounts(apart, 0, 1);
        apart.fence(MPI.MODE_NOSUCCEED);
        Checks.equal(rank == 0 ? size : 0, its.get(0), "sum in private memory");
        apart.free();
    }

    private static void allocated() throws Exception
    {
        Checks.fails(MPI.ERR_ARG, () -> new Win(8, 1, MPI.INFO_NULL, world, null, 7), "flavor");
        final Win window = new Win(8, 8, MPI.INFO_NULL, world, null, Win.FLAVOR_SHARED);
        final LongBuffer one = MPI.newLongBuffer(1).put(0, 1);
        final LongBuffer found = MPI.newLongBuffer(1);
        window.fence(0);
        window.accumulate(one, 1, MPI.LONG, 0, 0, 1, MPI.LONG, MPI.SUM);
        window.fence(0);
        window.get(found, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
        Checks.equal((long)size, found.get(0), "sum in memory of the window");
        checkCounts(window, 2, 0);
        window.fence(MPI.MODE_NOSUCCEED);
        window.free();
    }

    /**
     * Rank 0 only computes, until the others have done it all under locks of its part. Each two numbers that are read together
     * are equal, and no change is lost: an exclusive lock is one rank's.
     */
    private static void locks() throws Exception
    {
        final LongBuffer part = MPI.newLongBuffer(3);
        final Win window = window(part);
        if (rank == 0)
        {
            while (part.get(2) < size - 1L)
            {
                Thread.yield();
                VarHandle.fullFence();
            }
        }
        else
        {
            change(window);
        }
        world.barrier();
        // also by this rank itself, and by all at once
        window.lockAll(0);
        final LongBuffer found = MPI.newLongBuffer(2);
        window.get(found, 2, MPI.LONG, 0, 0, 2, MPI.LONG);
        window.unlockAll();
        Checks.equal((size - 1L) * LOCKS, found.get(0), "changes under a lock");
        Checks.equal((size - 1L) * LOCKS, found.get(1), "second changes under a lock");
        window.free();
    }

    private static void change(final Win window) throws MPIException
    {
        final LongBuffer pair = MPI.newLongBuffer(2);
        for (int i = 0; i < LOCKS; i++)
        {
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            window.get(pair, 2, MPI.LONG, 0, 0, 2, MPI.LONG);
            Checks.equal(pair.get(0), pair.get(1), "numbers that belong together, under an exclusive lock");
            pair.put(0, pair.get(0) + 1).put(1, pair.get(1) + 1);
            window.put(pair, 1, MPI.LONG, 0, 0, 1, MPI.LONG);
            Thread.yield();
            window.put(pair.slice(1, 1), 1, MPI.LONG, 0, 1, 1, MPI.LONG);
            window.unlock(0);
            window.lock(MPI.LOCK_SHARED, 0, 0);
            window.get(pair, 2, MPI.LONG, 0, 0, 2, MPI.LONG);
            window.unlock(0);
            Checks.equal(pair.get(0), pair.get(1), "numbers that belong together, under a shared lock");
        }
        window.lock(MPI.LOCK_SHARED, 0, 0);
        window.accumulate(MPI.newLongBuffer(1).put(0, 1), 1, MPI.LONG, 0, 2, 1, MPI.LONG, MPI.SUM);
        window.unlock(0);
    }

    /**
     * Rank 1 ends with the lock of the part of rank 0, which makes no calls, and shares that of rank 2. Rank 2 waits for the
     * first one: it fails once, and has both then.
     */
    private static void holder() throws Exception
    {
        final LongBuffer part = MPI.newLongBuffer(1);
        final Win window = window(part);
        final int[] one = new int[1];
        if (rank == 1)
        {
            window.lock(MPI.LOCK_SHARED, 2, 0);
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            world.send(one, 1, MPI.INT, 2, 1);
            world.recv(one, 1, MPI.INT, 2, 1);
            Runtime.getRuntime().halt(0);
        }
        else if (rank == 2)
        {
            world.recv(one, 1, MPI.INT, 1, 1);
            world.send(one, 1, MPI.INT, 1, 1);
            Checks.fails(MPI.ERR_OTHER, () -> window.lock(MPI.LOCK_SHARED, 0, 0), "lock of a rank that is gone");
            window.lock(MPI.LOCK_EXCLUSIVE, 2, 0);
            window.unlock(2);
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            window.put(MPI.newLongBuffer(1).put(0, 1), 1, MPI.LONG, 0, 0, 1, MPI.LONG);
            System.out.println("rank 2 has the lock");
            window.unlock(0);
            Runtime.getRuntime().halt(0);
        }
        while (part.get(0) == 0)
        {
            LockSupport.parkNanos(1_000_000);
            VarHandle.fullFence();
        }
        Runtime.getRuntime().halt(0);
    }

    /**
     * Rank 1 ends while rank 0 shares the locks of all parts, and once more when it has given them back: neither keeps the other
     * parts locked.
     */
    private static void all() throws Exception
    {
        final Win window = window(MPI.newLongBuffer(1));
        final int[] one = new int[1];
        if (rank == 1)
        {
            world.recv(one, 1, MPI.INT, 0, 1);
            Runtime.getRuntime().halt(0);
        }
        if (rank == 0)
        {
            window.lockAll(0);
            world.send(one, 1, MPI.INT, 1, 1);
            awaitEnd(1);
            Checks.fails(MPI.ERR_OTHER, window::unlockAll, "locks of which one is of a rank that is gone");
            Checks.fails(MPI.ERR_OTHER, () -> window.lockAll(0), "the same, taken");
            Checks.fails(MPI.ERR_RMA_SYNC, window::unlockAll, "what was not taken");
            world.send(one, 1, MPI.INT, 2, 1);
            world.recv(one, 1, MPI.INT, 2, 1);
        }
        else
        {
            world.recv(one, 1, MPI.INT, 0, 1);
            for (int part = 0; part < size; part += 2)
            {
                window.lock(MPI.LOCK_EXCLUSIVE, part, 0);
                window.unlock(part);
            }
            System.out.println("rank 2 had the locks");
            world.send(one, 1, MPI.INT, 0, 1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void awaitEnd(final int of)
    {
        while (RankState.of(world.world().regionMemory().endpoint().rankState(of)) == RankState.OPEN)
        {
            world.world().work();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Rank 1 waits for an exclusive lock when its function throws: it waits no more, and nothing is locked by it. */
    private static void thrown() throws Exception
    {
        final Win window = window(MPI.newLongBuffer(1));
        final int[] one = new int[1];
        final Op op = new Op(new UserFunction()
        {
        }, true);
        final IntBuffer given = MPI.newIntBuffer(1);
        final IntBuffer taken = MPI.newIntBuffer(1);
        if (rank == 1)
        {
            world.recv(one, 1, MPI.INT, 0, 1);
            final Request request = world.iReduce(given, taken, 1, MPI.INT, op, 1);
            String found = "nothing was thrown";
            try
            {
                world.send(one, 1, MPI.INT, 0, 1);
                window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            }
            catch (final UnsupportedOperationException ex)
            {
                found = ex.getMessage();
            }
            Checks.equal("the reduction has no function for buffers", found, "what was thrown, " + request);
            world.send(one, 1, MPI.INT, 0, 1);
            world.recv(one, 1, MPI.INT, 0, 1);
        }
        else
        {
            window.lock(MPI.LOCK_SHARED, 0, 0);
            world.send(one, 1, MPI.INT, 1, 1);
            world.recv(one, 1, MPI.INT, 1, 1);
            world.iReduce(given, taken, 1, MPI.INT, op, 1);
            world.recv(one, 1, MPI.INT, 1, 1);
            window.unlock(0);
            window.lock(MPI.LOCK_EXCLUSIVE, 0, 0);
            window.unlock(0);
            System.out.println("rank 0 had the lock");
            world.send(one, 1, MPI.INT, 1, 1);
        }
        Runtime.getRuntime().halt(0);
    }

    private static void gone() throws Exception
    {
        final LongBuffer part = MPI.newLongBuffer(1);
        final Win window = window(part);
        window.fence(0);
        if (rank == 1)
        {
            Runtime.getRuntime().halt(0);
        }
        while (true)
        {
            try
            {
                window.accumulate(MPI.newLongBuffer(1), 1, MPI.LONG, 1, 0, 1, MPI.LONG, MPI.SUM);
                window.flush(1);
            }
            catch (final MPIException ex)
            {
                System.out.println("rank " + rank + " got: " + ex.getMessage());
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /** What is used no more is given back, and what finds no room is private. */
    private static void room() throws Exception
    {
        final ByteBuffer[] buffers = new ByteBuffer[LENGTH];
        int mapped = 0;
        for (int i = 0; i < buffers.length; i++)
        {
            buffers[i] = MPI.newByteBuffer(PIECE);
            Checks.equal((byte)0, buffers[i].get(PIECE - 1), "a new byte");
            buffers[i].put(PIECE - 1, (byte)1);
            mapped += isMapped(buffers[i]) ? 1 : 0;
        }
        Checks.equal(true, mapped > 0 && mapped < buffers.length, "some have found room, and some have not: " + mapped);
        final IntBuffer view = buffers[0].asIntBuffer();
        java.util.Arrays.fill(buffers, null);
        ByteBuffer made = null;
        while (made == null || !isMapped(made))
        {
            System.gc();
            made = MPI.newByteBuffer(PIECE);
        }
        Checks.equal((byte)0, made.get(PIECE - 1), "a byte that was used before");
        view.put(0, 7);
        Checks.equal((byte)0, made.get(0), "a byte of another buffer");
    }

    private static boolean isMapped(final ByteBuffer buffer) throws MPIException
    {
        return world.world().findMapped(new Place().set(buffer, 0, 0).address(), buffer.capacity()) != null;
    }
}
