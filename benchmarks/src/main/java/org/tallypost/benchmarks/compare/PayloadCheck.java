// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/**
 * Reads every word of what arrives, and holds it to what was sent: length, sender, sequence without gap, and the sum of the
 * words behind it.
 */
public final class PayloadCheck
{
    private static final int BLOCK = 4 * Long.BYTES;

    private final int length;
    /** 0 for messages that are not bulk. */
    private final int pageLength;
    /** First word of the next message of each sender, and which of the prepared messages that is. */
    private final long[] expected;
    private final int[] variants;
    private final long[] sums = new long[Payload.VARIANTS];
    private long wrong;

    /**
     * Expects the first message of each party.
     *
     * @param parties number of senders, their numbers being lower.
     * @param length  of each message in bytes, a multiple of 8.
     */
    public PayloadCheck(final int parties, final int length)
    {
        this(parties, length, 0);
    }

    /**
     * Expects the first message of each party.
     *
     * @param parties    number of senders, their numbers being lower.
     * @param length     of each message in bytes, a multiple of 8.
     * @param pageLength of each so many bytes of a message two words are read, one of them at another place each time; 0 if all
     *                   are.
     */
    PayloadCheck(final int parties, final int length, final int pageLength)
    {
        this.length = length;
        this.pageLength = pageLength;
        expected = new long[parties];
        Arrays.setAll(expected, (source) -> (long)source << Payload.SOURCE_SHIFT);
        variants = new int[parties];
        for (int variant = 0; variant < Payload.VARIANTS; variant++)
        {
            for (int at = 8; at < length; at += 8)
            {
                sums[variant] += Payload.word(variant, at);
            }
        }
    }

    /**
     * Checks a message. What is as expected costs two comparisons besides the reading.
     *
     * @param buffer that holds it.
     * @param offset of it in bytes.
     * @param found  length of it in bytes.
     */
    public void onMessage(final DirectBuffer buffer, final int offset, final int found)
    {
        if (found != length)
        {
            wrong++;
            return;
        }
        final long first = buffer.getLong(offset);
        final int source = (int)(first >>> Payload.SOURCE_SHIFT);
        if (pageLength > 0)
        {
            checkPages(buffer, offset, first, source);
            return;
        }
        final long sum = buffer.byteArray() == null ?
            sum(buffer.addressOffset() + offset + Long.BYTES, length - Long.BYTES) :
            sum(buffer, offset + Long.BYTES, length - Long.BYTES);
        if (source >= expected.length)
        {
            wrong++;
            return;
        }
        final int variant = variants[source];
        if (first == expected[source] && sum == sums[variant])
        {
            variants[source] = variant + 1 == Payload.VARIANTS ? 0 : variant + 1;
        }
        else
        {
            // it goes on with what comes behind this one
            wrong++;
            variants[source] = (int)(((first & Payload.SEQUENCE_MASK) + 1) % Payload.VARIANTS);
        }
        expected[source] = first + 1;
    }

    private void checkPages(final DirectBuffer buffer, final int offset, final long first, final int source)
    {
        if (source >= expected.length)
        {
            wrong++;
            return;
        }
        boolean isRight = first == expected[source];
        for (int page = 0; page < length; page += pageLength)
        {
            final int words = Math.min(pageLength, length - page) / Long.BYTES;
            isRight &= buffer.getLong(offset + page) == first;
            if (words > 1)
            {
                final int at = page + Long.BYTES * (1 + (int)((first + page / pageLength) % (words - 1)));
                isRight &= buffer.getLong(offset + at) == Payload.word(0, at);
            }
        }
        wrong += isRight ? 0 : 1;
        expected[source] = first + 1;
    }

    /**
     * Four sums at a time: one alone would wait for itself. By addresses: through a buffer, which may also be an array, 2,048
     * bytes took 85 ns instead of 35, with all of them at hand, and the check cost more than the transport.
     */
    private static long sum(final long from, final int length)
    {
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        int at = 0;
        for (; at <= length - BLOCK; at += BLOCK)
        {
            a += UnsafeApi.getLong(from + at);
            b += UnsafeApi.getLong(from + at + 8);
            c += UnsafeApi.getLong(from + at + 16);
            d += UnsafeApi.getLong(from + at + 24);
        }
        for (; at < length; at += Long.BYTES)
        {
            a += UnsafeApi.getLong(from + at);
        }
        return a + b + c + d;
    }

    /** Of a buffer on the heap. */
    private static long sum(final DirectBuffer buffer, final int from, final int length)
    {
        long sum = 0;
        for (int at = from; at < from + length; at += Long.BYTES)
        {
            sum += buffer.getLong(at);
        }
        return sum;
    }

    /**
     * Messages that were not as expected.
     *
     * @return their number.
     */
    public long wrong()
    {
        return wrong;
    }
}
