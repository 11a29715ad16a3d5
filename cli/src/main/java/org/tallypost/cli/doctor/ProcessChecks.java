// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;

/**
 * What processes may do and see: directories, other processes, files.
 */
final class ProcessChecks
{
    private static final Pattern NS_PID = Pattern.compile("(?m)^NSpid:\\s*(.+)$");
    private static final Pattern OPEN_FILES = Pattern.compile("(?m)^Max open files\\s+(\\S+)");
    private static final Pattern HIDE_PID = Pattern.compile("hidepid=(\\w+)");
    private static final int CROSS_MEMORY_FEATURE = 22;
    private static final String PTRACE = "/proc/sys/kernel/yama/ptrace_scope";

    private ProcessChecks()
    {
    }

    static Finding directory(final Host host, final Plan plan)
    {
        final File there = host.nearest(plan.directory());
        final Optional<Host.Place> found = host.place(there);
        if (found.isEmpty())
        {
            return Finding.unknown("directory", "owner and permissions of " + there);
        }
        final Host.Place place = found.get();
        if (!place.isDirectory())
        {
            return new Finding("directory", Level.FAULT, there + " is no directory", "a directory", "choose another one");
        }
        if (!place.isWritable())
        {
            return new Finding("directory", Level.FAULT, there + " cannot be written", "a directory of this user",
                "choose another one, such as /dev/shm/NAME");
        }
        final boolean isShared =
            place.mode().contains(PosixFilePermission.GROUP_WRITE) || place.mode().contains(PosixFilePermission.OTHERS_WRITE);
        if (there.equals(plan.directory().getAbsoluteFile()) && plan.node().isPresent())
        {
            return ownDirectory(host, there, place, isShared);
        }
        return isShared && !place.isSticky() ? new Finding("directory", Level.WARNING, there + " may be written by others, and " +
            "has no sticky bit", "mode 1777: others can rename and replace a node's directory else", "chmod +t " + there) :
            Finding.ok("directory", there + " can be written");
    }

    private static Finding ownDirectory(
        final Host host, final File directory, final Host.Place place, final boolean isShared)
    {
        final Optional<Integer> own = host.uid();
        if (own.isPresent() && own.get() != place.uid())
        {
            return new Finding("directory", Level.FAULT, directory + " belongs to user " + place.uid(), "this user, " + own.get(),
                "run as that user, or choose another directory");
        }
        return isShared ? new Finding("directory", Level.FAULT, directory + " may be written by others", "mode 0700",
            "chmod 700 " + directory) : Finding.ok("directory", directory + " is this user's alone");
    }

    /** What is wrong with the node of the directory, if one is there. */
    static Finding node(final Plan plan)
    {
        return plan.node().map((node) -> node.problem().isEmpty() ?
            Finding.ok("node", node.openRanks() + " of " + node.ranks() + " ranks open") :
            new Finding("node", Level.FAULT, node.problem(), "files of a node of this version",
                "end the processes that use it, and remove the directory")).orElse(Finding.ok("node", "none"));
    }

    static Finding leftovers(final Host host, final Plan plan)
    {
        if (plan.node().isEmpty())
        {
            return deadNodes(host, plan);
        }
        final Optional<NodeFacts> node = plan.node().filter((each) -> each.problem().isEmpty() && each.leftFiles() > 0);
        if (node.isEmpty())
        {
            return Finding.ok("leftovers", "none");
        }
        final String files = node.get().leftFiles() + " files of dead processes, " + Numbers.bytes(node.get().leftBytes());
        return node.get().liveness() == Liveness.DEAD ?
            new Finding("leftovers", Level.WARNING, files + "; no process of the node lives", "a node with processes, or none",
                "tallypost clean " + plan.directory() + ", or launch the node again, which makes it new") :
            new Finding("leftovers", Level.NOTE, files, "none", "tallypost clean " + plan.directory());
    }

    private static Finding deadNodes(final Host host, final Plan plan)
    {
        long bytes = 0;
        final List<String> dead = new ArrayList<>();
        for (final File directory : host.nodesBelow(plan.directory()))
        {
            final Optional<NodeFacts> node = host.node(directory)
                .filter((each) -> each.problem().isEmpty() && each.liveness() == Liveness.DEAD);
            if (node.isPresent())
            {
                dead.add(directory.getPath());
                bytes += node.get().leftBytes();
            }
        }
        return dead.isEmpty() ? Finding.ok("leftovers", "none") :
            new Finding("leftovers", Level.WARNING, dead.size() + (dead.size() == 1 ? " node" : " nodes") +
                " without a living process, " + Numbers.bytes(bytes) + ": " + String.join(" ", dead), "none",
                "tallypost clean DIR, with each of these directories");
    }

    /** Whether /proc counts processes as this process does, and shows all of them. */
    static Finding procFiles(final Host host)
    {
        final Optional<String> status = host.text("/proc/self/status");
        final Optional<MountTable.Mount> mount = MountTable.find(host, "/proc");
        if (status.isEmpty() || mount.isEmpty())
        {
            return Finding.unknown("pid namespace", status.isEmpty() ? "/proc/self/status" : "/proc/self/mountinfo");
        }
        final String expected = "the /proc of this pid namespace, with all processes: death is proven by it, and else only " +
            "noticed when a heartbeat stops for livenessIntervalNs";
        final Matcher pids = NS_PID.matcher(status.get());
        final String[] numbers = pids.find() ? pids.group(1).trim().split("\\s+") : new String[0];
        if (numbers.length > 1 || numbers.length == 1 && !numbers[0].equals(Long.toString(host.pid())))
        {
            return new Finding("pid namespace", Level.WARNING, "/proc is that of another pid namespace, process " + host.pid() +
                " is " + numbers[0] + " there", expected, "mount /proc anew in the namespace (mount -t proc proc /proc)");
        }
        final Matcher hide = HIDE_PID.matcher(String.join(",", mount.get().options()));
        return hide.find() && !List.of("0", "off").contains(hide.group(1)) ?
            new Finding("pid namespace", Level.WARNING, "/proc is mounted with " + hide.group(), expected,
                "mount -o remount,hidepid=0 /proc") :
            Finding.ok("pid namespace", "/proc shows this process as " + host.pid());
    }

