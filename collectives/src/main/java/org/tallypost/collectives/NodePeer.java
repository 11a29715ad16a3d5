// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Another node of a team: what was sent to it, and what has come from it and is not consumed yet, at most a window of pieces. The
 * room for them is made when the first one comes.
 */
final class NodePeer
{
    /** Pieces that may be under way or not consumed, of each pair of nodes and direction. */
    static final int WINDOW = 32;

    private static final int PIECE_ROOM = HEAD_LENGTH + MAX_DATA_LENGTH;

    private final int rank;
    private long session;
    private long echoed;
    private int incarnation;
    private boolean isMet;
    private boolean isHelloOwed = true;
    private boolean isFailureOwed;
    private boolean hasLeft;
    private boolean isFarewellSent;
    private boolean isLost;
    private int sent;
    private int taken;
    private int received;
    private int consumed;
    private int told;
    private int pieceLength = MAX_DATA_LENGTH;
    private byte[] memory;
    private final UnsafeBuffer pieces = new UnsafeBuffer(0, 0);
    private final int[] lengths = new int[WINDOW];
    private long waitingOperation = -1;
    private long waitingOperations;
    private long toldOperation = -1;
    private long emptyPolls = -1;
    private int looks;

    NodePeer(final int rank)
    {
        this.rank = rank;
    }

    /** Rank of the member that speaks for the node. */
    int rank()
    {
        return rank;
    }

    /** How the node wants to be called; 0 before its hello. */
    long session()
    {
        return session;
    }

    /** It has said hello, and knows this node's session or not. */
    void meet(final long theirs, final int theirIncarnation, final boolean knowsThis)
    {
        if (theirs != session)
        {
            session = theirs;
            sent = 0;
            taken = 0;
            received = 0;
            consumed = 0;
            told = 0;
            hasLeft = false;
            isLost = false;
            waitingOperation = -1;
        }
        incarnation = theirIncarnation;
        isMet = knowsThis;
        isHelloOwed |= !knowsThis || echoed != theirs;
    }

    int incarnation()
    {
        return incarnation;
    }

    /** Whether both know the session of the other, or will when they look. */
    boolean isMet()
    {
        return isMet && !isHelloOwed;
    }

    boolean isHelloOwed()
    {
        return isHelloOwed;
    }

    void helloSent()
    {
        isHelloOwed = false;
        echoed = session;
    }

    boolean isFailureOwed()
    {
        return isFailureOwed;
    }

    void failureOwed(final boolean isOwed)
    {
        isFailureOwed = isOwed;
    }

    /** Its last message of the team has come. */
    void leave()
    {
        hasLeft = true;
    }

    /** It was told that this node has left. */
    void farewellSent()
    {
        isFarewellSent = true;
    }

    boolean isFarewellSent()
    {
        return isFarewellSent;
    }

    boolean hasLeft()
    {
        return hasLeft;
    }

    /** A send has found that its rank is gone. */
    void lose()
    {
        isLost = true;
    }

    boolean isLost()
    {
        return isLost;
    }

    /** Whether one more piece may be sent. */
    boolean hasRoom()
    {
        return sent - taken < WINDOW;
    }

    /** Number of the next piece. */
    int sent()
    {
        return sent;
    }

    void sent(final int consumedWith)
    {
        sent++;
        told = consumedWith;
    }

    /** How many data may go in a piece. */
    int pieceLength()
    {
        return pieceLength;
    }

    /** The group does not take messages as long. Whether there is a shorter length to try. */
    boolean shorten()
    {
        final boolean isPossible = pieceLength > MIN_DATA_LENGTH;
        pieceLength = Math.max(MIN_DATA_LENGTH, pieceLength / 2 & -MIN_DATA_LENGTH);
        return isPossible;
    }

    /** It has consumed so many pieces. Whether that can be. */
    boolean take(final int pieceCount)
    {
        final boolean isPossible = pieceCount - taken >= 0 && sent - pieceCount >= 0;
        taken = isPossible ? pieceCount : taken;
        return isPossible;
    }

    /** A piece has come. Whether it is the next one, and there is room. */
    boolean receive(final DirectBuffer buffer, final int offset, final int length)
    {
        if (buffer.getInt(offset + PIECE_OFFSET) != received || received - consumed >= WINDOW || length > PIECE_ROOM)
        {
            return false;
        }
        if (memory == null)
        {
            memory = new byte[WINDOW * PIECE_ROOM];
            pieces.wrap(memory);
        }
        final int index = received & WINDOW - 1;
        pieces.putBytes(index * PIECE_ROOM, buffer, offset, length);
        lengths[index] = length;
        received++;
        return true;
    }

    boolean hasPiece()
    {
        return received != consumed;
    }

    private int at()
    {
        return (consumed & WINDOW - 1) * PIECE_ROOM;
    }

    /** Operation of the first piece. */
    long operation()
    {
        return pieces.getLong(at() + OPERATION_OFFSET);
    }

    /** All operations of its sender up to that one. */
    long operations()
    {
        return pieces.getLong(at() + OPERATIONS_OFFSET);
    }

    /** Where the pieces are. They may be written over. */
    UnsafeBuffer pieces()
    {
        return pieces;
    }

    /** Where the data of the first piece begin. */
    int dataOffset()
    {
        return at() + HEAD_LENGTH;
    }

    int dataLength()
    {
        return lengths[consumed & WINDOW - 1] - HEAD_LENGTH;
    }

    void consume()
    {
        consumed++;
    }

    int consumed()
    {
        return consumed;
    }

    /** Whether the sender has to be told what was consumed, since it may be waiting for that. */
    boolean isConsumedOwed()
    {
        return consumed - told >= WINDOW / 2;
    }

    void consumedTold()
    {
        told = consumed;
    }

    /** It waits for this node in an operation. */
    void waits(final long operation, final long operations)
    {
        waitingOperation = operation;
        waitingOperations = operations;
    }

    /** The last operation in which it has said that it waits; -1 for none. */
    long waitingOperation()
    {
        return waitingOperation;
    }

    /** All operations up to that one, as it has them. */
    long waitingOperations()
    {
        return waitingOperations;
    }

    /** Whether it was told that this node waits for it in an operation. */
    boolean isTold(final long operation)
    {
        return toldOperation == operation;
    }

    void told(final long operation)
    {
        toldOperation = operation;
    }

    /**
     * Its rank is gone. Whether nothing of it may come any more: what was there then was polled, or it was looked at again and
     * again.
     */
    boolean isOver(final long emptyPollCount, final int mostLooks)
    {
        if (emptyPolls < 0)
        {
            emptyPolls = emptyPollCount;
        }
        return emptyPollCount > emptyPolls || ++looks > mostLooks;
    }

    @Override
    public String toString()
    {
        return "node of rank " + rank + ", sent=" + sent + ", taken=" + taken + ", received=" + received + ", consumed=" +
            consumed;
    }
}
