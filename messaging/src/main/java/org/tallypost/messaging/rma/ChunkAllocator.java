// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.util.Arrays;
import org.tallypost.mailbox.layout.RegionDescriptor;

/**
 * Gives parts of a memory: chunks of 1 KiB and its doubles, each at a multiple of its length. A chunk that is too long is halved;
 * two free halves become one again. All that it knows is in memory of this process. Allocates nothing after its construction. For
 * one thread.
 */
final class ChunkAllocator
{
    /** Length of the shortest chunk, in bytes. */
    static final int UNIT_LENGTH = RegionDescriptor.UNIT_LENGTH;
    static final int NONE = -1;

    private static final int UNIT_SHIFT = 10;
    private static final byte TAKEN = -1;
    private static final byte WITHIN = -2;

    private final int orders;
    /** For the first unit of a chunk its order if it is free; for others what they are. */
    private final byte[] free;
    /** Orders of the chunks that are taken, by their first unit. */
    private final byte[] taken;
    private final int[] next;
    private final int[] previous;
    private final int[] heads;
    private long takenLength;

    /**
     * All is free.
     *
     * @param length of the memory in bytes: a power of two, at least one unit.
     */
    ChunkAllocator(final int length)
    {
        if (Integer.bitCount(length) != 1 || length < UNIT_LENGTH)
        {
            throw new IllegalArgumentException(
                "length of a memory out of range: found=" + length + ", expected a power of two, at least " + UNIT_LENGTH);
        }
        final int units = length >>> UNIT_SHIFT;
        orders = Integer.numberOfTrailingZeros(units) + 1;
        free = new byte[units];
        taken = new byte[units];
        next = new int[units];
        previous = new int[units];
        heads = new int[orders];
        Arrays.fill(free, WITHIN);
        Arrays.fill(taken, TAKEN);
        Arrays.fill(heads, NONE);
        push(0, orders - 1);
    }

    /**
     * Takes a chunk.
     *
     * @param length in bytes that are needed, at least 1.
     * @return its offset in bytes, a multiple of {@link #chunkLength}; {@link #NONE} if there is none.
     */
    int take(final int length)
    {
        final int order = order(length);
        int found = order;
        while (found < orders && heads[found] == NONE)
        {
            found++;
        }
        if (found >= orders)
        {
            return NONE;
        }
        final int unit = heads[found];
        remove(unit, found);
        while (found > order)
        {
            found--;
            push(unit + (1 << found), found);
        }
        free[unit] = TAKEN;
        taken[unit] = (byte)order;
        next[unit] = 0;
        takenLength += (long)UNIT_LENGTH << order;
        return unit << UNIT_SHIFT;
    }

    /** Notes a number, other than 0, with a chunk that is taken, until it is given back. */
    void note(final int offset, final int number)
    {
        // a chunk that is taken is in no list
        next[offset >>> UNIT_SHIFT] = number;
    }

    /** What was noted with the chunk that a byte is in; 0 if nothing was. */
    int noted(final int offset)
    {
        final int unit = offset >>> UNIT_SHIFT;
        for (int order = 0; order < orders; order++)
        {
            final int first = unit & -1 << order;
            if (free[first] == TAKEN && taken[first] >= order)
            {
                return next[first];
            }
        }
        return 0;
    }

    /**
     * Gives a chunk back.
     *
     * @param offset as it was taken.
     * @throws IllegalArgumentException if no such chunk is taken.
     */
    void give(final int offset)
    {
        int unit = offset >>> UNIT_SHIFT;
        if (offset < 0 || unit >= free.length || (offset & UNIT_LENGTH - 1) != 0 || free[unit] != TAKEN)
        {
            throw new IllegalArgumentException("no chunk is taken at this offset: found=" + offset);
        }
        int order = taken[unit];
        taken[unit] = TAKEN;
        takenLength -= (long)UNIT_LENGTH << order;
        while (order + 1 < orders && free[unit ^ 1 << order] == order)
        {
            final int other = unit ^ 1 << order;
            remove(other, order);
            free[unit] = WITHIN;
            unit = Math.min(unit, other);
            order++;
        }
        push(unit, order);
    }

    /** Length in bytes of the chunk that is taken for so many bytes; 0 if there is none as long. */
    int chunkLength(final int length)
    {
        final int order = order(length);
        return order < orders ? UNIT_LENGTH << order : 0;
    }

    /** Bytes of all chunks that are taken. */
    long takenLength()
    {
        return takenLength;
    }

    private static int order(final int length)
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(length - 1 >>> UNIT_SHIFT);
    }

    private void push(final int unit, final int order)
    {
        free[unit] = (byte)order;
        previous[unit] = NONE;
        next[unit] = heads[order];
        if (heads[order] != NONE)
        {
            previous[heads[order]] = unit;
        }
        heads[order] = unit;
    }

    private void remove(final int unit, final int order)
    {
        free[unit] = WITHIN;
        if (previous[unit] == NONE)
        {
            heads[order] = next[unit];
        }
        else
        {
            next[previous[unit]] = next[unit];
        }
        if (next[unit] != NONE)
        {
            previous[next[unit]] = previous[unit];
        }
    }
}
