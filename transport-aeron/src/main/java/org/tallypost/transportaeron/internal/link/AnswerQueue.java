// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

/**
 * Answers that have not left, in order: as many as operations may be under way. For an answer of several pieces the position of
 * the next piece is kept. Allocates nothing after its construction. For one thread.
 */
final class AnswerQueue
{
    private static final int MASK = BulkOperations.MAX_OPERATIONS - 1;

    private final int[] types = new int[BulkOperations.MAX_OPERATIONS];
    private final long[] numbers = new long[BulkOperations.MAX_OPERATIONS];
    private final long[] firsts = new long[BulkOperations.MAX_OPERATIONS];
    private final long[] seconds = new long[BulkOperations.MAX_OPERATIONS];
    private final long[] offsets = new long[BulkOperations.MAX_OPERATIONS];
    private final int[] lengths = new int[BulkOperations.MAX_OPERATIONS];
    private final int[] positions = new int[BulkOperations.MAX_OPERATIONS];
    private long head;
    private long tail;

    void clear()
    {
        head = 0;
        tail = 0;
    }

    boolean isEmpty()
    {
        return head == tail;
    }

    /** The caller has counted: there is room. */
    void add(final int type, final long number, final long first, final long second, final long offset, final int length)
    {
        final int index = (int)tail++ & MASK;
        types[index] = type;
        numbers[index] = number;
        firsts[index] = first;
        seconds[index] = second;
        offsets[index] = offset;
        lengths[index] = length;
        positions[index] = 0;
    }

    void removeFirst()
    {
        head++;
    }

    int type()
    {
        return types[(int)head & MASK];
    }

    long number()
    {
        return numbers[(int)head & MASK];
    }

    long first()
    {
        return firsts[(int)head & MASK];
    }

    long second()
    {
        return seconds[(int)head & MASK];
    }

    long offset()
    {
        return offsets[(int)head & MASK];
    }

    int length()
    {
        return lengths[(int)head & MASK];
    }

    int position()
    {
        return positions[(int)head & MASK];
    }

    void advance(final int length)
    {
        positions[(int)head & MASK] += length;
    }
}
