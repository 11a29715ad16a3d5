// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/**
 * Sends a message packet by packet, each in a slot of its own: as many as there are credits for, the rest when some come. The
 * receiver counts what comes from a sender, since packets of one sender stay in order.
 */
final class PacketSend extends LongSend
{
    private final Endpoint endpoint;
    private boolean isActive;
    private int dest;
    private int tag;
    private DirectBuffer buffer;
    private int offset;
    private int rest;

    PacketSend(final Endpoint endpoint)
    {
        this.endpoint = endpoint;
    }

    @Override
    public long start(final int to, final int messageTag, final DirectBuffer from, final int at, final int count)
    {
        if (isActive)
        {
            throw new IllegalStateException("a message to rank " + dest + " is under way with this handle");
        }
        dest = to;
        tag = messageTag;
        buffer = from;
        offset = at;
        rest = count;
        return progress();
    }

    @Override
    public long start(
        final int to, final int messageTag, final DirectBuffer first, final int firstAt, final int firstCount,
        final DirectBuffer second, final int secondAt, final int secondCount)
    {
        throw new UnsupportedOperationException("a message of two parts");
    }

    @Override
    public long progress()
    {
        long result;
        do
        {
            final int length = Math.min(rest, Sizing.PACKET_LENGTH);
            result = endpoint.offer(dest, tag, buffer, offset, length);
            if (result >= 0)
            {
                offset += length;
                rest -= length;
            }
        }
        while (result >= 0 && rest > 0);
        isActive = result == Endpoint.NO_CREDIT;
        return result;
    }

    @Override
    public boolean isActive()
    {
        return isActive;
    }

    @Override
    public void abort()
    {
        isActive = false;
    }
}
