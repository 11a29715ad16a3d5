// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one sender that have come and are not due, in their order: LogGP's delay queue at the receiver (seed 004, page 23).
 * It has room for all requests and answers that the windows of a pair let be under way. One thread.
 */
final class DelayedMessages
{
    private final int room;
    private final long[] dueNs;
    private final int[] tags;
    private final int[] lengths;
    private final UnsafeBuffer bytes;
    private int first;
    private int count;

    DelayedMessages(final int window)
    {
        room = 2 * window;
        dueNs = new long[room];
        tags = new int[room];
        lengths = new int[room];
        bytes = new UnsafeBuffer(new byte[room * MessageDescriptor.MAX_LENGTH]);
    }

    boolean isFull()
    {
        return count == room;
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    void add(final long due, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final int entry = (first + count) % room;
        dueNs[entry] = due;
        tags[entry] = tag;
        lengths[entry] = length;
        bytes.putBytes(entry * MessageDescriptor.MAX_LENGTH, from, offset, length);
        count++;
    }

    long dueNs()
    {
        return dueNs[first];
    }

    int tag()
    {
        return tags[first];
    }

    int length()
    {
        return lengths[first];
    }

    int offset()
    {
        return first * MessageDescriptor.MAX_LENGTH;
    }

    DirectBuffer buffer()
    {
        return bytes;
    }

    void remove()
    {
        first = (first + 1) % room;
        count--;
    }

    void clear()
    {
        count = 0;
    }
}