    /** Whether the processes of the node that is there are seen from here. */
    static Finding processes(final Plan plan)
    {
        return plan.node().filter((node) -> node.problem().isEmpty() && node.liveness() == Liveness.UNKNOWN)
            .map((node) -> new Finding("processes", Level.WARNING, "a process of the node cannot be seen from here",
                "all processes of a node in one pid namespace, or a longer livenessIntervalNs than any of them ever pauses",
                "share the pid namespace (docker run --pid=container:..., shareProcessNamespace: true)"))
            .orElseGet(() -> Finding.ok("processes", plan.node().isEmpty() ? "no node" : "all seen"));
    }

    static Finding ptrace(final Host host)
    {
        final OptionalLong scope = Numbers.of(host.text(PTRACE));
        // a kernel without Yama has no such file, and no such limit
        return scope.orElse(0) == 0 ? Finding.ok("ptrace scope", scope.isEmpty() ? "none" : "0") :
            new Finding("ptrace scope", Level.NOTE, Long.toString(scope.getAsLong()),
                "0, if processes are to read each other's memory (process_vm_readv); mapped files need nothing",
                "sysctl -w kernel.yama.ptrace_scope=0");
    }

    /** Nothing fails without it: that it is off is no fault. */
    static Finding crossMemory(final Host host)
    {
        final int feature = host.jvm().feature();
        final long scope = Numbers.of(host.text(PTRACE)).orElse(0);
        return Finding.ok("cross memory", feature < CROSS_MEMORY_FEATURE ?
            "off: Java " + feature + " has no java.lang.foreign, Java " + CROSS_MEMORY_FEATURE + " has" :
            scope > 0 ? "off: ptrace scope " + scope + " keeps processes from reading each other's memory" :
            "possible, and off unless a messenger has crossMemory set");
    }

    static Finding openFiles(final Host host, final Plan plan)
    {
        final Matcher limit = OPEN_FILES.matcher(host.text("/proc/self/limits").orElse(""));
        if (!limit.find())
        {
            return Finding.unknown("open files", "Max open files in /proc/self/limits");
        }
        // sockets of processes with threads that park; mapped files have no descriptor
        final long needed = 512 + plan.ranks();
        final OptionalLong found = Numbers.of(Optional.of(limit.group(1)));
        return found.isEmpty() || found.getAsLong() >= needed ? Finding.ok("open files", "at most " + limit.group(1)) :
            new Finding("open files", Level.WARNING, "at most " + found.getAsLong(), "at least " + needed,
                "ulimit -n " + Math.max(4096, needed) + ", or LimitNOFILE= of the systemd unit");
    }

    /** Flags of the JVMs of the node, and of this one. */
    static List<Finding> flags(final Host host, final Plan plan)
    {
        final List<Finding> all = new ArrayList<>();
        final Host.Jvm jvm = host.jvm();
        final boolean isSupported = List.of("amd64", "x86_64", "aarch64").contains(jvm.arch()) && jvm.system().equals("Linux");
        all.add(isSupported ? Finding.ok("platform", jvm.system() + " on " + jvm.arch()) : new Finding("platform", Level.FAULT,
            jvm.system() + " on " + jvm.arch(), "Linux on x86-64 or aarch64", "use another machine"));
        all.add(jvm.feature() >= 17 ? Finding.ok("jvm", "Java " + jvm.feature()) : new Finding("jvm", Level.FAULT,
            "Java " + jvm.feature(), "17 or newer", "set JAVA_HOME to a newer JDK"));
        all.add(jvm.isOpen() ? Finding.ok("jvm flag", "jdk.internal.misc is open") : new Finding("jvm flag", Level.FAULT,
            "jdk.internal.misc is closed", "open to Agrona",
            "start the JVM with --add-opens java.base/jdk.internal.misc=ALL-UNNAMED"));
        all.add(collections(host, plan));
        return all;
    }

    private static Finding collections(final Host host, final Plan plan)
    {
        final List<String> pids = new ArrayList<>(List.of("self"));
        plan.node().ifPresent((node) -> node.pids().forEach((pid) -> pids.add(Long.toString(pid))));
        boolean isRead = false;
        for (final String pid : pids)
        {
            final Optional<String> line = host.text("/proc/" + pid + "/cmdline");
            isRead |= line.isPresent();
            // the last one counts
            final String flags = line.orElse("");
            if (flags.lastIndexOf("-XX:+DisableExplicitGC") > flags.lastIndexOf("-XX:-DisableExplicitGC"))
            {
                return new Finding("garbage collection", Level.WARNING, "process " + pid + " runs with -XX:+DisableExplicitGC",
                    "without: mailboxes of closed ranks stay mapped, and take room, until a collection",
                    "remove that flag; -XX:+ExplicitGCInvokesConcurrent makes such collections short");
            }
        }
        return isRead ? Finding.ok("garbage collection", "explicit ones work") :
            Finding.unknown("garbage collection", "/proc/self/cmdline");
    }
}
