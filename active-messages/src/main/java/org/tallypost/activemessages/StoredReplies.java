// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Answers to one rank that wait for credits, in their order. A rank has at most a window of requests that were not answered, so
 * there is always room. Memory for blocks is allocated when the first one has to wait. One thread.
 */
final class StoredReplies
{
    private final int window;
    private final int[] tags;
    private final int[] lengths;
    private final boolean[] longEntries;
    private final UnsafeBuffer shorts;
    private UnsafeBuffer longs;
    private int first;
    private int count;

    StoredReplies(final int window)
    {
        this.window = window;
        tags = new int[window];
        lengths = new int[window];
        longEntries = new boolean[window];
        shorts = new UnsafeBuffer(new byte[window * MessageDescriptor.SHORT_LENGTH]);
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    void add(
        final int tag, final DirectBuffer head, final int headLength, final DirectBuffer body, final int offset, final int length)
    {
        final int entry = (first + count) % window;
        tags[entry] = tag;
        lengths[entry] = headLength + length;
        longEntries[entry] = headLength == MessageDescriptor.BLOCK_OFFSET;
        count++;
        if (longEntries[entry] && longs == null)
        {
            longs = new UnsafeBuffer(new byte[window * MessageDescriptor.MAX_LENGTH]);
        }
        final int at = offsetOf(entry);
        final UnsafeBuffer to = bufferOf(entry);
        to.putBytes(at, head, 0, headLength);
        if (length > 0)
        {
            to.putBytes(at + headLength, body, offset, length);
        }
    }

    private int offsetOf(final int entry)
    {
        return entry * (longEntries[entry] ? MessageDescriptor.MAX_LENGTH : MessageDescriptor.SHORT_LENGTH);
    }

    private UnsafeBuffer bufferOf(final int entry)
    {
        return longEntries[entry] ? longs : shorts;
    }

    /** Whether the first one has a block. */
    boolean isLong()
    {
        return longEntries[first];
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
        return offsetOf(first);
    }

    UnsafeBuffer buffer()
    {
        return bufferOf(first);
    }

    void remove()
    {
        first = (first + 1) % window;
        count--;
    }

    void clear()
    {
        count = 0;
    }
}
