// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.agrona.concurrent.UnsafeBuffer;

/** Bytes that name their sender and the number of their message, and show that none of them was changed. */
public final class Payload
{
    /** Sequence number and source. */
    public static final int MIN_LENGTH = 16;

    private Payload()
    {
    }

    public static void fill(final UnsafeBuffer buffer, final int offset, final int length, final long source, final long sequence)
    {
        buffer.putLong(offset, sequence);
        buffer.putLong(offset + 8, source);
        final long salt = salt(source, sequence);
        for (int i = MIN_LENGTH; i < length; i++)
        {
            buffer.putByte(offset + i, expected(salt, i));
        }
    }

    static long sequence(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getLong(offset);
    }

    static long source(final UnsafeBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + 8);
    }

    /** Index of the first byte that is not as it was sent, or -1. */
    static int firstDamage(final UnsafeBuffer buffer, final int offset, final int length)
    {
        final long salt = salt(source(buffer, offset), sequence(buffer, offset));
        for (int i = MIN_LENGTH; i < length; i++)
        {
            if (buffer.getByte(offset + i) != expected(salt, i))
            {
                return i;
            }
        }
        return -1;
    }

    private static long salt(final long source, final long sequence)
    {
        return (source * 0x9E37_79B9_7F4A_7C15L + sequence) * 0xD134_2543_DE82_EF95L;
    }

    private static byte expected(final long salt, final int index)
    {
        return (byte)((salt >>> (index & 31)) + index);
    }
}
