// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jctools.queues.MessagePassingQueue;
import org.jctools.queues.MpscArrayQueue;
import org.jctools.queues.SpscArrayQueue;

/**
 * JCTools' array queues: references to buffers on the heap, which the sender fills and uses again.
 */
final class JcToolsTransport implements Transport
{
    private final LinkSpec spec;
    private final int capacity;
    private final MessagePassingQueue<UnsafeBuffer> first;
    private final MessagePassingQueue<UnsafeBuffer> second;

    JcToolsTransport(final LinkSpec spec)
    {
        this.spec = spec;
        capacity = Cells.capacity(spec);
        first = queue();
        second = queue();
    }

    private MessagePassingQueue<UnsafeBuffer> queue()
    {
        return spec.transport() == TransportKind.JCTOOLS_SPSC ? new SpscArrayQueue<>(capacity) : new MpscArrayQueue<>(capacity);
    }

    @Override
    public Link open(final int party)
    {
        return new QueueLink(
            party == 0 ? second : first, party == 0 ? first : second, new Cells(capacity, spec.length()), spec.length());
    }

    @Override
    public long bufferBytes()
    {
        return (long)capacity * spec.length();
    }

    @Override
    public void close()
    {
        // Nothing outside the heap.
    }

    private static final class QueueLink implements Link, MessagePassingQueue.Consumer<UnsafeBuffer>
    {
        private final MessagePassingQueue<UnsafeBuffer> destination;
        private final MessagePassingQueue<UnsafeBuffer> own;
        private final Cells cells;
        private final int ownLength;
        private Inlet inlet;

        QueueLink(
            final MessagePassingQueue<UnsafeBuffer> destination,
            final MessagePassingQueue<UnsafeBuffer> own,
            final Cells cells,
            final int ownLength)
        {
            this.destination = destination;
            this.own = own;
            this.cells = cells;
            this.ownLength = ownLength;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            final UnsafeBuffer cell = cells.peek();
            cell.putBytes(0, buffer, offset, length);
            if (destination.relaxedOffer(cell))
            {
                cells.advance();
                return true;
            }
            return false;
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return own.drain(this, limit);
        }

        @Override
        public void accept(final UnsafeBuffer cell)
        {
            inlet.onMessage(cell, 0, ownLength);
        }
    }
}
