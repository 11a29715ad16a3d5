// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.local.LocalNode;
import org.tallypost.endpoint.internal.node.SharedMapping;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.files.MailboxException;

/**
 * This process's part in a node: a directory of mapped files that the processes of one host share.
 *
 * <pre>
 *   directory/                 0700
 *     lock                     held while somebody comes or goes
 *     registry                 processes, and the claim marks of their sending threads
 *     group                    what all agree on, ranks, counters
 *     mailbox-RANK-EPOCH       one for each open rank
 *     bell-PROCESS-INCARNATION sockets of processes in which a thread parked
 *     shared-NAME              files that programs of the node share by name; memory of ranks, their bulk queues
 *     names                    names of ranks, once somebody has asked for them
 *     remote, egress-NODE      with several nodes: words of pairs, runs on their way to each other node
 *     high-...                 with priorities: a second mailbox for each rank, and the same between nodes
 *     transport.lock           held by the process that carries the packets between nodes
 * </pre>
 *
 * The first process makes them, the others attach and have to agree. A directory in which no process lives any more is
 * made anew: if they are all proven to be dead, or if those that cannot be proven to be dead have been silent for longer than the
 * node's liveness interval, and have left other values than this process has.
 */
public final class Node implements AutoCloseable
{
    private final LocalNode local;

    private Node(final LocalNode local)
    {
        this.local = local;
    }

    /**
     * Joins the node of a directory, or founds it.
     *
     * @param context that says how; concluded by this call.
     * @return the node.
     * @throws IllegalStateException if the JVM lacks a flag, which the message names; or the context is in use. Nothing was done.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws MailboxException if the directory cannot be used, its files are of another kind or version, or the group was
     *                          created with other values: the message has both. Before that the processes which have them are
     *                          waited for, for up to 60 s, if nothing but their heartbeat tells whether they are there.
     */
    public static Node launch(final NodeContext context)
    {
        return new Node(LocalNode.launch(context));
    }

    /**
     * Opens a rank: creates its mailbox and shows it to the others.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return the endpoint.
     * @throws IllegalArgumentException if there is no such rank, or it is on another node.
     * @throws IllegalStateException if the rank is open, this node is closed, or others have declared this process gone.
     * @throws MailboxException if there is no room for the mailbox.
     */
    public Endpoint open(final int rank)
    {
        return local.open(rank);
    }

    /**
     * Refuses an endpoint that is not open in this node: for what makes files of a rank, which nobody would look for elsewhere.
     *
     * @param endpoint or a decorated one.
     * @throws IllegalArgumentException if it is one of another node.
     * @throws IllegalStateException if it is closed.
     */
    public void requireOwn(final Endpoint endpoint)
    {
        local.requireOwn(endpoint);
    }

    /**
     * Leaves at once: closes all endpoints. The last process removes the directory if deleteOnClose is set. Another call returns.
     *
     * <p>A thread in the midst of a send is waited for, up to 10 s; one that carries packets between nodes, up to 60 s. If a
     * debugger has stopped it, this process stays a member of the node until it ends, with its heartbeat, so that receivers wait
     * for what that thread has claimed. The error handler is told, and another call tries again.
     *
     * @throws IllegalStateException within the transport's duty cycle, as by an event handler: close() would wait for the end of
     *         that cycle.
     */
    @Override
    public void close()
    {
        local.close();
    }

    /**
     * Creates a file of the node that the other processes of this host attach to by its name. All its pages are reserved before
     * they see it: no later use finds that there is no room. Any thread.
     *
     * @param name   1 to {@link SharedFile#MAX_NAME_LENGTH} characters a to z, 0 to 9, '.' and '-', the first no '.' nor '-'.
     * @param length of the contents in bytes, 1 to {@link SharedFile#MAX_LENGTH}. They are zeros at first.
     * @return the file. This process is its owner: it is removed when the process closes it, closes the node, or is gone.
     * @throws IllegalArgumentException if the name or the length is out of range.
     * @throws IllegalStateException if this node is closed, or others have declared this process gone.
     * @throws MailboxException if a live process has a file of this name, which the message names; or the file system refuses.
     * @throws org.tallypost.mailbox.files.NoRoomException if there is no room: the message says how much is needed and free.
     */
    public SharedFile createShared(final String name, final long length)
    {
        return createShared(name, length, length);
    }

    /**
     * The same for a file that grows. Address space is taken for its greatest length, room for what {@link SharedFile#length()}
     * says. Any thread.
     *
     * @param name      as {@link #createShared(String, long)}.
     * @param length    of the contents at first, in bytes, 1 to the greatest length.
     * @param maxLength greatest length of the contents in bytes, up to {@link SharedFile#MAX_LENGTH}.
     * @return the file.
     * @throws IllegalArgumentException if the name or a length is out of range.
     * @throws IllegalStateException as {@link #createShared(String, long)}.
     * @throws MailboxException as {@link #createShared(String, long)}.
     */
    public SharedFile createShared(final String name, final long length, final long maxLength)
    {
        return new SharedFile(local.runtime().shared().create(name, length, maxLength, this::checkLiveness));
    }

