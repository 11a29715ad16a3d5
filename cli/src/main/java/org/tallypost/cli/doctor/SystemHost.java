// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.NodeLeftovers;
import org.tallypost.node.NodeStat;

/**
 * The machine that this runs on, or what a directory has in the place of its /proc and /sys.
 */
public class SystemHost implements Host
{
    private static final String PACKAGE = "jdk.internal.misc";
    private static final String GROUP_NAME = "group";
    private static final int STICKY = 01000;
    private static final int DEPTH = 3;
    private static final int MOST_LENGTH = 1 << 18;

    private final Path root;

    /**
     * A machine.
     *
     * @param root of /proc and /sys.
     */
    public SystemHost(final Path root)
    {
        this.root = root;
    }

    private Path resolve(final String path)
    {
        return root.resolve(path.substring(1));
    }

    @Override
    public final Optional<String> text(final String path)
    {
        // at once: a file of /proc/sys has nothing more for a second read, and tells no length if it is asked for it first
        try (InputStream file = Files.newInputStream(resolve(path)))
        {
            final byte[] bytes = new byte[MOST_LENGTH];
            return Optional.of(new String(bytes, 0, file.readNBytes(bytes, 0, MOST_LENGTH), StandardCharsets.UTF_8).strip());
        }
        catch (final IOException | RuntimeException ex)
        {
            return Optional.empty();
        }
    }

    @Override
    public final List<String> names(final String path)
    {
        try (Stream<Path> files = Files.list(resolve(path)))
        {
            return files.map((file) -> file.getFileName().toString()).sorted().toList();
        }
        catch (final IOException | RuntimeException ex)
        {
            return List.of();
        }
    }

    @Override
    public Optional<Room> room(final File directory)
    {
        final File there = nearest(directory);
        final long total = there.getTotalSpace();
        // 0 is what the JDK says of what it cannot ask
        return total == 0 ? Optional.empty() : Optional.of(new Room(total, there.getUsableSpace()));
    }

    @Override
    public File nearest(final File directory)
    {
        File there = directory.getAbsoluteFile();
        while (!there.exists() && there.getParentFile() != null)
        {
            there = there.getParentFile();
        }
        return there;
    }

    @Override
    public Optional<Place> place(final File file)
    {
        try
        {
            final Path path = file.toPath();
            final Set<PosixFilePermission> mode = Files.getPosixFilePermissions(path);
            final int all = (Integer)Files.getAttribute(path, "unix:mode");
            return Optional.of(new Place(
                file.isDirectory(), (Integer)Files.getAttribute(path, "unix:uid"), mode, (all & STICKY) != 0,
                Files.isWritable(path)));
        }
        catch (final IOException | RuntimeException ex)
        {
            return Optional.empty();
        }
    }

    @Override
    public Optional<Integer> uid()
    {
        try
        {
            return Optional.of((Integer)Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
        }
        catch (final IOException | RuntimeException ex)
        {
            return Optional.empty();
        }
    }

    @Override
    public long pid()
    {
        return ProcessHandle.current().pid();
    }

    @Override
    public Jvm jvm()
    {
        return new Jvm(Runtime.version().feature(), System.getProperty("os.name", ""), System.getProperty("os.arch", ""),
            Object.class.getModule().isExported(PACKAGE, DirectBuffer.class.getModule()));
    }

    @Override
    public List<File> nodesBelow(final File directory)
    {
        final List<File> nodes = new ArrayList<>();
        collect(directory, DEPTH, nodes);
        return nodes;
    }

    private static void collect(final File directory, final int depth, final List<File> nodes)
    {
        final File[] files = depth == 0 ? null : directory.listFiles();
        for (final File each : files == null ? new File[0] : files)
        {
            if (each.isDirectory() && !Files.isSymbolicLink(each.toPath()))
            {
                if (new File(each, GROUP_NAME).isFile() && new File(each, "registry").isFile())
                {
                    nodes.add(each);
                }
                collect(each, depth - 1, nodes);
            }
        }
    }

    @Override
    public Optional<NodeFacts> node(final File directory)
    {
        if (!new File(directory, GROUP_NAME).exists())
        {
            return Optional.empty();
        }
        try
        {
            final NodeStat stat = NodeStat.attach(directory);
            final List<NodeStat.EndpointStat> open = stat.read().stream().filter(NodeStat.EndpointStat::isOpen).toList();
            final NodeLeftovers left = NodeLeftovers.find(directory);
            return Optional.of(new NodeFacts(
                "", stat.localRankCount(), open.size(), stat.slotsPerSender(), stat.nodeCount(),
                open.stream().mapToLong((each) -> each.counters().mailboxBytes()).max().orElse(0),
                open.stream().map(NodeStat.EndpointStat::pid).filter((pid) -> pid > 0).distinct().toList(),
                left.liveness(), left.files().size(), left.bytes(), sum(open, EndpointCounters::bulkOperations),
                sum(open, EndpointCounters::bulkRefused), sum(open, EndpointCounters::bulkPending)));
        }
        catch (final MailboxException ex)
        {
            return Optional.of(NodeFacts.unreadable(ex.getMessage()));
        }
    }

    private static long sum(final List<NodeStat.EndpointStat> ranks, final ToLongFunction<EndpointCounters> counter)
    {
        return ranks.stream().mapToLong((rank) -> counter.applyAsLong(rank.counters())).sum();
    }
}
