// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.agrona;

import java.nio.ByteBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/** The contract holds for the original. */
class AgronaRingBufferTest extends RingBufferContract
{
    private final RingBuffer ring = new ManyToOneRingBuffer(
        new UnsafeBuffer(ByteBuffer.allocateDirect((1 << 16) + RingBufferDescriptor.TRAILER_LENGTH)));

    @Override
    RingBuffer ring()
    {
        return ring;
    }
}
