// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.util.function.Consumer;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.Notice;
import org.tallypost.mailbox.process.Registry;

/**
 * What all endpoints and threads of this process share of its node: the files, the mailboxes that are mapped, and the process's
 * place in the registry. Any thread.
 */
public final class NodeRuntime
{
    private final NodeContext context;
    private final GuardedErrorHandler errors;
    private final Registry registry;
    private final Group group;
    private final int process;
    private final int incarnation;
    private final RemoteNodes remote;
    private final Mailboxes mailboxes;
    private final NodeWatch watch;
    private final SharedFiles shared;
    /** Null if there are no priorities. */
    private final NodeRuntime high;
    private volatile NameTable names;

    /**
     * The process has joined the node.
     *
     * @param context concluded.
     * @param errors  where errors beside a call are told.
     * @param joined  what it found there.
     * @param waker   wakes the threads that wait for a mailbox.
     * @param onCut   called when a file of the node was truncated, with whether the group file can still be written.
     */
    public NodeRuntime(
        final NodeContext context,
        final GuardedErrorHandler errors,
        final Joining.Joined joined,
        final Consumer<Mailbox> waker,
        final Consumer<Boolean> onCut)
    {
        this.context = context;
        this.errors = errors;
        registry = joined.registry();
        group = joined.group();
        remote = joined.remote();
        process = joined.process();
        incarnation = registry.incarnation(process);
        adoptInterval();
        mailboxes = new Mailboxes(context, waker);
        watch = new NodeWatch(this, onCut);
        shared = new SharedFiles(this);
        high = mailboxes.high() == null ? null : new NodeRuntime(this);
    }

    /** Of the high rings: the same node, with another context, other mailboxes, and other rings to other nodes. */
    private NodeRuntime(final NodeRuntime node)
    {
        mailboxes = node.mailboxes.high();
        context = mailboxes.context();
        errors = node.errors;
        registry = node.registry;
        group = node.group;
        remote = node.remote == null ? null : node.remote.high();
        process = node.process;
        incarnation = node.incarnation;
        watch = node.watch;
        shared = node.shared;
        high = null;
    }

    /** One node, one interval: others judge this process by the founder's. */
    private void adoptInterval()
    {
        final long asked = context.livenessIntervalNs();
        context.livenessIntervalNs(group.livenessIntervalNs());
        if (asked != context.livenessIntervalNs())
        {
            errors.onError(new Notice("livenessIntervalNs is that of the process which founded the node",
                "file=" + group.file() + ", found=" + asked + ", in use=" + context.livenessIntervalNs() +
                "; give all processes of a node the same value"));
        }
    }

    public NodeContext context()
    {
        return context;
    }

    /** Where errors beside a call are told. */
    public GuardedErrorHandler errors()
    {
        return errors;
    }

    public Registry registry()
    {
        return registry;
    }

    public Group group()
    {
        return group;
    }

    /** Null if there is one node. */
    public RemoteNodes remote()
    {
        return remote;
    }

    public Mailboxes mailboxes()
    {
        return mailboxes;
    }

    /** The same node as its high rings need it; null if there are no priorities. */
    public NodeRuntime high()
    {
        return high;
    }

    /** Rank of a mailbox, or of a high ring. */
    public int rankOf(final Mailbox mailbox)
    {
        final int first = high == null ? Integer.MAX_VALUE : high.mailboxes.firstId();
        return mailbox.id() < first ? mailbox.id() : mailbox.id() - first;
    }

    public NodeWatch watch()
    {
        return watch;
    }

    /** Files that programs of the node share. */
    public SharedFiles shared()
    {
        return shared;
    }

    /** Names of ranks, in a file that is made when a process first needs it. */
    public NameTable names()
    {
        if (names == null)
        {
            names = NameTable.open(this);
        }
        return names;
    }

    /** Index of this process in the registry. */
    public int process()
    {
        return process;
    }

    /** Tells this process from others that had its place in the registry before. */
    public int incarnation()
    {
        return incarnation;
    }

    /** Process and incarnation, as a pair's line names the process that sends. */
    public long ownerWord()
    {
        return PacketDescriptor.ownerWord(process, incarnation);
    }

    /** Whether the others take this process for alive, as far as it can be seen in files that may have been replaced. */
    public boolean isMember()
    {
        return registry.isLive(process, incarnation);
    }
}
