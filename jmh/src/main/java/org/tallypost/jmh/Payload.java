// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What is in the messages: as every reader reads the whole of them, the figures hold a transfer of all their lines. */
final class Payload
{
    /** Up to here word by word, which is faster than a call. */
    private static final int SMALL_LENGTH = 64;
    private static final int ALIGNMENT = 128;

    private Payload()
    {
    }

    static UnsafeBuffer create(final int length)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(Math.max(length, Long.BYTES), ALIGNMENT));
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(i, (byte)i);
        }
        return buffer;
    }

    static void write(final DirectBuffer from, final MutableDirectBuffer to, final int offset, final int length)
    {
        if (length > SMALL_LENGTH)
        {
            to.putBytes(offset, from, 0, length);
            return;
        }
        for (int i = 0; i < length; i += Long.BYTES)
        {
            to.putLong(offset + i, from.getLong(i));
        }
    }

    static long read(final DirectBuffer buffer, final int offset, final int length)
    {
        long sum = 0;
        for (int i = 0; i < length; i += Long.BYTES)
        {
            sum += buffer.getLong(offset + i);
        }
        return sum;
    }
}
