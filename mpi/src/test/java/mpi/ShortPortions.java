// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.IntBuffer;
import java.util.Arrays;
import mpi.programs.Checks;

/**
 * Collective operations by messages in which a rank has less room than comes: it fails, and no other rank waits for it. Of what
 * is reduced all ranks fail. The communicator goes on. For at least three ranks; arguments: items of a portion.
 */
public final class ShortPortions
{
    private static final int SPOILT = -1;

    private final int count;
    private final int rank;
    private final int size;
    private final int last;
    private final IntBuffer from;
    private final IntBuffer to;
    private final int[] counts;
    private final int[] places;

    /** An operation. */
    private interface Part
    {
        void run(Intracomm comm) throws MPIException;
    }

    private ShortPortions(final int count) throws MPIException
    {
        this.count = count;
        rank = MPI.COMM_WORLD.getRank();
        size = MPI.COMM_WORLD.getSize();
        last = size - 1;
        from = MPI.newIntBuffer(size * count);
        to = MPI.newIntBuffer(size * count);
        counts = new int[size];
        places = new int[size];
        Arrays.fill(counts, count);
        Arrays.setAll(places, (i) -> i * count);
        for (int i = 0; i < size * count; i++)
        {
            from.put(i, 1_000 * rank + i);
        }
    }

    public static void main(final String[] arguments) throws Exception
    {
        MPI.Init(arguments);
        for (final String argument : arguments)
        {
            new ShortPortions(Integer.parseInt(argument)).all();
        }
        Checks.complete();
        MPI.Finalize();
    }

    private void all() throws Exception
    {
        // of a rank of another node, of one of its own, and of itself
        for (final int source : new int[]{ 0, last - 1, last })
        {
            exchanges(source);
        }
        ofRoot();
        reductions();
    }

    private void exchanges(final int source) throws Exception
    {
        final int[] shorter = counts.clone();
        shorter[source] -= rank == last ? 1 : 0;
        final Datatype[] types = new Datatype[size];
        Arrays.fill(types, MPI.INT);
        final int[] bytes = new int[size];
        Arrays.setAll(bytes, (i) -> Integer.BYTES * places[i]);
        check(last, "allToAllv", (on) -> on.allToAllv(from, counts, places, MPI.INT, to, shorter, places, MPI.INT));
        exchanged(source, "allToAllv");
        check(last, "iAllToAllv",
            (on) -> on.iAllToAllv(from, counts, places, MPI.INT, to, shorter, places, MPI.INT).waitFor());
        exchanged(source, "iAllToAllv");
        check(last, "allToAllw", (on) -> on.allToAllw(from, counts, bytes, types, to, shorter, bytes, types));
        exchanged(source, "allToAllw");
        check(last, "iAllToAllw", (on) -> on.iAllToAllw(from, counts, bytes, types, to, shorter, bytes, types).waitFor());
        check(last, "allGatherv", (on) -> on.allGatherv(from, count, MPI.INT, to, shorter, places, MPI.INT));
        check(last, "iAllGatherv", (on) -> on.iAllGatherv(from, count, MPI.INT, to, shorter, places, MPI.INT).waitFor());
    }

    /** All that has fitted is there, also at the rank that fails. */
    private void exchanged(final int source, final String what) throws MPIException
    {
        for (int other = 0; other < size; other++)
        {
            final int fitting = rank == last && other == source ? count - 1 : count;
            for (int i = 0; i < fitting; i++)
            {
                Checks.equal(1_000 * other + rank * count + i, to.get(other * count + i), what + " of rank " + other);
            }
        }
        for (int i = 0; i < size * count; i++)
        {
            to.put(i, 0);
        }
    }

    private void ofRoot() throws Exception
    {
        final int[] shorter = counts.clone();
        shorter[last]--;
        final int own = rank == last ? count - 1 : count;
        check(0, "gatherv", (on) -> on.gatherv(from, count, MPI.INT, to, shorter, places, MPI.INT, 0));
        check(0, "iGatherv", (on) -> on.iGatherv(from, count, MPI.INT, to, shorter, places, MPI.INT, 0).waitFor());
        check(last, "scatterv", (on) -> on.scatterv(from, counts, places, MPI.INT, to, own, MPI.INT, 0));
        check(last, "iScatterv", (on) -> on.iScatterv(from, counts, places, MPI.INT, to, own, MPI.INT, 0).waitFor());
        check(last, "bcast", (on) -> on.bcast(to, own, MPI.INT, 0));
    }

    /** What a rank makes of a message that did not fit is for nobody. */
    private void reductions() throws Exception
    {
        final int more = rank == 1 ? count : count - 1;
        check(SPOILT, "allReduce", (on) -> on.allReduce(from, to, more, MPI.INT, MPI.SUM));
        check(SPOILT, "iAllReduce", (on) -> on.iAllReduce(from, to, more, MPI.INT, MPI.SUM).waitFor());
        check(SPOILT, "reduceScatterBlock", (on) -> on.reduceScatterBlock(from, to, more, MPI.INT, MPI.SUM));
        check(0, "reduce", (on) -> on.reduce(from, to, more, MPI.INT, MPI.SUM, 0));
    }

    private void check(final int failing, final String what, final Part part) throws Exception
    {
        final Intracomm world = MPI.COMM_WORLD;
        if (failing == rank || failing == SPOILT)
        {
            Checks.fails(MPI.ERR_TRUNCATE, () -> part.run(world), what);
        }
        else
        {
            part.run(world);
        }
        final int[] sum = { rank };
        world.allReduce(sum, 1, MPI.INT, MPI.SUM);
        Checks.equal(size * last / 2, sum[0], "behind " + what);
    }
}
