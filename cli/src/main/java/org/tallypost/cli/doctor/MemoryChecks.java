// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Room for the files of a node.
 */
final class MemoryChecks
{
    /** Where the plan is not known: what a container has by default is too little for most. */
    private static final long SMALL = 128L << 20;
    private static final String HUGE = "/sys/kernel/mm/transparent_hugepage/shmem_enabled";
    private static final List<String> ALL_HUGE = List.of("always", "force");

    private MemoryChecks()
    {
    }

    static Finding room(final Host host, final Plan plan)
    {
        final Optional<Host.Room> room = host.room(plan.directory());
        if (room.isEmpty())
        {
            return Finding.unknown("room", "the size of the file system of " + plan.directory());
        }
        final long needed = plan.neededLength();
        final String found = Numbers.bytes(room.get().free()) + " free of " + Numbers.bytes(room.get().total());
        final String change = "enlarge it (mount -o remount,size=..., docker run --shm-size=...), or have fewer slots or ranks";
        if (room.get().free() < needed)
        {
            return new Finding("room", Level.FAULT, found, "at least " + Numbers.bytes(needed) + ranks(plan), change);
        }
        if (needed == 0 && room.get().free() < SMALL)
        {
            return new Finding("room", Level.WARNING, found, "at least " + Numbers.bytes(SMALL) +
                ", or what --ranks and --slots say that you need", change);
        }
        return Finding.ok("room", found + (needed == 0 ? "" : ", " + Numbers.bytes(needed) + " needed" + ranks(plan)));
    }

    private static String ranks(final Plan plan)
    {
        return " for " + plan.ranks() + " ranks with " + plan.slots() + " slots per sender";
    }

    static Finding fileSystem(final Host host, final Plan plan)
    {
        final Optional<MountTable.Mount> mount = MountTable.find(host, plan.directory());
        if (mount.isEmpty())
        {
            return Finding.unknown("file system", "/proc/self/mountinfo");
        }
        final String found = mount.get().type() + " at " + mount.get().point();
        if (mount.get().options().contains("ro"))
        {
            return new Finding("file system", Level.FAULT, found + ", read-only", "a file system that can be written",
                "mount it read-write, or choose a directory below /dev/shm");
        }
        if (!List.of("tmpfs", "ramfs", "hugetlbfs").contains(mount.get().type()))
        {
            return new Finding("file system", Level.NOTE, found, "tmpfs, which writes nothing to a disk",
                "choose a directory below /dev/shm");
        }
        // mapped files of data are not executed
        final boolean isNoExec = mount.get().options().contains("noexec");
        return Finding.ok("file system", found + (isNoExec ? ", noexec, which does no harm" : ""));
    }

    static Finding hugePages(final Host host, final Plan plan)
    {
        final Optional<MountTable.Mount> mount = MountTable.find(host, plan.directory());
        final Optional<String> text = host.text(HUGE);
        final String option = mount.map(MountTable.Mount::options).orElse(List.of()).stream()
            .filter((each) -> each.startsWith("huge=")).findFirst().orElse("huge=never").substring("huge=".length());
        if (text.isEmpty() && option.equals("never"))
        {
            return Finding.unknown("huge pages", HUGE);
        }
        final String all = text.orElse("[unknown]");
        final String chosen = all.substring(all.indexOf('[') + 1, Math.max(all.indexOf('[') + 1, all.indexOf(']')));
        // of these two the kernel's own value decides whatever the mount says
        final String counts = chosen.equals("force") || chosen.equals("deny") ? chosen : option;
        if (ALL_HUGE.contains(counts))
        {
            return new Finding("huge pages", Level.WARNING, "shmem " + chosen + ", mount huge=" + option,
                "huge=never or advise: a file of some KiB takes 2 MiB else",
                "mount the file system with huge=never, or echo never > " + HUGE);
        }
        return Finding.ok("huge pages", "shmem " + chosen + ", mount huge=" + option);
    }

    static Finding limit(final Host host, final Plan plan)
    {
        final OptionalLong free = new ControlGroup(host).freeMemory();
        if (free.isEmpty())
        {
            return ControlGroup.isSeen(host) ? Finding.ok("memory limit", "none") :
                Finding.unknown("memory limit", "/proc/self/cgroup and " + ControlGroup.ROOT);
        }
        final long needed = plan.neededLength();
        final String found = Numbers.bytes(free.getAsLong()) + " left of the control group's";
        if (free.getAsLong() < Math.max(needed, SMALL))
        {
            return new Finding("memory limit", free.getAsLong() < needed ? Level.FAULT : Level.WARNING, found,
                "at least " + Numbers.bytes(Math.max(needed, SMALL)) + ": files of a tmpfs count as memory",
                "raise the limit (memory.max, docker run --memory=..., resources.limits.memory)");
        }
        return Finding.ok("memory limit", found);
    }

    static Finding mappings(final Host host, final Plan plan)
    {
        final String file = "/proc/sys/vm/max_map_count";
        final OptionalLong most = Numbers.of(host.text(file));
        if (most.isEmpty())
        {
            return Finding.unknown("mappings", file);
        }
        // a process maps each mailbox that it sends to once, also for a while after it was closed; a JVM has thousands of its own
        final long needed = 20_000 + 2L * plan.ranks();
        return most.getAsLong() >= needed ? Finding.ok("mappings", "vm.max_map_count " + most.getAsLong()) :
            new Finding("mappings", Level.WARNING, "vm.max_map_count " + most.getAsLong(), "at least " + needed,
                "sysctl -w vm.max_map_count=65530");
    }
}
