// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.ErrorHandler;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.mailbox.Heartbeats;
import org.tallypost.mailbox.MailboxException;
import org.tallypost.mailbox.MappedFiles;
import org.tallypost.mailbox.NoRoomException;
import org.tallypost.mailbox.NodeLock;
import org.tallypost.mailbox.Notice;
import org.tallypost.mailbox.Registry;
import org.tallypost.mailbox.UnshownFiles;

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
 *     remote, egress-NODE      with several nodes: words of pairs, runs on their way to each other node
 *     transport.lock           held by the process that carries the packets between nodes
 * </pre>
 *
 * The first process makes them, the others attach and have to agree. A directory in which no process lives any more is
 * made anew: if they are all proven to be dead, or if those that cannot be proven to be dead have been silent for longer than the
 * node's liveness interval, and have left other values than this process has.
 */
public final class Node implements AutoCloseable
{
    private final Context context;
    private final Registry registry;
    private final Group group;
    private final int process;
    private final int incarnation;
    private final Liveness liveness;
    /** Null if there is one node. */
    private final RemoteNodes remote;
    private final TransportHost transportHost;
    private final Mailboxes mailboxes;
    private final OpenEndpoints endpoints;
    private final SendingThreads sendingThreads;
    private final Wakeups wakeups;
    private final NodeWatch watch;
    private volatile boolean closed;
    /** Closed, but in the node still: some thread was in the midst of something. */
    private volatile boolean isLeaveOwed;
    /** How long close() waits for a thread between its claim mark and its publication. */
    long claimLimitNs = TimeUnit.SECONDS.toNanos(10);
    /** How long it waits for the end of a duty cycle of the transport. */
    long cycleLimitNs = TransportHost.CYCLE_LIMIT_NS;

