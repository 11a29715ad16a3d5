// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi.programs;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.Intracomm;
import mpi.MPI;
import mpi.MPIException;
import mpi.Request;

/**
 * Each form of each collective operation of Open MPI's dialect that the other programs do not call: those that are started, and
 * those in place. For any number of ranks from 2 on.
 */
public final class OpenMpiCollectives
{
    private static Intracomm world;
    private static int rank;
    private static int size;
    /** One item for each rank; where each is if they are in order, and the other way round. */
    private static int[] ones;
    private static int[] places;
    private static int[] back;

    private OpenMpiCollectives()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        world = MPI.COMM_WORLD.dup();
        rank = world.getRank();
        size = world.getSize();
        ones = new int[size];
        Arrays.fill(ones, 1);
        places = from(0);
        back = new int[size];
        Arrays.setAll(back, (i) -> size - 1 - i);
        // the first time they go by messages, as a duplicate has no team before an operation that waits
        for (int round = 0; round < 2; round++)
        {
            for (int root = 0; root < size; root++)
            {
                gathers(root);
                scatters(root);
                reduceTo(root);
            }
            gatherAll();
            exchange();
            reduceAll();
            scans();
            inPlace(round);
        }
        Checks.complete();
        MPI.Finalize();
    }

    /** As many numbers as there are ranks, from the first one on. */
    private static int[] from(final int first)
    {
        final int[] numbers = new int[size];
        Arrays.setAll(numbers, (i) -> first + i);
        return numbers;
    }

    /** The numbers from high to low. */
    private static int[] reversed(final int first)
    {
        final int[] numbers = from(first);
        Arrays.setAll(numbers, (i) -> first + size - 1 - i);
        return numbers;
    }

    private static IntBuffer buffer(final int... numbers)
    {
        return MPI.newIntBuffer(numbers.length).put(numbers).clear();
    }

    /** Room for one of each rank, with this rank's own in its place. */
    private static IntBuffer own(final int place, final int number)
    {
        return MPI.newIntBuffer(size).put(place, number);
    }

    /** The request is done, and these are the numbers then. */
    private static void check(final Request request, final int[] expected, final IntBuffer found, final String what)
        throws MPIException
    {
        request.waitFor();
        Checks.equal(true, request.isNull(), what + " is done");
        final int[] numbers = new int[expected.length];
        found.duplicate().clear().get(numbers);
        Checks.equal(expected, numbers, what);
    }

    /** Sum of what ranks have that begin at a number. */
    private static int sum(final int first)
    {
        return size * first + size * (size - 1) / 2;
    }

    private static void inPlace(final int round) throws Exception
    {
        final int[] gathered = new int[size];
        gathered[size - 1 - rank] = 5 + rank;
        world.allGatherv(gathered, ones, back, MPI.INT);
        Checks.equal(reversed(5), gathered, "allGatherv in place");
        final int root = round % size;
        if (rank == root)
        {
            final int[] all = new int[size];
            all[back[rank]] = rank;
            world.gatherv(all, ones, back, MPI.INT, root);
            Checks.equal(reversed(0), all, "gatherv in place");
        }
        else
        {
            world.gatherv(new int[]{ rank }, 1, MPI.INT, root);
        }
        final int[] before = { -1 };
        world.exScan(new int[]{ rank + 1 }, before, 1, MPI.INT, MPI.SUM);
        Checks.equal(rank == 0 ? -1 : rank * (rank + 1) / 2, before[0], "exScan");
        final int[] numbers = from(rank);
        world.scan(numbers, size, MPI.INT, MPI.SUM);
        Checks.equal(rank * (rank + 1) / 2, numbers[0], "scan in place");
        final int[] reduced = from(rank);
        world.reduceScatter(reduced, ones, MPI.INT, MPI.SUM);
        Checks.equal(sum(rank), reduced[0], "reduceScatter in place");
        final int[] blocks = from(rank);
        world.reduceScatterBlock(blocks, 1, MPI.INT, MPI.SUM);
        Checks.equal(sum(rank), blocks[0], "reduceScatterBlock in place");
    }

    private static void gathers(final int root) throws Exception
    {
        final boolean isRoot = rank == root;
        final int[] none = new int[size];
        final IntBuffer one = buffer(rank);
        final IntBuffer all = MPI.newIntBuffer(size);
        check(world.iGather(one, 1, MPI.INT, all, 1, MPI.INT, root), isRoot ? from(0) : none, all, "iGather");
        final IntBuffer inPlace = isRoot ? own(rank, rank) : buffer(rank);
        check(world.iGather(inPlace, 1, MPI.INT, root), isRoot ? from(0) : new int[]{ rank }, inPlace, "iGather in place");
        final IntBuffer others = MPI.newIntBuffer(size);
        check(world.iGatherv(one, 1, MPI.INT, others, ones, back, MPI.INT, root), isRoot ? reversed(0) : none, others,
            "iGatherv");
        final IntBuffer own = isRoot ? own(back[rank], rank) : buffer(rank);
        check(isRoot ? world.iGatherv(own, ones, back, MPI.INT, root) : world.iGatherv(own, 1, MPI.INT, root),
            isRoot ? reversed(0) : new int[]{ rank }, own, "iGatherv in place");
    }

    private static void scatters(final int root) throws Exception
    {
        final boolean isRoot = rank == root;
        final int[] its = { 30 + rank };
        final IntBuffer one = MPI.newIntBuffer(1);
        check(world.iScatter(buffer(from(30)), 1, MPI.INT, one, 1, MPI.INT, root), its, one, "iScatter");
        final IntBuffer inPlace = isRoot ? buffer(from(30)) : MPI.newIntBuffer(1);
        check(world.iScatter(inPlace, 1, MPI.INT, root), isRoot ? from(30) : its, inPlace, "iScatter in place");
        final IntBuffer other = MPI.newIntBuffer(1);
        check(world.iScatterv(buffer(reversed(30)), ones, back, MPI.INT, other, 1, MPI.INT, root), its, other, "iScatterv");
        final IntBuffer own = isRoot ? buffer(reversed(30)) : MPI.newIntBuffer(1);
        check(isRoot ? world.iScatterv(own, ones, back, MPI.INT, root) : world.iScatterv(own, 1, MPI.INT, root),
            isRoot ? reversed(30) : its, own, "iScatterv in place");
    }

    private static void reduceTo(final int root) throws Exception
    {
        final boolean isRoot = rank == root;
        final IntBuffer sum = MPI.newIntBuffer(1);
        check(world.iReduce(buffer(rank), sum, 1, MPI.INT, MPI.SUM, root), new int[]{ isRoot ? sum(0) : 0 }, sum, "iReduce");
        final IntBuffer most = buffer(rank);
        check(world.iReduce(most, 1, MPI.INT, MPI.MAX, root), new int[]{ isRoot ? size - 1 : rank }, most, "iReduce in place");
        final IntBuffer first = buffer(isRoot ? 9 : 0);
        check(world.iBcast(first, 1, MPI.INT, root), new int[]{ 9 }, first, "iBcast");
    }

    private static void gatherAll() throws Exception
    {
        world.iBarrier().waitFor();
        final IntBuffer all = MPI.newIntBuffer(size);
        check(world.iAllGather(buffer(rank), 1, MPI.INT, all, 1, MPI.INT), from(0), all, "iAllGather");
        final IntBuffer inPlace = own(rank, rank);
        check(world.iAllGather(inPlace, 1, MPI.INT), from(0), inPlace, "iAllGather in place");
        final IntBuffer others = MPI.newIntBuffer(size);
        check(world.iAllGatherv(buffer(rank), 1, MPI.INT, others, ones, back, MPI.INT), reversed(0), others, "iAllGatherv");
        final IntBuffer own = own(back[rank], rank);
        check(world.iAllGatherv(own, ones, back, MPI.INT), reversed(0), own, "iAllGatherv in place");
    }

    private static void exchange() throws Exception
    {
        final IntBuffer to = buffer(from(100 * rank));
        final int[] expected = new int[size];
        Arrays.setAll(expected, (i) -> 100 * i + rank);
        final IntBuffer got = MPI.newIntBuffer(size);
        check(world.iAllToAll(to, 1, MPI.INT, got, 1, MPI.INT), expected, got, "iAllToAll");
        final int[] other = new int[size];
        Arrays.setAll(other, (i) -> 100 * (size - 1 - i) + rank);
        final IntBuffer gotBack = MPI.newIntBuffer(size);
        check(world.iAllToAllv(to, ones, places, MPI.INT, gotBack, ones, back, MPI.INT), other, gotBack, "iAllToAllv");
    }

    private static void reduceAll() throws Exception
    {
        final IntBuffer sum = MPI.newIntBuffer(1);
        check(world.iAllReduce(buffer(rank), sum, 1, MPI.INT, MPI.SUM), new int[]{ sum(0) }, sum, "iAllReduce");
        final IntBuffer least = buffer(-rank);
        check(world.iAllReduce(least, 1, MPI.INT, MPI.MIN), new int[]{ 1 - size }, least, "iAllReduce in place");
        final int[] expected = { sum(rank) };
        final IntBuffer one = MPI.newIntBuffer(1);
        check(world.iReduceScatter(buffer(from(rank)), one, ones, MPI.INT, MPI.SUM), expected, one, "iReduceScatter");
        final IntBuffer all = buffer(from(rank));
        check(world.iReduceScatter(all, ones, MPI.INT, MPI.SUM), expected, all, "iReduceScatter in place");
        final IntBuffer block = MPI.newIntBuffer(1);
        check(world.iReduceScatterBlock(buffer(from(rank)), block, 1, MPI.INT, MPI.SUM), expected, block,
            "iReduceScatterBlock");
        final IntBuffer blocks = buffer(from(rank));
        check(world.iReduceScatterBlock(blocks, 1, MPI.INT, MPI.SUM), expected, blocks, "iReduceScatterBlock in place");
    }

    private static void scans() throws Exception
    {
        final int upTo = rank * (rank + 1) / 2;
        final IntBuffer sum = MPI.newIntBuffer(1);
        check(world.iScan(buffer(rank), sum, 1, MPI.INT, MPI.SUM), new int[]{ upTo }, sum, "iScan");
        final IntBuffer inPlace = buffer(rank);
        check(world.iScan(inPlace, 1, MPI.INT, MPI.SUM), new int[]{ upTo }, inPlace, "iScan in place");
        final IntBuffer before = buffer(-1);
        check(world.iExScan(buffer(rank), before, 1, MPI.INT, MPI.SUM), new int[]{ rank == 0 ? -1 : upTo - rank }, before,
            "iExScan");
        final IntBuffer own = buffer(rank);
        check(world.iExScan(own, 1, MPI.INT, MPI.SUM), new int[]{ rank == 0 ? rank : upTo - rank }, own, "iExScan in place");
    }
}
