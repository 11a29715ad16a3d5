// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import com.lmax.disruptor.EventPoller;
import com.lmax.disruptor.EventTranslator;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.BusySpinWaitStrategy;
import com.lmax.disruptor.dsl.ProducerType;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The Disruptor with one consumer that polls. Its events are buffers on the heap.
 */
final class DisruptorTransport implements Transport
{
    private final LinkSpec spec;
    private final int capacity;
    private final RingBuffer<UnsafeBuffer> first;
    private final RingBuffer<UnsafeBuffer> second;
    private final EventPoller<UnsafeBuffer> firstPoller;
    private final EventPoller<UnsafeBuffer> secondPoller;

    DisruptorTransport(final LinkSpec spec)
    {
        this.spec = spec;
        capacity = Cells.capacity(spec);
        first = ring();
        firstPoller = poller(first);
        second = ring();
        secondPoller = poller(second);
    }

    private RingBuffer<UnsafeBuffer> ring()
    {
        return RingBuffer.create(
            spec.producers() == 1 ? ProducerType.SINGLE : ProducerType.MULTI,
            () -> Cells.cell(spec.length()),
            capacity,
            new BusySpinWaitStrategy());
    }

    private static EventPoller<UnsafeBuffer> poller(final RingBuffer<UnsafeBuffer> ring)
    {
        final EventPoller<UnsafeBuffer> poller = ring.newPoller();
        ring.addGatingSequences(poller.getSequence());
        return poller;
    }

    @Override
    public Link open(final int party)
    {
        return new DisruptorLink(party == 0 ? second : first, party == 0 ? firstPoller : secondPoller, spec.length());
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

    private static final class DisruptorLink
        implements Link, EventTranslator<UnsafeBuffer>, EventPoller.Handler<UnsafeBuffer>
    {
        private final RingBuffer<UnsafeBuffer> destination;
        private final EventPoller<UnsafeBuffer> own;
        private final int ownLength;
        private DirectBuffer source;
        private int sourceOffset;
        private int sourceLength;
        private Inlet inlet;
        private int count;
        private int limit;

        DisruptorLink(
            final RingBuffer<UnsafeBuffer> destination, final EventPoller<UnsafeBuffer> own, final int ownLength)
        {
            this.destination = destination;
            this.own = own;
            this.ownLength = ownLength;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            source = buffer;
            sourceOffset = offset;
            sourceLength = length;
            return destination.tryPublishEvent(this);
        }

        @Override
        public void translateTo(final UnsafeBuffer event, final long sequence)
        {
            event.putBytes(0, source, sourceOffset, sourceLength);
        }

        @Override
        public int poll(final Inlet taker, final int most)
        {
            inlet = taker;
            count = 0;
            limit = most;
            try
            {
                own.poll(this);
            }
            catch (final Exception ex)
            {
                throw new IllegalStateException("disruptor: " + ex, ex);
            }
            return count;
        }

        @Override
        public boolean onEvent(final UnsafeBuffer event, final long sequence, final boolean isEndOfBatch)
        {
            inlet.onMessage(event, 0, ownLength);
            return ++count < limit;
        }
    }
}
