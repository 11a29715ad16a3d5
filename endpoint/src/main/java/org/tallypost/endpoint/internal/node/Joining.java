// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.Heartbeats;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.Registry;

/**
 * How a process joins the node of a directory: the first one makes the files, the others attach and have to agree. Both is done
 * under the node's lock, in one go: a node that no process has joined is deserted for the next one.
 */
public final class Joining
{
    private final NodeContext context;
    private final Heartbeats seen;
    private final File registryFile;
    private final File groupFile;

    /**
     * What a process found, or made, and its place in the registry.
     *
     * @param registry of the node.
     * @param group    of the node.
     * @param remote   null if there is one node.
     * @param process  index of this process.
     */
    record Joined(Registry registry, Group group, RemoteNodes remote, int process)
    {
    }

    private Joining(final NodeContext context, final Heartbeats seen)
    {
        this.context = context;
        this.seen = seen;
        registryFile = new File(context.directory(), NodeFiles.REGISTRY_NAME);
        groupFile = new File(context.directory(), Group.FILE_NAME);
    }

    /**
     * Joins or founds a node.
     *
     * @param context concluded.
     * @param seen    heartbeats of processes that were waited for, null if none were.
     * @return what is there.
     */
    public static Joined join(final NodeContext context, final Heartbeats seen)
    {
        return new Joining(context, seen).join();
    }

    /**
     * What can be loaded is loaded before the lock is taken, as it takes longer than all else that is done under it: if others
     * have founded the node while this process waited, it lets them go first once more.
     */
    private Joined join()
    {
        final File lock = NodeLock.file(context.directory());
        final long nowMs = System.currentTimeMillis();
        while (true)
        {
            final boolean isRehearsed = rehearse();
            final Joined joined = NodeLock.founding(lock, () -> isRehearsed || !groupFile.exists() ? joinLocked(nowMs) : null);
            if (joined != null)
            {
                return joined;
            }
        }
    }

    private Joined joinLocked(final long nowMs)
    {
        if (groupFile.exists() && Desertion.isDeserted(registryFile, seen))
        {
            NodeFiles.delete(context.directory());
        }
        if (!groupFile.exists())
        {
            Registry.create(registryFile, context.maxProcesses(), context.maxSendingThreads());
            if (context.transport() != null)
            {
                RemoteNodes.create(context);
            }
            Group.create(groupFile, context);
        }
        final Group group = Group.attach(groupFile);
        group.checkAgrees(context);
        final RemoteNodes remote = RemoteNodes.attach(context);
        final Registry registry = Registry.attach(registryFile);
        NodeFiles.removeLeft(context.directory(), registry);
        return new Joined(registry, group, remote, registry.join(nowMs));
    }

    /**
     * Reads the files of a node as a process does that joins it, without joining it. What is wrong with them is told when it
     * joins.
     *
     * @return false if there is none.
     */
    private boolean rehearse()
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
}
