// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The contents of all messages: a table of pseudo-random words, the same in every process. A message is a window of it; its
 * place depends on source, destination and round, so that sender and receiver know every byte, nothing is filled while time is
 * taken, and a send that waits for credits finds its bytes unchanged.
 */
public final class Pattern
{
    private static final int MIN_WINDOWS = 1 << 12;
    private static final int MAX_WINDOWS = 1 << 20;
    /** Odd, hence a message of the round before never has the bytes of this one. */
    private static final long ROUND_STRIDE = 7919L;

    private final int ranks;
    private final int windowMask;
    private final UnsafeBuffer buffer;

    /**
     * Fills the table.
     *
     * @param ranks         in the group; up to 1,024 every pair has a window of its own.
     * @param messageLength longest message in bytes.
     */
    public Pattern(final int ranks, final int messageLength)
    {
        this.ranks = ranks;
        final long pairs = (long)ranks * ranks;
        final int windows = (int)Math.max(MIN_WINDOWS, Math.min(MAX_WINDOWS, pairs));
        final int windowCount = Math.min(MAX_WINDOWS, BitUtil.findNextPositivePowerOfTwo(windows));
        windowMask = windowCount - 1;
        final int words = windowCount + (messageLength + BitUtil.SIZE_OF_LONG - 1) / BitUtil.SIZE_OF_LONG;
        buffer = new UnsafeBuffer(new byte[words * BitUtil.SIZE_OF_LONG]);
        for (int i = 0; i < words; i++)
        {
            buffer.putLong(i * BitUtil.SIZE_OF_LONG, mix(i + 1L));
        }
    }

    /**
     * The table.
     *
     * @return the buffer that {@link #offset} refers to; not to be written.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where a message's bytes begin.
     *
     * @param source rank that sends.
     * @param dest   rank that receives.
     * @param round  number of the message within its pair.
     * @return offset in the table, a multiple of 8.
     */
    public int offset(final int source, final int dest, final long round)
    {
        final long window = (long)source * ranks + dest + round * ROUND_STRIDE;
        return (int)(window & windowMask) * BitUtil.SIZE_OF_LONG;
    }

    /**
     * Compares all bytes.
     *
     * @param expectedOffset where the message begins in the table.
     * @param found          buffer that was delivered.
     * @param offset         in it.
     * @param length         in bytes.
     * @return offset within the message of the first byte that differs, or -1.
     */
    public int firstDifference(final int expectedOffset, final DirectBuffer found, final int offset, final int length)
    {
        final int wordsLength = length & -BitUtil.SIZE_OF_LONG;
        int i = 0;
        while (i < wordsLength && found.getLong(offset + i) == buffer.getLong(expectedOffset + i))
        {
            i += BitUtil.SIZE_OF_LONG;
        }
        while (i < length && found.getByte(offset + i) == buffer.getByte(expectedOffset + i))
        {
            i++;
        }
        return i == length ? -1 : i;
    }

    /**
     * Compares the first and the last word, or all bytes if there are fewer than a word's.
     *
     * @param expectedOffset where the message begins in the table.
     * @param found          buffer that was delivered.
     * @param offset         in it.
     * @param length         in bytes.
     * @return true if they are equal.
     */
    public boolean endsMatch(final int expectedOffset, final DirectBuffer found, final int offset, final int length)
    {
        if (length < BitUtil.SIZE_OF_LONG)
        {
            return firstDifference(expectedOffset, found, offset, length) < 0;
        }
        final int last = length - BitUtil.SIZE_OF_LONG;
        return found.getLong(offset) == buffer.getLong(expectedOffset) &&
            found.getLong(offset + last) == buffer.getLong(expectedOffset + last);
    }

    private static long mix(final long index)
    {
        long z = index * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