    private Node(final Context context, final Heartbeats seen)
    {
        this.context = context;
        final File directory = context.directory();
        final File registryFile = new File(directory, NodeFiles.REGISTRY_NAME);
        final File groupFile = new File(directory, Group.FILE_NAME);
        final long nowMs = System.currentTimeMillis();
        final Group[] joinedGroup = new Group[1];
        final Registry[] joinedRegistry = new Registry[1];
        final RemoteNodes[] joinedRemote = new RemoteNodes[1];
        // founded and joined in one go: a node that nobody has joined is deserted for whoever comes next
        process = join(NodeLock.file(directory), registryFile, groupFile, () ->
        {
            if (groupFile.exists() && Desertion.isDeserted(registryFile, seen))
            {
                NodeFiles.delete(directory);
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
            joinedGroup[0] = Group.attach(groupFile);
            joinedGroup[0].checkAgrees(context);
            joinedRemote[0] = RemoteNodes.attach(context);
            joinedRegistry[0] = Registry.attach(registryFile);
            UnshownFiles.remove(directory, joinedRegistry[0]);
            return joinedRegistry[0].join(nowMs);
        });
        group = joinedGroup[0];
        registry = joinedRegistry[0];
        remote = joinedRemote[0];
        incarnation = registry.incarnation(process);
        adoptInterval();
        endpoints = new OpenEndpoints(context, registry, group, process, incarnation, () -> wakeups().membershipChanged());
        sendingThreads = new SendingThreads(() -> registry.takeMark(process, incarnation),
            (peer) -> wakeups().granted(peer.words, peer.wordOffset(), peer.source));
        wakeups = new Wakeups(this, process, incarnation);
        mailboxes = new Mailboxes(context, wakeups::wake);
        transportHost = new TransportHost(this);
        watch = new NodeWatch(this);
        liveness = new Liveness(this, registry, group, process, incarnation);
        startTransport();
        if (context.livenessThread())
        {
            liveness.start();
        }
    }

    /** One node, one interval: others judge this process by the founder's. */
    private void adoptInterval()
    {
        final long asked = context.livenessIntervalNs;
        context.livenessIntervalNs = group.livenessIntervalNs();
        if (asked != context.livenessIntervalNs)
        {
            context.errors().onError(new Notice("livenessIntervalNs is that of the process which founded the node",
                "file=" + group.file() + ", found=" + asked + ", in use=" + context.livenessIntervalNs +
                "; give all processes of a node the same value"));
        }
    }

    /**
     * Does what joining takes under the node's lock. What can be loaded is loaded before, as it takes longer than all else that
     * is done there: if others have founded the node while this process waited, it lets them go first once more.
     */
    private int join(final File lock, final File registryFile, final File groupFile, final Supplier<Integer> joining)
    {
        while (true)
        {
            final boolean isRehearsed = NodeFiles.rehearse(context, registryFile, groupFile);
            final Integer joined = NodeLock.founding(lock, () -> isRehearsed || !groupFile.exists() ? joining.get() : null);
            if (joined != null)
            {
                return joined;
            }
        }
    }

    private void startTransport()
    {
        try
        {
            transportHost.tryStart();
        }
        catch (final RuntimeException | Error ex)
        {
            close();
            throw ex;
        }
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
    public static Node launch(final Context context)
    {
        JvmFlags.check();
        context.conclude();
        MappedFiles.ensureDirectory(context.directory());
        ClosedNodes.limit(context);
        try
        {
            return new Node(context, null);
        }
        catch (final NoRoomException ex)
        {
            ClosedNodes.release();
            throw ex;
        }
        catch (final Group.Mismatch ex)
        {
            final Heartbeats seen = Desertion.await(context.directory());
            if (seen == null)
            {
                throw ex;
            }
            return new Node(context, seen);
        }
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
        if (rank < 0 || rank >= context.rankCount())
        {
            throw new IllegalArgumentException("no such rank: found=" + rank + ", expected=0 to " + (context.rankCount() - 1));
        }
        if (remote != null && remote.isRemote(rank))
        {
            throw new IllegalArgumentException("rank is on another node: found=" + rank + ", expected one of node " +
                remote.node() + ", nodes and ranks=" + remote.map());
        }
        // a holder that was killed just now does not keep anybody from taking its place
        if (GroupDescriptor.state(group.rankWordAcquire(rank)) == GroupDescriptor.STATE_OPEN)
        {
            checkLiveness();
        }
        return openChecked(rank);
    }

    private synchronized Endpoint openChecked(final int rank)
    {
        if (closed)
        {
            throw new IllegalStateException("node is closed: directory=" + context.directory());
        }
        final Endpoint endpoint = endpoints.open(this, rank);
        wakeups.membershipChanged();
        return endpoint;
    }

    void closed(final Endpoint endpoint)
    {
        endpoints.closed(endpoint);
        mailboxes.remove(endpoint.rank(), endpoint.epoch());
    }

    /**
     * Leaves at once: closes all endpoints. The last process removes the directory if deleteOnClose is set. Another call returns.
     *
     * <p>A thread in the midst of a send is waited for, up to 10 s; one that carries packets between nodes, up to 60 s. If a
     * debugger has stopped it, this process stays a member of the node until it ends, with its heartbeat, so that receivers wait
     * for what that thread has claimed. The error handler is told, and another call tries again.
     *
     * @throws IllegalStateException within the transport's duty cycle, as by an event handler, whose end would be waited for.
     */
    @Override
    public void close()
    {
        // a thread in a duty cycle, which is waited for below, may come here: nothing is held meanwhile
        if (!beginClose())
        {
            return;
        }
        boolean isLeft = true;
        // while a thread is waited for the others hear that this process is there
        liveness.beatOnly();
        try
        {
            if (watch.check())
            {
                endpoints.closeAll();
                isLeft = awaitQuiet();
                if (isLeft)
                {
                    liveness.close();
                    NodeFiles.leave(context, registry, process, incarnation, wakeups);
                }
            }
        }
        catch (final MailboxException ex)
        {
            // there may be no directory any more; what is this process's own is released all the same
            context.errors().onError(ex);
        }
        finally
        {
            endClose(isLeft);
        }
    }

    /**
     * Waits until no thread of this process writes anywhere any more. If one does all the time nothing that it may write to is
     * given away: the process does not leave.
     *
     * @return false if one does.
     */
    private boolean awaitQuiet()
    {
        final Thread carrying = transportHost.close(cycleLimitNs);
        final List<Thread> claiming = sendingThreads.awaitQuiet(claimLimitNs);
        if (carrying == null && claiming.isEmpty())
        {
            return true;
        }
        context.errors().onError(new MailboxException("this process cannot leave, and stays a member until it ends: threads in " +
            "the midst of a send=" + claiming.stream().map(Thread::getName).toList() + ", waited " +
            TimeUnit.NANOSECONDS.toMillis(claimLimitNs) + " ms, thread in the midst of a transport's duty cycle=" +
            (carrying == null ? "none" : carrying.getName() + ", waited " + TimeUnit.NANOSECONDS.toMillis(cycleLimitNs) +
            " ms") + ", directory=" + context.directory() +
            "; if they were stopped let them go on, then close the node again"));
        return false;
    }

    /** False if somebody has begun to close before. */
    private synchronized boolean beginClose()
    {
        if (closed && !isLeaveOwed)
        {
            return false;
        }
        transportHost.refuseAtWork("close()");
        closed = true;
        isLeaveOwed = false;
        return true;
    }

    /**
     * What is this process's own is released. No lock is held: the liveness thread and the error handler may be in the midst of
     * another call.
     *
     * @param isLeft false if it stays a member: it keeps what it has mapped, and its heartbeat.
     */
    private void endClose(final boolean isLeft)
    {
        wakeups.close();
        if (isLeft)
        {
            liveness.close();
            ClosedNodes.add(mailboxes, remote);
            mailboxes.clear();
        }
        context.errors().close();
        isLeaveOwed = !isLeft;
    }

    TransportHost transportHost()
    {
        return transportHost;
    }

    /**
     * Does the transport's work, if no thread does ({@link TransportSettings#thread}). For one thread; another takes it over.
     *
     * @return work done; 0 also if another process carries the packets, and within a duty cycle.
     */
    public int transportWork()
    {
        return transportHost.work();
    }

    /** Called when others have declared this process gone: its credits are given away, so it must not send any more. */
    void fence()
    {
        // not synchronized: the liveness thread is here, and close() waits for it
        endpoints.closeAll();
        transportHost.close(cycleLimitNs);
    }

    /**
     * Does what the liveness thread does, for nodes without one: heartbeat, and who is gone. To be called several times
     * within the liveness interval.
     *
     * @return number of processes and ranks found to be gone.
     */
    public int checkLiveness()
    {
        return transportHost.isAtWork() ? 0 : liveness.check(System.currentTimeMillis());
    }

    /** Whether the others take this process for alive, as far as it can be seen in files that may have been replaced. */
    boolean isMember()
    {
        return registry.isLive(process, incarnation);
    }

    long ownerWord()
    {
        return PacketDescriptor.ownerWord(process, incarnation);
    }

    SendingThreads sendingThreads()
    {
        return sendingThreads;
    }

    /**
     * The context this node was launched with.
     *
     * @return the concluded context.
     */
    public Context context()
    {
        return context;
    }

    /** Directory, group, nodes if there are several, and whether it is closed. Any thread. */
    @Override
    public String toString()
    {
        return "Node{directory=" + context.directory() + ", group=" + context.groupName() +
            (remote == null ? "" : ", node=" + remote.node()) + (closed ? ", closed" : ", open") + "}";
    }

    OpenEndpoints endpoints()
    {
        return endpoints;
    }

    Wakeups wakeups()
    {
        return wakeups;
    }

    Mailboxes mailboxes()
    {
        return mailboxes;
    }

    NodeWatch watch()
    {
        return watch;
    }

    Group group()
    {
        return group;
    }

    Registry registry()
    {
        return registry;
    }

    /** Null if there is one node. */
    RemoteNodes remote()
    {
        return remote;
    }

    /**
     * How a node is set up. Setters return the context; {@link Node#launch} concludes it. What is marked 'group' has to be
     * the same in all processes of the node.
     */
    public static final class Context extends NodeSettings
    {
        /** A context with the defaults; {@link #directory}, {@link #groupName} and {@link #rankCount} have to be set. */
        public Context()
        {
        }

        /**
         * Directory of the node's files, best on a memory file system such as /dev/shm. Made with mode 0700 if it is not
         * there.
         *
         * @param directoryValue directory of the node.
         * @return this.
         */
        public Context directory(final File directoryValue)
        {
            this.directory = directoryValue;
            return this;
        }

        /**
         * Name of the group, at most 64 bytes of UTF-8 (group). Default "tallypost".
         *
         * @param groupNameValue name of the group.
         * @return this.
         */
        public Context groupName(final String groupNameValue)
        {
            this.groupName = groupNameValue;
            return this;
        }

        /**
         * Number of ranks in the group, at most 2^20 (group).
         *
         * @param rankCountValue number of ranks.
         * @return this.
         */
        public Context rankCount(final int rankCountValue)
        {
            this.rankCount = rankCountValue;
            return this;
        }

        /**
         * Slots of 64 bytes in each mailbox for each sender, credit slots included (group). Default 64; at least twice
         * the credit slots.
         *
         * @param slotsPerSenderValue slots for each sender.
         * @return this.
         */
        public Context slotsPerSender(final int slotsPerSenderValue)
        {
            this.slotsPerSender = slotsPerSenderValue;
            return this;
        }

        /**
         * Slots of these that a sender always keeps, and in which credit packets come back (group). Default 2.
         *
         * @param creditSlotsValue k of the credit protocol.
         * @return this.
         */
        public Context creditSlots(final int creditSlotsValue)
        {
            this.creditSlots = creditSlotsValue;
            return this;
        }

        /**
         * How slots are given to senders (group). Default {@link Flow#DYNAMIC}.
         *
         * @param flowValue the flow control.
         * @return this.
         */
        public Context flow(final Flow flowValue)
        {
            this.flow = flowValue;
            return this;
        }

        /**
         * How credits come back (group). Default {@link Carrier#DIRECT}.
         *
         * @param carrierValue the carrier of credits.
         * @return this.
         */
        public Context carrier(final Carrier carrierValue)
        {
            this.carrier = carrierValue;
            return this;
        }

        /**
         * Whether data packets carry credits too, with {@link Carrier#PACKET} (group). Default false.
         *
         * @param piggybackValue whether to piggyback.
         * @return this.
         */
        public Context piggyback(final boolean piggybackValue)
        {
            this.piggyback = piggybackValue;
            return this;
        }

        /**
         * Whose slots busy senders get under {@link Flow#DYNAMIC}. Default {@link StealPolicy#IDLE_FIRST}; the thesis's rule is
         * {@link StealPolicy#MONITORED}; with {@link StealPolicy#LENDING} messages by {@link Send} announce what they lack.
         *
         * @param stealPolicyValue the policy of this process's receivers.
         * @return this.
         */
        public Context stealPolicy(final StealPolicy stealPolicyValue)
        {
            this.stealPolicy = stealPolicyValue;
            return this;
        }

        /**
         * Slots of a mailbox's ring, a power of two (group). Default 0: rankCount x slotsPerSender, or with
         * {@link Flow#NONE} four of the longest runs for each rank if that is more, rounded up.
         *
         * @param ringSlotsValue slots of the ring, or 0.
         * @return this.
         */
        public Context ringSlots(final int ringSlotsValue)
        {
            this.ringSlots = ringSlotsValue;
            return this;
        }

        /**
         * Express lanes of this process's mailboxes: each is a small ring for one sending thread that sends much, without a
         * locked instruction for each message. Default 4, or one for each other rank if there are fewer; none with
         * {@link Carrier#PACKET}, nor if no message may ever take two slots.
         *
         * @param expressLanesValue number of lanes in each mailbox, 0 to 4.
         * @return this.
         */
        public Context expressLanes(final int expressLanesValue)
        {
            this.expressLanes = expressLanesValue;
            return this;
        }

        /**
         * Slots of an express lane, memory beside the ring. Default 0: all lanes together as many as the ring, up to 1,024, or a
         * quarter of a larger ring, up to 4,096; each at least 8.
         *
         * @param laneSlotsValue slots of each lane, a power of two, or 0.
         * @return this.
         */
        public Context laneSlots(final int laneSlotsValue)
        {
            this.laneSlots = laneSlotsValue;
            return this;
        }

        /**
         * Longest time in nanoseconds after which the death of a process is noticed; a process for whose death there is no
         * proof, as between pid namespaces, may be silent for so long: choose it longer than any pause there. At least
         * 1,000,000. Default 1 s. Counts for the process that founds the node; the error handler of one that asks for another
         * value is told which is in use.
         *
         * @param livenessIntervalNsValue the interval.
         * @return this.
         */
        public Context livenessIntervalNs(final long livenessIntervalNsValue)
        {
            this.livenessIntervalNs = livenessIntervalNsValue;
            return this;
        }

        /**
         * Whether a thread of the node watches over the others. Default true; else call {@link Node#checkLiveness()}.
         *
         * @param livenessThreadValue whether to start it.
         * @return this.
         */
        public Context livenessThread(final boolean livenessThreadValue)
        {
            this.livenessThread = livenessThreadValue;
            return this;
        }

        /**
         * How {@link Endpoint#newIdleStrategy} passes the time. Default as in {@link IdleSettings}.
         *
         * @param idleValue the settings of this process.
         * @return this.
         */
        public Context idle(final IdleSettings idleValue)
        {
            this.idle = idleValue;
            return this;
        }

        /**
         * Carries packets to the other nodes of the group. Default null: there is one node.
         *
         * @param transportValue with the nodes and their ranks (group).
         * @return this.
         */
        public Context transport(final Transport transportValue)
        {
            this.transport = transportValue;
            return this;
        }

        /**
         * How this process takes its part in carrying packets. Default as in {@link TransportSettings}.
         *
         * @param transportSettingsValue the settings of this process.
         * @return this.
         */
        public Context transportSettings(final TransportSettings transportSettingsValue)
        {
            this.transportSettings = transportSettingsValue;
            return this;
        }

        /**
         * Most processes of the node at a time; counts for the process that founds it. Default 512.
         *
         * @param maxProcessesValue number of processes.
         * @return this.
         */
        public Context maxProcesses(final int maxProcessesValue)
        {
            this.maxProcesses = maxProcessesValue;
            return this;
        }

        /**
         * Most sending threads of the node at a time; counts for the process that founds it. Default 2,048. A thread counts
         * from its first message to its end; one more finds a {@link org.tallypost.mailbox.MailboxException} thrown.
         *
         * @param maxSendingThreadsValue number of threads.
         * @return this.
         */
        public Context maxSendingThreads(final int maxSendingThreadsValue)
        {
            this.maxSendingThreads = maxSendingThreadsValue;
            return this;
        }

        /**
         * Receives what handlers throw, and what goes wrong beside a call. Called by any thread, of the node too, and should not
         * block. What it throws goes to the caller of the poll if a message handler has thrown; else it is printed to standard
         * error with what was told, and the threads of the node go on. Of a flood of errors of one kind four are told, and then
         * one in 5 s with the number of those that were left out; what message handlers throw is told each time. Default prints
         * the stack trace.
         *
         * @param errorHandlerValue the handler.
         * @return this.
         */
        public Context errorHandler(final ErrorHandler errorHandlerValue)
        {
            this.errorHandler = errorHandlerValue;
            return this;
        }

        /**
         * Whether the credit protocol checks its invariants at each step. Default false; costs time that grows with the
         * number of senders.
         *
         * @param checkInvariantsValue whether to check.
         * @return this.
         */
        public Context checkInvariants(final boolean checkInvariantsValue)
        {
            this.checkInvariants = checkInvariantsValue;
            return this;
        }

        /**
         * Whether the last process to close removes the directory. Default false. A process that is proven to be dead is not
         * there any more, also if it died a moment ago.
         *
         * @param deleteOnCloseValue whether to remove it.
         * @return this.
         */
        public Context deleteOnClose(final boolean deleteOnCloseValue)
        {
            this.deleteOnClose = deleteOnCloseValue;
            return this;
        }
    }
}
