// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.schedule.Moves;

/**
 * Does the moves of one operation at the leader of a node. The moves between two waits go on at the same time, piece by piece.
 * No clock, no waiting: {@link #advance} does what can be done now.
 */
final class MovePlan implements Moves
{
    private static final int SEND = 0;
    private static final int RECEIVE = 1;
    private static final int REDUCE_BEFORE = 2;
    private static final int REDUCE_BEHIND = 3;
    private static final int CAST = 4;
    private static final int LISTEN = 5;
    private static final int FOLD_BEFORE = 6;
    private static final int FOLD_BEHIND = 7;
    private static final int WAIT = 8;
    private static final int OVER = -1;
    private static final int FIRST_ROOM = 64;
    /** Looks at a node that is gone before no more is expected of it, if nobody polls here. */
    private static final int MOST_LOOKS = 1_024;

    private final NodesPath path;
    private final NodeLinks links;
    private final MoveBlocks blocks = new MoveBlocks();
    private int[] codes = new int[FIRST_ROOM];
    private int[] peers = new int[FIRST_ROOM];
    private int[] begins = new int[FIRST_ROOM];
    private int[] ends = new int[FIRST_ROOM];
    /** Bytes that a move is through with. */
    private int[] moved = new int[FIRST_ROOM];
    private long operation;
    private long operations;
    private int count;
    private int at;
    private long position;
    /** Null if there is none. */
    private NodesMulticast multicast;

    MovePlan(final NodesPath path, final NodeLinks links)
    {
        this.path = path;
        this.links = links;
    }

    /** Begins a program for an operation, which follows as moves. What bounds its blocks is set after this. */
    void begin(final UnsafeBuffer buffer, final Reduction reduction, final long number, final long all)
    {
        blocks.begin(buffer, reduction);
        operation = number;
        operations = all;
        count = 0;
        at = 0;
    }

    /** What the moves are about. */
    MoveBlocks blocks()
    {
        return blocks;
    }

    private void add(final int code, final int peer, final int begin, final int end)
    {
        if (count == codes.length)
        {
            codes = Arrays.copyOf(codes, 2 * count);
            peers = Arrays.copyOf(peers, 2 * count);
            begins = Arrays.copyOf(begins, 2 * count);
            ends = Arrays.copyOf(ends, 2 * count);
            moved = Arrays.copyOf(moved, 2 * count);
        }
        codes[count] = code;
        peers[count] = peer;
        begins[count] = begin;
        ends[count] = end;
        moved[count++] = 0;
    }

    @Override
    public void send(final int peer, final int first, final int number)
    {
        add(SEND, peer, blocks.bound(first), blocks.bound(first + number));
    }

    @Override
    public void receive(final int peer, final int first, final int number)
    {
        add(RECEIVE, peer, blocks.bound(first), blocks.bound(first + number));
    }

    @Override
    public void reduce(final int peer, final int first, final int number, final boolean isBefore)
    {
        add(isBefore ? REDUCE_BEFORE : REDUCE_BEHIND, peer, blocks.bound(first), blocks.bound(first + number));
    }

    @Override
    public void fold(final int from, final int to, final boolean isBefore)
    {
        add(isBefore ? FOLD_BEFORE : FOLD_BEHIND, from, blocks.bound(to), blocks.bound(to + 1));
    }

    @Override
    public void waitAll()
    {
        add(WAIT, 0, 0, 0);
    }

    /** From now on data can go to all nodes at once; null if not. What there was is closed. */
    void multicast(final NodesMulticast found)
    {
        if (multicast != null)
        {
            multicast.close();
        }
        multicast = found;
    }

    /** All data of one node go to all others at once. */
    void cast(final int root, final int nodes, final int self)
    {
        multicast.begin(operation, operations, blocks.data());
        for (int i = 0; i < nodes; i++)
        {
            if (i != self && (self == root || i == root))
            {
                add(self == root ? CAST : LISTEN, i, 0, blocks.data().capacity());
            }
        }
    }

    private int groupEnd()
    {
        int end = at;
        while (end < count && codes[end] != WAIT)
        {
            end++;
        }
        return end;
    }

    /** Does what can be done now. Whether that is all. */
    boolean advance()
    {
        while (at < count)
        {
            final int end = groupEnd();
            boolean isDone = true;
            if (codes[at] == CAST)
            {
                multicast.sending().send();
            }
            for (int i = at; i < end; i++)
            {
                isDone &= moved[i] == OVER || move(i, end);
            }
            if (!isDone)
            {
                return false;
            }
            at = end + 1;
        }
        return true;
    }

    private boolean move(final int i, final int end)
    {
        switch (codes[i])
        {
            case SEND:
                return trySend(i);
            case CAST:
            case LISTEN:
                final boolean isOver = codes[i] == CAST ? multicast.sending().give(peers[i]) :
                    multicast.receiving().take(peers[i]);
                moved[i] = isOver ? OVER : 0;
                return isOver;
            case FOLD_BEFORE:
            case FOLD_BEHIND:
                fold(i);
                return true;
            default:
                return tryReceive(i, end);
        }
    }

