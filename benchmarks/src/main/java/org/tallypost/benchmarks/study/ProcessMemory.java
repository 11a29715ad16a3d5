// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Memory of this process, in bytes.
 *
 * @param heap    used, once garbage was collected.
 * @param buffers direct and mapped ones.
 * @param rss     resident pages, as /proc/self/status has them; -1 where there is none.
 * @param peak    the most resident pages so far; -1 where there is no /proc.
 */
record ProcessMemory(long heap, long buffers, long rss, long peak)
{
    private static final int COLLECTIONS = 2;
    private static final int KIBIBYTE = 1024;

    static ProcessMemory now() throws IOException
    {
        for (int i = 0; i < COLLECTIONS; i++)
        {
            System.gc();
        }
        final Path status = Path.of("/proc/self/status");
        final long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        final long buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .mapToLong((pool) -> Math.max(0, pool.getMemoryUsed())).sum();
        final boolean isLinux = Files.isReadable(status);
        return new ProcessMemory(heap, buffers, isLinux ? field(status, "VmRSS:") : -1, isLinux ? field(status, "VmHWM:") : -1);
    }

    private static long field(final Path status, final String name) throws IOException
    {
        return Files.readAllLines(status).stream().filter((line) -> line.startsWith(name))
            .mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")) * KIBIBYTE).findFirst().orElse(-1);
    }
}
