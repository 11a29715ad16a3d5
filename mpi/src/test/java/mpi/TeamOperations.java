// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.programs.Checks;

/**
 * Operations by teams, those that wait and those that are started and go on meanwhile, compared with those by messages: results
 * have the same bits. Items are in arrays, in buffers or have gaps, at each rank as its own numbers have it. Rank 1 may have one
 * team only, so a duplicate has none, at no rank. For any number of ranks from 2 on; argument: a seed.
 */
public final class TeamOperations
{
    private static final int ROUNDS = 40;
    private static final int MOST = 3_000;

    private final Intracomm comm;
    /** It has no team. */
    private final Intracomm reference;
    private final int rank;
    private final int size;
    /** The same numbers at all ranks. */
    private final Random shared;
    private final Random own;

    private TeamOperations(final Intracomm comm, final Intracomm reference, final long seed) throws MPIException
    {
        this.comm = comm;
        this.reference = reference;
        rank = comm.getRank();
        size = comm.getSize();
        shared = new Random(seed);
        own = new Random(seed + 1 + rank);
    }

    public static void main(final String[] arguments) throws Exception
    {
        final long seed = Long.parseLong(arguments[0]);
        System.setProperty(WorldTeams.LIMIT, "1".equals(System.getenv("TALLYPOST_RANK")) ? "1" : "5");
        MPI.Init(arguments);
        final Intracomm other = MPI.COMM_WORLD.dup();
        for (final Intracomm each : new Intracomm[]{ MPI.COMM_WORLD, other })
        {
            final TeamOperations operations = new TeamOperations(each, other, seed);
            operations.wrongForms();
            for (int i = 0; i < ROUNDS; i++)
            {
                operations.round(i);
            }
            Checks.equal(each == MPI.COMM_WORLD, each.path().isThere(each), "a team");
        }
        MPI.COMM_WORLD.path().close();
        final Intracomm last = MPI.COMM_WORLD.dup();
        new TeamOperations(last, other, seed).round(0);
        Checks.equal(true, last.path().isThere(last), "a team in the room of another one");
        last.free();
        other.free();
        Checks.complete();
        MPI.Finalize();
    }

    /** Numbers in a buffer off the heap, as non-blocking operations take them. */
    private ByteBuffer buffer(final double[] numbers)
    {
        final ByteBuffer buffer = MPI.newByteBuffer(numbers.length * Double.BYTES);
        buffer.asDoubleBuffer().put(numbers);
        return buffer;
    }

    private double[] random(final int count)
    {
        final double[] numbers = new double[count];
        Arrays.setAll(numbers, (i) -> own.nextGaussian() * 1e9);
        return numbers;
    }

    private static void same(final ByteBuffer expected, final double[] found, final String what)
    {
        final double[] numbers = new double[expected.capacity() / Double.BYTES];
        expected.asDoubleBuffer().get(numbers);
        Checks.equal(numbers, found, what);
    }

    /** The contents of numbers as they are, or with a gap behind each; or off the heap. */
    private Object form(final int way, final double[] numbers)
    {
        if (way == 1)
        {
            final double[] spread = new double[2 * numbers.length];
            Arrays.setAll(spread, (i) -> i % 2 == 0 ? numbers[i / 2] : -1);
            return spread;
        }
        return way == 0 ? numbers.clone() : buffer(numbers);
    }

    private static double[] unform(final int way, final Object buffer)
    {
        if (way == 2)
        {
            final double[] numbers = new double[((ByteBuffer)buffer).capacity() / Double.BYTES];
            ((ByteBuffer)buffer).asDoubleBuffer().get(numbers);
            return numbers;
        }
        final double[] found = (double[])buffer;
        final double[] numbers = new double[way == 0 ? found.length : found.length / 2];
        Arrays.setAll(numbers, (i) -> found[way == 0 ? i : 2 * i]);
        for (int i = 1; way == 1 && i < found.length; i += 2)
        {
            Checks.equal(-1.0, found[i], "a gap");
        }
        return numbers;
    }

