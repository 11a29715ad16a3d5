// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.ByteBuffer;
import java.util.Arrays;
import mpi.Cartcomm;
import mpi.Comm;
import mpi.Datatype;
import mpi.Graphcomm;
import mpi.Group;
import mpi.Intercomm;
import mpi.Intracomm;
import mpi.MPI;
import mpi.Op;
import mpi.Prequest;
import mpi.Request;
import mpi.Status;
import mpi.User_function;

/** Members of the dialect of mpiJava that the other programs do not call. For 4 ranks. */
public final class MpiJavaMembers
{
    private static Intracomm world;
    private static int rank;
    private static int size;

    private MpiJavaMembers()
    {
    }

    /** Of sums, for items that begin at offsets. */
    private static final class Sums extends User_function
    {
        @Override
        public void Call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count, final Datatype type)
        {
            for (int i = 0; i < count; i++)
            {
                ((int[])inOut)[inOutOffset + i] += ((int[])in)[inOffset + i];
            }
        }
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.Rank();
        size = world.Size();
        environment();
        alone();
        portions();
        exchanges();
        reductions();
        modes();
        requests();
        groups();
        between();
        topologies();
        Checks.complete();
        MPI.Finalize();
    }

    private static void environment() throws Exception
    {
        Checks.equal(true, MPI.Wtick() > 0 && MPI.Wtick() < 1, "tick");
        final double begin = MPI.Wtime();
        Checks.equal(true, MPI.Wtime() >= begin, "time goes on");
        Checks.equal(false, MPI.Get_processor_name().isEmpty(), "name of the processor");
        Checks.equal(true, MPI.isMainThread(), "main thread");
        Checks.equal(true, MPI.NUM_OF_PROCESSORS > 0 && MPI.SEND_OVERHEAD >= 0 && MPI.RECV_OVERHEAD >= 0, "numbers of the host");
        MPI.Errorhandler_set(MPI.ERRORS_RETURN);
        Checks.equal(true, MPI.Errorhandler_get() == MPI.ERRORS_RETURN, "error handler");
        Checks.fails(MPI.ERR_TYPE, () -> world.Send(new int[1], 0, 1, MPI.NULL, rank, 0), "the null type");
        Checks.equal(MPI.ANY_SOURCE, MPI.EMPTY_STATUS.source, "source of an empty status");
    }

    /** What a class file names with types that the source of a program cannot name here: by handles, as its linker finds it. */
    private static void alone() throws Exception
    {
        final Comm self = (Comm)getter("COMM_SELF");
        Checks.equal(1 + ", " + 0, self.Size() + ", " + self.Rank(), "this rank alone");
        Checks.fails(MPI.ERR_COMM, () -> ((Comm)getter("COMM_NULL")).Size(), "no communicator");
        final Object copy;
        try
        {
            copy = MethodHandles.publicLookup().findVirtual(Intracomm.class, "clone", MethodType.methodType(Object.class))
                .bindTo(world).invoke();
        }
        catch (final Throwable ex)
        {
            throw new AssertionError("a copy", ex);
        }
        Checks.equal(MPI.CONGRUENT, Comm.Compare(world, (Comm)copy), "a copy");
        Checks.equal(MPI.UNEQUAL, Comm.Compare(world, self), "another communicator");
        ((Comm)copy).Free();
    }

    private static Object getter(final String field)
    {
        try
        {
            return MethodHandles.publicLookup().findStaticGetter(MPI.class, field, Comm.class).invoke();
        }
        catch (final Throwable ex)
        {
            throw new AssertionError(field, ex);
        }
    }

    private static void portions() throws Exception
    {
        final int[] all = new int[size + 1];
        Arrays.setAll(all, (i) -> 10 * (i - 1));
        final int[] own = { -1, -1 };
        world.Scatter(all, 1, 1, MPI.INT, own, 1, 1, MPI.INT, 2);
        Checks.equal(new int[]{ -1, 10 * rank }, own, "Scatter");
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.fill(counts, 1);
        Arrays.setAll(places, (i) -> size - 1 - i);
        world.Scatterv(all, 1, counts, places, MPI.INT, own, 0, 1, MPI.INT, 1);
        Checks.equal(10 * (size - 1 - rank), own[0], "Scatterv");
        final int[] gathered = new int[size + 1];
        world.Allgatherv(new int[]{ 0, rank + 1 }, 1, 1, MPI.INT, gathered, 1, counts, places, MPI.INT);
        for (int i = 0; i < size; i++)
        {
            Checks.equal(size - i, gathered[1 + i], "Allgatherv");
        }
    }

    private static void exchanges() throws Exception
    {
        final int[] counts = new int[size];
        final int[] places = new int[size];
        final int[] back = new int[size];
        Arrays.fill(counts, 1);
        Arrays.setAll(places, (i) -> i);
        Arrays.setAll(back, (i) -> size - 1 - i);
        final int[] all = new int[size + 1];
        world.Gather(new int[]{ 0, rank + 1 }, 1, 1, MPI.INT, all, 1, 1, MPI.INT, 1);
        Checks.equal(rank == 1 ? new int[]{ 0, 1, 2, 3, 4 } : new int[size + 1], all, "Gather");
        world.Gatherv(new int[]{ 0, rank + 1 }, 1, 1, MPI.INT, all, 1, counts, back, MPI.INT, 2);
        Checks.equal(rank == 2 ? 4 : rank == 1 ? 1 : 0, all[1], "Gatherv");
        final int[] to = new int[size + 1];
        Arrays.setAll(to, (i) -> 10 * rank + i - 1);
        world.Alltoall(to, 1, 1, MPI.INT, all, 1, 1, MPI.INT);
        Checks.equal(new int[]{ 0, rank, 10 + rank, 20 + rank, 30 + rank }, all, "Alltoall");
        world.Alltoallv(to, 1, counts, places, MPI.INT, all, 1, counts, back, MPI.INT);
        Checks.equal(new int[]{ 0, 30 + rank, 20 + rank, 10 + rank, rank }, all, "Alltoallv");
    }

    private static void reductions() throws Exception
    {
        final float[] least = new float[1];
        world.Allreduce(new float[]{ rank + 0.5f }, 0, least, 0, 1, MPI.FLOAT, MPI.MIN);
        Checks.equal(0.5f, least[0], "least");
        final int[] found = new int[1];
        world.Allreduce(new int[]{ rank == 3 ? 2 : 0 }, 0, found, 0, 1, MPI.INT, MPI.LOR);
        Checks.equal(1, found[0], "or");
        world.Allreduce(new int[]{ rank == 3 || rank == 1 ? 2 : 0 }, 0, found, 0, 1, MPI.INT, MPI.LXOR);
        Checks.equal(0, found[0], "either of two");
        world.Allreduce(new int[]{ 1 << rank | 16 }, 0, found, 0, 1, MPI.INT, MPI.BXOR);
        Checks.equal(15, found[0], "bits of an odd number");
        final User_function function = new Sums();
        final int[] both = { 1, 2 };
        function.Call(new int[]{ 0, 5 }, 1, both, 1, 1, MPI.INT);
        Checks.equal(new int[]{ 1, 7 }, both, "the function itself");
        final Op op = new Op(function, true);
        final int[] sums = new int[3];
        world.Allreduce(new int[]{ 0, rank, 1 }, 1, sums, 1, 2, MPI.INT, op);
        Checks.equal(new int[]{ 0, size * (size - 1) / 2, size }, sums, "sums of the program");
        op.Free();
        final short[] product = { (short)(rank + 1) };
        world.Allreduce(product.clone(), 0, product, 0, 1, MPI.SHORT, MPI.PROD);
        Checks.equal((short)24, product[0], "product of shorts");
        final short[] shorts = { (short)rank, 3 };
        world.Allreduce(shorts.clone(), 0, shorts, 0, 1, MPI.SHORT2, MPI.MINLOC);
        Checks.equal((short)0, shorts[0], "least of pairs of shorts");
        final long[] longs = { rank, 5 };
        world.Allreduce(longs.clone(), 0, longs, 0, 1, MPI.LONG2, MPI.MAXLOC);
        Checks.equal(size - 1L, longs[0], "greatest of pairs of longs");
        final float[] floats = { rank, 7 };
        world.Allreduce(floats.clone(), 0, floats, 0, 1, MPI.FLOAT2, MPI.MAXLOC);
        Checks.equal(size - 1f, floats[0], "greatest of pairs of floats");
    }

    /** A rank sends to itself in each mode; receives are there before messages of ready mode. */
    private static void modes() throws Exception
    {
        final int[] in = new int[4];
        final int[] out = { 1, 2, 3, 4 };
        MPI.Buffer_attach(ByteBuffer.allocateDirect(4096));
        final Prequest[] sends = {
            world.Bsend_init(out, 0, 1, MPI.INT, rank, 1), world.Ssend_init(out, 1, 1, MPI.INT, rank, 2),
            world.Rsend_init(out, 2, 1, MPI.INT, rank, 3) };
        final Request[] receives = new Request[4];
        for (int i = 0; i < receives.length; i++)
        {
            receives[i] = world.Irecv(in, i, 1, MPI.INT, rank, i + 1);
        }
        for (final Prequest each : sends)
        {
            each.Start();
        }
        final Request buffered = world.Ibsend(out, 3, 1, MPI.INT, rank, 4);
        Request.Waitall(receives);
        Request.Waitall(sends);
        buffered.Wait();
        Checks.equal(out, in, "messages of four modes");
        final Request[] ready = { world.Irecv(in, 0, 1, MPI.INT, rank, 5), world.Irecv(in, 1, 1, MPI.INT, rank, 6) };
        world.Rsend(out, 2, 1, MPI.INT, rank, 5);
        world.Irsend(out, 3, 1, MPI.INT, rank, 6).Wait();
        Request.Waitall(ready);
        Checks.equal(new int[]{ 3, 4, 3, 4 }, in, "messages of ready mode");
        MPI.Buffer_detach();
        final Datatype type = Datatype.Hindexed(new int[]{ 1, 1 }, new int[]{ 0, 2 }, MPI.INT);
        type.Commit();
        world.Sendrecv(out, 0, 1, type, rank, 7, in, 0, 2, MPI.INT, rank, 7);
        Checks.equal(new int[]{ 1, 3, 3, 4 }, in, "places in elements of the type");
        type.Free();
    }

    private static void requests() throws Exception
    {
        final int[] in = new int[3];
        final Request[] requests = { world.Irecv(in, 0, 1, MPI.INT, rank, 1), world.Irecv(in, 1, 1, MPI.INT, rank, 2) };
        Checks.equal(null, Request.Testany(requests), "none is done");
        Checks.equal(null, Request.Testall(requests), "not all are done");
        Checks.equal(0, Request.Testsome(requests).length, "some that are done");
        world.Send(new int[]{ 8 }, 0, 1, MPI.INT, rank, 2);
        final Status[] some = Request.Waitsome(requests);
        Checks.equal(1 + ", " + 1 + ", " + 8, some.length + ", " + some[0].index + ", " + in[1], "the one that is done");
        Checks.equal(MPI.UNDEFINED, MPI.EMPTY_STATUS.index, "number of no request");
        Checks.equal(null, requests[0].Test(), "what has not come");
        requests[0].Cancel();
        final Status status = requests[0].Wait();
        Checks.equal(true, status.Test_cancelled(), "what was cancelled");
        status.free();
        final Request[] both = { world.Irecv(in, 0, 1, MPI.INT, rank, 3), world.Isend(in, 1, 1, MPI.INT, rank, 3) };
        Status[] all = Request.Testall(both);
        while (all == null)
        {
            all = Request.Testall(both);
        }
        Checks.equal(2 + ", " + 8, all.length + ", " + in[0], "all that are done");
        final Request[] last = { world.Irecv(in, 2, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG) };
        world.Send(in, 0, 1, MPI.INT, rank, 9);
        Status any = Request.Testany(last);
        while (any == null)
        {
            any = Request.Testany(last);
        }
        Checks.equal(0 + ", " + rank + ", " + 9, any.index + ", " + any.source + ", " + any.tag, "the one that is done");
        Checks.equal(null, world.Iprobe(rank, MPI.ANY_TAG), "nothing is left");
        final Status nothing = world.Recv(in, 0, 1, MPI.INT, MPI.PROC_NULL, 0);
        Checks.equal(MPI.PROC_NULL, nothing.source, "source of nothing");
    }

    private static void groups() throws Exception
    {
        final Group all = world.Group();
        final Group low = all.Incl(new int[]{ 1, 0 });
        final Group high = all.Excl(new int[]{ 0 });
        Checks.equal(4 + ", " + 2 + ", " + 3, all.Size() + ", " + low.Size() + ", " + high.Size(), "sizes");
        Checks.equal(MPI.SIMILAR, Group.Compare(low, all.Range_incl(new int[][]{ { 0, 1, 1 } })), "the same in another order");
        Checks.equal(MPI.IDENT, Group.Compare(high, all.Range_excl(new int[][]{ { 0, 0, 1 } })), "the same");
        Checks.equal(MPI.SIMILAR, Group.Compare(all, Group.Union(low, high)), "union");
        Checks.equal(1, Group.Intersection(low, high).Size(), "intersection");
        Checks.equal(new int[]{ 1, 0 }, Group.Translate_ranks(all, new int[]{ 0, 1 }, low), "ranks of another group");
        Checks.equal(MPI.IDENT, Group.Compare(MPI.GROUP_EMPTY, Group.Difference(low, all)), "an empty difference");
        Checks.equal(rank < 2 ? 1 - rank : MPI.UNDEFINED, low.Rank(), "rank in another group");
    }

    private static void between() throws Exception
    {
        final Intracomm half = world.Split(rank / 2, rank);
        final Intercomm inter = world.Create_intercomm(half, 0, rank < 2 ? 2 : 0, 11);
        Checks.equal(true, inter.Test_inter() && !world.Test_inter(), "between groups");
        Checks.equal(2, inter.Remote_size(), "size of the others");
        Checks.equal(2, inter.Remote_group().Size(), "group of the others");
        final Intracomm merged = inter.Merge(rank < 2);
        Checks.equal((rank + 2) % 4, merged.Rank(), "rank behind the others");
        merged.Free();
        inter.Free();
        half.Free();
    }

    private static void topologies() throws Exception
    {
        final Cartcomm grid = world.Create_cart(new int[]{ 2, 2 }, new boolean[]{ true, false }, false);
        Checks.equal(new int[]{ rank / 2, rank % 2 }, grid.Get().coords, "coordinates");
        Checks.equal(rank, grid.Rank(grid.Coords(rank)), "rank at coordinates");
        Checks.equal(rank < 2 ? rank : MPI.UNDEFINED, grid.Map(new int[]{ 2 }, new boolean[]{ false }), "rank in a shorter grid");
        final Cartcomm row = grid.Sub(new boolean[]{ false, true });
        Checks.equal(2 + ", " + rank % 2, row.Size() + ", " + row.Rank(), "a row");
        final Graphcomm graph = world.Create_graph(new int[]{ 1, 2, 3, 4 }, new int[]{ 1, 0, 3, 2 }, false);
        Checks.equal(new int[]{ 1, 2, 3, 4 }, graph.Get().index, "ends of edges");
        Checks.equal(new int[]{ rank ^ 1 }, graph.Neighbours(rank), "neighbors");
        Checks.equal(rank < 2 ? rank : MPI.UNDEFINED, graph.Map(new int[]{ 1, 2 }, new int[]{ 1, 0 }), "rank in a smaller graph");
        graph.Free();
        row.Free();
        grid.Free();
    }
}
