// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.schedule.BlockMoves;

/**
 * Takes one member's operations through a team of several nodes, one after the other, in phases: members of a node do something
 * together in their arena, as an inner team, and the leaders of the nodes do something by messages. No clock, no waiting.
 *
 * <p>The team ends in the arenas. A decision that the leader of a node finds in its arena it tells the other leaders, and they
 * decide the same in theirs. A member of another node is known there by its number behind those of the node.
 */
final class NodesPath implements Course
{
    private static final int LOOKS = 64;
    /** Operations that are remembered, to be compared with those of nodes that come to them later. */
    private static final int HISTORY = 64;

    private final Team inner;
    private final NodeMap map;
    private final NodeLinks links;
    private final NodesCostModel model;
    private final AlgorithmBetweenNodes forced;
    private final Teams teams;
    private final Exchange exchange;
    private final MovePlan program;
    private final OperationQueue queue = new OperationQueue();
    private final long[] history = new long[HISTORY];
    private long operations;
    private long sequence;
    private long position;
    private int looks;
    private boolean isTold;
    private boolean isOver;

    /** Of members that have met: those of this node in their arena, and the leaders by their links. */
    NodesPath(final Team inner, final NodeMap map, final NodeLinks links, final Teams teams)
    {
        this.inner = inner;
        this.map = map;
        this.links = links;
        this.teams = teams;
        model = links.open();
        forced = links.forced();
        exchange = inner.exchange();
        program = new MovePlan(this, links);
    }

    @Override
    public void start(final Operation operation)
    {
        look();
        if (exchange.failure() != 0)
        {
            operation.finish(exchange.failure());
            return;
        }
        queue.add(operation);
        if (queue.head() == operation)
        {
            begin(operation);
        }
        progress();
    }

    private void begin(final Operation operation)
    {
        operations = Plan.mix(operations ^ operation.plan().passed());
        history[(int)sequence & HISTORY - 1] = operations;
        operation.phases().begin();
    }

    @Override
    public void progress()
    {
        links.flush();
        if (links.wasAwaited())
        {
            lookForOthers();
        }
        if (links.heard() != 0 && exchange.failure() == 0)
        {
            look();
        }
        while (queue.head() != null && exchange.failure() == 0 && tryAdvance(queue.head().phases()))
        {
            position++;
            queue.removeHead().finish(sequence++);
            if (queue.head() != null)
            {
                begin(queue.head());
            }
        }
        if (queue.head() != null)
        {
            lookAround();
        }
    }

    /** What throws here is the program's: a reducer. */
    private boolean tryAdvance(final Phases phases)
    {
        final long before = position();
        try
        {
            final boolean isDone = phases.advance();
            looks = position() == before ? looks : 0;
            return isDone && exchange.failure() == 0;
        }
        catch (final Throwable t)
        {
            fail(Team.REDUCER_FAILED, map.self());
            throw t;
        }
    }

    private void lookAround()
    {
        look();
        if (queue.head() != null && ++looks >= LOOKS)
        {
            lookAtMembers();
        }
    }

    /** Looks whether the team has ended, here or elsewhere, and hands that on. */
    private void look()
    {
        if (exchange.failure() == 0 && links.heard() != 0)
        {
            exchange.fail(links.heard(), about(links.heardAbout()));
        }
        exchange.lookAtDecision();
        if (exchange.failure() != 0)
        {
            finishAll();
        }
    }

    private void finishAll()
    {
        final long failure = exchange.failure();
        while (queue.head() != null)
        {
            queue.removeHead().finish(failure);
        }
        if (!isTold && failure != Team.CLOSED)
        {
            isTold = true;
            links.end(failure, Math.max(0, culprit()), !links.isHeardFromOthers());
        }
    }

    @Override
    public void lookAtMembers()
    {
        looks = 0;
        exchange.lookAtMembers();
        if (queue.head() != null && queue.head().phases().isBetween() && exchange.failure() == 0)
        {
            program.lookAtNodes(teams.emptyPolls());
        }
        lookForOthers();
        look();
    }

    /** Nodes that wait may be in another operation than this one is, or was, under the same number. */
    private void lookForOthers()
    {
        for (int i = 0; map.isLeader() && i < map.nodes() && exchange.failure() == 0; i++)
        {
            final NodePeer peer = links.peer(i);
            final long number = peer.waitingOperation();
            final boolean isKnown = queue.head() == null ? number < sequence : number <= sequence;
            if (number >= 0 && isKnown && number > sequence - HISTORY &&
                peer.waitingOperations() != history[(int)number & HISTORY - 1])
            {
                failBetween(Team.MISMATCH, i);
            }
        }
    }

