// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Comm;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.FloatComplex;
import mpi.Group;
import mpi.Info;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.LongInt;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;
import mpi.ShortInt;
import mpi.Win;

/**
 * Members of Open MPI's dialect that the other programs do not call, of the class by which programs call them: those of Comm by a
 * variable of that type, for example. For 4 ranks.
 */
public final class OpenMpiMembers
{
    private static Intracomm world;
    private static int rank;
    private static int size;

    private OpenMpiMembers()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        Checks.equal(4, size, "ranks of this program");
        environment();
        errors();
        complexNumbers();
        pairs();
        attributes(world);
        communicator(world);
        final Intercomm across = halves(world);
        betweenGroups(across);
        portions(across);
        across.free();
        window();
        windowOfTheLibrary();
        Checks.complete();
        MPI.Finalize();
    }

    private static void environment() throws Exception
    {
        Checks.equal(false, MPI.getProcessorName().isEmpty(), "name of the processor");
        final double begin = MPI.wtime();
        Checks.equal(true, MPI.wtime() >= begin, "time goes on");
        final IntBuffer out = MPI.newIntBuffer(1).put(0, rank);
        final IntBuffer in = MPI.newIntBuffer(1);
        final Request send = world.iSend(out, 1, MPI.INT, rank, 3);
        send.free();
        Checks.equal(true, send.isNull(), "a request that was freed");
        Checks.equal(rank, world.recv(in, 1, MPI.INT, MPI.ANY_SOURCE, 3).getSource(), "source of a message that was let go");
        Checks.equal(rank, in.get(0), "a message that was let go");
        final Info info = new Info();
        info.set("key", "value");
        info.free();
        Checks.equal(true, info.isNull(), "an info that was freed");
    }

    private static void errors() throws Exception
    {
        final MPIException made = new MPIException("what the program says");
        Checks.equal("what the program says", made.getMessage(), "text of an error");
        Checks.equal(MPI.ERR_OTHER, made.getErrorClass(), "class of an error of the program");
        final Group all = world.getGroup();
        all.free();
        try
        {
            all.getSize();
        }
        catch (final MPIException ex)
        {
            Checks.equal(MPI.ERR_GROUP, ex.getErrorCode(), "code of an error");
            Checks.equal(false, ex.getErrorCode() == MPI.SUCCESS, "an error is no success");
            return;
        }
        throw new AssertionError("a freed group has a size");
    }

    private static void complexNumbers() throws Exception
    {
        final FloatBuffer direct = MPI.newFloatBuffer(2);
        final FloatComplex one = FloatComplex.get(direct);
        one.putReal(rank);
        one.putImag(1);
        world.allReduce(direct, 1, MPI.FLOAT_COMPLEX, MPI.SUM);
        Checks.equal(6f, one.getReal(), "sum of the real parts");
        Checks.equal(4f, one.getImag(), "sum of the imaginary parts");
        final float[] array = new float[2];
        final FloatComplex other = FloatComplex.get(array);
        other.putImag(1);
        world.allReduce(array, 1, MPI.FLOAT_COMPLEX, MPI.PROD);
        Checks.equal("1.0, 0.0", other.getReal() + ", " + (other.getImag() + 0f), "fourth power of i");
        final float[] least = { rank + 0.5f };
        world.allReduce(least, 1, MPI.FLOAT, MPI.MIN);
        Checks.equal(0.5f, least[0], "least");
        final java.nio.DoubleBuffer doubles = MPI.newDoubleBuffer(2);
        final DoubleComplex number = DoubleComplex.get(doubles);
        number.putReal(rank);
        number.putImag(-1);
        world.allReduce(doubles, 1, MPI.DOUBLE_COMPLEX, MPI.SUM);
        Checks.equal("6.0, -4.0", number.getReal() + ", " + number.getImag(), "sum of complex numbers");
    }

    private static void pairs() throws Exception
    {
        final ByteBuffer in = MPI.newByteBuffer(2 * MPI.LONG_INT.getExtent());
        final ByteBuffer out = MPI.newByteBuffer(2 * MPI.LONG_INT.getExtent());
        final LongInt.Data own = MPI.longInt.getData(in, 1);
        own.putValue(-rank);
        own.putIndex(rank);
        world.allReduce(in, out, 2, MPI.LONG_INT, MPI.MINLOC);
        final LongInt.Data least = MPI.longInt.getData(out, 1);
        Checks.equal(-3L, least.getValue(), "least long");
        Checks.equal(3, least.getIndex(), "its place");
        final ByteBuffer shorts = MPI.newByteBuffer(2 * MPI.SHORT_INT.getExtent());
        final ShortInt.Data ownShort = MPI.shortInt.getData(shorts, 1);
        ownShort.putValue((short)(10 - rank));
        ownShort.putIndex(rank);
        world.allReduce(shorts, 2, MPI.SHORT_INT, MPI.MINLOC);
        Checks.equal((short)7, ownShort.getValue(), "least short");
        Checks.equal(3, ownShort.getIndex(), "its place");
    }

    private static void attributes(final Comm comm) throws Exception
    {
        Checks.equal(MPI.PROC_NULL, comm.getAttr(MPI.HOST), "rank of the host");
        Checks.equal(MPI.ANY_SOURCE, comm.getAttr(MPI.IO), "ranks that read and write files");
        Checks.equal(Integer.MAX_VALUE, comm.getAttr(MPI.TAG_UB), "greatest tag");
        final int key = Comm.createKeyval();
        comm.setAttr(key, "value");
        Checks.equal("value", comm.getAttr(key), "attribute");
        comm.deleteAttr(key);
        Checks.equal(true, comm.getAttr(key) == null, "attribute that was deleted");
        Comm.freeKeyval(key);
    }

    private static void communicator(final Comm comm) throws Exception
    {
        comm.setErrhandler(MPI.ERRORS_RETURN);
        Checks.equal(true, comm.getErrhandler() == MPI.ERRORS_RETURN, "error handler");
        Checks.equal(false, comm.isInter() || comm.isNull(), "of one group");
        final Comm copy = comm.clone();
        Checks.equal(MPI.CONGRUENT, Comm.compare(comm, copy), "a copy");
        Checks.equal(MPI.IDENT, Group.compare(comm.getGroup(), copy.getGroup()), "groups of a copy");
        final int[] all = new int[size];
        copy.allGather(new int[]{ rank }, 1, MPI.INT, all, 1, MPI.INT);
        Checks.equal(new int[]{ 0, 1, 2, 3 }, all, "gathered");
        final int[] sum = new int[1];
        copy.allReduce(new int[]{ rank }, sum, 1, MPI.INT, MPI.SUM);
        Checks.equal(6, sum[0], "sum");
        final int[] ones = new int[size];
        Arrays.fill(ones, 1);
        final int[] bytes = { 0, 4, 8, 12 };
        final Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.INT);
        final int[] to = { 10 * rank, 10 * rank + 1, 10 * rank + 2, 10 * rank + 3 };
        copy.allToAllw(to, ones, bytes, types, all, ones, bytes, types);
        Checks.equal(new int[]{ rank, 10 + rank, 20 + rank, 30 + rank }, all, "all to all");
        final IntBuffer toThem = MPI.newIntBuffer(size).put(to).clear();
        final IntBuffer got = MPI.newIntBuffer(size);
        copy.iAllToAllw(toThem, ones, bytes, types, got, ones, bytes, types).waitFor();
        Checks.equal(30 + rank, got.get(3), "all to all that is started");
        copy.barrier();
        copy.free();
        Checks.equal(true, copy.isNull(), "a copy that was freed");
    }

    private static Intercomm halves(final Comm by) throws Exception
    {
        return by.createIntercomm(world.split(rank / 2, rank), 0, rank < 2 ? 2 : 0, 11);
    }

    private static void betweenGroups(final Intercomm across) throws Exception
    {
        across.setErrhandler(MPI.ERRORS_RETURN);
        final Group others = across.getRemoteGroup();
        Checks.equal(rank < 2 ? new int[]{ 2, 3 } : new int[]{ 0, 1 },
            Group.translateRanks(others, new int[]{ 0, 1 }, world.getGroup()), "ranks of the others");
        final int[] number = { rank };
        across.sendRecvReplace(number, 1, MPI.INT, rank % 2, 4, rank % 2, 4);
        Checks.equal((rank + 2) % 4, number[0], "exchanged");
        final int[] ones = { 1, 1 };
        final int[] back = { 1, 0 };
        final int[] got = new int[2];
        across.allToAllv(new int[]{ 10 * rank, 10 * rank + 1 }, ones, new int[]{ 0, 1 }, MPI.INT, got, ones, back, MPI.INT);
        final int first = (rank + 2) % 4 / 2 * 2;
        Checks.equal(new int[]{ 10 * (first + 1) + rank % 2, 10 * first + rank % 2 }, got, "all to all across");
    }

    /** Between rank 3, and all of the other side. */
    private static void portions(final Intercomm across) throws Exception
    {
        final int root = rank == 3 ? MPI.ROOT : rank == 2 ? MPI.PROC_NULL : 1;
        final int[] gathered = new int[2];
        across.gather(new int[]{ rank + 5 }, 1, MPI.INT, gathered, 1, MPI.INT, root);
        Checks.equal(rank == 3 ? new int[]{ 5, 6 } : new int[2], gathered, "gathered across");
        final int[] its = new int[1];
        across.scatter(new int[]{ 7, 8 }, 1, MPI.INT, its, 1, MPI.INT, root);
        Checks.equal(rank < 2 ? 7 + rank : 0, its[0], "scattered across");
        across.scatterv(new int[]{ 7, 8 }, new int[]{ 1, 1 }, new int[]{ 1, 0 }, MPI.INT, its, 1, MPI.INT, root);
        Checks.equal(rank < 2 ? 8 - rank : 0, its[0], "scattered across from places");
    }

    private static void window() throws Exception
    {
        final IntBuffer part = MPI.newIntBuffer(2);
        final Win window = new Win(part, 2, 1, MPI.INFO_NULL, world);
        Checks.equal(MPI.IDENT, Group.compare(world.getGroup(), window.getGroup()), "group of a window");
        window.setErrhandler(MPI.ERRORS_RETURN);
        Checks.fails(MPI.ERR_WIN, () -> window.callErrhandler(MPI.ERR_WIN), "an error of the program");
        final int key = Win.createKeyval();
        window.setAttr(key, "value");
        Checks.equal("value", window.getAttr(key), "attribute of a window");
        window.deleteAttr(key);
        Checks.equal(true, window.getAttr(key) == null, "attribute of a window that was deleted");
        Win.freeKeyval(key);
        final IntBuffer one = MPI.newIntBuffer(1).put(0, 10 + rank);
        final IntBuffer found = MPI.newIntBuffer(1);
        final int next = (rank + 1) % size;
        window.lock(MPI.LOCK_EXCLUSIVE, next, 0);
        window.rPut(one, 1, MPI.INT, next, 0, 1, MPI.INT).waitFor();
        window.flushLocal(next);
        window.rAccumulate(one, 1, MPI.INT, next, 0, 1, MPI.INT, MPI.SUM).waitFor();
        window.flushLocalAll();
        window.rGetAccumulate(one, 1, MPI.INT, found, 1, MPI.INT, next, 0, 1, MPI.INT, MPI.NO_OP).waitFor();
        window.unlock(next);
        Checks.equal(20 + 2 * rank, found.get(0), "what was put and added");
        world.barrier();
        window.lock(MPI.LOCK_SHARED, rank, 0);
        Checks.equal(20 + 2 * ((rank + size - 1) % size), part.get(0), "what was put and added here");
        window.unlock(rank);
        window.free();
    }

    private static void windowOfTheLibrary() throws Exception
    {
        final IntBuffer one = MPI.newIntBuffer(1).put(0, 1);
        final IntBuffer found = MPI.newIntBuffer(1);
        for (final boolean isShared : new boolean[]{ false, true })
        {
            final Win window = new Win(4, 4, MPI.INFO_NULL, world, null, isShared ? Win.FLAVOR_SHARED : Win.FLAVOR_PRIVATE);
            window.fence(0);
            window.accumulate(one, 1, MPI.INT, 0, 0, 1, MPI.INT, MPI.SUM);
            window.fence(0);
            window.get(found, 1, MPI.INT, 0, 0, 1, MPI.INT);
            window.fence(MPI.MODE_NOSUCCEED);
            Checks.equal(size, found.get(0), "sum in memory of the library");
            window.free();
        }
    }
}
