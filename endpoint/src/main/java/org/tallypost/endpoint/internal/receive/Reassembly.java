// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts messages together that came in several runs. For the polling thread.
 *
 * <p>A message's announced length is not believed before the bytes are there: its buffer begins small and doubles, so a
 * sender binds at most twice the memory of what it has sent. Buffers go back to a pool of this endpoint.
 */
final class Reassembly
{
    private static final int MIN_SHIFT = 8;
    private static final int MAX_SHIFT = 24;
    private static final int TRUSTED_LENGTH = 1 << 16;

    private final byte[][][] pool = new byte[MAX_SHIFT + 1][0][];
    private final int[] pooled = new int[MAX_SHIFT + 1];

    /** Memory for a message of which so many bytes have come. */
    byte[] bytes(final int total, final int count)
    {
        return take(shift(Math.max(count, Math.min(total, TRUSTED_LENGTH))));
    }

    /** A run that follows. */
    void append(final OpenMessage message, final UnsafeBuffer from, final int offset, final int count)
    {
        final int end = message.filled + count;
        byte[] bytes = message.bytes;
        if (end > bytes.length)
        {
            final byte[] larger = take(shift(Math.min(message.total, Math.max(end, bytes.length << 1))));
            System.arraycopy(bytes, 0, larger, 0, message.filled);
            message.bytes = larger;
            give(bytes);
            bytes = larger;
        }
        from.getBytes(offset, bytes, message.filled, count);
        message.filled = end;
    }

    /** A message is over. */
    void end(final OpenMessage message)
    {
        final byte[] bytes = message.bytes;
        message.bytes = null;
        give(bytes);
    }

    private static int shift(final int capacity)
    {
        return Math.max(MIN_SHIFT, Integer.numberOfTrailingZeros(BitUtil.findNextPositivePowerOfTwo(capacity)));
    }

    private byte[] take(final int shift)
    {
        final int count = pooled[shift];
        if (count == 0)
        {
            return new byte[1 << shift];
        }
        pooled[shift] = count - 1;
        final byte[] bytes = pool[shift][count - 1];
        pool[shift][count - 1] = null;
        return bytes;
    }

    private void give(final byte[] bytes)
    {
        final int shift = Integer.numberOfTrailingZeros(bytes.length);
        final int count = pooled[shift];
        if (count == pool[shift].length)
        {
            pool[shift] = Arrays.copyOf(pool[shift], Math.max(4, count << 1));
        }
        pool[shift][count] = bytes;
        pooled[shift] = count + 1;
    }
}
