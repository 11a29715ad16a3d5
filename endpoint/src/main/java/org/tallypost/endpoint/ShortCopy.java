// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies messages into mailboxes: a call of the copying routine costs more than the few stores of a short message.
 */
final class ShortCopy
{
    private static final int MAX_LENGTH = 48;
    private static final int PAIR = 2 * Long.BYTES;

    private ShortCopy()
    {
    }

    /**
     * Copies a message of any length. The caller has checked both ranges.
     *
     * @param to     mapped memory.
     * @param at     offset in it.
     * @param from   any buffer.
     * @param offset of the message.
     * @param length of the message.
     */
    static void copy(final UnsafeBuffer to, final int at, final DirectBuffer from, final int offset, final int length)
    {
        if (isShort(length))
        {
            copy(to.addressOffset() + at, from.byteArray(), from.addressOffset() + offset, length);
        }
        else
        {
            to.putBytes(at, from, offset, length);
        }
    }

    /** Whether a message is copied word by word: a word at least, and with its tag no more than a slot holds. */
    static boolean isShort(final int length)
    {
        return length >= Long.BYTES && length <= MAX_LENGTH;
    }

    /**
     * A call of the copying routine costs more than the few stores of a short message, and so does a loop: words from the front,
     * and the last ones from the end, which may overlap. Both ranges were checked.
     */
    static void copy(final long target, final byte[] array, final long source, final int length)
    {
        final int last = length - Long.BYTES;
        if (length > PAIR << 1)
        {
            copyPair(array, source, target);
            copyPair(array, source + PAIR, target + PAIR);
        }
        else if (length > PAIR)
        {
            copyPair(array, source, target);
        }
        if (last >= Long.BYTES)
        {
            copyPair(array, source + last - Long.BYTES, target + last - Long.BYTES);
        }
        else
        {
            UnsafeApi.putLong(target, UnsafeApi.getLong(array, source));
            UnsafeApi.putLong(target + last, UnsafeApi.getLong(array, source + last));
        }
    }

    private static void copyPair(final byte[] array, final long source, final long target)
    {
        UnsafeApi.putLong(target, UnsafeApi.getLong(array, source));
        UnsafeApi.putLong(target + Long.BYTES, UnsafeApi.getLong(array, source + Long.BYTES));
    }
}