    private void round(final int number) throws Exception
    {
        final int count = number % 7 == 0 ? number / 7 % 2 : 1 + shared.nextInt(MOST);
        final int root = shared.nextInt(size);
        final int sending = own.nextInt(3);
        final boolean isReduction = number % 8 < 3 || number % 8 == 7;
        final int receiving = isReduction ? sending : own.nextInt(3);
        final Datatype gapped = Datatype.createResized(MPI.DOUBLE, 0, 2);
        final Datatype[] types = { MPI.DOUBLE, gapped, MPI.DOUBLE };
        final Datatype out = types[sending];
        final Datatype in = types[receiving];
        final double[] numbers = random(count * size);
        final Object from = form(sending, numbers);
        final Object to = form(receiving, new double[count * size]);
        final ByteBuffer direct = buffer(numbers);
        final ByteBuffer expected = buffer(new double[count * size]);
        final ByteBuffer started = buffer(new double[count * size]);
        final Request request = start(reference, number % 8, direct, expected, count, root);
        final Request other = start(comm, number % 8, direct, started, count, root);
        switch (number % 8)
        {
            case 0:
                comm.allReduce(from, to, count, out, MPI.SUM);
                break;
            case 1:
                comm.scan(from, to, count, out, MPI.SUM);
                break;
            case 2:
                comm.reduceScatterBlock(from, to, count, out, MPI.SUM);
                break;
            case 3:
                comm.gather(from, count, out, to, count, in, root);
                break;
            case 4:
                comm.scatter(from, count, out, to, count, in, root);
                break;
            case 5:
                comm.allGather(from, count, out, to, count, in);
                break;
            case 6:
                comm.allToAll(from, count, out, to, count, in);
                break;
            default:
                portions(number);
                objectsOfTwo();
                objectOfOne();
                comm.reduce(from, to, count, out, MPI.MAX, root);
                break;
        }
        Request.waitAll(new Request[]{ request, other });
        Checks.equal(expected, started, "operation " + number % 8 + ", started, of " + count + " numbers at rank " + rank);
        same(expected, unform(receiving, to), "operation " + number % 8 + " of " + count + " numbers at rank " + rank);
        gapped.free();
    }

    private static Request start(
        final Intracomm on, final int operation, final ByteBuffer from, final ByteBuffer to, final int count, final int root)
        throws MPIException
    {
        switch (operation)
        {
            case 0:
                return on.iAllReduce(from, to, count, MPI.DOUBLE, MPI.SUM);
            case 1:
                return on.iScan(from, to, count, MPI.DOUBLE, MPI.SUM);
            case 2:
                return on.iReduceScatterBlock(from, to, count, MPI.DOUBLE, MPI.SUM);
            case 3:
                return on.iGather(from, count, MPI.DOUBLE, to, count, MPI.DOUBLE, root);
            case 4:
                return on.iScatter(from, count, MPI.DOUBLE, to, count, MPI.DOUBLE, root);
            case 5:
                return on.iAllGather(from, count, MPI.DOUBLE, to, count, MPI.DOUBLE);
            case 6:
                return on.iAllToAll(from, count, MPI.DOUBLE, to, count, MPI.DOUBLE);
            default:
                return on.iReduce(from, to, count, MPI.DOUBLE, MPI.MAX, root);
        }
    }

    /** Portions of different lengths. */
    private void portions(final int number) throws MPIException
    {
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.setAll(counts, (i) -> (number + i * rank + i + rank) % 5);
        Arrays.setAll(places, (i) -> 5 * (size - 1 - i));
        final double[] numbers = random(5 * size);
        final double[] found = new double[5 * size];
        final ByteBuffer expected = buffer(found);
        final ByteBuffer started = buffer(found);
        final ByteBuffer from = buffer(numbers);
        final Request request = reference.iAllToAllv(from, counts, places, MPI.DOUBLE, expected, counts, places, MPI.DOUBLE);
        final Request other = comm.iAllToAllv(from, counts, places, MPI.DOUBLE, started, counts, places, MPI.DOUBLE);
        comm.allToAllv(numbers, counts, places, MPI.DOUBLE, found, counts, places, MPI.DOUBLE);
        Request.waitAll(new Request[]{ request, other });
        same(expected, found, "allToAllv");
        Checks.equal(expected, started, "iAllToAllv");
        Arrays.setAll(counts, (i) -> i % 3);
        final ByteBuffer all = buffer(new double[5 * size]);
        final ByteBuffer startedAll = buffer(new double[5 * size]);
        final double[] foundAll = new double[5 * size];
        final Request gathered = reference.iAllGatherv(from, rank % 3, MPI.DOUBLE, all, counts, places, MPI.DOUBLE);
        final Request last = comm.iAllGatherv(from, rank % 3, MPI.DOUBLE, startedAll, counts, places, MPI.DOUBLE);
        comm.allGatherv(numbers, rank % 3, MPI.DOUBLE, foundAll, counts, places, MPI.DOUBLE);
        last.waitFor();
        gathered.waitFor();
        same(all, foundAll, "allGatherv");
        Checks.equal(all, startedAll, "iAllGatherv");
        portionsOfRoot(number % size, numbers);
    }

