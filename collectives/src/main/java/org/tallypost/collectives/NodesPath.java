// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

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

    private final Team inner;
    private final NodeMap map;
    private final NodeLinks links;
    private final Teams teams;
    private final Exchange exchange;
    private final NodesMoves moves;
    private final NodesVotes votes;
    private final OperationQueue queue = new OperationQueue();
    private final OperationOrder order = new OperationOrder();
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
        exchange = inner.exchange();
        moves = new NodesMoves(this, map, links, order);
        votes = links.votes();
        votes.open(this);
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
        order.begin(operation);
        operation.phases().begin();
    }

    @Override
    public void progress()
    {
        links.flush();
        votes.progress();
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
            queue.removeHead().finish(order.finish());
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
            exchange.fail(links.heard(), map.inArena(links.heardAbout()));
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
            moves.lookAtNodes(teams.emptyPolls());
        }
        lookForOthers();
        look();
        votes.rest();
    }

    /** Nodes that wait may be in another operation than this one is, or was, under the same number. */
    void lookForOthers()
    {
        for (int i = 0; map.isLeader() && i < map.nodes() && exchange.failure() == 0; i++)
        {
            if (order.isOther(links, i, queue.head() != null) || isInsteadOfVoting(i))
            {
                failBetween(Team.MISMATCH, i);
                look();
            }
        }
    }

    /** This member waits in an agreement, and a node in an operation that this one has not come to, without having voted. */
    private boolean isInsteadOfVoting(final int node)
    {
        return queue.head() == null && order.isNext(links, node) && votes.isAheadOf(links.waitingVotes(node));
    }

    @Override
    public int culprit()
    {
        return map.ofArena(exchange.culprit());
    }

    /** Ends the team because of a member. */
    @Override
    public void fail(final long result, final int about)
    {
        exchange.fail(result, map.inArena(about));
        finishAll();
    }

    /** Ends the team because of a node. */
    void failBetween(final long result, final int node)
    {
        exchange.fail(result, map.inArena(map.leader(node)));
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
            teams.unlink(links);
            moves.close();
        }
    }

    @Override
    public long position()
    {
        return position + exchange.position() + moves.position();
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
            count = moves.late(into, count);
        }
        return count;
    }

    /** The agreements of the team. */
    NodesVotes votes()
    {
        return votes;
    }

    /** Why the team has ended for this member, as far as it has looked; 0 if it has not. */
    long failure()
    {
        return exchange.failure();
    }

    /** Looks whether the team has ended, here or elsewhere. */
    void lookAtEnd()
    {
        if (exchange.failure() == 0)
        {
            look();
        }
    }

    /** Whether an operation is under way. */
    boolean isBusy()
    {
        return queue.head() != null;
    }

    /** Whether a team ends for such a reason at all its members. */
    static boolean isFailure(final long result)
    {
        return result == Team.MEMBER_GONE || result == Team.REVOKED || result == Team.MISMATCH ||
            result == Team.REDUCER_FAILED || result == Team.DAMAGED;
    }

    /** Whether data can go to all nodes at once. */
    boolean hasMulticast()
    {
        return moves.hasMulticast();
    }

    /** Something that has come is not of this team. */
    void refuse()
    {
        teams.refuse();
    }

    /** How the nodes speak with each other. */
    NodeLinks links()
    {
        return links;
    }

    @Override
    public boolean isPolling()
    {
        return links.isOwing() || votes.isOwing() ||
            queue.head() != null && queue.head().phases().isBetween() && moves.isPolling();
    }

    /** Number of members of the team. */
    int size()
    {
        return map.size();
    }

    /** This member's number. */
    int self()
    {
        return map.self();
    }

    /** Ranks of all members. */
    int[] ranks()
    {
        return links.ranks();
    }

    /** Number of nodes. */
    int count()
    {
        return map.nodes();
    }

    NodeMap map()
    {
        return map;
    }

    /** The members of this node. */
    Team inner()
    {
        return inner;
    }

    /** What the nodes do together. */
    NodesMoves moves()
    {
        return moves;
    }

    /** Something was done. */
    void moved()
    {
        position++;
    }

    /** What all operations up to the one under way are, mixed, and the phase: so that differing members of a node meet. */
    long salt(final int phase)
    {
        return order.salt(phase);
    }
}
