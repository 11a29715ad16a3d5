// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;

/**
 * Threads that take processor time from those that are measured, and do nothing else.
 */
final class BusyThreads implements AutoCloseable
{
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isEnded;

    BusyThreads(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final Thread thread = new Thread(this::spin, "busy-" + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    void start()
    {
        threads.forEach(Thread::start);
    }

    private void spin()
    {
        while (!isEnded)
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close()
    {
        isEnded = true;
    }
}
