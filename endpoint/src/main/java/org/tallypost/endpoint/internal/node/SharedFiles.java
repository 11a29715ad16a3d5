// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.SharedFileDescriptor;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.mailbox.files.Uninterrupted;
import org.tallypost.mailbox.files.UnshownFile;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.UnshownFiles;

/**
 * The files that programs of a node share by name, as one process makes and maps them. A file belongs to the incarnation of the
 * process that made it, and goes with it: a process that finds it gone removes its files. Their mappings stay. Any
 * thread.
 */
public final class SharedFiles
{
    /** Begin of their names: no name of a program can lead out of the directory, or meet another file of the node. */
    static final String PREFIX = "shared-";

    private static final Pattern NAME =
        Pattern.compile("[a-z0-9][a-z0-9.-]{0," + (SharedFileDescriptor.MAX_NAME_LENGTH - 1) + "}");

    private final NodeRuntime node;
    /** Those that this process has mapped. */
    private final Set<SharedMapping> open = ConcurrentHashMap.newKeySet();

    SharedFiles(final NodeRuntime node)
    {
        this.node = node;
    }

    /**
     * Makes a file. Its pages are reserved before the node's lock is held, since that takes long compared with what others wait
     * for.
     */
    public SharedMapping create(
        final String name, final long length, final long maxLength, final Runnable checkLiveness)
    {
        final File file = file(name);
        Checks.range("maxLength", maxLength, 1, SharedFileDescriptor.MAX_LENGTH);
        Checks.range("length", length, 1, maxLength);
        checkMember();
        refuseOwned(file);
        ClosedNodes.limit(node.context());
        final long number = ThreadLocalRandom.current().nextLong();
        try (UnshownFile unshown = RoomWait.withRoom(node, checkLiveness, () -> MappedFiles.prepare(
            file, UnshownFiles.suffix(node.process(), node.incarnation()), SharedFileDescriptor.fileLength(maxLength),
            SharedFileDescriptor.fileLength(length), (buffer) -> initialise(buffer, name, length, number))))
        {
            return NodeLock.locked(NodeLock.file(node.context().directory()),
                () -> showLocked(unshown, file, name, checkLiveness));
        }
    }

    private SharedMapping showLocked(
        final UnshownFile unshown, final File file, final String name, final Runnable checkLiveness)
    {
        checkMember();
        refuseOwned(file);
        unshown.show();
        return opened(new SharedMapping(this, file, name, unshown.buffer(), checkLiveness));
    }

    private void initialise(final UnsafeBuffer buffer, final String name, final long length, final long number)
    {
        final ProcessIdentity self = ProcessIdentity.current();
        buffer.putLong(SharedFileDescriptor.MAGIC_OFFSET, SharedFileDescriptor.MAGIC);
        buffer.putInt(SharedFileDescriptor.NAME_LENGTH_OFFSET, name.length());
        buffer.putLong(SharedFileDescriptor.FILE_LENGTH_OFFSET, buffer.capacity());
        buffer.putInt(SharedFileDescriptor.PROCESS_OFFSET, node.process());
        buffer.putInt(SharedFileDescriptor.INCARNATION_OFFSET, node.incarnation());
        buffer.putLong(SharedFileDescriptor.PID_OFFSET, self.pid());
        buffer.putLong(SharedFileDescriptor.START_TIME_OFFSET, self.startTime());
        buffer.putLong(SharedFileDescriptor.NAMESPACE_OFFSET, self.namespace());
        buffer.putLong(SharedFileDescriptor.NUMBER_OFFSET, number);
        buffer.putStringWithoutLengthAscii(SharedFileDescriptor.NAME_OFFSET, name);
        buffer.putLong(SharedFileDescriptor.RESERVED_OFFSET, length);
        // SYNC POINT file-complete
        buffer.putIntRelease(SharedFileDescriptor.VERSION_OFFSET, SharedFileDescriptor.VERSION);
    }

