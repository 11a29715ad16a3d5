// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.tallypost.mailbox.MailboxException;
import org.tallypost.mailbox.NodeLock;
import org.tallypost.mailbox.Registry;
import org.tallypost.mailbox.UnshownFiles;

/**
 * The files in a node's directory: their names, and their end.
 */
final class NodeFiles
{
    static final String REGISTRY_NAME = "registry";

    private NodeFiles()
    {
    }

    /**
     * Reads the files of a node as a process does that joins it, without joining it. What is wrong with them is told when it
     * joins.
     *
     * @return false if there is none.
     */
    static boolean rehearse(final Node.Context context, final File registryFile, final File groupFile)
    {
        if (!groupFile.exists())
        {
            return false;
        }
        try
        {
            Group.attach(groupFile).checkAgrees(context);
            RemoteNodes.attach(context);
            Registry.attach(registryFile).liveCount();
        }
        catch (final MailboxException ignore)
        {
            // or they are removed at this moment, and made anew
        }
        return true;
    }

    /** Takes a process out of a node, and removes the node with the last one if that is wanted. */
    static void leave(
        final Node.Context context, final Registry registry, final int process, final int incarnation, final Wakeups wakeups)
    {
        NodeLock.locked(NodeLock.file(context.directory()), () ->
        {
            // under one lock with the removal: of several that close at once, exactly one is the last
            registry.leave(process, incarnation);
            wakeups.closeBell();
            if (context.deleteOnClose() && Desertion.isLeft(registry))
            {
                deleteAll(context.directory());
            }
            return null;
        });
        wakeups.membershipChanged();
    }

    static File mailbox(final File directory, final int rank, final int epoch)
    {
        return new File(directory, "mailbox-" + rank + "-" + epoch);
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
        new File(directory, TransportHost.LOCK_NAME).delete();
        directory.delete();
    }

    private static boolean isOurs(final String name)
    {
        return name.equals(REGISTRY_NAME) || name.equals(Group.FILE_NAME) || name.startsWith("mailbox-") ||
            name.equals(RemoteNodes.FILE_NAME) || name.startsWith(RemoteNodes.RING_PREFIX) ||
            name.startsWith(Doorbell.PREFIX) || UnshownFiles.isName(name);
    }
}
