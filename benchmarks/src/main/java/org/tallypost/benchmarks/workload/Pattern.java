// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.plan.Sizing;

/**
 * The contents of all messages: a table of pseudo-random words, the same in every process. A message is a window of it; its
 * place depends on source, destination and round, so that sender and receiver know every byte, nothing is filled while time is
 * taken, and a send that waits for credits finds its bytes unchanged.
 */
public final class Pattern
{
    private static final int GROUP_LENGTH = 64;
    /** Odd, hence a message of the round before never has the bytes of this one. */
    private static final long ROUND_STRIDE = 7919L;

    private final int windowsOfRank;
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
        windowsOfRank = Sizing.windowsOfRank(ranks);
        final int windowCount = Sizing.windows(ranks);
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
        final long window = dest + round * ROUND_STRIDE;
        return offset(source) + (int)(window & windowsOfRank - 1) * BitUtil.SIZE_OF_LONG;
    }

    /**
     * Where the windows of a rank begin, of which all its messages are. Their number is {@link Sizing#windowsOfRank}.
     *
     * @param source rank that sends.
     * @return offset in the table, a multiple of 8.
     */
    public int offset(final int source)
    {
        return (int)((long)source * windowsOfRank & windowMask) * BitUtil.SIZE_OF_LONG;
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
        found.boundsCheck(offset, length);
        buffer.boundsCheck(expectedOffset, length);
        // by address: a buffer checks bounds at each access, which would take longer than all else that is done with a message
        final byte[] foundArray = found.byteArray();
        final byte[] array = buffer.byteArray();
        final long foundAt = found.addressOffset() + offset;
        final long at = buffer.addressOffset() + expectedOffset;
        int i = 0;
        while (i <= length - GROUP_LENGTH && isGroupEqual(foundArray, foundAt + i, array, at + i))
        {
            i += GROUP_LENGTH;
        }
        while (i <= length - BitUtil.SIZE_OF_LONG &&
            UnsafeApi.getLong(foundArray, foundAt + i) == UnsafeApi.getLong(array, at + i))
        {
            i += BitUtil.SIZE_OF_LONG;
        }
        while (i < length && found.getByte(offset + i) == buffer.getByte(expectedOffset + i))
        {
            i++;
        }
        return i == length ? -1 : i;
    }

    /** One branch for 8 words. */
    private static boolean isGroupEqual(final byte[] found, final long foundAt, final byte[] array, final long at)
    {
        return ((UnsafeApi.getLong(found, foundAt) ^ UnsafeApi.getLong(array, at)) |
            (UnsafeApi.getLong(found, foundAt + 8) ^ UnsafeApi.getLong(array, at + 8)) |
            (UnsafeApi.getLong(found, foundAt + 16) ^ UnsafeApi.getLong(array, at + 16)) |
            (UnsafeApi.getLong(found, foundAt + 24) ^ UnsafeApi.getLong(array, at + 24)) |
            (UnsafeApi.getLong(found, foundAt + 32) ^ UnsafeApi.getLong(array, at + 32)) |
            (UnsafeApi.getLong(found, foundAt + 40) ^ UnsafeApi.getLong(array, at + 40)) |
            (UnsafeApi.getLong(found, foundAt + 48) ^ UnsafeApi.getLong(array, at + 48)) |
            (UnsafeApi.getLong(found, foundAt + 56) ^ UnsafeApi.getLong(array, at + 56))) == 0;
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
