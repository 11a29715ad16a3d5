// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;

/**
 * Reads every word of what arrives, and holds it to what was sent: length, sender, sequence without gap, and the sum of the
 * words behind it.
 */
public final class PayloadCheck
{
    private final int length;
    private final long[] expected;
    private final long[] sums = new long[Payload.VARIANTS];
    private long wrong;

    /**
     * Expects the first message of everybody.
     *
     * @param parties number of senders, their numbers being lower.
     * @param length  of each message in bytes, a multiple of 8.
     */
    public PayloadCheck(final int parties, final int length)
    {
        this.length = length;
        expected = new long[parties];
        for (int variant = 0; variant < Payload.VARIANTS; variant++)
        {
            for (int at = 8; at < length; at += 8)
            {
                sums[variant] += Payload.word(variant, at);
            }
        }
    }

    /**
     * Checks a message.
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
        final long sequence = first & Payload.SEQUENCE_MASK;
        final long sum = sum(buffer, offset + 8, offset + length);
        if (source >= expected.length)
        {
            wrong++;
            return;
        }
        if (sequence != expected[source] || sum != sums[(int)(sequence % Payload.VARIANTS)])
        {
            wrong++;
        }
        expected[source] = sequence + 1;
    }

    /** Four sums at a time: one alone would wait for itself, and the check would cost more than the transport. */
    private static long sum(final DirectBuffer buffer, final int from, final int to)
    {
        long a = 0;
        long b = 0;
        long c = 0;
        long d = 0;
        int at = from;
        for (; at <= to - 32; at += 32)
        {
            a += buffer.getLong(at);
            b += buffer.getLong(at + 8);
            c += buffer.getLong(at + 16);
            d += buffer.getLong(at + 24);
        }
        for (; at < to; at += 8)
        {
            a += buffer.getLong(at);
        }
        return a + b + c + d;
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
