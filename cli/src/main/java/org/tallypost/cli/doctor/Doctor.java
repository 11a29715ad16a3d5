// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * All checks, in the order in which a user meets what they find.
 */
public final class Doctor
{
    private Doctor()
    {
    }

    /**
     * Runs all checks. One that fails itself has found out nothing.
     *
     * @param host that is looked at.
     * @param plan what is to run on it.
     * @return at least one finding for each check.
     */
    public static List<Finding> examine(final Host host, final Plan plan)
    {
        final List<Finding> all = new ArrayList<>();
        try
        {
            all.addAll(ProcessChecks.flags(host, plan));
        }
        catch (final RuntimeException ex)
        {
            all.add(Finding.unknown("jvm", ex.toString()));
        }
        add(all, "file system", () -> MemoryChecks.fileSystem(host, plan));
        add(all, "directory", () -> ProcessChecks.directory(host, plan));
        add(all, "room", () -> MemoryChecks.room(host, plan));
        add(all, "memory limit", () -> MemoryChecks.limit(host, plan));
        add(all, "huge pages", () -> MemoryChecks.hugePages(host, plan));
        add(all, "mappings", () -> MemoryChecks.mappings(host, plan));
        add(all, "open files", () -> ProcessChecks.openFiles(host, plan));
        add(all, "node", () -> ProcessChecks.node(plan));
        add(all, "leftovers", () -> ProcessChecks.leftovers(host, plan));
        add(all, "pid namespace", () -> ProcessChecks.procFiles(host));
        add(all, "processes", () -> ProcessChecks.processes(plan));
        add(all, "ptrace scope", () -> ProcessChecks.ptrace(host));
        add(all, "cross memory", () -> ProcessChecks.crossMemory(host));
        add(all, "cores", () -> ProcessorChecks.cores(host, plan));
        add(all, "cpu quota", () -> ProcessorChecks.quota(host, plan));
        add(all, "clock", () -> ProcessorChecks.clock(host));
        add(all, "mtu", () -> NetworkChecks.datagrams(host, plan));
        add(all, "rmem_max", () -> NetworkChecks.receiveBuffers(host, plan));
        add(all, "wmem_max", () -> NetworkChecks.sendBuffers(host, plan));
        add(all, "bulk", () -> NetworkChecks.bulk(plan));
        return all;
    }

    private static void add(final List<Finding> all, final String name, final Supplier<Finding> check)
    {
        try
        {
            all.add(check.get());
        }
        catch (final RuntimeException ex)
        {
            // a file of the system has another form than is known here
            all.add(Finding.unknown(name, ex.toString()));
        }
    }

    /**
     * The worst of some findings.
     *
     * @param findings of the checks.
     * @return OK if there is none.
     */
    public static Level worst(final List<Finding> findings)
    {
        return findings.stream().map(Finding::level).max(Enum::compareTo).orElse(Level.OK);
    }
}
