// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Numbers as messages of a given length, so that the tests see what comes and that it is whole. */
final class NumberCodec implements ItemCodec<Long>
{
    private final int length;

    NumberCodec(final int length)
    {
        this.length = length;
    }

    @Override
    public int encode(final Long item, final MutableDirectBuffer buffer)
    {
        if (item == Long.MIN_VALUE)
        {
            throw new IllegalArgumentException("no such item");
        }
        for (int at = 0; at < length; at += Long.BYTES)
        {
            buffer.putLong(at, item);
        }
        return length;
    }

    @Override
    public Long decode(final DirectBuffer buffer, final int offset, final int count)
    {
        final long item = buffer.getLong(offset);
        for (int at = 0; at < count; at += Long.BYTES)
        {
            if (buffer.getLong(offset + at) != item)
            {
                throw new IllegalStateException("torn item: " + item + ", at=" + at);
            }
        }
        if (item == Long.MIN_VALUE + 1)
        {
            throw new IllegalStateException("no such item");
        }
        return item;
    }
}