    /** Portions of different lengths, which the root alone knows, with their own ones in place or not. */
    private void portionsOfRoot(final int root, final double[] numbers) throws MPIException
    {
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.setAll(counts, (i) -> (i + root) % 4);
        Arrays.setAll(places, (i) -> 5 * (size - 1 - i));
        final int count = counts[rank];
        final ByteBuffer from = buffer(numbers);
        final ByteBuffer[] results = { buffer(new double[5 * size]), buffer(new double[5 * size]) };
        final Request[] requests = new Request[2];
        for (int i = 0; i < 2; i++)
        {
            final Intracomm on = i == 0 ? reference : comm;
            requests[i] = rank == root ? on.iGatherv(from, count, MPI.DOUBLE, results[i], counts, places, MPI.DOUBLE, root) :
                on.iGatherv(from, count, MPI.DOUBLE, root);
        }
        final double[] gathered = new double[5 * size];
        comm.gatherv(numbers, count, MPI.DOUBLE, gathered, counts, places, MPI.DOUBLE, root);
        Request.waitAll(requests);
        same(results[0], gathered, "gatherv");
        Checks.equal(results[0], results[1], "iGatherv");
        for (int i = 0; i < 2; i++)
        {
            final Intracomm on = i == 0 ? reference : comm;
            requests[i] = on.iScatterv(from, counts, places, MPI.DOUBLE, results[i], count, MPI.DOUBLE, root);
        }
        final double[] scattered = gathered.clone();
        comm.scatterv(numbers, counts, places, MPI.DOUBLE, scattered, count, MPI.DOUBLE, root);
        Request.waitAll(requests);
        same(results[0], scattered, "scatterv");
        Checks.equal(results[0], results[1], "iScatterv");
        for (int i = 0; i < 2; i++)
        {
            final Intracomm on = i == 0 ? reference : comm;
            requests[i] = rank == root ? on.iGatherv(results[i], counts, places, MPI.DOUBLE, root) :
                on.iGatherv(from, count, MPI.DOUBLE, root);
            requests[i].waitFor();
            requests[i] = rank == root ? on.iScatterv(results[i], counts, places, MPI.DOUBLE, root) :
                on.iScatterv(results[i], count, MPI.DOUBLE, root);
        }
        Request.waitAll(requests);
        if (rank == root)
        {
            comm.gatherv(scattered, counts, places, MPI.DOUBLE, root);
        }
        else
        {
            comm.gatherv(numbers, count, MPI.DOUBLE, root);
        }
        Checks.equal(results[0], results[1], "in place, started");
        if (rank == root)
        {
            same(results[0], scattered, "gatherv in place");
        }
    }

    /** Ranks 0 and 1 exchange objects, and the others exchange nothing, as numbers. */
    private void objectsOfTwo() throws MPIException
    {
        final int[] counts = new int[size];
        final int[] places = new int[size];
        if (rank > 1)
        {
            comm.allToAllv(new int[1], counts, places, MPI.INT, new int[1], counts, places, MPI.INT);
            return;
        }
        counts[1 - rank] = 1;
        final Object[] found = new Object[1];
        comm.allToAllv(new Object[]{ "rank " + rank }, counts, places, MPI.OBJECT, found, counts, places, MPI.OBJECT);
        Checks.equal("rank " + (1 - rank), found[0], "object");
    }

    /** No rank passes what it has to: each fails before it tells the others anything, with a team and without one. */
    private void wrongForms() throws Exception
    {
        final int[] counts = new int[size];
        final int[] places = new int[size];
        Arrays.fill(counts, 1);
        final IntBuffer items = MPI.newIntBuffer(size);
        for (final Intracomm on : new Intracomm[]{ comm, reference })
        {
            Checks.fails(MPI.ERR_BUFFER, rank == 0 ? () -> on.gatherv(items, 1, MPI.INT, 0) :
                () -> on.gatherv(items, counts, places, MPI.INT, 0), "form of gatherv");
            Checks.fails(MPI.ERR_BUFFER, rank == 0 ? () -> on.scatterv(items, 1, MPI.INT, 0) :
                () -> on.scatterv(items, counts, places, MPI.INT, 0), "form of scatterv");
            Checks.fails(MPI.ERR_BUFFER, rank == 0 ? () -> on.iGatherv(items, 1, MPI.INT, 0) :
                () -> on.iGatherv(items, counts, places, MPI.INT, 0), "form of iGatherv");
            Checks.fails(MPI.ERR_BUFFER, rank == 0 ? () -> on.iScatterv(items, 1, MPI.INT, 0) :
                () -> on.iScatterv(items, counts, places, MPI.INT, 0), "form of iScatterv");
        }
    }

    /** The root gathers and scatters an object of rank 1, and the others nothing, as numbers. */
    private void objectOfOne() throws MPIException
    {
        final int[] counts = new int[size];
        counts[1] = 1;
        final Datatype type = rank < 2 ? MPI.OBJECT : MPI.INT;
        final Object own = rank < 2 ? new Object[]{ "rank " + rank } : new int[1];
        final Object[] all = new Object[1];
        comm.gatherv(own, rank == 1 ? 1 : 0, type, all, counts, new int[size], MPI.OBJECT, 0);
        Checks.equal(rank == 0 ? "rank 1" : "null", String.valueOf(all[0]), "object gathered");
        all[0] = "for rank 1";
        comm.scatterv(all, counts, new int[size], MPI.OBJECT, own, rank == 1 ? 1 : 0, type, 0);
        Checks.equal(rank == 1 ? "for rank 1" : "rank 0", String.valueOf(rank < 2 ? ((Object[])own)[0] : "rank 0"),
            "object scattered");
    }
}