    /** A live process keeps the name of its file. */
    private void refuseOwned(final File file)
    {
        final UnsafeBuffer header = readHeader(file);
        if (header != null && isOwnerLive(header))
        {
            throw new MailboxException("a live process has a shared file of this name: file=" + file + ", owner " +
                owner(header) + "; choose another name, or close that file first");
        }
    }

    /** Maps a file of another process, or of this one; null if there is none with a living owner. */
    public SharedMapping tryAttach(final String name)
    {
        final File file = file(name);
        checkMember();
        if (!file.exists())
        {
            return null;
        }
        ClosedNodes.limit(node.context());
        final SharedMapping mapping;
        try
        {
            mapping = attachWhole(file, name);
        }
        catch (final MailboxException ex)
        {
            if (!file.exists())
            {
                return null;
            }
            throw ex;
        }
        if (mapping.isOwnerLive())
        {
            return opened(mapping);
        }
        ClosedNodes.add(mapping);
        return null;
    }

    /** A file is too short, while its owner gives pages back, for a moment: under the lock it is not. */
    private SharedMapping attachWhole(final File file, final String name)
    {
        try
        {
            return attach(file, name);
        }
        catch (final MailboxException ex)
        {
            return NodeLock.locked(NodeLock.file(node.context().directory()), () -> attach(file, name));
        }
    }

    private SharedMapping attach(final File file, final String name)
    {
        return MappedFiles.attach(file, SharedFileDescriptor.CONTENTS_OFFSET + 1, "shared", (buffer) ->
        {
            MappedFiles.checkHeader(buffer, file, "shared", SharedFileDescriptor.MAGIC, SharedFileDescriptor.VERSION,
                SharedFileDescriptor.FILE_LENGTH_OFFSET);
            if (!SharedFileDescriptor.name(buffer).equals(name) || SharedFileDescriptor.reservedLength(buffer) < 1)
            {
                throw new MailboxException("shared file does not fit its own header: file=" + file + ", found name=" +
                    SharedFileDescriptor.name(buffer).replaceAll("[^ -~]", "?") + ", reserved=" +
                    SharedFileDescriptor.reservedLength(buffer) + ", expected name=" + name + ", reserved at least 1");
            }
            return new SharedMapping(this, file, name, buffer, null);
        });
    }

    private SharedMapping opened(final SharedMapping mapping)
    {
        open.add(mapping);
        return mapping;
    }

    /** A mapping is closed: the file of the owner goes, unless another process has the name by now. */
    void closed(final SharedMapping mapping)
    {
        if (open.remove(mapping))
        {
            // there may be no directory any more
            if (mapping.isOwner() && mapping.file().exists())
            {
                NodeLock.locked(NodeLock.file(node.context().directory()), () -> deleteLocked(mapping));
            }
            ClosedNodes.add(mapping);
        }
    }

    private boolean deleteLocked(final SharedMapping mapping)
    {
        final UnsafeBuffer header = readHeader(mapping.file());
        return header != null && header.getLong(SharedFileDescriptor.NUMBER_OFFSET) == mapping.number() &&
            mapping.file().delete();
    }

    /** This process leaves the node. */
    void close()
    {
        open.forEach(SharedMapping::close);
    }

    void checkMember()
    {
        if (!node.isMember())
        {
            throw new IllegalStateException("node is closed, or this process was declared gone by another one: directory=" +
                node.context().directory() + "; launch the node anew");
        }
    }

    /** Whether the process that a header names as owner is there. What it says may be damaged: it is looked up only. */
    boolean isOwnerLive(final UnsafeBuffer header)
    {
        return isOwnerLive(header, node.registry());
    }

    private static boolean isOwnerLive(final UnsafeBuffer header, final Registry registry)
    {
        final int process = header.getInt(SharedFileDescriptor.PROCESS_OFFSET);
        // one that was killed a moment ago is live until somebody looks
        return registry.isLive(process, header.getInt(SharedFileDescriptor.INCARNATION_OFFSET)) &&
            registry.identity(process).probe() != ProcessIdentity.Liveness.DEAD;
    }

