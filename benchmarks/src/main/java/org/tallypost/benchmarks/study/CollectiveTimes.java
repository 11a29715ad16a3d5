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
 * member, and the median of the turns counts.
 */
final class CollectiveTimes
{
    /** Bytes that a turn moves, at most, if it has more than a few uses. */
    private static final long TURN_BYTES = 8 << 20;
    private static final int MAX_USES = 300;
    private static final int MIN_USES = 3;

    private final CollectiveThreads threads;
    private final CollectivesContext context;
    private final int rounds;

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
            for (final CollectiveCall call : calls)
            {
                for (final int length : lengths)
                {
                    final CollectiveCell cell = cell(team, call, length);
                    if (team.member() == 0)
                    {
                        cells.add(cell);
                    }
                }
            }
        });
        return cells;
    }

    private CollectiveCell cell(final Team team, final CollectiveCall call, final int length)
    {
        final CollectiveCall.Use use = call.use(team, length);
        use.run();
        final Algorithm chosen = use.operation().algorithm();
        final int uses = (int)Math.max(MIN_USES, Math.min(MAX_USES, TURN_BYTES / call.bytes(team.size(), length)));
        final List<Algorithm> algorithms = call.algorithms(team.size(), length);
        final double[][] found = new double[algorithms.size()][rounds];
        for (int round = -1; round < rounds; round++)
        {
            for (int i = 0; i < algorithms.size(); i++)
            {
                // another one begins in each round
                final int turn = (i + Math.max(0, round)) % algorithms.size();
                use.operation().force(algorithms.get(turn));
                final double nanos = turn(team, use, uses);
                if (round >= 0)
                {
                    found[turn][round] = nanos;
                }
            }
        }
        final Map<Algorithm, Double> medians = new EnumMap<>(Algorithm.class);
        for (int i = 0; i < algorithms.size(); i++)
        {
            Arrays.sort(found[i]);
            medians.put(algorithms.get(i), found[i][rounds / 2]);
        }
        return new CollectiveCell(call, team.size(), length, chosen, medians);
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
