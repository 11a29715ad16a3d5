// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.IntBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import mpi.programs.Checks;

/**
 * Operations of a team that are started, and go on while the program does something else. Argument: "order" and a
 * seed, several are under way on a communicator, beside those that wait and beside messages, and the communicator is freed
 * meanwhile; "messages" and a seed, the same of short ones without a team; "gone", the last rank ends before it has come to
 * them; "mismatch", it starts another one. For any number of ranks from 2 on.
 */
public final class TeamRequests
{
    private static final int ROUNDS = 50;
    private static final int COUNT = 1_000;
    /** Operations that are under way together: more than a team has places for. */
    private static final int SMALL = 20;

    private final Intracomm world = MPI.COMM_WORLD;
    private final int rank = world.getRank();
    private final int size = world.getSize();

    private TeamRequests() throws MPIException
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final String[] words = MPI.Init(arguments);
        final TeamRequests requests = new TeamRequests();
        requests.world.barrier();
        Checks.equal(!"messages".equals(words[0]), requests.world.path().isPresent(), "a team");
        switch (words[0])
        {
            case "messages":
                requests.small(Long.parseLong(words[1]));
                Checks.complete();
                break;
            case "order":
                requests.small(Long.parseLong(words[1]));
                requests.order();
                requests.beside();
                requests.freed();
                Checks.complete();
                break;
            case "gone":
                requests.gone();
                break;
            default:
                requests.mismatch();
                break;
        }
        MPI.Finalize();
    }

    private IntBuffer numbers(final int first)
    {
        final IntBuffer numbers = MPI.newIntBuffer(COUNT);
        for (int i = 0; i < COUNT; i++)
        {
            numbers.put(i, first + i);
        }
        return numbers;
    }

    private int sum(final int number)
    {
        // of number + rank at all ranks
        return size * number + size * (size - 1) / 2;
    }

    /** Many short ones are under way together. Each rank waits for them in an order of its own, and tests others meanwhile. */
    private void small(final long seed) throws MPIException
    {
        final Random random = new Random(seed + rank);
        final Integer[] order = new Integer[SMALL];
        Arrays.setAll(order, (i) -> i);
        for (int round = 0; round < ROUNDS; round++)
        {
            final Request[] requests = new Request[SMALL];
            final IntBuffer[] results = new IntBuffer[SMALL];
            for (int i = 0; i < SMALL; i++)
            {
                results[i] = MPI.newIntBuffer(size);
                requests[i] = started(i, round + i, results[i]);
            }
            Collections.shuffle(Arrays.asList(order), random);
            for (final int i : order)
            {
                requests[random.nextInt(SMALL)].test();
                requests[i].waitFor();
                check(i, round + i, results[i]);
            }
        }
    }

    private Request started(final int kind, final int number, final IntBuffer result) throws MPIException
    {
        switch (kind % 4)
        {
            case 0:
                return world.iAllReduce(MPI.newIntBuffer(1).put(0, number + rank), result, 1, MPI.INT, MPI.SUM);
            case 1:
                return world.iBcast(rank == number % size ? result.put(0, number) : result, 1, MPI.INT, number % size);
            case 2:
                return world.iAllGather(MPI.newIntBuffer(1).put(0, number + rank), 1, MPI.INT, result, 1, MPI.INT);
            default:
                return world.iBarrier();
        }
    }

    private void check(final int kind, final int number, final IntBuffer result)
    {
        final int expected = kind % 4 == 0 ? sum(number) : kind % 4 == 3 ? 0 : number;
        Checks.equal(expected, result.get(0), "the first number of operation " + kind);
        Checks.equal(kind % 4 == 2 ? number + size - 1 : size == 1 ? expected : 0, result.get(size - 1),
            "the last number of operation " + kind);
    }

    /** Each rank waits in another order, and calls one that waits in between. */
    private void order() throws MPIException
    {
        final Request[] requests = new Request[3];
        for (int round = 0; round < ROUNDS; round++)
        {
            final IntBuffer sums = MPI.newIntBuffer(COUNT);
            final IntBuffer spread = rank == round % size ? numbers(round) : MPI.newIntBuffer(COUNT);
            final int[] most = new int[1];
            requests[0] = world.iAllReduce(numbers(round + rank), sums, COUNT, MPI.INT, MPI.SUM);
            requests[1] = world.iBarrier();
            requests[2] = world.iBcast(spread, COUNT, MPI.INT, round % size);
            if (round % 2 == 0)
            {
                world.allReduce(new int[]{ rank }, most, 1, MPI.INT, MPI.MAX);
                Checks.equal(size - 1, most[0], "what waits, behind those that were started");
            }
            if ((round + rank) % 3 == 0)
            {
                requests[2].waitFor();
            }
            else if ((round + rank) % 3 == 1)
            {
                Checks.equal(true, Request.waitAny(requests) >= 0, "any");
            }
            while (!Request.testAll(requests))
            {
                Thread.onSpinWait();
            }
            Checks.equal(sum(round) + size * (COUNT - 1), sums.get(COUNT - 1), "sum");
            Checks.equal(numbers(round), spread, "broadcast");
        }
    }

    /** It gets done while the ranks wait for messages only: the last one has come when the first one is told so. */
    private void beside() throws MPIException
    {
        final int next = (rank + 1) % size;
        final int before = (rank + size - 1) % size;
        for (int round = 0; round < ROUNDS; round++)
        {
            final IntBuffer sums = MPI.newIntBuffer(COUNT);
            final Request request = rank == 0 ? world.iAllReduce(numbers(round), sums, COUNT, MPI.INT, MPI.SUM) : null;
            final int[] token = new int[1];
            if (rank > 0)
            {
                world.recv(token, 1, MPI.INT, before, 0);
            }
            final Request later = rank == 0 ? request :
                world.iAllReduce(numbers(round + rank), sums, COUNT, MPI.INT, MPI.SUM);
            world.send(token, 1, MPI.INT, next, 0);
            if (rank == 0)
            {
                world.recv(token, 1, MPI.INT, before, 0);
            }
            later.waitFor();
            Checks.equal(sum(round), sums.get(0), "sum");
        }
    }

    private void freed() throws MPIException
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            final Intracomm comm = world.dup();
            comm.barrier();
            final IntBuffer sums = MPI.newIntBuffer(COUNT);
            final Request first = comm.iAllReduce(numbers(rank), sums, COUNT, MPI.INT, MPI.SUM);
            final Request second = comm.iBarrier();
            comm.free();
            second.waitFor();
            first.waitFor();
            Checks.equal(false, comm.path().isPresent(), "the team of a communicator that was freed, behind its operations");
            Checks.equal(sum(0), sums.get(0), "sum");
        }
    }

    private void gone() throws Exception
    {
        if (rank == size - 1)
        {
            Runtime.getRuntime().halt(0);
        }
        final Request first = world.iAllReduce(numbers(0), MPI.newIntBuffer(COUNT), COUNT, MPI.INT, MPI.SUM);
        final Request second = world.iBarrier();
        // one waits for both, and the other one looks at them
        if (rank == 0)
        {
            Checks.fails(MPI.ERR_OTHER, second::waitFor, "behind a rank that is gone");
        }
        else
        {
            Checks.fails(MPI.ERR_OTHER, () ->
            {
                while (!second.test())
                {
                    Thread.onSpinWait();
                }
            }, "behind a rank that is gone, looked at");
        }
        Checks.fails(MPI.ERR_OTHER, first::waitFor, "with a rank that is gone");
        Checks.fails(MPI.ERR_OTHER, () -> world.iBarrier().waitFor(), "when a rank is gone");
        System.out.println("rank " + rank + " got an error each time");
        System.out.flush();
        // without a Finalize, which would wait for the rank that is gone
        Runtime.getRuntime().halt(0);
    }

    private void mismatch() throws Exception
    {
        final int count = rank == size - 1 ? COUNT - 1 : COUNT;
        final Request request = world.iAllReduce(numbers(0), MPI.newIntBuffer(COUNT), count, MPI.INT, MPI.SUM);
        Checks.fails(MPI.ERR_OTHER, request::waitFor, "different lengths");
        Checks.fails(MPI.ERR_OTHER, () -> world.iBarrier().waitFor(), "behind different lengths");
        final int[] counts = new int[size];
        Arrays.fill(counts, COUNT / size);
        final int own = counts[rank] + count - COUNT;
        final int[] places = new int[size];
        Arrays.setAll(places, (i) -> i * COUNT / size);
        final IntBuffer all = numbers(0);
        final IntBuffer part = numbers(rank);
        failsOnDuplicate((comm) -> comm.gatherv(part, own, MPI.INT, all, counts, places, MPI.INT, 0), "gatherv");
        failsOnDuplicate((comm) -> comm.scatterv(all, counts, places, MPI.INT, part, own, MPI.INT, 0), "scatterv");
        failsOnDuplicate((comm) -> comm.iGatherv(part, own, MPI.INT, all, counts, places, MPI.INT, 0).waitFor(), "iGatherv");
        failsOnDuplicate((comm) -> comm.iScatterv(all, counts, places, MPI.INT, part, own, MPI.INT, 0).waitFor(), "iScatterv");
        System.out.println("rank " + rank + " got an error each time");
    }

    private interface Part
    {
        void run(Intracomm comm) throws MPIException;
    }

    /** A rank that needs nothing of the one that differs may get through: it finds that behind. */
    private void failsOnDuplicate(final Part part, final String what) throws Exception
    {
        final Intracomm comm = world.dup();
        comm.barrier();
        Checks.fails(MPI.ERR_OTHER, () ->
        {
            part.run(comm);
            comm.barrier();
        }, what);
        comm.free();
    }
}
