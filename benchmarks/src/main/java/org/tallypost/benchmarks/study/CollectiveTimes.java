// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.tallypost.collectives.Algorithm;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.CostProfile;
import org.tallypost.collectives.Team;

/**
 * Measures operations by each algorithm. The algorithms take turns; a turn is some uses between two barriers, timed by the first
 * member, and the median of the turns counts. The turns of an operation are spread over several passes of all operations: if
 * members share a processor for a while, because another program or the compiler needs one, that is a minority of the turns.
 * Before, each algorithm of an operation runs until its code is compiled: members that spin on all processors leave the compiler
 * little time.
 */
final class CollectiveTimes
{
    /** Bytes that a turn moves, at most, if it has more than a few uses. */
    private static final long TURN_BYTES = 8 << 20;
    private static final int MAX_USES = 300;
    private static final int MIN_USES = 3;
    private static final int PASSES = 5;
    /** Uses of each algorithm before an operation is measured, for each round; of portions that go in pieces a tenth. */
    private static final int WARM_UP_USES = 64;
    private static final int SHORT_LENGTH = 1_024;
    private static final int LONG_LENGTH = 65_536;

    private final CollectiveThreads threads;
    private final int rounds;

    /** What one member has found of an operation with a length. */
    private final class Samples
    {
        private final CollectiveCall call;
        private final int length;
        private final List<Algorithm> algorithms;
        private final double[][] found;
        private int round;

        Samples(final CollectiveCall call, final int length, final int members)
        {
            this.call = call;
            this.length = length;
            algorithms = call.algorithms(members, length);
            found = new double[algorithms.size()][rounds];
        }

        /** Goes on up to a round. */
        void takeTurns(final Team team, final int end)
        {
            if (round == end)
            {
                // with fewer rounds than passes; all members see that
                return;
            }
            final CollectiveCall.Use use = call.use(team, length);
            final int uses = (int)Math.max(MIN_USES, Math.min(MAX_USES, TURN_BYTES / call.bytes(team.size(), length)));
            for (final Algorithm algorithm : algorithms)
            {
                use.operation().force(algorithm);
                turn(team, use, uses);
            }
            for (; round < end; round++)
            {
                for (int i = 0; i < found.length; i++)
                {
                    // another one begins in each round
                    final int next = (i + round) % found.length;
                    use.operation().force(algorithms.get(next));
                    found[next][round] = turn(team, use, uses);
                }
            }
        }

        CollectiveTime time(final int members)
        {
            final Map<Algorithm, Double> medians = new EnumMap<>(Algorithm.class);
            for (int i = 0; i < found.length; i++)
            {
                Arrays.sort(found[i]);
                medians.put(algorithms.get(i), found[i][rounds / 2]);
            }
            return new CollectiveTime(call, members, length, medians);
        }
    }

    CollectiveTimes(final File parent, final int rounds)
    {
        threads = new CollectiveThreads(parent);
        this.rounds = rounds;
    }

    /**
     * Measures operations in one team. The turns of several lists of lengths alternate, so each list is measured on the same
     * machine as the others, however its cores move meanwhile.
     *
     * @param members number of members.
     * @param calls   operations.
     * @param lists   of lengths of portions, in bytes.
     * @return the times of each list.
     * @throws IOException if there is no room for a node's files, or a rank has failed.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    List<List<CollectiveTime>> measure(
        final int members, final List<CollectiveCall> calls, final List<List<Integer>> lists)
        throws IOException, InterruptedException
    {
        final List<List<CollectiveTime>> times = new ArrayList<>();
        threads.run(members, new CollectivesContext(), (team) ->
        {
            final List<List<Samples>> all = new ArrayList<>();
            lists.forEach((lengths) -> all.add(new ArrayList<>()));
            for (final CollectiveCall call : calls)
            {
                warmUp(team, call, SHORT_LENGTH, WARM_UP_USES * rounds);
                warmUp(team, call, LONG_LENGTH, WARM_UP_USES * rounds / 10);
                for (int i = 0; i < lists.size(); i++)
                {
                    final List<Samples> samples = all.get(i);
                    lists.get(i).forEach((length) -> samples.add(new Samples(call, length, members)));
                }
            }
            for (int pass = 1; pass <= PASSES; pass++)
            {
                final int end = rounds * pass / PASSES;
                calls.forEach((call) -> all.stream().flatMap(List::stream).filter((samples) -> samples.call == call)
                    .forEach((samples) -> samples.takeTurns(team, end)));
            }
            if (team.member() == 0)
            {
                all.forEach((samples) -> times.add(samples.stream().map((each) -> each.time(members)).toList()));
            }
        });
        return times;
    }

    /**
     * What a team chooses.
     *
     * @param profile by which it chooses.
     * @param times   of operations, all with the same number of members.
     * @return the same with what it chooses, in their order.
     * @throws IOException if there is no room for a node's files, or a rank has failed.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    List<CollectiveCell> choose(final CostProfile profile, final List<CollectiveTime> times)
        throws IOException, InterruptedException
    {
        final List<CollectiveCell> cells = new ArrayList<>();
        threads.run(times.get(0).members(), new CollectivesContext().profile(profile), (team) ->
        {
            for (final CollectiveTime time : times)
            {
                final CollectiveCall.Use use = time.call().use(team, time.length());
                use.run();
                if (team.member() == 0)
                {
                    cells.add(new CollectiveCell(time, use.operation().algorithm()));
                }
            }
        });
        return cells;
    }

    private static void warmUp(final Team team, final CollectiveCall call, final int length, final int uses)
    {
        final CollectiveCall.Use use = call.use(team, length);
        for (final Algorithm algorithm : call.algorithms(team.size(), length))
        {
            use.operation().force(algorithm);
            for (int i = 0; i < uses; i++)
            {
                use.run();
            }
        }
    }

    private static double turn(final Team team, final CollectiveCall.Use use, final int uses)
    {
        CollectiveThreads.require(team.barrier());
        final long startNs = System.nanoTime();
        for (int i = 0; i < uses; i++)
        {
            use.run();
        }
        CollectiveThreads.require(team.barrier());
        return (double)(System.nanoTime() - startNs) / uses;
    }
}
