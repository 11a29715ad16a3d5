// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.endpoint.transport.BulkOperation;

/**
 * Operations on memory of another node that are under way, by their numbers on the link: which queue asked, and what is known of
 * what has become of them. Allocates nothing after its construction. For one thread.
 */
final class BulkOperations
{
    /** Most operations of a link that are under way. The other node keeps something for each. */
    static final int MAX_OPERATIONS = 1024;

    private static final int MASK = MAX_OPERATIONS - 1;

    private final int[] queues = new int[MAX_OPERATIONS];
    private final long[] numbers = new long[MAX_OPERATIONS];
    private final int[] kinds = new int[MAX_OPERATIONS];
    private final int[] lengths = new int[MAX_OPERATIONS];
    /** Bytes of a get that have come. */
    private final int[] received = new int[MAX_OPERATIONS];
    private final long[] results = new long[MAX_OPERATIONS];
    private final long[] values = new long[MAX_OPERATIONS];
    private long completed;
    private long next;

    /** A link begins: none is under way. */
    void clear()
    {
        completed = 0;
        next = 0;
    }

    boolean isEmpty()
    {
        return completed == next;
    }

    boolean isFull()
    {
        return next - completed == MAX_OPERATIONS;
    }

    long count()
    {
        return next - completed;
    }

    /** Notes an operation; returns its number. */
    long add(final BulkOperation operation)
    {
        final int index = (int)next & MASK;
        queues[index] = operation.queue;
        numbers[index] = operation.number;
        kinds[index] = operation.kind;
        lengths[index] = operation.length;
        received[index] = 0;
        results[index] = 0;
        values[index] = 0;
        return next++;
    }

    boolean isUnderWay(final long number)
    {
        return number >= completed && number < next;
    }

    /** Whether so many may be complete. */
    boolean isCount(final long count)
    {
        return count >= completed && count <= next;
    }

    /** Number of the first one. */
    long first()
    {
        return completed;
    }

    /** The first one is over. */
    void removeFirst()
    {
        completed++;
    }

    int queue(final long number)
    {
        return queues[(int)number & MASK];
    }

    /** Its number in its queue. */
    long number(final long number)
    {
        return numbers[(int)number & MASK];
    }

    int kind(final long number)
    {
        return kinds[(int)number & MASK];
    }

    int received(final long number)
    {
        return received[(int)number & MASK];
    }

    void addReceived(final long number, final int length)
    {
        received[(int)number & MASK] += length;
    }

    /** Whether bytes of a get are missing that has not failed. */
    boolean isShort(final long number)
    {
        final int index = (int)number & MASK;
        return results[index] >= 0 && kinds[index] == BulkOperation.GET && received[index] != lengths[index];
    }

    long result(final long number)
    {
        return results[(int)number & MASK];
    }

    long value(final long number)
    {
        return values[(int)number & MASK];
    }

    void set(final long number, final long result, final long value)
    {
        results[(int)number & MASK] = result;
        values[(int)number & MASK] = value;
    }
}
