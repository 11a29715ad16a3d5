// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Long messages that are copied once, into places that the receiver has, and read there:
 *
 * <pre>
 *      0   8   published: messages that are there             written by the sender
 *    128   8   consumed: messages that the sender of this memory's owner need not keep, written by the other party
 *   4096       places, a message in each
 * </pre>
 *
 * The receiver's own memory has the places and what is published; what it has consumed it writes into the sender's.
 */
abstract class SlotLink implements Link
{
    static final int PUBLISHED_OFFSET = 0;
    static final int CONSUMED_OFFSET = 128;
    private static final int PLACES_OFFSET = 4096;
    /** All places together stay in a core's cache if they can. */
    private static final int PLACES_LENGTH = 256 * 1024;
    private static final int MAX_PLACES = 16;

    private final int places;
    private final int stride;
    private long sent;
    private long seenConsumed;
    private long received;

    SlotLink(final int length)
    {
        places = places(length);
        stride = stride(length);
    }

    private static int places(final int length)
    {
        return Math.max(2, Math.min(MAX_PLACES, PLACES_LENGTH / length));
    }

    private static int stride(final int length)
    {
        return BitUtil.align(length, BitUtil.CACHE_LINE_LENGTH);
    }

    /** Bytes of the memory of a party that receives. */
    static int memoryLength(final int length)
    {
        return PLACES_OFFSET + places(length) * stride(length);
    }

    /** The memory of this party. */
    abstract UnsafeBuffer memory();

    /** Whether the other party's memory can be written. */
    abstract boolean isMet();

    /** Writes a message into the other party's memory, and publishes it; false if it is to be called again for the rest. */
    abstract boolean write(int at, DirectBuffer buffer, int offset, int length, long published);

    /** Tells the other party what was consumed. */
    abstract void consumed(long count);

    @Override
    public final boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isMet() || isFull())
        {
            return false;
        }
        if (!write(PLACES_OFFSET + (int)(sent % places) * stride, buffer, offset, length, sent + 1))
        {
            return false;
        }
        sent++;
        return true;
    }

    private boolean isFull()
    {
        if (sent - seenConsumed == places)
        {
            seenConsumed = memory().getLongAcquire(CONSUMED_OFFSET);
        }
        return sent - seenConsumed == places;
    }

    @Override
    public final int poll(final Inlet inlet, final int limit)
    {
        if (!isMet())
        {
            return 0;
        }
        final long published = memory().getLongAcquire(PUBLISHED_OFFSET);
        int count = 0;
        for (; count < limit && received < published; count++)
        {
            inlet.onMessage(memory(), PLACES_OFFSET + (int)(received % places) * stride, messageLength());
            received++;
            consumed(received);
        }
        return count;
    }

    abstract int messageLength();
}