    /**
     * Attaches to a file that a process of this host has created. Any thread.
     *
     * @param name of the file.
     * @return the file.
     * @throws IllegalArgumentException if it cannot be the name of a file.
     * @throws IllegalStateException if this node is closed, or others have declared this process gone.
     * @throws MailboxException if there is no such file, its owner is gone, or it is damaged: the message says what was found.
     */
    public SharedFile attachShared(final String name)
    {
        final SharedFile file = tryAttachShared(name);
        if (file == null)
        {
            throw new MailboxException("no shared file of this name with a living owner: name=" + name + ", directory=" +
                context().directory() + "; was it created, on this host and in this directory?");
        }
        return file;
    }

    /**
     * The same for a caller that waits until another process has created the file. Any thread.
     *
     * @param name of the file.
     * @return the file; null if there is none, or its owner is gone.
     * @throws IllegalArgumentException if it cannot be the name of a file.
     * @throws IllegalStateException if this node is closed, or others have declared this process gone.
     * @throws MailboxException if the file is damaged: the message says what was found.
     */
    public SharedFile tryAttachShared(final String name)
    {
        final SharedMapping mapping = local.runtime().shared().tryAttach(name);
        return mapping == null ? null : new SharedFile(mapping);
    }

    /**
     * The names of ranks of this node. The first call of all makes a file of 129 KiB. Any thread.
     *
     * @return the directory of names.
     * @throws IllegalStateException if this node is closed, or others have declared this process gone.
     * @throws MailboxException if there is no room for the file, or it is damaged.
     */
    public NameDirectory names()
    {
        return new NameDirectory(local.runtime().names());
    }

    /**
     * Does the transport's work, if no thread does ({@link TransportSettings#thread}). For one thread; another takes it over.
     *
     * @return work done; 0 also if another process carries the packets, and within a duty cycle.
     */
    public int transportWork()
    {
        return local.transportHost().work();
    }

    /**
     * Does what the liveness thread does, for nodes without one: heartbeat, and a look for those that are gone. To be called
     * several times within the liveness interval.
     *
     * @return number of processes and ranks found to be gone.
     */
    public int checkLiveness()
    {
        return local.checkLiveness();
    }

    /**
     * An agent that polls endpoints, does the transport's work if no thread does ({@link TransportSettings#thread}), and looks
     * after liveness if no thread does ({@link NodeContext#livenessThread}), four times within the interval then. For an
     * AgentRunner, an AgentInvoker, or as a part of a CompositeAgent: the thread that calls it is the polling thread of all these
     * endpoints.
     *
     * <p><b>When it has nothing to do.</b> Give the AgentRunner {@code endpoints[0].newIdleStrategy(the others)}, so that a
     * parked thread wakes for all of them. If the agent also has the transport's work or liveness to do, a park must be shorter
     * than these may wait: a quarter of the interval for liveness, and for a transport what the latency of messages between nodes
     * may be.
     *
     * <p><b>When it ends.</b> If all its endpoints are closed it throws an
     * {@link org.agrona.concurrent.AgentTerminationException}, which ends the AgentRunner. One that is closed while others are
     * open is passed over. {@code onClose} lets another thread poll the endpoints; it closes neither them nor the node. What a
     * handler throws goes to the node's error handler.
     *
     * @param handler   for the messages of all endpoints.
     * @param limit     most packets of one endpoint in a duty cycle, at least 1.
     * @param endpoints of this node, or decorated ones; none if the agent is for the transport and liveness alone.
     * @return the agent. Its role is named after the ranks.
     * @throws IllegalArgumentException if the limit is less than 1.
     */
    public Agent agent(final MessageListener handler, final int limit, final Endpoint... endpoints)
    {
        Checks.atLeast("limit", limit, 1);
        final NodeContext context = context();
        final boolean isCarrying = context.transport() != null && !context.transportSettings().thread();
        return new NodeAgent(handler, limit, endpoints, isCarrying ? this::transportWork : null,
            context.livenessThread() ? null : this::checkLiveness, context.livenessIntervalNs());
    }

    /**
     * The context this node was launched with.
     *
     * @return the concluded context.
     */
    public NodeContext context()
    {
        return local.runtime().context();
    }

    LocalNode local()
    {
        return local;
    }

    /** Directory, group, nodes if there are several, and whether it is closed. Any thread. */
    @Override
    public String toString()
    {
        return local.toString();
    }
}
