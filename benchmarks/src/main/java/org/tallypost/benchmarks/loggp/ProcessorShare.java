// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Whether the machine was there: the share of a time for which a thread that never sleeps had a processor. A run is kept or left
 * out by this alone, and never by how long it took.
 */
final class ProcessorShare
{
    /** A run counts if each of its threads had a processor for so much of it: two threads are away for 6 % at most. */
    static final double LEAST = 0.97;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private ProcessorShare()
    {
    }

    /** Processor time of this thread, in nanoseconds; -1 if the machine does not tell. */
    static long usedNs()
    {
        return THREADS.isCurrentThreadCpuTimeSupported() ? THREADS.getCurrentThreadCpuTime() : -1;
    }

    /** Processor time of a thread that runs, in nanoseconds; -1 if the machine does not tell. */
    static long usedNs(final Thread thread)
    {
        return THREADS.isThreadCpuTimeSupported() ? THREADS.getThreadCpuTime(thread.getId()) : -1;
    }

    /** The share of a time; 1 if the machine does not tell. */
    static double of(final long usedBeforeNs, final long usedNs, final long elapsedNs)
    {
        return usedBeforeNs < 0 || usedNs < 0 || elapsedNs <= 0 ? 1 : Math.min(1, (double)(usedNs - usedBeforeNs) / elapsedNs);
    }
}
