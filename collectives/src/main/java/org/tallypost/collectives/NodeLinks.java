// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;

/**
 * How the nodes of a team speak with each other: one member of each, its leader, by messages of a channel of the endpoint. They
 * come in order, and there is room for those that may come: a sender has at most a window of pieces that are not consumed.
 *
 * <p>Before the team begins each leader says hello to each other one with a session, a number of chance, and is heard when the
 * other one has repeated it. What has another session is of a team that was here before, and dropped.
 *
 * <p>No clock, no waiting. What cannot be sent now is sent by a later {@link #flush}.
 */
final class NodeLinks
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private final Meeting meeting;
    private final NodeMap map;
    private final int[] ranks;
    private final long id;
    private final int view;
    private final long session = new SplittableRandom().nextLong() | 1;
    private final NodePeer[] peers;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HEAD_LENGTH]);
    private final NodesSettings settings;
    private final NodesDecision decision;
    private final NodesVotes votes;
    private boolean isOpen;
    private boolean isAwaited;

    /** For a team of ranks by their member numbers. The settings of the first node's leader count for all. */
    NodeLinks(
        final Meeting meeting, final NodeMap map, final int[] ranks, final long id, final int view,
        final CollectivesContext context)
    {
        this.meeting = meeting;
        this.map = map;
        this.ranks = ranks;
        this.id = id;
        this.view = view;
        peers = new NodePeer[map.isLeader() ? map.nodes() : 0];
        for (int i = 0; i < peers.length; i++)
        {
            peers[i] = new NodePeer(ranks[map.leader(i)]);
        }
        settings = new NodesSettings(context);
        decision = new NodesDecision(map.size());
        votes = new NodesVotes(meeting, map, ranks, id, view);
    }

    /** Whether messages of a team of this number and view are for it. */
    boolean isOf(final long number, final int viewOfTeam)
    {
        return number == id && viewOfTeam == view;
    }

    /** The agreements of the team. */
    NodesVotes votes()
    {
        return votes;
    }

    /** By what number, of chance, this team is another one than a former one with the same id: at leaders that have met. */
    long teamSession()
    {
        return map.node() == 0 ? session : peers[0].session();
    }

    /** Says hello to the other nodes. Whether all have been met; for a member that is no leader at once. */
    boolean tryConnect()
    {
        flush();
        for (int i = 0; i < peers.length; i++)
        {
            if (i != map.node() && !peers[i].isMet())
            {
                return false;
            }
        }
        return true;
    }

    /** The leaders that have not been met. */
    RankSet missing()
    {
        RankSet missing = RankSet.of();
        for (int i = 0; i < peers.length; i++)
        {
            missing = i == map.node() || peers[i].isMet() ? missing : missing.union(RankSet.of(peers[i].rank()));
        }
        return missing;
    }

    /** The team begins: a node with another session is another one. */
    NodesSettings open()
    {
        isOpen = true;
        settings.begin(map.nodes());
        return settings;
    }

    /** Takes a message of the team. Whether it belongs to the team as it is now; otherwise it is dropped. */
    boolean onMessage(final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        final int kind = kind(buffer.getInt(offset + KIND_OFFSET));
        final int node = kind < VOTE || kind == ASK ? nodeOf(source) : -1;
        return kind >= VOTE && kind <= MEMBER_LEFT ? votes.onMessage(source, buffer, offset, length) :
            node >= 0 && take(peers[node], node, kind, buffer, offset, length);
    }

    private int nodeOf(final int rank)
    {
        for (int i = 0; i < peers.length; i++)
        {
            if (peers[i].rank() == rank && i != map.node())
            {
                return i;
            }
        }
        return -1;
    }

    private boolean take(
        final NodePeer peer, final int node, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        final long theirs = buffer.getLong(offset + SESSION_OFFSET);
        final long number = buffer.getLong(offset + OPERATION_OFFSET);
        if (kind == HELLO)
        {
            return length == HEAD_LENGTH + HELLO_LENGTH && theirs != 0 && meet(peer, node, theirs, number, buffer, offset);
        }
        if (theirs != session || peer.session() == 0)
        {
            return false;
        }
        switch (kind)
        {
            case DATA:
                final boolean isTaken = peer.sending().take(buffer.getInt(offset + CONSUMED_OFFSET)) &&
                    peer.receiving().receive(buffer, offset, length);
                if (!isTaken)
                {
                    decision.hear(Team.DAMAGED, map.leader(node));
                }
                return isTaken;
            case CONSUMED:
                return peer.sending().take(buffer.getInt(offset + CONSUMED_OFFSET));
            case WAITING:
                peer.waits(number, buffer.getLong(offset + OPERATIONS_OFFSET), buffer.getInt(offset + PIECE_OFFSET));
                isAwaited = true;
                peer.failureOwed(decision.told() != 0);
                return peer.sending().take(buffer.getInt(offset + CONSUMED_OFFSET));
            case ASK:
                peer.asks(number);
                return true;
            case FAILED:
                return decision.hearFromOther(
                    -(long)buffer.getInt(offset + PIECE_OFFSET), buffer.getInt(offset + CONSUMED_OFFSET));
            default:
                peer.liveness().leave();
                return kind == LEFT;
        }
    }

    private boolean meet(
        final NodePeer peer, final int node, final long theirs, final long mine, final DirectBuffer buffer, final int offset)
    {
        if (isOpen && peer.session() != theirs)
        {
            // the member that was in the team is not there any more
            return decision.hear(Team.MEMBER_GONE, map.leader(node));
        }
        peer.meet(theirs, RankState.incarnation(meeting.rankState(peer.rank())), mine == session);
        return node != 0 || settings.take(buffer, offset + HEAD_LENGTH);
    }

    /** Whether nodes have said since the last call that they wait for this one. */
    boolean wasAwaited()
    {
        final boolean wasAwaited = isAwaited;
        isAwaited = false;
        return wasAwaited;
    }

    /** Whether another node has said that the team has ended: it tells all. */
    boolean isHeardFromOthers()
    {
        return decision.isHeardFromOthers();
    }

    /** Why the team has ended, as far as messages say; 0 if they do not. */
    long heard()
    {
        return decision.heard();
    }

    /** The member that this is about. */
    int heardAbout()
    {
        return decision.heardAbout();
    }

    /** The other node, at a leader. */
    NodePeer peer(final int node)
    {
        return peers[node];
    }

    /** In how many agreements the leader of a node had voted when it said that it waits. */
    int waitingVotes(final int node)
    {
        return peers[node].waitingVotes();
    }

    /** Whether a node does nothing any more: it has left, or its leader is not there as it was. */
    boolean isGone(final int node)
    {
        return peers[node].liveness().isGone(meeting.rankState(peers[node].rank()));
    }

    /** Sends a piece of data. How many bytes went with it, perhaps none if there are none; negative if it cannot be sent now. */
    int trySend(
        final int node, final long operation, final long operations, final DirectBuffer data, final int offset, final int length)
    {
        final NodePeer peer = peers[node];
        final SendingWindow sending = peer.sending();
        while (sending.hasRoom())
        {
            final int count = Math.min(length, sending.pieceLength());
            final int consumed = peer.receiving().consumed();
            final long result = send(
                peer, DATA, peer.session(), operation, operations, sending.sent(), consumed, data, offset, count);
            if (result >= 0)
            {
                sending.advance();
                peer.receiving().consumedTold(consumed);
                return count;
            }
            if (result != Endpoint.TOO_LONG || !sending.shorten())
            {
                return -1;
            }
        }
        return -1;
    }

    /** Tells a node that this one waits for it in an operation, once. */
    void tellWaiting(final int node, final long operation, final long operations)
    {
        final NodePeer peer = peers[node];
        if (peer.isTold(operation))
        {
            return;
        }
        final int consumed = peer.receiving().consumed();
        if (send(peer, WAITING, peer.session(), operation, operations, votes.votes(), consumed, NOTHING, 0, 0) >= 0)
        {
            peer.receiving().consumedTold(consumed);
            peer.told(operation);
        }
        else
        {
            peer.untold(operation);
        }
    }

    /** Asks a node what has come of an operation's multicast. Whether that is sent. */
    boolean tryAsk(final int node, final long operation)
    {
        return send(peers[node], ASK, peers[node].session(), operation, 0, 0, 0, NOTHING, 0, 0) >= 0;
    }

    /** Whether what has come by multicast is of the team as it is now, and from a node. */
    boolean isOf(final int node, final DirectBuffer buffer, final int offset, final int length)
    {
        return length >= HEAD_LENGTH && buffer.getInt(offset + VIEW_OFFSET) == view &&
            buffer.getLong(offset + TEAM_OFFSET) == id && buffer.getLong(offset + SESSION_OFFSET) == peers[node].session() &&
            peers[node].session() != 0;
    }

    /** The head of what goes to all nodes. */
    DirectBuffer head(final int kind, final long operation, final long operations, final int at)
    {
        return head(kind, session, operation, operations, at, 0);
    }

    /** The team has ended: tells all nodes, if they do not know, and later those that say that they wait. */
    void end(final long failure, final int about, final boolean isForAll)
    {
        decision.tell(failure, about);
        for (int i = 0; i < peers.length; i++)
        {
            peers[i].failureOwed(isForAll && i != map.node() || peers[i].waitingOperation() >= 0);
        }
        flush();
    }

    /** Tells all nodes that this one has left. Whether there is none left to be told. */
    boolean tryLeave()
    {
        boolean isSent = true;
        for (int i = 0; i < peers.length; i++)
        {
            final NodePeer peer = peers[i];
            if (i != map.node() && peer.isMet() && !peer.isFarewellSent() && !isGone(i))
            {
                if (send(peer, LEFT, peer.session(), 0, 0, 0, 0, NOTHING, 0, 0) >= 0)
                {
                    peer.farewellSent();
                }
                isSent &= peer.isFarewellSent();
            }
        }
        return isSent;
    }

    /** Sends what is owed to other nodes: a hello, what was consumed, that the team has ended. */
    void flush()
    {
        for (int i = 0; i < peers.length; i++)
        {
            if (i != map.node())
            {
                flush(peers[i]);
            }
        }
    }

    /** Whether something is owed to other nodes after a {@link #flush}. No message tells when it can go. */
    boolean isOwing()
    {
        for (int i = 0; i < peers.length; i++)
        {
            if (i != map.node() && !peers[i].liveness().hasLeft() && peers[i].isOwed() && !isGone(i))
            {
                return true;
            }
        }
        return false;
    }

    private void flush(final NodePeer peer)
    {
        if (peer.isHelloOwed() &&
            send(peer, HELLO, session, peer.session(), 0, 0, 0, settings.hello(), 0, HELLO_LENGTH) >= 0)
        {
            peer.helloSent();
        }
        final ReceivingWindow receiving = peer.receiving();
        if (receiving.isConsumedOwed() &&
            send(peer, CONSUMED, peer.session(), 0, 0, 0, receiving.consumed(), NOTHING, 0, 0) >= 0)
        {
            receiving.consumedTold(receiving.consumed());
        }
        if (decision.told() != 0 && peer.isFailureOwed() &&
            send(peer, FAILED, peer.session(), 0, 0, (int)-decision.told(), decision.toldAbout(), NOTHING, 0, 0) >= 0)
        {
            peer.failureOwed(false);
        }
    }

    private DirectBuffer head(
        final int kind, final long theirs, final long operation, final long operations, final int piece, final int consumed)
    {
        head.putInt(KIND_OFFSET, kindWord(kind));
        head.putInt(VIEW_OFFSET, view);
        head.putLong(TEAM_OFFSET, id);
        head.putLong(SESSION_OFFSET, theirs);
        head.putLong(OPERATION_OFFSET, operation);
        head.putLong(OPERATIONS_OFFSET, operations);
        head.putInt(PIECE_OFFSET, piece);
        head.putInt(CONSUMED_OFFSET, consumed);
        return head;
    }

    private long send(
        final NodePeer peer, final int kind, final long theirs, final long operation, final long operations, final int piece,
        final int consumed, final DirectBuffer data, final int offset, final int length)
    {
        head(kind, theirs, operation, operations, piece, consumed);
        final long result = meeting.send(peer.rank(), head, HEAD_LENGTH, data, offset, length);
        if (result == Endpoint.PEER_GONE && isOpen)
        {
            peer.liveness().lose();
        }
        return result;
    }

    /** Ranks of all members of the team. */
    int[] ranks()
    {
        return ranks;
    }
}
