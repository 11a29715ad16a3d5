// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.Multicast;

/**
 * A multicast between two nodes. Its first piece is lost, and comes when its sender has heard the other node, and works on: as
 * what is lost is sent again by a sender that goes on to work, and by no other. For one thread.
 */
final class LateMulticast implements Multicast
{
    /** Looks that a sender that works on has soon done. */
    private static final int LOOKS = 3;

    private final Multicast sender;
    private UnsafeBuffer first;
    private boolean isSent;
    private boolean isHeard;
    private int looks;

    LateMulticast(final Multicast sender)
    {
        this.sender = sender;
    }

    @Override
    public int maxLength()
    {
        return sender.maxLength();
    }

    @Override
    public int offer(final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset, final int length)
    {
        if (isSent)
        {
            return sender.offer(head, headLength, data, offset, length);
        }
        if (first != null)
        {
            return NOT_NOW;
        }
        first = new UnsafeBuffer(new byte[headLength]);
        first.putBytes(0, head, 0, headLength);
        return 0;
    }

    @Override
    public int work()
    {
        if (first != null && !isSent && isHeard && ++looks > LOOKS)
        {
            isSent = sender.offer(first, first.capacity(), first, 0, 0) == 0;
        }
        return sender.work();
    }

    @Override
    public int poll(final int node, final Handler handler, final int limit)
    {
        final int count = sender.poll(node, handler, limit);
        isHeard |= count > 0;
        return count;
    }

    @Override
    public void close()
    {
        sender.close();
    }
}