    /** How a member of the team is called in the arena of this node. */
    private int about(final int member)
    {
        return member < 0 ? map.locals().length + map.size() :
            map.isHere(member) ? map.localOf(member) : map.locals().length + member;
    }

    @Override
    public int culprit()
    {
        final int found = exchange.culprit();
        final int locals = map.locals().length;
        return found < 0 || found >= locals + map.size() ? Window.NOBODY : found < locals ? map.locals()[found] : found - locals;
    }

    /** Ends the team because of a member. */
    @Override
    public void fail(final long result, final int about)
    {
        exchange.fail(result, about(about));
        finishAll();
    }

    /** Ends the team because of a node. */
    void failBetween(final long result, final int node)
    {
        exchange.fail(result, about(map.leader(node)));
    }

    @Override
    public void end(final long result)
    {
        exchange.end(result);
        finishAll();
    }

    @Override
    public void leave()
    {
        exchange.leave();
        finishAll();
        if (!isOver)
        {
            isOver = true;
            teams.leave(links);
        }
    }

    @Override
    public long position()
    {
        return position + exchange.position() + program.position();
    }

    @Override
    public boolean isMoving()
    {
        return exchange.isMoving();
    }

    @Override
    public int late(final int[] into)
    {
        int count = exchange.late(into);
        for (int i = 0; i < count; i++)
        {
            into[i] = map.locals()[into[i]];
        }
        if (queue.head() != null && queue.head().phases().isBetween())
        {
            count = program.late(map, into, count);
        }
        return count;
    }

    /** Whether a member is gone as far as it is known here. */
    boolean isGone(final int member)
    {
        return map.isHere(member) ? inner.votes().isGone(map.localOf(member)) : links.isMemberGone(member);
    }

    NodeMap map()
    {
        return map;
    }

    NodeLinks links()
    {
        return links;
    }

    /** The members of this node. */
    Team inner()
    {
        return inner;
    }

    MovePlan program()
    {
        return program;
    }

    /** Something was done. */
    void moved()
    {
        position++;
    }

    /** What all operations up to the one under way are, mixed, and the phase: so that differing members of a node meet. */
    long salt(final int phase)
    {
        return Plan.mix(operations ^ phase + 1);
    }

    private AlgorithmBetweenNodes begin(
        final Kind kind, final UnsafeBuffer data, final Reduction reduction, final long length)
    {
        final boolean isCommutative = reduction == null || reduction.reducer().isCommutative();
        final AlgorithmBetweenNodes algorithm = forced != null && forced.isPossible(kind, map.nodes(), isCommutative) ? forced :
            model.choose(kind, length, isCommutative);
        program.begin(data, reduction, sequence, operations);
        return algorithm;
    }

    /** A barrier of the nodes. */
    void barrier(final UnsafeBuffer nothing)
    {
        begin(Kind.BARRIER, nothing, null, 0);
        program.equalBlocks(1, 0);
        BlockMoves.barrier(map.nodes(), map.node(), program);
    }

    /** All nodes get what is in the buffer of one. */
    void broadcast(final UnsafeBuffer data, final int root)
    {
        final AlgorithmBetweenNodes algorithm = begin(Kind.BROADCAST, data, null, data.capacity());
        final int blocks = algorithm == AlgorithmBetweenNodes.CHAIN ? model.pieces(data.capacity()) : 1;
        program.equalBlocks(blocks, data.capacity());
        switch (algorithm)
        {
            case CHAIN:
                BlockMoves.chainBroadcast(map.nodes(), root, map.node(), blocks, program);
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
        program.equalBlocks(1, data.capacity());
        BlockMoves.binomialReduce(map.nodes(), root, map.node(), 1, !reduction.reducer().isCommutative(), program);
    }

    /** All nodes get the reduction of what is in all buffers. */
    void allReduce(final UnsafeBuffer data, final Reduction reduction)
    {
        final int nodes = map.nodes();
        final AlgorithmBetweenNodes algorithm = begin(Kind.ALL_REDUCE, data, reduction, data.capacity());
        program.equalBlocks(algorithm == AlgorithmBetweenNodes.RING ? nodes : 1, data.capacity());
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
            program.bound(i, (i < nodes ? map.before(i) : map.size() + map.before(i - nodes)) * ofMember);
        }
        BlockMoves.pairwiseAllToAll(nodes, map.node(), program);
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
            program.bound(i, i * length);
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
