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
    private final CollectivesContext context;
    private final int rounds;

    /** What one member has found of an operation with a length. */
    private final class Samples
    {
        private final CollectiveCall call;
        private final int length;
        private final List<Algorithm> algorithms;
        private final double[][] found;
        private Algorithm chosen;
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
            final CollectiveCall.Use use = call.use(team, length);
            use.run();
            chosen = use.operation().algorithm();
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

        CollectiveCell cell(final int members)
        {
            final Map<Algorithm, Double> medians = new EnumMap<>(Algorithm.class);
            for (int i = 0; i < found.length; i++)
            {
                Arrays.sort(found[i]);
                medians.put(algorithms.get(i), found[i][rounds / 2]);
            }
            return new CollectiveCell(call, members, length, chosen, medians);
        }
    }

    CollectiveTimes(final File parent, final CollectivesContext context, final int rounds)
    {
        threads = new CollectiveThreads(parent);
        this.context = context;
        this.rounds = rounds;
    }

    /** Measures all operations with all lengths in one team. */
    List<CollectiveCell> measure(final int members, final List<CollectiveCall> calls, final List<Integer> lengths)
        throws IOException, InterruptedException
    {
        final List<CollectiveCell> cells = new ArrayList<>();
        threads.run(members, context, (team) ->
        {
            final List<Samples> all = new ArrayList<>();
            for (final CollectiveCall call : calls)
            {
                warmUp(team, call, SHORT_LENGTH, WARM_UP_USES * rounds);
                warmUp(team, call, LONG_LENGTH, WARM_UP_USES * rounds / 10);
                lengths.forEach((length) -> all.add(new Samples(call, length, members)));
            }
            for (int pass = 1; pass <= PASSES; pass++)
            {
                for (final Samples samples : all)
                {
                    samples.takeTurns(team, rounds * pass / PASSES);
                }
            }
            if (team.member() == 0)
            {
                all.forEach((samples) -> cells.add(samples.cell(members)));
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
