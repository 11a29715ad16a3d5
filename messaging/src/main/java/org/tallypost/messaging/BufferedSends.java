// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.messaging.internal.checks.Checks;

/**
 * Copies of messages for senders that did not want to wait, in a buffer of the program's, used as a ring. A copy is given up when
 * it and all that are older have gone. One thread.
 */
final class BufferedSends
{
    private static final int FIRST_CAPACITY = 16;

    private MutableDirectBuffer buffer;
    private int start;
    private int capacity;
    /** A ring: the requests in use are those from {@code oldest} on. */
    private SendRequest[] requests = requests(new SendRequest[0], FIRST_CAPACITY);
    private int oldest;
    private int count;

    private static SendRequest[] requests(final SendRequest[] before, final int capacity)
    {
        final SendRequest[] all = Arrays.copyOf(before, capacity);
        for (int i = before.length; i < capacity; i++)
        {
            all[i] = new SendRequest();
        }
        return all;
    }

    void attach(final MutableDirectBuffer memory, final int offset, final int length)
    {
        if (buffer != null)
        {
            throw new IllegalStateException("a buffer is attached: found length=" + capacity +
                ", expected none; detach it first");
        }
        Checks.within(memory, offset, length);
        buffer = memory;
        start = offset;
        capacity = length;
    }

    boolean isAttached()
    {
        return buffer != null;
    }

    void detach()
    {
        buffer = null;
        capacity = 0;
    }

    /** Whether all copies have gone. */
    boolean isEmpty()
    {
        reclaim();
        return count == 0;
    }

    /** No two copies lie at the same place. */
    private static int size(final int length)
    {
        return Math.max(1, length);
    }

    private void reclaim()
    {
        while (count > 0 && !requests[oldest].isActive())
        {
            oldest = (oldest + 1) % requests.length;
            count--;
        }
    }

    /** A request with a copy of a message, to be started; null if there is no room now. */
    SendRequest copy(final DirectBuffer from, final int offset, final int length)
    {
        if (buffer == null)
        {
            throw new IllegalStateException("no buffer is attached: expected at least " + length + " bytes; attach one first");
        }
        reclaim();
        final int at = place(size(length));
        if (at < 0)
        {
            return null;
        }
        if (count == requests.length)
        {
            grow();
        }
        final SendRequest request = requests[(oldest + count) % requests.length];
        count++;
        buffer.putBytes(start + at, from, offset, length);
        request.buffer = buffer;
        request.offset = start + at;
        request.length = length;
        return request;
    }

    private void grow()
    {
        final SendRequest[] inOrder = new SendRequest[requests.length];
        for (int i = 0; i < count; i++)
        {
            inOrder[i] = requests[(oldest + i) % requests.length];
        }
        requests = requests(inOrder, 2 * inOrder.length);
        oldest = 0;
    }

    /** Where a message fits behind the youngest copy; -1 if nowhere. */
    private int place(final int length)
    {
        if (count == 0)
        {
            return length <= capacity ? 0 : -1;
        }
        final SendRequest youngest = requests[(oldest + count - 1) % requests.length];
        final int end = youngest.offset - start + size(youngest.length);
        final int begin = requests[oldest].offset - start;
        if (youngest.offset - start < begin)
        {
            return length <= begin - end ? end : -1;
        }
        return length <= capacity - end ? end : length <= begin ? 0 : -1;
    }
}
