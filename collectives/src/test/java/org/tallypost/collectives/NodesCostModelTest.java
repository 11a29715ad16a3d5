// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.schedule.BlockMoves;
import org.tallypost.schedule.Moves;

/** The costs between nodes: against the moves that they are of, counted, and what is chosen by them. */
class NodesCostModelTest
{
    private static final double A = 20_000;
    private static final double B = 1;
    private static final double C = 0.25;
    private static final int LENGTH = 1 << 20;

    /** What the busiest process does, one group of moves after the other: the time if all begin each group together. */
    private static final class Meter implements Moves
    {
        private final double block;
        private double ns;
        private double groupNs;
        private double reduceNs;

        Meter(final double block)
        {
            this.block = block;
        }

        @Override
        public void send(final int peer, final int first, final int count)
        {
            groupNs = Math.max(groupNs, A + count * block * B);
        }

        @Override
        public void receive(final int peer, final int first, final int count)
        {
            groupNs = Math.max(groupNs, A + count * block * B);
        }

        @Override
        public void reduce(final int peer, final int first, final int count, final boolean isBefore)
        {
            receive(peer, first, count);
            reduceNs += count * block * C;
        }

        @Override
        public void fold(final int from, final int to, final boolean isBefore)
        {
            reduceNs += block * C;
        }

        @Override
        public void waitAll()
        {
            ns += groupNs + reduceNs;
            groupNs = 0;
            reduceNs = 0;
        }
    }

    private interface Algorithm
    {
        void moves(int me, Moves to);
    }

    /** Of those algorithms in which all processes move in each group, the formula is the time of the busiest process. */
    private static void check(
        final int p, final Kind kind, final AlgorithmBetweenNodes algorithm, final double block, final Algorithm moves)
    {
        double most = 0;
        for (int me = 0; me < p; me++)
        {
            final Meter meter = new Meter(block);
            moves.moves(me, meter);
            most = Math.max(most, meter.ns);
        }
        final double cost = new NodesCostModel(p, A, B, C).cost(kind, algorithm, LENGTH);
        assertEquals(most, cost, most / 1e9, kind + " by " + algorithm + " with " + p);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 7, 8, 16, 17})
    void shouldCostWhatTheMovesDo(final int p)
    {
        check(p, Kind.BARRIER, AlgorithmBetweenNodes.DISSEMINATION, 0, (me, to) -> BlockMoves.barrier(p, me, to));
        check(p, Kind.ALL_REDUCE, AlgorithmBetweenNodes.DOUBLING, LENGTH,
            (me, to) -> BlockMoves.doublingAllReduce(p, me, 1, to));
        check(p, Kind.ALL_REDUCE, AlgorithmBetweenNodes.RING, (double)LENGTH / p, (me, to) ->
        {
            BlockMoves.ringReduceScatter(p, me, to);
            BlockMoves.ringAllGather(p, me, to);
        });
        check(p, Kind.REDUCE_SCATTER, AlgorithmBetweenNodes.RING, (double)LENGTH / p,
            (me, to) -> BlockMoves.ringReduceScatter(p, me, to));
        check(p, Kind.ALL_GATHER, AlgorithmBetweenNodes.RING, (double)LENGTH / p,
            (me, to) -> BlockMoves.ringAllGather(p, me, to));
        check(p, Kind.ALL_TO_ALL, AlgorithmBetweenNodes.PAIRWISE, (double)LENGTH / p,
            (me, to) -> BlockMoves.pairwiseAllToAll(p, me, to));
        check(p, Kind.BROADCAST, AlgorithmBetweenNodes.BINOMIAL, LENGTH,
            (me, to) -> BlockMoves.binomialBroadcast(p, 0, me, 1, to));
        if (Integer.bitCount(p) == 1)
        {
            check(p, Kind.ALL_GATHER, AlgorithmBetweenNodes.DOUBLING, (double)LENGTH / p,
                (me, to) -> BlockMoves.doublingAllGather(p, me, to));
        }
    }

    /** Few messages with few bytes, few bytes at each node with many; none that cannot be. */
    @Test
    void shouldChooseByLength()
    {
        final NodesCostModel model = new NodesCostModel(8, A, B, C);
        assertEquals(AlgorithmBetweenNodes.DOUBLING, model.choose(Kind.ALL_REDUCE, 8, true));
        assertEquals(AlgorithmBetweenNodes.RING, model.choose(Kind.ALL_REDUCE, 16 << 20, true));
        assertEquals(AlgorithmBetweenNodes.BINOMIAL, model.choose(Kind.BROADCAST, 8, true));
        assertEquals(AlgorithmBetweenNodes.CHAIN, model.choose(Kind.BROADCAST, 16 << 20, true));
        assertEquals(1, model.pieces(8));
        assertTrue(model.pieces(16 << 20) > 1);
        final List<AlgorithmBetweenNodes> found = new ArrayList<>();
        for (final Kind kind : Kind.values())
        {
            for (int nodes = 2; nodes < 20; nodes++)
            {
                final AlgorithmBetweenNodes chosen = new NodesCostModel(nodes, A, B, C).choose(kind, LENGTH, false);
                assertTrue(chosen.isPossible(kind, nodes, false), kind + " by " + chosen);
                found.add(chosen);
            }
        }
        assertTrue(found.contains(AlgorithmBetweenNodes.PAIRWISE) && found.contains(AlgorithmBetweenNodes.DISSEMINATION));
    }
}
