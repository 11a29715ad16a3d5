// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.schedule.Moves;

/**
 * Does the moves of one operation at the leader of a node. The moves between two waits go on at the same time, piece by piece.
 * Blocks lie behind each other in one buffer. No clock, no waiting: {@link #advance} does what can be done now.
 */
final class MovePlan implements Moves
{
    private static final int SEND = 0;
    private static final int RECEIVE = 1;
    private static final int REDUCE_BEFORE = 2;
    private static final int REDUCE_BEHIND = 3;
    private static final int FOLD_BEFORE = 4;
    private static final int FOLD_BEHIND = 5;
    private static final int WAIT = 6;
    private static final int OVER = -1;
    private static final int FIRST_ROOM = 64;
    /** A multiple of the longest element. */
    private static final int PART_LENGTH = 4_096;
    /** Looks at a node that is gone before no more is expected of it, if nobody polls here. */
    private static final int MOST_LOOKS = 1_024;

    private final NodesPath path;
    private final NodeLinks links;
    private int[] codes = new int[FIRST_ROOM];
    private int[] peers = new int[FIRST_ROOM];
    private int[] begins = new int[FIRST_ROOM];
    private int[] ends = new int[FIRST_ROOM];
    /** Bytes that a move is through with. */
    private int[] moved = new int[FIRST_ROOM];
    private int[] bounds = new int[FIRST_ROOM];
    private final UnsafeBuffer part = new UnsafeBuffer(new byte[PART_LENGTH]);
    private UnsafeBuffer data;
    private ElementType type;
    private Reducer reducer;
    private long operation;
    private long operations;
    private int count;
    private int at;
    private long position;

    MovePlan(final NodesPath path, final NodeLinks links)
    {
        this.path = path;
        this.links = links;
    }

    /** Begins a program for an operation, which follows as moves. What bounds the blocks is set after this. */
    void begin(final UnsafeBuffer buffer, final Reduction reduction, final long number, final long all)
    {
        data = buffer;
        type = reduction == null ? ElementType.BYTES : reduction.type();
        reducer = reduction == null ? null : reduction.reducer();
        operation = number;
        operations = all;
        count = 0;
        at = 0;
    }

    /** Blocks of about the same length, of whole elements. */
    void equalBlocks(final int blocks, final int length)
    {
        for (int i = 0; i <= blocks; i++)
        {
            bound(i, (int)((long)(length / type.length()) * i / blocks) * type.length());
        }
    }

    /** Where a block begins, and the one before it ends. */
    void bound(final int block, final int offset)
    {
        if (block >= bounds.length)
        {
            bounds = Arrays.copyOf(bounds, 2 * block);
        }
        bounds[block] = offset;
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
    public void send(final int peer, final int first, final int blocks)
    {
        add(SEND, peer, bounds[first], bounds[first + blocks]);
    }

    @Override
    public void receive(final int peer, final int first, final int blocks)
    {
        add(RECEIVE, peer, bounds[first], bounds[first + blocks]);
    }

    @Override
    public void reduce(final int peer, final int first, final int blocks, final boolean isBefore)
    {
        add(isBefore ? REDUCE_BEFORE : REDUCE_BEHIND, peer, bounds[first], bounds[first + blocks]);
    }

    @Override
    public void fold(final int from, final int to, final boolean isBefore)
    {
        add(isBefore ? FOLD_BEFORE : FOLD_BEHIND, from, bounds[to], bounds[to + 1]);
    }

    @Override
    public void waitAll()
    {
        add(WAIT, 0, 0, 0);
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
                links.trySend(peers[i], operation, operations, data, begins[i] + moved[i], length - moved[i]);
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
        final NodePeer peer = links.peer(peers[i]);
        final int all = ends[i] - begins[i];
        while (moved[i] != OVER)
        {
            if (!peer.hasPiece() || !isExpected(peer, peers[i], all - moved[i]) ||
                !isSent(begins[i] + moved[i], peer.dataLength(), end))
            {
                return false;
            }
            final int length = peer.dataLength();
            take(codes[i], peer, begins[i] + moved[i], length);
            peer.consume();
            pass(i, length, all);
        }
        return true;
    }

    /** Whether the first piece belongs to the operation, and is no longer than what is left. Otherwise the team ends. */
    private boolean isExpected(final NodePeer peer, final int node, final int most)
    {
        if (peer.operation() != operation || peer.operations() != operations)
        {
            path.failBetween(Team.MISMATCH, node);
            return false;
        }
        final int length = peer.dataLength();
        if (length > most || length == 0 && most > 0 || length % type.length() != 0)
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

    private void take(final int code, final NodePeer peer, final int to, final int length)
    {
        final UnsafeBuffer pieces = peer.pieces();
        final int from = peer.dataOffset();
        final int elements = length / type.length();
        if (length > 0)
        {
            if (code == REDUCE_BEHIND)
            {
                reducer.reduce(type, data, to, pieces, from, elements);
                return;
            }
            if (code == REDUCE_BEFORE)
            {
                reducer.reduce(type, pieces, from, data, to, elements);
            }
            data.putBytes(to, pieces, from, length);
        }
    }

    private void fold(final int i)
    {
        final int from = bounds[peers[i]];
        final int all = ends[i] - begins[i];
        // in parts: what comes before is copied, as it has to stay, and takes what is behind it
        for (int done = 0; done < all; done += part.capacity())
        {
            final int length = Math.min(part.capacity(), all - done);
            final int to = begins[i] + done;
            if (codes[i] == FOLD_BEHIND)
            {
                reducer.reduce(type, data, to, data, from + done, length / type.length());
            }
            else
            {
                part.putBytes(0, data, from + done, length);
                reducer.reduce(type, part, 0, data, to, length / type.length());
                data.putBytes(to, part, 0, length);
            }
        }
        moved[i] = OVER;
        position++;
    }

    /** Ends the team if a node that this one waits for has gone; otherwise tells it that this one waits. */
    void lookAtNodes(final long emptyPolls)
    {
        final int end = groupEnd();
        for (int i = at; i < end; i++)
        {
            // what has come of it is taken first, and a send may be what that waits for
            if (moved[i] != OVER && codes[i] < FOLD_BEFORE && (codes[i] == SEND || !links.peer(peers[i]).hasPiece()))
            {
                final NodePeer peer = links.peer(peers[i]);
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
        return position;
    }
}
