// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.Heartbeats;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.UnshownFiles;

/**
 * What dead processes have left in a node's directory. If no process of the node is left, that is every file of the node. Else it
 * is what the living ones remove as well, sooner or later: mailboxes of incarnations that are over, sockets of processes that
 * were declared gone, and files that nobody makes any more.
 */
public final class Leftovers
{
    private static final Pattern MAILBOX = Pattern.compile("(?:mailbox|high)-(\\d{1,9})-(\\d{1,10})");
    private static final Pattern BELL = Pattern.compile(NodeFiles.BELL_PREFIX + "(\\d{1,9})-(\\d{1,9})");
    private static final Pattern OTHER =
        Pattern.compile(NodeFiles.REGISTRY_NAME + "|" + Group.FILE_NAME + "|(?:" + RemoteNodes.HIGH_PREFIX + ")?(?:" +
            RemoteNodes.FILE_NAME + "|" + RemoteNodes.RING_PREFIX + "\\d{1,9})|" + NodeLock.NAME + "|" +
            Pattern.quote(NodeFiles.TRANSPORT_LOCK_NAME));
    /** Of embedded media drivers, below the directory that a transport makes for them. */
    private static final String DRIVER_NAME = "driver";
    private static final String DRIVER_FILES_PREFIX = "aeron";

    private final File directory;
    private final File registryFile;
    private final File groupFile;

    /**
     * What was found.
     *
     * @param liveness of the processes of the node: ALIVE if one is proven to be there, DEAD if all are gone.
     * @param files    that dead processes left.
     * @param bytes    of these files.
     * @param stuck    of files that were to be removed, those that the file system has kept.
     */
    public record Result(Liveness liveness, List<File> files, long bytes, List<File> stuck)
    {
    }

    private Leftovers(final File directory)
    {
        this.directory = directory;
        registryFile = new File(directory, NodeFiles.REGISTRY_NAME);
        groupFile = new File(directory, Group.FILE_NAME);
    }

    /**
     * Looks, and changes nothing.
     *
     * @param directory of a node.
     * @return what was found.
     * @throws MailboxException if there is no node in it, or one of another version.
     */
    public static Result find(final File directory)
    {
        final Leftovers leftovers = new Leftovers(directory);
        return leftovers.find(leftovers.attach());
    }

    /**
     * Removes them, under the node's lock. Processes of which nothing but the heartbeat tells are waited for, as by one that
     * cannot join them.
     *
     * @param directory of a node; removed as well if it is empty afterwards.
     * @return what is not there any more.
     * @throws MailboxException as {@link #find}, or if others could write to the directory, or the lock is not to be had.
     */
    public static Result remove(final File directory)
    {
        final Leftovers leftovers = new Leftovers(directory);
        final Registry registry = leftovers.attach();
        MappedFiles.ensureDirectory(directory);
        final Heartbeats seen = Desertion.look(registry) == Liveness.UNKNOWN ? Desertion.await(directory) : null;
        return NodeLock.locked(NodeLock.file(directory), () -> leftovers.removeLocked(seen));
    }

    /** Refuses what is no node before anything is made or locked there. */
    private Registry attach()
    {
        if (!directory.isDirectory() || !groupFile.exists() && !registryFile.exists())
        {
            throw new MailboxException("no node here: directory=" + directory + ", found=" +
                (directory.isDirectory() ? "neither " + Group.FILE_NAME + " nor " + NodeFiles.REGISTRY_NAME + " in it" :
                directory.exists() ? "a file" : "nothing") + ", expected=a node's directory");
        }
        if (groupFile.exists())
        {
            Group.attach(groupFile);
        }
        return Registry.attach(registryFile);
    }

    private Result find(final Registry registry)
    {
        final Liveness liveness = Desertion.look(registry);
        final List<File> files = liveness == Liveness.DEAD ? all() : some(registry);
        return new Result(liveness, files, files.stream().mapToLong(Leftovers::length).sum(), List.of());
    }