    static ProcessIdentity owner(final UnsafeBuffer header)
    {
        return new ProcessIdentity(header.getLong(SharedFileDescriptor.PID_OFFSET),
            header.getLong(SharedFileDescriptor.START_TIME_OFFSET), header.getLong(SharedFileDescriptor.NAMESPACE_OFFSET));
    }

    /** Waits for room as a mailbox does. An attempt that fails gives back what it has taken. */
    boolean reserve(final SharedMapping mapping, final long from, final long to, final Runnable checkLiveness)
    {
        return RoomWait.withRoom(node, checkLiveness, () ->
        {
            try
            {
                return MappedFiles.reserve(
                    mapping.file(), SharedFileDescriptor.NUMBER_OFFSET, mapping.number(), from, to);
            }
            catch (final NoRoomException ex)
            {
                giveBack(mapping, from, ex);
                throw ex;
            }
        });
    }

    private void giveBack(final SharedMapping mapping, final long from, final NoRoomException cause)
    {
        try
        {
            NodeLock.locked(NodeLock.file(node.context().directory()), () ->
            {
                MappedFiles.giveBack(mapping.file(), SharedFileDescriptor.NUMBER_OFFSET, mapping.number(), from,
                    mapping.whole().capacity());
                return null;
            });
        }
        catch (final MailboxException ex)
        {
            cause.addSuppressed(ex);
        }
    }

    /** Whether a file of a node's directory has the name of a shared file that begins so. */
    public static boolean isShared(final String fileName, final String prefix)
    {
        return fileName.startsWith(PREFIX + prefix) && NAME.matcher(fileName.substring(PREFIX.length())).matches();
    }

    private File file(final String name)
    {
        if (name == null || !NAME.matcher(name).matches())
        {
            throw new IllegalArgumentException("name of a shared file out of range: found=" + name + ", expected=1 to " +
                SharedFileDescriptor.MAX_NAME_LENGTH + " characters a to z, 0 to 9, '.' and '-', the first no '.' nor '-'");
        }
        return new File(node.context().directory(), PREFIX + name);
    }

    /** The part of a header that tells the owner; null if there is no such file, or it is too short to have one. */
    private static UnsafeBuffer readHeader(final File file)
    {
        if (!Files.isRegularFile(file.toPath(), LinkOption.NOFOLLOW_LINKS))
        {
            // to open a pipe could take for ever
            return null;
        }
        final ByteBuffer header = ByteBuffer.allocate(SharedFileDescriptor.OWNER_LENGTH);
        try
        {
            return Uninterrupted.call(() ->
            {
                try (FileChannel channel =
                    FileChannel.open(file.toPath(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))
                {
                    return channel.read(header.clear(), 0) == header.capacity() ? new UnsafeBuffer(header) : null;
                }
            });
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /** Whether a file is one of them, and not one that somebody else has put there under such a name. */
    static boolean isOne(final File file)
    {
        final UnsafeBuffer header = file.getName().startsWith(PREFIX) ? readHeader(file) : null;
        return header != null && header.getLong(SharedFileDescriptor.MAGIC_OFFSET) == SharedFileDescriptor.MAGIC;
    }

    /** Those without a living owner. */
    static File[] find(final File directory, final Registry registry)
    {
        final File[] found = directory.listFiles((parent, name) ->
        {
            final UnsafeBuffer header = name.startsWith(PREFIX) ? readHeader(new File(parent, name)) : null;
            return header != null && header.getLong(SharedFileDescriptor.MAGIC_OFFSET) == SharedFileDescriptor.MAGIC &&
                !isOwnerLive(header, registry);
        });
        return found == null ? new File[0] : found;
    }

    /** Removes those without a living owner. The caller holds the node's lock. */
    static void remove(final File directory, final Registry registry)
    {
        for (final File file : find(directory, registry))
        {
            file.delete();
        }
    }

    /**
     * Removes them if there are any, unless somebody has the lock at this moment. Does not wait for another process.
     *
     * @return false if this is to be tried again.
     */
    static boolean tryRemove(final File directory, final Registry registry)
    {
        return find(directory, registry).length == 0 ||
            NodeLock.tryLocked(NodeLock.file(directory), () -> remove(directory, registry));
    }
}
