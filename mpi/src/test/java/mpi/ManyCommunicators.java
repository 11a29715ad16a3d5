// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import mpi.programs.Checks;

/**
 * Communicators that are made and freed, many times: contexts are used again, each communicator gets its own messages, and the
 * ranks have others in use meanwhile. For any number of ranks from 2 on; argument: how many.
 */
public final class ManyCommunicators
{
    /** More than one offer says something about. */
    private static final int OWN = 40;

    private static Intracomm world;
    private static int rank;
    private static int size;

    private ManyCommunicators()
    {
    }

    public static void main(final String[] arguments) throws Exception
    {
        final int count = Integer.parseInt(MPI.Init(arguments)[0]);
        world = MPI.COMM_WORLD;
        rank = world.getRank();
        size = world.getSize();
        final List<Intracomm> own = new ArrayList<>();
        for (int i = 0; i < rank * OWN; i++)
        {
            own.add(MPI.COMM_SELF.dup());
        }
        int highest = 0;
        for (int i = 0; i < count; i++)
        {
            final Comm made = made(i);
            highest = Math.max(highest, made.channels().context());
            ring(made, i);
            made.free();
            if (!own.isEmpty() && i % 3 == 0)
            {
                own.remove(i % own.size()).free();
            }
        }
        Checks.equal(true, highest < ((size - 1) * OWN + 10) * Channels.CONTEXTS, "contexts that were freed: highest=" + highest);
        unreceived();
        active();
        Checks.complete();
        MPI.Finalize();
    }

    private static Comm made(final int number) throws MPIException
    {
        switch (number % 4)
        {
            case 0:
                return world.dup();
            case 1:
                return world.split(number % 3 == 0 ? 0 : rank % 2, -rank);
            case 2:
                return world.createGroup(world.getGroup(), number);
            default:
                final Intracomm others = world.Split(rank == 0 ? MPI.UNDEFINED : 0, 0);
                if (others != null)
                {
                    others.free();
                }
                final Intracomm part = world.split(rank == 0 ? 0 : 1, rank);
                final Intercomm between = world.createIntercomm(part, 0, rank == 0 ? 1 : 0, number);
                part.free();
                return between;
        }
    }

    /** Each sends its number to the next one; between groups all of the second to the first. */
    private static void ring(final Comm comm, final int number) throws MPIException
    {
        final int[] got = new int[1];
        if (!comm.isInter())
        {
            final int ranks = comm.getSize();
            comm.sendRecv(new int[]{ number }, 1, MPI.INT, (comm.getRank() + 1) % ranks, 0, got, 1, MPI.INT, MPI.ANY_SOURCE, 0);
            Checks.equal(number, got[0], "message of the communicator");
            return;
        }
        if (rank > 0)
        {
            comm.send(new int[]{ number }, 1, MPI.INT, 0, 0);
        }
        for (int i = 1; i < size && rank == 0; i++)
        {
            comm.recv(got, 1, MPI.INT, MPI.ANY_SOURCE, MPI.ANY_TAG);
            Checks.equal(number, got[0], "message between groups");
        }
    }

    /** Nobody receives what was sent to a communicator: the next one does not get it. */
    private static void unreceived() throws MPIException
    {
        final Intracomm first = world.dup();
        first.iSend(MPI.newIntBuffer(1).put(0, -1), 1, MPI.INT, (rank + 1) % size, 0).waitFor();
        world.barrier();
        // behind a message of the same rank: the other one has come
        ring(world, 7);
        first.free();
        final Intracomm second = world.dup();
        Checks.equal(first.channels().context(), second.channels().context(), "context of a freed communicator");
        ring(second, 8);
        second.free();
    }

    /** A context with something under way is kept. */
    private static void active() throws MPIException
    {
        final Intracomm first = world.dup();
        final IntBuffer got = MPI.newIntBuffer(1);
        final Request receive = first.iRecv(got, 1, MPI.INT, (rank + size - 1) % size, 0);
        final Request barrier = first.iBarrier();
        world.barrier();
        final Request send = first.iSend(MPI.newIntBuffer(1).put(0, 42), 1, MPI.INT, (rank + 1) % size, 0);
        final int context = first.channels().context();
        first.free();
        if (rank == 0)
        {
            Request.waitAll(new Request[]{ receive, barrier, send });
        }
        final Intracomm second = world.dup();
        ring(second, 9);
        if (rank > 0)
        {
            Request.waitAll(new Request[]{ receive, barrier, send });
        }
        Checks.equal(42, got.get(0), "message of a communicator that the program has freed");
        second.free();
        world.barrier();
        final Intracomm third = world.dup();
        Checks.equal(true, third.channels().context() <= context, "a context behind its last operation");
        Checks.equal(0, world.world().contexts().leftCount(), "contexts that wait");
        third.free();
    }
}