    private Result removeLocked(final Heartbeats seen)
    {
        // another process may have founded the node anew meanwhile
        final Registry registry = attach();
        final boolean isDeserted = Desertion.isDeserted(registryFile, seen);
        final Liveness liveness = isDeserted ? Liveness.DEAD : Desertion.look(registry);
        final List<File> removed = new ArrayList<>();
        final List<File> stuck = new ArrayList<>();
        long bytes = 0;
        for (final File file : isDeserted ? all() : some(registry))
        {
            final long length = length(file);
            final boolean isRemoved = file.delete();
            (isRemoved ? removed : stuck).add(file);
            bytes += isRemoved ? length : 0;
        }
        if (isDeserted)
        {
            // unless something lies in it that is none of ours
            directory.delete();
        }
        return new Result(liveness, removed, bytes, stuck);
    }

    private static long length(final File file)
    {
        return file.isFile() ? file.length() : 0;
    }

    /** The lock last: a process that waits for it founds the node anew. */
    private List<File> all()
    {
        final List<File> files = new ArrayList<>(files((name) -> !name.equals(NodeLock.NAME) &&
            (OTHER.matcher(name).matches() || MAILBOX.matcher(name).matches() || BELL.matcher(name).matches() ||
            UnshownFiles.isName(name) || SharedFiles.isOne(new File(directory, name)))));
        files.addAll(driverFiles());
        files.addAll(files(NodeLock.NAME::equals));
        return files;
    }

    private List<File> some(final Registry registry)
    {
        final Group group = Group.attach(groupFile);
        final List<File> files = new ArrayList<>(files((name) -> isFormerMailbox(name, group, registry) ||
            isFormerBell(name, registry) || UnshownFiles.isLeft(name, registry)));
        files.addAll(List.of(SharedFiles.find(directory, registry)));
        return files;
    }

    private List<File> files(final Predicate<String> wanted)
    {
        final File[] files = directory.listFiles((parent, name) -> wanted.test(name));
        return files == null ? List.of() : Stream.of(files).filter((file) -> !file.isDirectory()).sorted().toList();
    }

    /** Each before the directory that it is in. */
    private List<File> driverFiles()
    {
        final File driver = new File(directory, DRIVER_NAME);
        final File[] drivers = Files.isSymbolicLink(driver.toPath()) ? null : driver.listFiles((parent, name) ->
            name.startsWith(DRIVER_FILES_PREFIX));
        final List<File> found = new ArrayList<>();
        for (final File files : drivers == null ? new File[0] : drivers)
        {
            if (files.isDirectory() && !Files.isSymbolicLink(files.toPath()))
            {
                // links are not followed
                try (Stream<Path> below = Files.walk(files.toPath()))
                {
                    below.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(found::add);
                }
                catch (final IOException ex)
                {
                    throw new MailboxException("cannot list directory: file=" + files + ", cause=" + ex, ex);
                }
            }
        }
        if (!found.isEmpty())
        {
            found.add(driver);
        }
        return found;
    }

    /** Whether it is of an incarnation that is not open in a process that is there. A rank opens under the node's lock. */
    private static boolean isFormerMailbox(final String name, final Group group, final Registry registry)
    {
        final Matcher parts = MAILBOX.matcher(name);
        if (!parts.matches() || Integer.parseInt(parts.group(1)) >= group.ranks())
        {
            return false;
        }
        final int rank = Integer.parseInt(parts.group(1));
        final long word = group.rankWordAcquire(rank);
        return Long.parseLong(parts.group(2)) < GroupDescriptor.epoch(word) ||
            Long.parseLong(parts.group(2)) == GroupDescriptor.epoch(word) &&
            (GroupDescriptor.state(word) != GroupDescriptor.STATE_OPEN || !group.isOwnerLive(rank, registry));
    }

    private static boolean isFormerBell(final String name, final Registry registry)
    {
        final Matcher parts = BELL.matcher(name);
        return parts.matches() && !registry.isLive(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2)));
    }
}
