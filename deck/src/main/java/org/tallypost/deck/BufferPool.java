// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.nio.ByteBuffer;

/** The buffers of a mail box, so many for each size class up to a limit. The thread of the deck. */
final class BufferPool
{
    private final PooledBuffer[] free = new PooledBuffer[SizeClass.MAX + 1];
    private final int[] counts = new int[SizeClass.MAX + 1];

    BufferPool(final MailBox box, final int limit, final int buffers)
    {
        for (int sizeClass = SizeClass.MIN; sizeClass <= limit; sizeClass++)
        {
            final int length = SizeClass.length(sizeClass);
            final ByteBuffer memory = ByteBuffer.allocateDirect(buffers * length);
            for (int i = 0; i < buffers; i++)
            {
                memory.limit((i + 1) * length).position(i * length);
                give(new PooledBuffer(box, sizeClass, false, memory.slice()));
            }
        }
    }

    /** A free buffer of a class; null if all are in use. */
    PooledBuffer take(final int sizeClass)
    {
        final PooledBuffer first = free[sizeClass];
        if (first != null)
        {
            free[sizeClass] = first.next;
            first.next = null;
            counts[sizeClass]--;
        }
        return first;
    }

    void give(final PooledBuffer buffer)
    {
        buffer.next = free[buffer.sizeClass];
        free[buffer.sizeClass] = buffer;
        counts[buffer.sizeClass]++;
    }

    int count(final int sizeClass)
    {
        return counts[sizeClass];
    }
}
