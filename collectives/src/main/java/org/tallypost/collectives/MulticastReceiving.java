// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.Multicast;

/** How a leader gets the data of an operation that another one sends to all nodes. No clock, no waiting. */
final class MulticastReceiving implements Multicast.Handler
{
    private static final int POLL_LIMIT = 64;
    private static final int NONE = -1;

    private final Multicast multicast;
    private final NodesPath path;
    private final NodeLinks links;
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final boolean[] isHeard;
    private long operation = NONE;
    private long operations;
    private UnsafeBuffer data = new UnsafeBuffer(0, 0);
    private int source;
    /** Bytes that have come. */
    private int taken;
    private boolean isMissing;
    private boolean isOther;
    private boolean isAnswered;
    private long position;

    MulticastReceiving(final Multicast multicast, final NodesPath path)
    {
        this.multicast = multicast;
        this.path = path;
        links = path.links();
        isHeard = new boolean[path.count()];
    }

    /** Whether a node has said that it is there. */
    boolean hears(final int node)
    {
        poll(node);
        return isHeard[node];
    }

    /** An operation begins. */
    void begin(final long number, final long all, final UnsafeBuffer buffer)
    {
        operation = number;
        operations = all;
        data = buffer;
        taken = 0;
        isMissing = false;
        isOther = false;
        isAnswered = false;
    }

    /** Whether all data have come from the node that sends them. */
    boolean take(final int root)
    {
        // also what is of no use any more: the others have to wait for it
        poll(root);
        if (isOther)
        {
            path.failBetween(Team.MISMATCH, root);
            return false;
        }
        if (!isAnswered && (taken == data.capacity() || isMissing || links.peer(root).isAsking(operation)))
        {
            answer.putInt(0, taken);
            isAnswered = links.trySend(root, operation, operations, answer, 0, Integer.BYTES) >= 0;
            position += isAnswered ? 1 : 0;
        }
        final ReceivingWindow pieces = links.peer(root).receiving();
        while (taken < data.capacity() && pieces.hasPiece())
        {
            final int count = pieces.dataLength();
            final boolean isExpected = pieces.isOf(operation, operations);
            // there is none in this operation before the answer
            if (!isExpected || !isAnswered || count == 0 || count > data.capacity() - taken)
            {
                path.failBetween(isExpected ? Team.DAMAGED : Team.MISMATCH, root);
                return false;
            }
            data.putBytes(taken, pieces.pieces(), pieces.dataOffset(), count);
            pieces.consume();
            taken += count;
            position++;
        }
        return isAnswered && taken == data.capacity();
    }

    private void poll(final int node)
    {
        source = node;
        multicast.poll(node, this, POLL_LIMIT);
    }

    @Override
    public void onPiece(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!links.isOf(source, buffer, offset, length))
        {
            path.refuse();
            return;
        }
        final int kind = kind(buffer.getInt(offset + KIND_OFFSET));
        isHeard[source] |= kind == PROBE;
        final long number = buffer.getLong(offset + OPERATION_OFFSET);
        // what is of an operation before has come by messages meanwhile
        if (kind == CAST && number - operation >= 0 && !isAnswered)
        {
            final int count = length - HEAD_LENGTH;
            isOther |= number != operation || buffer.getLong(offset + OPERATIONS_OFFSET) != operations;
            isMissing |= buffer.getInt(offset + PIECE_OFFSET) != taken || count > data.capacity() - taken;
            if (!isOther && !isMissing)
            {
                data.putBytes(taken, buffer, offset + HEAD_LENGTH, count);
                taken += count;
                position++;
            }
        }
    }

    /** Grows whenever something was done. */
    long position()
    {
        return position;
    }
}
