// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.tallypost.mailbox.files.MappedFiles;

/**
 * Agrona's ring buffers over mapped files, one for each direction.
 */
final class AgronaTransport implements Transport
{
    private final LinkSpec spec;
    private final UnsafeBuffer[] buffers = new UnsafeBuffer[2];

    AgronaTransport(final LinkSpec spec, final File directory, final boolean isFirst)
    {
        this.spec = spec;
        final int length = spec.slots() * 64 + RingBufferDescriptor.TRAILER_LENGTH;
        for (int i = 0; i < buffers.length; i++)
        {
            final File file = new File(directory, "ring-" + i);
            buffers[i] = isFirst ?
                MappedFiles.create(file, length, UnsafeBuffer::verifyAlignment) : MappedFiles.map(file, length, "ring");
        }
    }

    private RingBuffer ring(final int party)
    {
        return spec.transport() == TransportKind.AGRONA_ONE_TO_ONE ?
            new OneToOneRingBuffer(buffers[party]) : new ManyToOneRingBuffer(buffers[party]);
    }

    @Override
    public Link open(final int party)
    {
        return new RingLink(ring(party == 0 ? 1 : 0), ring(Math.min(party, 1)));
    }

    @Override
    public long bufferBytes()
    {
        return spec.slots() * 64L;
    }

    @Override
    public void close()
    {
        // The mappings go with the process.
    }

    private static final class RingLink implements Link, MessageHandler
    {
        private final RingBuffer destination;
        private final RingBuffer own;
        private Inlet inlet;

        RingLink(final RingBuffer destination, final RingBuffer own)
        {
            this.destination = destination;
            this.own = own;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            return destination.write(1, buffer, offset, length);
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return own.read(this, limit);
        }

        @Override
        public void onMessage(
            final int typeId, final MutableDirectBuffer buffer, final int index, final int length)
        {
            inlet.onMessage(buffer, index, length);
        }
    }
}
