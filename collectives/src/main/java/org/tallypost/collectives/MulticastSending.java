// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.tallypost.collectives.internal.NodeMessageDescriptor.*;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.Multicast;

/** How a leader sends the data of an operation to all nodes, and knows what each has. No clock, no waiting. */
final class MulticastSending
{
    private static final int UNKNOWN = -1;
    private static final int ASKED = -2;

    private final Multicast multicast;
    private final NodesPath path;
    private final NodeLinks links;
    private final int mostLooks;
    /** How many bytes each node has, or {@link #UNKNOWN} or {@link #ASKED}. */
    private final int[] given;
    private long operation;
    private long operations;
    private UnsafeBuffer data;
    private int length;
    /** Bytes that were sent to all. */
    private int sent;
    private boolean isStuck;
    private int looks;
    private long lookedAt;
    private long position;

    MulticastSending(final Multicast multicast, final NodesPath path, final int mostLooks)
    {
        this.multicast = multicast;
        this.path = path;
        this.mostLooks = mostLooks;
        links = path.links();
        given = new int[path.count()];
    }

    /** An operation begins. */
    void begin(final long number, final long all, final UnsafeBuffer buffer)
    {
        operation = number;
        operations = all;
        data = buffer;
        length = buffer.capacity();
        sent = 0;
        isStuck = false;
        looks = 0;
        Arrays.fill(given, UNKNOWN);
    }

    /** Sends to all what can be sent now. */
    void send()
    {
        int result = 0;
        while (!isStuck && sent < length && result == 0)
        {
            final int count = Math.min(length - sent, multicast.maxLength() - HEAD_LENGTH);
            result = multicast.offer(links.head(CAST, operation, operations, sent), HEAD_LENGTH, data, sent, count);
            sent += result == 0 ? count : 0;
            position += result == 0 ? 1 : 0;
            isStuck = result == Multicast.NOT_CONNECTED;
        }
        multicast.work();
    }

    /** Some time has passed. */
    void look()
    {
        looks = position == lookedAt ? looks + 1 : 0;
        lookedAt = position;
        isStuck |= looks > mostLooks;
    }

    /** Whether a node has all data. */
    boolean give(final int node)
    {
        if (given[node] < 0 && !hear(node))
        {
            if (isStuck && given[node] == UNKNOWN && links.tryAsk(node, operation))
            {
                given[node] = ASKED;
            }
            return false;
        }
        // others get on by multicast, and this node takes nothing of it any more
        while (given[node] < length && (sent == length || isStuck))
        {
            final int count = links.trySend(node, operation, operations, data, given[node], length - given[node]);
            if (count < 0)
            {
                return false;
            }
            given[node] += count;
            position++;
        }
        return given[node] == length;
    }

    private boolean hear(final int node)
    {
        final ReceivingWindow pieces = links.peer(node).receiving();
        if (!pieces.hasPiece())
        {
            return false;
        }
        final int count = pieces.dataLength() == Integer.BYTES ? pieces.pieces().getInt(pieces.dataOffset()) : UNKNOWN;
        final boolean isExpected = pieces.isOf(operation, operations);
        if (!isExpected || count < 0 || count > length)
        {
            path.failBetween(isExpected ? Team.DAMAGED : Team.MISMATCH, node);
            return false;
        }
        pieces.consume();
        given[node] = count;
        position++;
        return true;
    }

    /** Grows whenever something was done. */
    long position()
    {
        return position;
    }
}
