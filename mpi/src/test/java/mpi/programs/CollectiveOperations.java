// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Datatype;
import mpi.DoubleComplex;
import mpi.Int2;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Op;
import mpi.Request;
import mpi.UserFunction;
import mpi.User_function;

/** Collective operations in both dialects. For any number of ranks from 2 on. */
public final class CollectiveOperations
{
    private static final int LONG = 10_000;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private CollectiveOperations()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        for (int root = 0; root < size; root++)
        {
            spread(root);
            collect(root);
            reduceTo(root);
        }
        exchange();
        reduceAll();
        scans();
        locations();
        functions();
        immediate();
        mpiJava();
        errors();
        Checks.complete();
        MPI.Finalize();
    }

    /** The numbers from first on. */
    private static int[] from(final int first, final int count)
    {
        final int[] numbers = new int[count];
        Arrays.setAll(numbers, (i) -> first + i);
        return numbers;
    }

    private static void spread(final int root) throws Exception
    {
        final int[] numbers = rank == root ? from(root, LONG) : new int[LONG];
        world.bcast(numbers, LONG, MPI.INT, root);
        Checks.equal(from(root, LONG), numbers, "broadcast");
        final int[] own = new int[2];
        world.scatter(from(100, 2 * size), 2, MPI.INT, own, 2, MPI.INT, root);
        Checks.equal(from(100 + 2 * rank, 2), own, "scatter");
        final int[] all = from(200, 2 * size);
        world.scatter(all, 2, MPI.INT, root);
        Checks.equal(from(rank == root ? 200 : 200 + 2 * rank, 2), Arrays.copyOf(all, 2), "scatter in place");
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.setAll(counts, (i) -> i + 1);
        Arrays.setAll(places, (i) -> 3 * i);
        final int[] some = new int[rank + 1];
        world.scatterv(from(0, 3 * size + size), counts, places, MPI.INT, some, rank + 1, MPI.INT, root);
        Checks.equal(from(3 * rank, rank + 1), some, "scatterv");
        final int[] inPlace = new int[rank + 1];
        if (rank == root)
        {
            world.scatterv(from(0, 3 * size + size), counts, places, MPI.INT, root);
        }
        else
        {
            world.scatterv(inPlace, rank + 1, MPI.INT, root);
            Checks.equal(from(3 * rank, rank + 1), inPlace, "scatterv in place");
        }
    }

    private static void collect(final int root) throws Exception
    {
        final int[] all = new int[2 * size];
        world.gather(from(2 * rank, 2), 2, MPI.INT, all, 2, MPI.INT, root);
        Checks.equal(rank == root ? from(0, 2 * size) : new int[2 * size], all, "gather");
        final int[] inPlace = new int[2 * size];
        final int at = rank == root ? 2 * rank : 0;
        inPlace[at] = 2 * rank;
        inPlace[at + 1] = 2 * rank + 1;
        world.gather(inPlace, 2, MPI.INT, root);
        if (rank == root)
        {
            Checks.equal(from(0, 2 * size), inPlace, "gather in place");
        }
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.setAll(counts, (i) -> i % 2);
        Arrays.setAll(places, (i) -> size - 1 - i);
        final int[] reverse = new int[size];
        world.gatherv(new int[]{ rank }, rank % 2, MPI.INT, reverse, counts, places, MPI.INT, root);
        for (int i = 0; rank == root && i < size; i++)
        {
            Checks.equal(i % 2 == 0 ? 0 : i, reverse[size - 1 - i], "gatherv");
        }
    }

    private static void reduceTo(final int root) throws Exception
    {
        final double[] sums = new double[LONG];
        final double[] own = new double[LONG];
        Arrays.fill(own, rank + 1);
        world.reduce(own, sums, LONG, MPI.DOUBLE, MPI.SUM, root);
        Checks.equal(rank == root ? size * (size + 1) / 2.0 : 0, sums[LONG - 1], "sum");
        world.reduce(own, LONG, MPI.DOUBLE, MPI.MAX, root);
        Checks.equal((double)(rank == root ? size : rank + 1), own[0], "maximum in place");
    }

    private static void exchange() throws Exception
    {
        final int[] all = new int[size];
        world.allGather(new int[]{ 5 + rank }, 1, MPI.INT, all, 1, MPI.INT);
        Checks.equal(from(5, size), all, "allGather");
        final int[] inPlace = new int[size];
        inPlace[rank] = 5 + rank;
        world.allGather(inPlace, 1, MPI.INT);
        Checks.equal(from(5, size), inPlace, "allGather in place");
        final int[] to = new int[size];
        final int[] got = new int[size];
        Arrays.setAll(to, (i) -> 100 * rank + i);
        world.allToAll(to, 1, MPI.INT, got, 1, MPI.INT);
        for (int i = 0; i < size; i++)
        {
            Checks.equal(100 * i + rank, got[i], "allToAll");
        }
        final int[] ones = new int[size];
        final int[] places = new int[size];
        final int[] bytes = new int[size];
        final Datatype[] types = new Datatype[size];
        Arrays.fill(ones, 1);
        Arrays.setAll(places, (i) -> size - 1 - i);
        Arrays.setAll(bytes, (i) -> 4 * i);
        Arrays.fill(types, MPI.INT);
        world.allToAllv(to, ones, from(0, size), MPI.INT, got, ones, places, MPI.INT);
        for (int i = 0; i < size; i++)
        {
            Checks.equal(100 * i + rank, got[size - 1 - i], "allToAllv");
        }
        Arrays.fill(got, -1);
        world.allToAllw(to, ones, bytes, types, got, ones, bytes, types);
        Checks.equal(rank, got[0], "allToAllw");
        world.allGatherv(new int[]{ rank }, 1, MPI.INT, got, ones, places, MPI.INT);
        Checks.equal(size - 1, got[0], "allGatherv");
        final Datatype second = Datatype.createResized(MPI.INT, 0, 2);
        final int[] spread = new int[2 * size];
        world.allGather(new int[]{ 5 + rank }, 1, MPI.INT, spread, 1, second);
        Checks.equal(4 + size, spread[2 * (size - 1)], "allGather into every second place");
        Checks.equal(0, spread[1], "the place between");
    }

    private static void reduceAll() throws Exception
    {
        final long[] product = new long[1];
        world.allReduce(new long[]{ rank + 1 }, product, 1, MPI.LONG, MPI.PROD);
        long expected = 1;
        for (int i = 1; i <= size; i++)
        {
            expected *= i;
        }
        Checks.equal(expected, product[0], "product");
        final int[] bits = { 1 << rank };
        world.allReduce(bits, 1, MPI.INT, MPI.BOR);
        Checks.equal((1 << size) - 1, bits[0], "or of bits, in place");
        final boolean[] flags = { rank == 0 };
        world.allReduce(flags, 1, MPI.BOOLEAN, MPI.LAND);
        Checks.equal(false, flags[0], "and");
        final int[] own = new int[2];
        world.reduceScatterBlock(from(rank, 2 * size), own, 2, MPI.INT, MPI.SUM);
        final int ranks = size * (size - 1) / 2;
        Checks.equal(new int[]{ ranks + size * 2 * rank, ranks + size * (2 * rank + 1) }, own, "reduceScatterBlock");
        final int[] counts = new int[size];
        counts[size - 1] = 2;
        final int[] last = new int[2];
        world.reduceScatter(new int[]{ rank, 1 }, last, counts, MPI.INT, MPI.SUM);
        Checks.equal(rank == size - 1 ? new int[]{ ranks, size } : new int[2], last, "reduceScatter");
        final double[] complex = new double[2];
        DoubleComplex.get(complex).putImag(1);
        world.allReduce(complex, 1, MPI.DOUBLE_COMPLEX, MPI.PROD);
        final double[][] powers = { { 1, 0 }, { 0, 1 }, { -1, 0 }, { 0, -1 } };
        Checks.equal(powers[size % 4][0], DoubleComplex.get(complex).getReal() + 0.0, "power of i, real");
        Checks.equal(powers[size % 4][1], DoubleComplex.get(complex).getImag() + 0.0, "power of i, imaginary");
    }

    private static void scans() throws Exception
    {
        final int[] sum = new int[1];
        world.scan(new int[]{ rank + 1 }, sum, 1, MPI.INT, MPI.SUM);
        Checks.equal((rank + 1) * (rank + 2) / 2, sum[0], "scan");
        sum[0] = rank + 1;
        world.exScan(sum, 1, MPI.INT, MPI.SUM);
        Checks.equal(rank == 0 ? 1 : rank * (rank + 1) / 2, sum[0], "exScan in place");
    }

    private static void locations() throws Exception
    {
        final ByteBuffer in = MPI.newByteBuffer(MPI.INT2.getExtent());
        final ByteBuffer out = MPI.newByteBuffer(MPI.INT2.getExtent());
        final Int2.Data own = MPI.int2.getData(in);
        own.putValue(10 - rank % 2);
        own.putIndex(rank);
        world.allReduce(in, out, 1, MPI.INT2, MPI.MINLOC);
        final Int2.Data least = MPI.int2.getData(out, 0);
        Checks.equal(9, least.getValue(), "least");
        Checks.equal(1, least.getIndex(), "its place");
        final double[] pair = { rank, rank };
        final double[] most = new double[2];
        world.Allreduce(pair, 0, most, 0, 1, MPI.DOUBLE2, MPI.MAXLOC);
        Checks.equal(new double[]{ size - 1, size - 1 }, most, "most, with its place");
        Checks.equal(2, MPI.INT2.Extent(), "extent in ints");
        Checks.equal(8, MPI.INT2.getExtent(), "extent in bytes");
        final ByteBuffer longs = MPI.newByteBuffer(MPI.LONG_INT.getExtent());
        longs.putLong(0, -rank).putInt(8, rank);
        final ByteBuffer leastLong = MPI.newByteBuffer(MPI.LONG_INT.getExtent());
        world.allReduce(longs, leastLong, 1, MPI.LONG_INT, MPI.MINLOC);
        Checks.equal(size - 1, leastLong.getInt(8), "place of the least long");
    }

    /** Matrices of two rows, which do not commute: the product tells the order. */
    private static final class Product extends UserFunction
    {
        @Override
        public void call(final Object in, final Object inOut, final int count, final Datatype type) throws MPIException
        {
            final int[] left = (int[])in;
            final int[] right = (int[])inOut;
            for (int i = 0; i < count; i++)
            {
                right[i] = 10 * left[i] + right[i] % 10;
            }
        }

        @Override
        public void call(final ByteBuffer in, final ByteBuffer inOut, final int count, final Datatype type)
        {
            Checks.equal(true, type == MPI.INT, "the type itself");
            inOut.putInt(0, 10 * in.getInt(0) + inOut.getInt(0) % 10);
        }
    }

    /** The same in the other dialect. */
    private static final class MpiJavaProduct extends User_function
    {
        @Override
        public void Call(
            final Object in, final int inOffset, final Object inOut, final int inOutOffset, final int count, final Datatype type)
        {
            final int[] left = (int[])in;
            final int[] right = (int[])inOut;
            right[inOutOffset] = 10 * left[inOffset] + right[inOutOffset] % 10;
        }
    }

    private static void functions() throws Exception
    {
        int digits = 0;
        for (int i = 0; i < size; i++)
        {
            digits = 10 * digits + i + 1;
        }
        final Op product = new Op(new Product(), false);
        final int[] result = new int[1];
        world.allReduce(new int[]{ rank + 1 }, result, 1, MPI.INT, product);
        Checks.equal(digits, result[0], "order of ranks");
        final IntBuffer out = MPI.newIntBuffer(1).put(0, rank + 1);
        world.allReduce(out, 1, MPI.INT, product);
        Checks.equal(digits, out.get(0), "order of ranks, of buffers");
        final int[] prefix = new int[3];
        world.Scan(new int[]{ 0, rank + 1 }, 1, prefix, 2, 1, MPI.INT, new Op(new MpiJavaProduct(), false));
        Checks.equal(rank + 1, prefix[2] % 10, "last digit of a scan");
        final int[] both = { 2 };
        Intracomm.reduceLocal(new int[]{ 1 }, both, 1, MPI.INT, product);
        Checks.equal(12, both[0], "reduced without others");
        product.free();
        Checks.equal(true, product.isNull(), "freed");
        Checks.fails(MPI.ERR_OP, () -> world.allReduce(result, 1, MPI.INT, product), "a freed reduction");
        Checks.fails(MPI.ERR_OP, () -> MPI.SUM.free(), "a reduction of the library");
    }

    private static void immediate() throws Exception
    {
        final IntBuffer sum = MPI.newIntBuffer(1).put(0, rank);
        final IntBuffer all = MPI.newIntBuffer(size);
        final IntBuffer first = MPI.newIntBuffer(1).put(0, rank == 0 ? 77 : 0);
        final IntBuffer own = MPI.newIntBuffer(1).put(0, rank);
        final Request[] requests = {
            world.iAllReduce(sum, 1, MPI.INT, MPI.SUM), world.iAllGather(own, 1, MPI.INT, all, 1, MPI.INT),
            world.iBcast(first, 1, MPI.INT, 0), world.iBarrier() };
        // what others wait for goes on while this rank waits for something else
        final int[] got = new int[1];
        world.sendRecv(new int[]{ rank }, 1, MPI.INT, (rank + 1) % size, 1, got, 1, MPI.INT, (rank + size - 1) % size, 1);
        Request.waitAll(new Request[]{ requests[3], requests[2], requests[1], requests[0] });
        Checks.equal(size * (size - 1) / 2, sum.get(0), "sum");
        Checks.equal(size - 1, all.get(size - 1), "allGather");
        Checks.equal(77, first.get(0), "broadcast");
        Checks.equal(true, requests[0].isNull(), "done");
    }

    private static void mpiJava() throws Exception
    {
        final Object[] objects = new Object[size];
        world.Allgather(new Object[]{ "rank " + rank }, 0, 1, MPI.OBJECT, objects, 0, 1, MPI.OBJECT);
        Checks.equal("rank " + (size - 1), objects[size - 1], "objects of all");
        final String[] text = { rank == 1 ? "z".repeat(50_000) : "" };
        world.Bcast(text, 0, 1, MPI.OBJECT, 1);
        Checks.equal(50_000, text[0].length(), "a long object for all");
        final int[] sums = new int[2];
        world.Reduce(new int[]{ 0, rank, 1 }, 1, sums, 0, 2, MPI.INT, MPI.SUM, 0);
        Checks.equal(rank == 0 ? new int[]{ size * (size - 1) / 2, size } : new int[2], sums, "sums");
        final int[] counts = new int[size];
        Arrays.fill(counts, 1);
        final int[] own = new int[2];
        world.Reduce_scatter(from(-1, size + 1), 1, own, 1, counts, MPI.INT, MPI.SUM);
        Checks.equal(new int[]{ 0, size * rank }, own, "sums spread");
        world.Barrier();
    }

    private static void errors() throws Exception
    {
        final int[] one = new int[1];
        Checks.fails(MPI.ERR_ROOT, () -> world.bcast(one, 1, MPI.INT, size), "root");
        Checks.fails(MPI.ERR_OP, () -> world.allReduce(new double[1], 1, MPI.DOUBLE, MPI.BAND), "bits of a double");
        Checks.fails(MPI.ERR_OP, () -> world.allReduce(one, 1, MPI.INT, MPI.OP_NULL), "no reduction");
        Checks.fails(MPI.ERR_OP, () -> world.allReduce(one, 1, MPI.INT, null), "null instead of a reduction");
        Checks.fails(MPI.ERR_TYPE, () -> world.reduce(one, one, 1, null, MPI.SUM, 0), "null instead of a type, reduce");
        Checks.fails(MPI.ERR_TYPE, () -> world.bcast(one, 1, null, 0), "null instead of a type, bcast");
        Checks.fails(MPI.ERR_TYPE, () -> world.allGather(one, 1, MPI.INT, one, 1, null), "null instead of a type, allGather");
        Checks.fails(MPI.ERR_TYPE, () -> world.allToAll(one, 1, null, one, 1, null), "null instead of a type, allToAll");
        Checks.fails(MPI.ERR_COUNT, () -> world.bcast(one, -1, MPI.INT, 0), "count");
        Checks.fails(MPI.ERR_ARG, () -> world.allGatherv(one, 1, MPI.INT, one, null, null, MPI.INT), "no counts");
        Checks.fails(MPI.ERR_ARG, () -> world.reduceScatter(one, one, null, MPI.INT, MPI.SUM), "no counts, reduceScatter");
        Checks.fails(MPI.ERR_COMM, () -> MPI.COMM_NULL.barrier(), "no communicator, barrier");
        Checks.fails(MPI.ERR_COMM, () -> MPI.COMM_NULL.gather(one, 1, MPI.INT, 0), "no communicator, gather");
        Checks.fails(MPI.ERR_COMM, () -> MPI.COMM_NULL.reduceScatterBlock(one, 1, MPI.INT, MPI.SUM), "no communicator, reduce");
    }
}
