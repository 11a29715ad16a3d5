// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;

/**
 * Puts messages together that came in several runs, one per source at a time. For the polling thread.
 *
 * <p>A message's announced length is not believed before the bytes are there: its buffer begins small and doubles, so a
 * sender binds at most twice the memory of what it has sent. Buffers go back to a pool of this endpoint.
 */
final class Reassembly
{
    private static final int MIN_SHIFT = 8;
    private static final int MAX_SHIFT = 24;
    private static final int TRUSTED_LENGTH = 1 << 16;

    private final byte[][] partial;
    private final int[] total;
    private final int[] filled;
    private final int[] tags;
    private final byte[][][] pool = new byte[MAX_SHIFT + 1][0][];
    private final int[] pooled = new int[MAX_SHIFT + 1];

    Reassembly(final int sources)
    {
        partial = new byte[sources][];
        total = new int[sources];
        filled = new int[sources];
        tags = new int[sources];
    }

    /**
     * The first run of a message. What there was of an earlier one that its sender gave up is dropped.
     *
     * @return false if the lengths cannot be.
     */
    boolean begin(
        final int source, final int tag, final int length, final UnsafeBuffer from, final int offset, final int count)
    {
        drop(source);
        if (length <= count || length > Endpoint.MAX_MESSAGE_LENGTH || count < 0)
        {
            return false;
        }
        final int capacity = Math.max(count, Math.min(length, TRUSTED_LENGTH));
        partial[source] = take(shift(capacity));
        tags[source] = tag;
        total[source] = length;
        filled[source] = 0;
        copy(source, from, offset, count);
        return true;
    }

    /**
     * A further run.
     *
     * @return false if it is not the one that follows; then the message is dropped.
     */
    boolean append(final int source, final int at, final UnsafeBuffer from, final int offset, final int count)
    {
        if (partial[source] == null)
        {
            return false;
        }
        if (at != filled[source] || count < 0 || count > total[source] - filled[source])
        {
            drop(source);
            return false;
        }
        copy(source, from, offset, count);
        return true;
    }

    /** Whether a run is the one that a message lacks. */
    boolean isEnd(final int source, final int at, final int count)
    {
        return partial[source] != null && at == filled[source] && count == total[source] - at;
    }

    /** A run that was appended is to come again. */
    void takeBack(final int source, final int count)
    {
        filled[source] -= count;
    }

    boolean isComplete(final int source)
    {
        return partial[source] != null && filled[source] == total[source];
    }

    /** Bytes that are still to come of the message of a source; 0 if there is none. */
    int missing(final int source)
    {
        return partial[source] == null ? 0 : total[source] - filled[source];
    }

    byte[] bytes(final int source)
    {
        return partial[source];
    }

    int length(final int source)
    {
        return total[source];
    }

    int tag(final int source)
    {
        return tags[source];
    }

    /** Forgets the message of a source, if there is one. */
    void drop(final int source)
    {
        final byte[] bytes = partial[source];
        if (bytes != null)
        {
            partial[source] = null;
            give(bytes);
        }
    }

    private void copy(final int source, final UnsafeBuffer from, final int offset, final int count)
    {
        final int end = filled[source] + count;
        byte[] bytes = partial[source];
        if (end > bytes.length)
        {
            final byte[] larger = take(shift(Math.min(total[source], Math.max(end, bytes.length << 1))));
            System.arraycopy(bytes, 0, larger, 0, filled[source]);
            give(bytes);
            bytes = larger;
            partial[source] = bytes;
        }
        from.getBytes(offset, bytes, filled[source], count);
        filled[source] = end;
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
