// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;

/** A healthy machine in a directory, in which a test plants what is wrong. */
final class PlantedHost extends SystemHost
{
    static final File NODE = new File("/dev/shm/node");
    private static final String SHM = "/dev/shm";
    private static final int USER = 1_000;
    private static final long GIB = 1L << 30;

    private final Path root;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, NodeFacts> nodes = new HashMap<>();
    private Optional<Room> room = Optional.of(new Room(8 * GIB, 6 * GIB));
    private Jvm jvm = new Jvm(17, "Linux", "amd64", true);

    /** Without any file. */
    PlantedHost(final Path root)
    {
        super(root);
        this.root = root;
    }

    /** With all that a healthy machine has. */
    static PlantedHost healthy(final Path root)
    {
        return new PlantedHost(root)
            .file("/proc/self/status", "Name:\tjava\nNSpid:\t4711\nCpus_allowed_list:\t0-3,8-11\n")
            .file("/proc/self/limits", "Limit   Soft Limit   Hard Limit   Units\nMax open files     1048576   1048576   files\n")
            .file("/proc/self/mountinfo", "22 27 0:21 / /proc rw,relatime - proc proc rw\n" +
                "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n" +
                "30 25 0:27 / /dev/shm rw,nosuid,nodev,noexec shared:3 - tmpfs tmpfs rw,size=8388608k\n")
            .file("/proc/self/cgroup", "0::/user.slice/session.scope\n")
            .file("/proc/self/cmdline", "java\0--add-opens\0java.base/jdk.internal.misc=ALL-UNNAMED\0")
            .file("/proc/sys/vm/max_map_count", "65530")
            .file("/proc/sys/kernel/yama/ptrace_scope", "0")
            .file("/proc/sys/net/core/rmem_max", "4194304")
            .file("/proc/sys/net/core/wmem_max", "4194304")
            .file("/sys/fs/cgroup/cpu.max", "max 100000")
            .file("/sys/fs/cgroup/user.slice/memory.max", "max")
            .file("/sys/kernel/mm/transparent_hugepage/shmem_enabled", "always within_size advise [never] deny force")
            .file("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc")
            .file("/sys/class/net/lo/mtu", "65536")
            .file("/sys/class/net/eth0/mtu", "9000")
            .file("/sys/class/net/eth0/operstate", "up")
            .file("/sys/class/net/eth1/mtu", "1500")
            .file("/sys/class/net/eth1/operstate", "down")
            .place(SHM, "rwxrwxrwx", true, 0, true)
            .place(NODE.getPath(), "rwx------", false, USER, true);
    }

    PlantedHost file(final String path, final String text)
    {
        try
        {
            final Path file = root.resolve(path.substring(1));
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
            return this;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    PlantedHost place(final String path, final String mode, final boolean isSticky, final int uid, final boolean isWritable)
    {
        places.put(path, new Place(true, uid, PosixFilePermissions.fromString(mode), isSticky, isWritable));
        return this;
    }

    PlantedHost room(final long total, final long free)
    {
        room = Optional.of(new Room(total, free));
        return this;
    }

    PlantedHost noRoom()
    {
        room = Optional.empty();
        return this;
    }

    PlantedHost jvm(final int feature, final String system, final boolean isOpen)
    {
        jvm = new Jvm(feature, system, "amd64", isOpen);
        return this;
    }

    PlantedHost node(final Liveness liveness, final int leftFiles)
    {
        return node(liveness, leftFiles, 0, 0);
    }

    PlantedHost node(final Liveness liveness, final int leftFiles, final long bulkOperations, final long bulkRefused)
    {
        return node(NODE, new NodeFacts("", 4, 2, 64, 1, 1 << 20, List.of(4_712L), liveness, leftFiles, leftFiles * 4_096L,
            bulkOperations, bulkRefused, 3));
    }

    PlantedHost node(final File directory, final NodeFacts facts)
    {
        nodes.put(directory.getPath(), facts);
        return this;
    }

    @Override
    public Optional<Room> room(final File directory)
    {
        return room;
    }

    @Override
    public File nearest(final File directory)
    {
        return nodes.containsKey(directory.getPath()) ? directory : new File(SHM);
    }

    @Override
    public Optional<Place> place(final File file)
    {
        return Optional.ofNullable(places.get(file.getPath()));
    }

    @Override
    public Optional<Integer> uid()
    {
        return Optional.of(USER);
    }

    @Override
    public long pid()
    {
        return 4_711;
    }

    @Override
    public Jvm jvm()
    {
        return jvm;
    }

    @Override
    public Optional<NodeFacts> node(final File directory)
    {
        return Optional.ofNullable(nodes.get(directory.getPath()));
    }

    @Override
    public List<File> nodesBelow(final File directory)
    {
        return nodes.keySet().stream().filter((name) -> name.startsWith(directory.getPath() + "/")).map(File::new).toList();
    }
}
