// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.schedule.BlockMoves;

/** What the nodes of a team do together: chooses the algorithm, plans the moves of this node's leader, and does them. */
final class NodesMoves
{
    private final NodeMap map;
    private final OperationOrder order;
    private final NodesSettings settings;
    private final MovePlan program;

    /** Of leaders that have met. */
    NodesMoves(final NodesPath path, final NodeMap map, final NodeLinks links, final OperationOrder order)
    {
        this.map = map;
        this.order = order;
        settings = links.open();
        program = new MovePlan(path, links);
    }

    /** Does what can be done now. Whether that is all. */
    boolean advance()
    {
        return program.advance();
    }

    /** Ends the team if a node that this one waits for has gone; otherwise tells it that this one waits. */
    void lookAtNodes(final long emptyPolls)
    {
        program.lookAtNodes(emptyPolls);
    }

    /** Nodes that this one waits for, as their leaders. */
    int late(final int[] into, final int found)
    {
        return program.late(map, into, found);
    }

    /** Grows whenever something was done. */
    long position()
    {
        return program.position();
    }

    /** From now on data can go to all nodes at once, or not. */
    void multicast(final boolean isPossible)
    {
        settings.multicast(isPossible);
    }

    /** Whether data can go to all nodes at once. */
    boolean hasMulticast()
    {
        return settings.hasMulticast();
    }

    /** What does the moves. */
    MovePlan program()
    {
        return program;
    }

    /** Nothing is done any more. */
    void close()
    {
        settings.multicast(false);
        program.multicast(null);
    }

    /** Whether it waits for something that no message announces. */
    boolean isPolling()
    {
        return program.isPolling();
    }

    /** What the moves are about. */
    MoveBlocks blocks()
    {
        return program.blocks();
    }

    private AlgorithmBetweenNodes begin(
        final Kind kind, final UnsafeBuffer data, final Reduction reduction, final long length)
    {
        final boolean isCommutative = reduction == null || reduction.reducer().isCommutative();
        final AlgorithmBetweenNodes algorithm = settings.choose(kind, length, isCommutative);
        program.begin(data, reduction, order.sequence(), order.operations());
        return algorithm;
    }

    /** A barrier of the nodes. */
    void barrier(final UnsafeBuffer nothing)
    {
        begin(Kind.BARRIER, nothing, null, 0);
        program.blocks().divide(1, 0);
        BlockMoves.barrier(map.nodes(), map.node(), program);
    }

    /** All nodes get what is in the buffer of one. */
    void broadcast(final UnsafeBuffer data, final int root)
    {
        final AlgorithmBetweenNodes algorithm = begin(Kind.BROADCAST, data, null, data.capacity());
        final int blocks = algorithm == AlgorithmBetweenNodes.CHAIN ? settings.pieces(data.capacity()) : 1;
        program.blocks().divide(blocks, data.capacity());
        switch (algorithm)
        {
            case CHAIN:
                BlockMoves.chainBroadcast(map.nodes(), root, map.node(), blocks, program);
                break;
            case MULTICAST:
                program.cast(root, map.nodes(), map.node());
                break;
            case LINEAR:
                BlockMoves.linearBroadcast(map.nodes(), root, map.node(), blocks, program);
                break;
            default:
                BlockMoves.binomialBroadcast(map.nodes(), root, map.node(), blocks, program);
                break;
        }
    }

    /** One node gets the reduction of what is in all buffers, which are written over. */
    void reduce(final UnsafeBuffer data, final Reduction reduction, final int root)
    {
        begin(Kind.REDUCE, data, reduction, data.capacity());
        program.blocks().divide(1, data.capacity());
        BlockMoves.binomialReduce(map.nodes(), root, map.node(), 1, !reduction.reducer().isCommutative(), program);
    }

