// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Copies messages into mailboxes: short ones without the copying routine, as its call costs more than their few stores, and long
 * ones with their second half first if a receiver may wait for them.
 */
public final class PayloadCopy
{
    private static final int MAX_LENGTH = 56;
    private static final int PAIR = 2 * Long.BYTES;
    private static final int LINE_LENGTH = 64;
    /** Of so many bytes the second half goes first: for less a second call would cost what that saves. */
    private static final int SPLIT_LENGTH = 1024;

    private PayloadCopy()
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
    public static void copy(final UnsafeBuffer to, final int at, final DirectBuffer from, final int offset, final int length)
    {
        copy(to.addressOffset() + at, from.byteArray(), from.addressOffset() + offset, length);
    }

    /**
     * The same by addresses.
     *
     * @param target address in mapped memory.
     * @param array  that holds the message, or null if it is not in an array.
     * @param source where it is, as of {@link DirectBuffer#addressOffset()}.
     * @param length of the message.
     */
    public static void copy(final long target, final byte[] array, final long source, final int length)
    {
        if (isShort(length))
        {
            copyShort(target, array, source, length);
        }
        else
        {
            UnsafeApi.copyMemory(array, source, null, target, length);
        }
    }

    /** Copies a message of two parts, one behind the other. The caller has checked all ranges. */
    public static void copy(
        final long target, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        copy(target, head.byteArray(), head.addressOffset() + headOffset, headLength);
        copy(target + headLength, body.byteArray(), body.addressOffset() + bodyOffset, bodyLength);
    }

    /**
     * The same for a receiver that waits: with the second half of a long message first it has its answer a twentieth to a tenth
     * sooner. One that is behind gets fewer messages that way, since the processor fetches lines ahead of stores that go upwards
     * (docs/lab/043-second-half-first.md).
     *
     * @param target address in mapped memory.
     * @param array  that holds the message, or null if it is not in an array.
     * @param source where it is, as of {@link DirectBuffer#addressOffset()}.
     * @param length of the message.
     */
    public static void copyAwaited(final long target, final byte[] array, final long source, final int length)
    {
        if (length < SPLIT_LENGTH)
        {
            copy(target, array, source, length);
        }
        else
        {
            final long middle = target + (length >> 1) & -LINE_LENGTH;
            final int first = (int)(middle - target);
            UnsafeApi.copyMemory(array, source + first, null, middle, length - first);
            UnsafeApi.copyMemory(array, source, null, target, first);
        }
    }

    /** Whether a message is copied word by word: a word at least, and with its tag no more than a slot holds. */
    public static boolean isShort(final int length)
    {
        return length >= Long.BYTES && length <= MAX_LENGTH;
    }

    /**
     * A call of the copying routine costs more than the few stores of a short message, and so does a loop: words from the front,
     * and the last ones from the end, which may overlap. Both ranges were checked.
     */
    public static void copyShort(final long target, final byte[] array, final long source, final int length)
    {
        final int last = length - Long.BYTES;
        if (length > PAIR << 1)
        {
            copyPair(array, source, target);
            copyPair(array, source + PAIR, target + PAIR);
            if (length > 3 * PAIR)
            {
                copyPair(array, source + 2 * PAIR, target + 2 * PAIR);
            }
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

    /** A message has to lie within its buffer. */
    public static void checkRange(final DirectBuffer buffer, final int offset, final int length)
    {
        if ((offset | length) < 0 || offset > buffer.capacity() - length)
        {
            throw new IndexOutOfBoundsException("message lies outside its buffer: offset=" + offset + ", length=" + length +
                ", capacity=" + buffer.capacity());
        }
    }
}
