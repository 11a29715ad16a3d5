// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.AllGather;
import org.tallypost.collectives.AllReduce;
import org.tallypost.collectives.AllToAll;
import org.tallypost.collectives.Barrier;
import org.tallypost.collectives.Broadcast;
import org.tallypost.collectives.Distribution;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Gather;
import org.tallypost.collectives.Operation;
import org.tallypost.collectives.Reduce;
import org.tallypost.collectives.ReduceScatter;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Scatter;
import org.tallypost.collectives.Team;

/**
 * What a rank does in collectives. For the thread of the team.
 */
final class ImbCollectives
{
    private static final int ROOT = 0;

    private final Team team;
    private final UnsafeBuffer in;
    private final UnsafeBuffer out;
    private final Barrier barrier;
    private final Broadcast broadcast;
    private final Reduce reduce;
    private final AllReduce allReduce;
    private final ReduceScatter reduceScatter;
    private final AllGather allGather;
    private final Gather gather;
    private final Scatter scatter;
    private final AllToAll allToAll;
    private long deadlineNs;

    ImbCollectives(final Team team, final ImbRank place)
    {
        this.team = team;
        in = place.in();
        out = place.out();
        barrier = team.newBarrier();
        broadcast = team.newBroadcast();
        reduce = team.newReduce(ElementType.FLOAT, Reducers.SUM);
        allReduce = team.newAllReduce(ElementType.FLOAT, Reducers.SUM);
        reduceScatter = team.newReduceScatter(ElementType.FLOAT, Reducers.SUM);
        allGather = team.newAllGather();
        gather = team.newGather();
        scatter = team.newScatter();
        allToAll = team.newAllToAll();
    }

    /** A turn begins, and waits end then, by the clock of {@link System#nanoTime()}. */
    void restart(final long newDeadlineNs)
    {
        deadlineNs = newDeadlineNs;
    }

    /** One repetition. */
    Runnable of(final ImbCall call, final int length)
    {
        final int elements = length / Float.BYTES;
        final Distribution portions = Distribution.ascending(team.size(), length);
        return switch (call)
        {
            case BCAST -> () -> end(broadcast, broadcast.start(ROOT, team.member() == ROOT ? in : out, 0, length));
            case REDUCE -> () -> end(reduce, reduce.start(ROOT, in, 0, out, 0, elements));
            case ALLREDUCE -> () -> end(allReduce, allReduce.start(in, 0, out, 0, elements));
            case REDUCE_SCATTER -> reduceScatter(elements);
            case ALLGATHER -> () -> end(allGather, allGather.start(in, 0, out, 0, length));
            case ALLGATHERV -> () -> end(allGather, allGather.start(in, 0, out, 0, portions));
            case GATHER -> () -> end(gather, gather.start(ROOT, in, 0, out, 0, length));
            case GATHERV -> () -> end(gather, gather.start(ROOT, in, 0, out, 0, portions));
            case SCATTER -> () -> end(scatter, scatter.start(ROOT, in, 0, out, 0, length));
            case SCATTERV -> () -> end(scatter, scatter.start(ROOT, in, 0, portions, out, 0));
            case ALLTOALL -> () -> end(allToAll, allToAll.start(in, 0, out, 0, length));
            case ALLTOALLV -> () -> end(allToAll, allToAll.start(in, 0, portions, out, 0, portions));
            case BARRIER -> this::barrier;
            default -> throw new IllegalArgumentException("found " + call + ", expected a collective");
        };
    }

    private Runnable reduceScatter(final int elements)
    {
        Distribution shares = Distribution.ascending(team.size(), 0);
        for (int member = 0; member < team.size(); member++)
        {
            shares = shares.range(member, ImbCall.firstOfShare(elements, member, team.size()) * Float.BYTES,
                ImbCall.share(elements, member, team.size()) * Float.BYTES);
        }
        final Distribution all = shares;
        return () -> end(reduceScatter, reduceScatter.start(in, 0, all, out, 0));
    }

    void barrier()
    {
        end(barrier, barrier.start());
    }

    /** Times of all ranks come to rank 0. */
    void gather(final UnsafeBuffer from, final UnsafeBuffer to, final int length)
    {
        end(gather, gather.start(ROOT, from, 0, to, 0, length));
    }

    private void end(final Operation operation, final long started)
    {
        final long result = started == Team.IN_PROGRESS ? operation.await(deadlineNs) : started;
        if (result < 0)
        {
            throw new IllegalStateException(operation + ": " + Team.errorString(result));
        }
    }
}
