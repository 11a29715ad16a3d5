// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The pieces that have come from another node and are not consumed yet, at most {@link SendingWindow#LENGTH}. The room for them
 * is made when the first one comes. For one thread.
 */
final class ReceivingWindow
{
    private static final int MASK = SendingWindow.LENGTH - 1;
    private static final int PIECE_ROOM = HEAD_LENGTH + MAX_DATA_LENGTH;

    private final UnsafeBuffer pieces = new UnsafeBuffer(0, 0);
    private final int[] lengths = new int[SendingWindow.LENGTH];
    private byte[] memory;
    private int received;
    private int consumed;
    private int told;

    /** The other node is another one: none has come from it. */
    void reset()
    {
        received = 0;
        consumed = 0;
        told = 0;
    }

    /** A piece has come. Whether it is the next one, and there is room. */
    boolean receive(final DirectBuffer buffer, final int offset, final int length)
    {
        if (buffer.getInt(offset + PIECE_OFFSET) != received || received - consumed >= SendingWindow.LENGTH ||
            length > PIECE_ROOM)
        {
            return false;
        }
        if (memory == null)
        {
            memory = new byte[SendingWindow.LENGTH * PIECE_ROOM];
            pieces.wrap(memory);
        }
        final int index = received & MASK;
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
        return (consumed & MASK) * PIECE_ROOM;
    }

    /** Operation of the first piece. */
    private long operation()
    {
        return pieces.getLong(at() + OPERATION_OFFSET);
    }

    /** All operations of its sender up to that one. */
    private long operations()
    {
        return pieces.getLong(at() + OPERATIONS_OFFSET);
    }

    /** Whether the first piece is of an operation, behind the same ones. */
    boolean isOf(final long number, final long all)
    {
        return operation() == number && operations() == all;
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

    /** How long they are, in bytes. */
    int dataLength()
    {
        return lengths[consumed & MASK] - HEAD_LENGTH;
    }

    void consume()
    {
        consumed++;
    }

    /** Number of pieces that were consumed. */
    int consumed()
    {
        return consumed;
    }

    /** Whether the sender has to be told what was consumed, since it may be waiting for that. */
    boolean isConsumedOwed()
    {
        return consumed - told >= SendingWindow.LENGTH / 2;
    }

    /** The sender was told that so many were consumed. */
    void consumedTold(final int pieceCount)
    {
        told = pieceCount;
    }

    @Override
    public String toString()
    {
        return "received=" + received + ", consumed=" + consumed;
    }
}
