// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.agrona;

import java.util.function.BooleanSupplier;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.MessageListener;

/**
 * Messages that a poll has taken behind the one that its handler threw at: at most as many as one read may take. The next reads
 * begin with them. For the reading thread, but for {@link #length()}.
 */
final class KeptMessages
{
    private static final int HEADER_LENGTH = 2 * Integer.BYTES;

    private ExpandableArrayBuffer buffer;
    private int head;
    private int tail;
    private volatile int length;

    void keep(final int tag, final DirectBuffer from, final int offset, final int count)
    {
        if (buffer == null)
        {
            buffer = new ExpandableArrayBuffer();
        }
        buffer.putInt(tail, tag);
        buffer.putInt(tail + Integer.BYTES, count);
        buffer.putBytes(tail + HEADER_LENGTH, from, offset, count);
        tail += BitUtil.align(HEADER_LENGTH + count, HEADER_LENGTH);
        length = tail - head;
    }

    /** Any thread. */
    int length()
    {
        return length;
    }

    void deliver(final MessageListener listener, final int limit, final BooleanSupplier hasFailed)
    {
        for (int count = 0; count < limit && head < tail && !hasFailed.getAsBoolean(); count++)
        {
            final int at = head;
            took();
            listener.onMessage(0, buffer.getInt(at), buffer, at + HEADER_LENGTH, buffer.getInt(at + Integer.BYTES));
        }
        forget();
    }

    /**
     * As a controlled poll.
     *
     * @return false if the listener ended it.
     */
    boolean deliverControlled(final ControlledMessageListener listener, final int limit)
    {
        boolean isGoingOn = true;
        for (int count = 0; count < limit && head < tail && isGoingOn; count++)
        {
            final ControlledMessageListener.Action action = listener.onMessage(
                0, buffer.getInt(head), buffer, head + HEADER_LENGTH, buffer.getInt(head + Integer.BYTES));
            isGoingOn = action == ControlledMessageListener.Action.CONTINUE;
            if (action != ControlledMessageListener.Action.ABORT)
            {
                took();
            }
        }
        forget();
        return isGoingOn;
    }

    private void took()
    {
        head += BitUtil.align(HEADER_LENGTH + buffer.getInt(head + Integer.BYTES), HEADER_LENGTH);
        length = tail - head;
    }

    private void forget()
    {
        if (head == tail)
        {
            head = 0;
            tail = 0;
            buffer = null;
        }
    }
}
