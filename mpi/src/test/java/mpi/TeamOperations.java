// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import mpi.programs.Checks;

/**
 * Operations that wait, which go by teams, compared with those that do not, which go by messages: results have the same bits.
 * Items are in arrays, in buffers or have gaps, at each rank as its own numbers have it. Rank 1 may have one team only, so a
 * duplicate has none, at no rank. For any number of ranks from 2 on; argument: a seed.
 */
public final class TeamOperations
{
    private static final int ROUNDS = 40;
    private static final int MOST = 3_000;

    private final Intracomm comm;
    private final int rank;
    private final int size;
    /** The same numbers at all ranks. */
    private final Random shared;
    private final Random own;

    private TeamOperations(final Intracomm comm, final long seed) throws MPIException
    {
        this.comm = comm;
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
            final TeamOperations operations = new TeamOperations(each, seed);
            for (int i = 0; i < ROUNDS; i++)
            {
                operations.round(i);
            }
            Checks.equal(each == MPI.COMM_WORLD, each.path().isThere(each), "a team");
        }
        other.free();
        MPI.COMM_WORLD.path().close();
        final Intracomm last = MPI.COMM_WORLD.dup();
        new TeamOperations(last, seed).round(0);
        Checks.equal(true, last.path().isThere(last), "a team in the room of another one");
        last.free();
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
        final boolean isReduction = number % 8 < 3;
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
        final Request request;
        switch (number % 8)
        {
            case 0:
                request = comm.iAllReduce(direct, expected, count, MPI.DOUBLE, MPI.SUM);
                comm.allReduce(from, to, count, out, MPI.SUM);
                break;
            case 1:
                request = comm.iScan(direct, expected, count, MPI.DOUBLE, MPI.SUM);
                comm.scan(from, to, count, out, MPI.SUM);
                break;
            case 2:
                request = comm.iReduceScatterBlock(direct, expected, count, MPI.DOUBLE, MPI.SUM);
                comm.reduceScatterBlock(from, to, count, out, MPI.SUM);
                break;
            case 3:
                request = comm.iGather(direct, count, MPI.DOUBLE, expected, count, MPI.DOUBLE, root);
                comm.gather(from, count, out, to, count, in, root);
                break;
            case 4:
                request = comm.iScatter(direct, count, MPI.DOUBLE, expected, count, MPI.DOUBLE, root);
                comm.scatter(from, count, out, to, count, in, root);
                break;
            case 5:
                request = comm.iAllGather(direct, count, MPI.DOUBLE, expected, count, MPI.DOUBLE);
                comm.allGather(from, count, out, to, count, in);
                break;
            case 6:
                request = comm.iAllToAll(direct, count, MPI.DOUBLE, expected, count, MPI.DOUBLE);
                comm.allToAll(from, count, out, to, count, in);
                break;
            default:
                portions(number);
                objectsOfTwo();
                request = comm.iReduce(direct, expected, count, MPI.DOUBLE, MPI.MAX, root);
                comm.reduce(numbers, rank == root ? numbers : null, count, MPI.DOUBLE, MPI.MAX, root);
                request.waitFor();
                Checks.equal(rank != root || count == 0 ? 0.0 : numbers[0], count == 0 ? 0.0 : expected.getDouble(0), "maximum");
                gapped.free();
                return;
        }
        request.waitFor();
        same(expected, unform(receiving, to), "operation " + number % 8 + " of " + count + " numbers at rank " + rank);
        gapped.free();
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
        final Request request =
            comm.iAllToAllv(buffer(numbers), counts, places, MPI.DOUBLE, expected, counts, places, MPI.DOUBLE);
        comm.allToAllv(numbers, counts, places, MPI.DOUBLE, found, counts, places, MPI.DOUBLE);
        request.waitFor();
        same(expected, found, "allToAllv");
        Arrays.setAll(counts, (i) -> i % 3);
        final ByteBuffer all = buffer(new double[5 * size]);
        final double[] foundAll = new double[5 * size];
        final Request gathered = comm.iAllGatherv(buffer(numbers), rank % 3, MPI.DOUBLE, all, counts, places, MPI.DOUBLE);
        comm.allGatherv(numbers, rank % 3, MPI.DOUBLE, foundAll, counts, places, MPI.DOUBLE);
        gathered.waitFor();
        same(all, foundAll, "allGatherv");
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
}