    /** All nodes get the reduction of what is in all buffers. */
    void allReduce(final UnsafeBuffer data, final Reduction reduction)
    {
        final int nodes = map.nodes();
        final AlgorithmBetweenNodes algorithm = begin(Kind.ALL_REDUCE, data, reduction, data.capacity());
        program.blocks().divide(algorithm == AlgorithmBetweenNodes.RING ? nodes : 1, data.capacity());
        switch (algorithm)
        {
            case RING:
                BlockMoves.ringReduceScatter(nodes, map.node(), program);
                BlockMoves.ringAllGather(nodes, map.node(), program);
                break;
            case REDUCE_BROADCAST:
                BlockMoves.binomialReduce(nodes, 0, map.node(), 1, true, program);
                BlockMoves.binomialBroadcast(nodes, 0, map.node(), 1, program);
                break;
            default:
                BlockMoves.doublingAllReduce(nodes, map.node(), 1, program);
                break;
        }
    }

    /** One node gives each its portions, or gets them. The buffer has those of all nodes. */
    void scatter(final Kind kind, final UnsafeBuffer data, final int root, final int portion, final PortionPhases phases)
    {
        final AlgorithmBetweenNodes algorithm = begin(kind, data, null, data.capacity());
        phases.nodeBlocks(portion);
        if (algorithm == AlgorithmBetweenNodes.LINEAR)
        {
            BlockMoves.linearScatter(map.nodes(), root, map.node(), kind == Kind.GATHER, program);
        }
        else
        {
            BlockMoves.binomialScatter(map.nodes(), root, map.node(), kind == Kind.GATHER, program);
        }
    }

    /** All nodes get the portions of all. */
    void allGather(final UnsafeBuffer data, final int portion, final PortionPhases phases)
    {
        final AlgorithmBetweenNodes algorithm = begin(Kind.ALL_GATHER, data, null, data.capacity());
        phases.nodeBlocks(portion);
        if (algorithm == AlgorithmBetweenNodes.RING)
        {
            BlockMoves.ringAllGather(map.nodes(), map.node(), program);
        }
        else
        {
            BlockMoves.doublingAllGather(map.nodes(), map.node(), program);
        }
    }

    /** Each node has in the first half of the buffer what there is for each other one, and gets in the second what they have. */
    void allToAll(final UnsafeBuffer data, final int portion)
    {
        final int nodes = map.nodes();
        final int ofMember = map.locals().length * portion;
        begin(Kind.ALL_TO_ALL, data, null, data.capacity() / 2);
        for (int i = 0; i <= 2 * nodes; i++)
        {
            program.blocks().bound(i, (i < nodes ? map.before(i) : map.size() + map.before(i - nodes)) * ofMember);
        }
        BlockMoves.pairwiseAllToAll(nodes, map.node(), program);
    }

    /** The same with blocks that begin at given bounds. */
    void allToAll(final UnsafeBuffer data, final int[] bounds)
    {
        begin(Kind.ALL_TO_ALL, data, null, data.capacity() / 2);
        for (int i = 0; i < bounds.length; i++)
        {
            program.blocks().bound(i, bounds[i]);
        }
        BlockMoves.pairwiseAllToAll(map.nodes(), map.node(), program);
    }

    /** Each node gets its portions, as blocks that are bounded already, of the reduction of what is in all buffers. */
    void reduceScatter(final UnsafeBuffer data, final Reduction reduction)
    {
        final AlgorithmBetweenNodes algorithm = begin(Kind.REDUCE_SCATTER, data, reduction, data.capacity());
        if (algorithm == AlgorithmBetweenNodes.RING)
        {
            BlockMoves.ringReduceScatter(map.nodes(), map.node(), program);
        }
        else
        {
            BlockMoves.binomialReduce(map.nodes(), 0, map.node(), map.nodes(), true, program);
            BlockMoves.binomialScatter(map.nodes(), 0, map.node(), false, program);
        }
    }

    /** Each node gets in the second of three blocks the reduction of the first ones of the nodes before it. */
    void scan(final UnsafeBuffer data, final Reduction reduction, final int length)
    {
        final AlgorithmBetweenNodes algorithm = begin(Kind.SCAN, data, reduction, length);
        for (int i = 0; i <= 3; i++)
        {
            program.blocks().bound(i, i * length);
        }
        if (algorithm == AlgorithmBetweenNodes.LINEAR)
        {
            BlockMoves.linearScan(map.nodes(), map.node(), program);
        }
        else
        {
            BlockMoves.doublingScan(map.nodes(), map.node(), program);
        }
    }
}