    private boolean trySend(final int i)
    {
        final int length = ends[i] - begins[i];
        while (moved[i] != OVER)
        {
            final int sent =
                links.trySend(peers[i], operation, operations, blocks.data(), begins[i] + moved[i], length - moved[i]);
            if (sent < 0)
            {
                return false;
            }
            pass(i, sent, length);
        }
        return true;
    }

    private void pass(final int i, final int length, final int all)
    {
        moved[i] += length;
        moved[i] = moved[i] == all ? OVER : moved[i];
        position++;
    }

    private boolean tryReceive(final int i, final int end)
    {
        final ReceivingWindow pieces = links.peer(peers[i]).receiving();
        final int all = ends[i] - begins[i];
        while (moved[i] != OVER)
        {
            if (!pieces.hasPiece() || !isExpected(pieces, peers[i], all - moved[i]) ||
                !isSent(begins[i] + moved[i], pieces.dataLength(), end))
            {
                return false;
            }
            final int length = pieces.dataLength();
            take(codes[i], pieces, begins[i] + moved[i], length);
            pieces.consume();
            pass(i, length, all);
        }
        return true;
    }

    /** Whether the first piece belongs to the operation, and is no longer than what is left. Otherwise the team ends. */
    private boolean isExpected(final ReceivingWindow pieces, final int node, final int most)
    {
        if (!pieces.isOf(operation, operations))
        {
            path.failBetween(Team.MISMATCH, node);
            return false;
        }
        final int length = pieces.dataLength();
        if (length > most || length == 0 && most > 0 || !blocks.isWhole(length))
        {
            path.failBetween(Team.DAMAGED, node);
            return false;
        }
        return true;
    }

    /** Whether what is in a place has been sent, as far as it is sent in this group: then it may be written over. */
    private boolean isSent(final int begin, final int length, final int end)
    {
        for (int i = at; i < end; i++)
        {
            if (codes[i] == SEND && moved[i] != OVER && begins[i] + moved[i] < begin + length && begin < ends[i])
            {
                return false;
            }
        }
        return true;
    }

    private void take(final int code, final ReceivingWindow pieces, final int to, final int length)
    {
        if (length == 0)
        {
            return;
        }
        switch (code)
        {
            case REDUCE_BEHIND:
                blocks.reduceBehind(to, pieces.pieces(), pieces.dataOffset(), length);
                break;
            case REDUCE_BEFORE:
                blocks.reduceBefore(to, pieces.pieces(), pieces.dataOffset(), length);
                break;
            default:
                blocks.copy(to, pieces.pieces(), pieces.dataOffset(), length);
                break;
        }
    }

    private void fold(final int i)
    {
        blocks.fold(blocks.bound(peers[i]), begins[i], ends[i] - begins[i], codes[i] == FOLD_BEHIND);
        moved[i] = OVER;
        position++;
    }

    /** Ends the team if a node that this one waits for has gone; otherwise tells it that this one waits. */
    void lookAtNodes(final long emptyPolls)
    {
        final int end = groupEnd();
        if (at < end && codes[at] == CAST)
        {
            multicast.sending().look();
        }
        for (int i = at; i < end; i++)
        {
            // what has come of it is taken first, and a send may be what that waits for
            if (moved[i] != OVER && codes[i] < FOLD_BEFORE && (codes[i] == SEND || !links.peer(peers[i]).receiving().hasPiece()))
            {
                final NodeLiveness peer = links.peer(peers[i]).liveness();
                if (peer.hasLeft() || links.isGone(peers[i]) && peer.isOver(emptyPolls, MOST_LOOKS))
                {
                    path.failBetween(Team.MEMBER_GONE, peers[i]);
                }
                else
                {
                    links.tellWaiting(peers[i], operation, operations);
                }
            }
        }
    }

    /** Nodes that this one waits for, as their leaders. */
    int late(final NodeMap map, final int[] into, final int found)
    {
        int next = found;
        final int end = groupEnd();
        for (int i = at; i < end && next < into.length; i++)
        {
            if (moved[i] != OVER && codes[i] < FOLD_BEFORE && codes[i] != SEND)
            {
                into[next++] = map.leader(peers[i]);
            }
        }
        return next;
    }

    /** Grows whenever something was done. */
    long position()
    {
        return position + (multicast == null ? 0 : multicast.position());
    }

    /**
     * Whether it waits for something that no message announces: data sent to all nodes at once, or credits for a message that
     * the endpoint refused: a piece although the window has room, or the word that this node waits. For room in the window it
     * need not look: a message of the other node makes it.
     */
    boolean isPolling()
    {
        if (at < count && (codes[at] == CAST || codes[at] == LISTEN))
        {
            return true;
        }
        final int end = groupEnd();
        for (int i = at; i < end; i++)
        {
            if (moved[i] != OVER && codes[i] < FOLD_BEFORE && (codes[i] == SEND && links.peer(peers[i]).sending().hasRoom() ||
                links.peer(peers[i]).isUntold(operation)))
            {
                return true;
            }
        }
        return false;
    }
}
