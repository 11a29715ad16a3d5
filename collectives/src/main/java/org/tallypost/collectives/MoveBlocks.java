// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** The blocks that moves are about: they lie behind each other in one buffer. What comes is copied into them, or reduced. */
final class MoveBlocks
{
    private static final int FIRST_ROOM = 64;
    /** A multiple of the longest element. */
    private static final int PART_LENGTH = 4_096;

    private final UnsafeBuffer part = new UnsafeBuffer(new byte[PART_LENGTH]);
    private int[] bounds = new int[FIRST_ROOM];
    private UnsafeBuffer data;
    private ElementType type;
    private Reducer reducer;

    /** Of another operation. What bounds them is set after this. */
    void begin(final UnsafeBuffer buffer, final Reduction reduction)
    {
        data = buffer;
        type = reduction == null ? ElementType.BYTES : reduction.type();
        reducer = reduction == null ? null : reduction.reducer();
    }

    /** Blocks of about the same length, of whole elements. */
    void divide(final int blocks, final int length)
    {
        for (int i = 0; i <= blocks; i++)
        {
            bound(i, (int)((long)(length / type.length()) * i / blocks) * type.length());
        }
    }

    /** Where a block begins, and the one before it ends. */
    void bound(final int block, final int offset)
    {
        if (block >= bounds.length)
        {
            bounds = Arrays.copyOf(bounds, 2 * block);
        }
        bounds[block] = offset;
    }

    /** Where a block begins, and the one before it ends. */
    int bound(final int block)
    {
        return bounds[block];
    }

    /** Where they all are. */
    UnsafeBuffer data()
    {
        return data;
    }

    /** Whether so many bytes are whole elements. */
    boolean isWhole(final int length)
    {
        return length % type.length() == 0;
    }

    /** What has come is in place of what was there. */
    void copy(final int to, final UnsafeBuffer source, final int from, final int length)
    {
        data.putBytes(to, source, from, length);
    }

    /** What has come is before what is there. It is written over. */
    void reduceBefore(final int to, final UnsafeBuffer source, final int from, final int length)
    {
        reducer.reduce(type, source, from, data, to, length / type.length());
        data.putBytes(to, source, from, length);
    }

    /** What has come is behind what is there. */
    void reduceBehind(final int to, final UnsafeBuffer source, final int from, final int length)
    {
        reducer.reduce(type, data, to, source, from, length / type.length());
    }

    /** Reduces one place into another, which is behind it or before it. */
    void fold(final int from, final int to, final int all, final boolean isBehind)
    {
        // in parts: what comes before is copied, as it has to stay, and takes what is behind it
        for (int done = 0; done < all; done += PART_LENGTH)
        {
            final int length = Math.min(PART_LENGTH, all - done);
            if (isBehind)
            {
                reduceBehind(to + done, data, from + done, length);
            }
            else
            {
                part.putBytes(0, data, from + done, length);
                reduceBefore(to + done, part, 0, length);
            }
        }
    }
}
