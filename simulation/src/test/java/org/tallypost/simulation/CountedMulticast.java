// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.Multicast;

/** Counts what a thread allocates within a multicast, so that it can be told from what the user of it does. For one thread. */
final class CountedMulticast implements Multicast, Multicast.Handler
{
    private final ThreadMXBean bean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final Multicast counted;
    private Handler user;
    private long allocated;

    CountedMulticast(final Multicast counted)
    {
        this.counted = counted;
    }

    /** In bytes. */
    long allocated()
    {
        return allocated;
    }

    private long now()
    {
        return bean.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    @Override
    public int maxLength()
    {
        return counted.maxLength();
    }

    @Override
    public int offer(final DirectBuffer head, final int headLength, final DirectBuffer data, final int offset, final int length)
    {
        final long before = now();
        final int result = counted.offer(head, headLength, data, offset, length);
        allocated += now() - before;
        return result;
    }

    @Override
    public int work()
    {
        final long before = now();
        final int work = counted.work();
        allocated += now() - before;
        return work;
    }

    @Override
    public int poll(final int node, final Handler handler, final int limit)
    {
        final long before = now();
        user = handler;
        final int count = counted.poll(node, this, limit);
        allocated += now() - before;
        return count;
    }

    @Override
    public void onPiece(final DirectBuffer buffer, final int offset, final int length)
    {
        final long before = now();
        user.onPiece(buffer, offset, length);
        allocated -= now() - before;
    }

    @Override
    public void close()
    {
        counted.close();
    }
}
