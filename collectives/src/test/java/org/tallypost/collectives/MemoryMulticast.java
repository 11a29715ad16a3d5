// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.Multicast;

/** Multicast between nodes in one thread: pieces come late, are refused now and then, or are lost for good if that is told. */
final class MemoryMulticast
{
    /** So many pieces of a sender may be under way to a node. */
    private static final int WINDOW = 8;
    private static final int MAX_LENGTH = 600;

    /** A piece is refused as not all nodes are there, with this chance. */
    double refusals;
    /** A piece does not come to a node, with this chance. */
    double losses;
    /** Pieces that were sent. */
    long sent;
    private final Random random;
    /** By sender and receiver. */
    private final List<List<Queue<UnsafeBuffer>>> queues = new ArrayList<>();
    private final boolean[] isClosed;

    MemoryMulticast(final Random random, final int nodes)
    {
        this.random = random;
        isClosed = new boolean[nodes];
        for (int from = 0; from < nodes; from++)
        {
            queues.add(new ArrayList<>());
            for (int to = 0; to < nodes; to++)
            {
                queues.get(from).add(new ArrayDeque<>());
            }
        }
    }

    /** One node's part. */
    Multicast of(final int node)
    {
        return new Part(node);
    }

    /** A piece that nobody has sent. */
    void put(final int from, final int to, final byte[] piece)
    {
        queues.get(from).get(to).add(new UnsafeBuffer(piece));
    }

    private final class Part implements Multicast
    {
        private final int node;

        private Part(final int node)
        {
            this.node = node;
        }

        @Override
        public int maxLength()
        {
            return MAX_LENGTH;
        }

        @Override
        public int offer(
            final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset, final int length)
        {
            if (random.nextDouble() < refusals)
            {
                return NOT_CONNECTED;
            }
            if (random.nextInt(4) == 0 || queues.get(node).stream().anyMatch((queue) -> queue.size() >= WINDOW))
            {
                return NOT_NOW;
            }
            final ExpandableArrayBuffer piece = new ExpandableArrayBuffer(MAX_LENGTH);
            piece.putBytes(0, head, 0, headLength);
            piece.putBytes(headLength, data, offset, length);
            for (int to = 0; to < queues.size(); to++)
            {
                if (to != node && !isClosed[to] && random.nextDouble() >= losses)
                {
                    queues.get(node).get(to).add(new UnsafeBuffer(piece, 0, headLength + length));
                }
            }
            sent++;
            return 0;
        }

        @Override
        public int work()
        {
            return 0;
        }

        @Override
        public int poll(final int from, final Handler handler, final int limit)
        {
            int count = 0;
            while (count < random.nextInt(limit) && !queues.get(from).get(node).isEmpty())
            {
                final UnsafeBuffer piece = queues.get(from).get(node).poll();
                handler.onPiece(piece, 0, piece.capacity());
                count++;
            }
            return count;
        }

        @Override
        public void close()
        {
            isClosed[node] = true;
            queues.forEach((queue) -> queue.get(node).clear());
        }
    }
}
