// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of one sender: a word with sender and sequence, and further words that depend on the sequence. So that making
 * a message costs next to nothing, the further words are those of one of {@value #VARIANTS} prepared messages; the number is
 * prime, so that no message lies where its like lay a lap ago.
 */
public final class Payload
{
    static final int VARIANTS = 11;
    static final int SOURCE_SHIFT = 48;
    static final long SEQUENCE_MASK = (1L << SOURCE_SHIFT) - 1;
    private static final int CORRUPT_AT = 1000;
    private static final long CORRUPT_BIT = 1L << 40;

    private final UnsafeBuffer buffer;
    private final long sourceBits;
    private final int length;
    private final int stride;
    private final long corruptAt;
    private long sequence;
    private int variant;

    /**
     * The messages of a sender.
     *
     * @param source    the sender, below 65,536.
     * @param length    of each message in bytes, a multiple of 8.
     * @param isCorrupt whether they are damaged from some message on.
     */
    public Payload(final int source, final int length, final boolean isCorrupt)
    {
        this.length = length;
        sourceBits = (long)source << SOURCE_SHIFT;
        stride = BitUtil.align(length, 64);
        corruptAt = isCorrupt ? CORRUPT_AT : -1;
        buffer = new UnsafeBuffer(BufferUtil.allocateDirectAligned(VARIANTS * stride, 128));
        for (int i = 0; i < VARIANTS; i++)
        {
            for (int at = 8; at < length; at += 8)
            {
                buffer.putLong(i * stride + at, word(i, at));
            }
        }
    }

    /**
     * Who made a message.
     *
     * @param buffer that holds it.
     * @param offset of it in bytes.
     * @return the sender.
     */
    public static int source(final DirectBuffer buffer, final int offset)
    {
        return (int)(buffer.getLong(offset) >>> SOURCE_SHIFT);
    }

    static long word(final int variant, final int offset)
    {
        final long mixed = (variant * 4096L + offset + 1) * 0x9E3779B97F4A7C15L;
        return mixed ^ (mixed >>> 29);
    }

    /**
     * Where the messages are.
     *
     * @return the buffer.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Makes the next message. It stays until this was called some times more.
     *
     * @return offset of it in bytes.
     */
    public int prepare()
    {
        final int offset = variant * stride;
        buffer.putLong(offset, sourceBits | sequence);
        if (sequence == corruptAt)
        {
            final int last = offset + length - 8;
            buffer.putLong(last, buffer.getLong(last) ^ CORRUPT_BIT);
        }
        sequence++;
        variant = variant + 1 == VARIANTS ? 0 : variant + 1;
        return offset;
    }

    /**
     * Messages made so far.
     *
     * @return their number.
     */
    public long sequence()
    {
        return sequence;
    }
}
