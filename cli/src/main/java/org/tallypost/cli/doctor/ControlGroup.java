// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The limits of the control group of this process, of version 2 or 1. The least of those on the way to the root counts.
 */
final class ControlGroup
{
    static final String ROOT = "/sys/fs/cgroup";
    /** Version 1 writes "no limit" as the largest multiple of a page. */
    private static final long NO_LIMIT = 1L << 60;
    private static final double TENTH = 10;

    private final Host host;

    ControlGroup(final Host host)
    {
        this.host = host;
    }

    /** Whether a limit would be found if there was one. */
    static boolean isSeen(final Host host)
    {
        return host.text("/proc/self/cgroup").isPresent() && !host.names(ROOT).isEmpty();
    }

    /** Cores that the group may use, such as 1.5; empty if there is no quota, or none can be read. */
    Optional<Double> cores()
    {
        final Optional<Double> unified = least("", (path) -> quota(host.text(path + "/cpu.max")));
        return unified.isPresent() ? unified : least("cpu", (path) -> quota(
            host.text(path + "/cpu.cfs_quota_us").flatMap((quota) ->
            host.text(path + "/cpu.cfs_period_us").map((period) -> quota + " " + period))));
    }

    private static Optional<Double> quota(final Optional<String> text)
    {
        try
        {
            final String[] parts = text.orElse("max").split("\\s+");
            final double quota = parts.length < 2 || parts[0].equals("max") ? -1 : Double.parseDouble(parts[0]);
            return quota <= 0 ? Optional.empty() : Optional.of(Math.round(TENTH * quota / Double.parseDouble(parts[1])) / TENTH);
        }
        catch (final NumberFormatException ex)
        {
            return Optional.empty();
        }
    }

    /** Bytes that the group may still take; empty if there is no limit, or none can be read. */
    OptionalLong freeMemory()
    {
        final Optional<Double> unified = least("", (path) -> free(path, "/memory.max", "/memory.current"));
        final Optional<Double> old = least("memory", (path) -> free(path, "/memory.limit_in_bytes", "/memory.usage_in_bytes"));
        final Optional<Double> found = unified.isPresent() ? unified : old;
        return found.isPresent() ? OptionalLong.of(Math.round(found.get())) : OptionalLong.empty();
    }

    private Optional<Double> free(final String path, final String limit, final String usage)
    {
        final OptionalLong most = Numbers.of(host.text(path + limit));
        return most.isEmpty() || most.getAsLong() >= NO_LIMIT ? Optional.empty() :
            Optional.of((double)Math.max(0, most.getAsLong() - Numbers.of(host.text(path + usage)).orElse(0)));
    }

    /** The least of a value, from the group up to the root; a container may see the root only. */
    private Optional<Double> least(final String controller, final Function<String, Optional<Double>> value)
    {
        Double least = null;
        String path = path(controller);
        while (path != null)
        {
            final Optional<Double> found = value.apply(ROOT + (controller.isEmpty() ? "" : "/" + controller) + path);
            least = found.isPresent() && (least == null || found.get() < least) ? found.get() : least;
            path = path.isEmpty() ? null : path.substring(0, path.lastIndexOf('/'));
        }
        return Optional.ofNullable(least);
    }

    /** Of lines "9:cpu,cpuacct:/path" and "0::/path". */
    private String path(final String controller)
    {
        for (final String line : host.text("/proc/self/cgroup").orElse("").split("\n"))
        {
            final String[] parts = line.split(":", 3);
            if (parts.length == 3 && ("," + parts[1] + ",").contains("," + controller + ","))
            {
                return parts[2].equals("/") ? "" : parts[2];
            }
        }
        return "";
    }
}
