// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.UnshownFiles;

/**
 * The files in a node's directory: their names, and their end.
 */
public final class NodeFiles
{
    public static final String REGISTRY_NAME = "registry";
    /** Held by the process that carries the packets between nodes. */
    public static final String TRANSPORT_LOCK_NAME = "transport.lock";
    /** Of the sockets of processes in which a thread parked. */
    public static final String BELL_PREFIX = "bell-";

    static final String MAILBOX_PREFIX = "mailbox-";
    /** Of the mailboxes for messages of high priority. */
    static final String HIGH_PREFIX = "high-";

    private NodeFiles()
    {
    }

    /** Takes a process out of a node, and removes the node with the last one if that is wanted. */
    public static void leave(final NodeRuntime node, final Runnable closeBell)
    {
        final NodeContext context = node.context();
        NodeLock.locked(NodeLock.file(context.directory()), () ->
        {
            // under one lock with the removal: of several that close at once, exactly one is the last
            node.shared().close();
            node.registry().leave(node.process(), node.incarnation());
            closeBell.run();
            if (context.deleteOnClose() && Desertion.isLeft(node.registry()))
            {
                deleteAll(context.directory());
            }
            return null;
        });
    }

    public static File mailbox(final File directory, final int rank, final int epoch)
    {
        return mailbox(directory, MAILBOX_PREFIX, rank, epoch);
    }

    /** The high ring of a rank. */
    public static File high(final File directory, final int rank, final int epoch)
    {
        return mailbox(directory, HIGH_PREFIX, rank, epoch);
    }

    static File mailbox(final File directory, final String prefix, final int rank, final int epoch)
    {
        return new File(directory, prefix + rank + "-" + epoch);
    }

    /** Removes what processes that are gone have left behind. The caller holds the node's lock. */
    static void removeLeft(final File directory, final Registry registry)
    {
        UnshownFiles.remove(directory, registry);
        SharedFiles.remove(directory, registry);
    }

    /**
     * Removes it if there is any, unless somebody has the lock at this moment. Does not wait for another process.
     *
     * @return false if this is to be tried again.
     */
    static boolean tryRemoveLeft(final File directory, final Registry registry)
    {
        return UnshownFiles.tryRemove(directory, registry) && SharedFiles.tryRemove(directory, registry);
    }

    static void delete(final File directory)
    {
        try (Stream<Path> files = Files.list(directory.toPath()))
        {
            files.filter((path) -> isOurs(path.getFileName().toString())).forEach((path) -> path.toFile().delete());
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot clear directory: file=" + directory + ", cause=" + ex, ex);
        }
    }

    /** Removes the directory too. */
    static void deleteAll(final File directory)
    {
        delete(directory);
        new File(directory, NodeLock.NAME).delete();
        new File(directory, TRANSPORT_LOCK_NAME).delete();
        directory.delete();
    }

    private static boolean isOurs(final String name)
    {
        return name.equals(REGISTRY_NAME) || name.equals(Group.FILE_NAME) || name.startsWith(MAILBOX_PREFIX) ||
            name.startsWith(HIGH_PREFIX) ||
            name.equals(RemoteNodes.FILE_NAME) || name.startsWith(RemoteNodes.RING_PREFIX) ||
            name.startsWith(BELL_PREFIX) || name.startsWith(SharedFiles.PREFIX) || name.equals(NameTable.FILE_NAME) ||
            UnshownFiles.isName(name);
    }
}
