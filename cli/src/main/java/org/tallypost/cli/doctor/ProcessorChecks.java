// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Cores, and the clock.
 */
final class ProcessorChecks
{
    private static final Pattern ALLOWED = Pattern.compile("Cpus_allowed_list:\\s*(\\S+)");
    private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    /** Those that a program reads without a system call. */
    private static final List<String> FAST_CLOCKS =
        List.of("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter");

    private ProcessorChecks()
    {
    }

    /** Cores that this process may use; 0 if that cannot be read. */
    private static int cores(final Host host)
    {
        final Matcher allowed = ALLOWED.matcher(host.text("/proc/self/status").orElse(""));
        if (!allowed.find())
        {
            return 0;
        }
        int count = 0;
        for (final String part : allowed.group(1).split(","))
        {
            final String[] ends = part.split("-");
            count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
        }
        return count;
    }

    static Finding cores(final Host host, final Plan plan)
    {
        final int cores = cores(host);
        if (cores == 0)
        {
            return Finding.unknown("cores", "Cpus_allowed_list in /proc/self/status");
        }
        // one that carries packets spins as well
        final int spinning = plan.spinning() + (plan.spinning() > 0 && plan.nodes() > 1 ? 1 : 0);
        final String change = "let threads park (endpoint.newIdleStrategy()), or have fewer of them; " +
            "if a launcher binds processes, mpirun --bind-to none";
        if (cores < spinning)
        {
            return new Finding("cores", Level.WARNING, cores + " cores for this process, " + spinning + " threads that spin",
                "a core for each thread that spins", change);
        }
        if (cores < 2)
        {
            return new Finding("cores", Level.WARNING, "1 core for this process",
                "at least 2: with one, a message waits until the sender's turn on it is over", change);
        }
        return Finding.ok("cores", cores + " cores for this process" +
            (spinning == 0 ? "" : ", " + spinning + " threads that spin"));
    }

    static Finding quota(final Host host, final Plan plan)
    {
        if (!ControlGroup.isSeen(host))
        {
            return Finding.unknown("cpu quota", "/proc/self/cgroup and " + ControlGroup.ROOT);
        }
        final Optional<Double> quota = new ControlGroup(host).cores();
        final int cores = Math.max(cores(host), 1);
        if (quota.isPresent() && quota.get() < Math.max(2, plan.spinning()))
        {
            return new Finding("cpu quota", Level.WARNING, quota.get() + " cores of time", "at least " +
                Math.max(2, plan.spinning()) + ": threads that spin use it up, and then all of them stand still for some 100 ms",
                "raise or remove the quota (cpu.max, docker run --cpus=..., resources.limits.cpu), or let threads park");
        }
        return Finding.ok("cpu quota", quota.isEmpty() ? "none" : quota.get() + " of " + cores + " cores");
    }

    static Finding clock(final Host host)
    {
        final Optional<String> clock = host.text(CLOCK);
        if (clock.isEmpty())
        {
            return Finding.unknown("clock", CLOCK);
        }
        return FAST_CLOCKS.contains(clock.get()) ? Finding.ok("clock", clock.get()) : new Finding("clock", Level.WARNING,
            clock.get(), "tsc: each System.nanoTime() is a system call else",
            "boot with clocksource=tsc, if the kernel's log calls tsc stable; to try it, echo tsc > " + CLOCK);
    }
}
