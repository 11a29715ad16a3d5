// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.ClosedNodes;
import org.tallypost.endpoint.internal.node.Desertion;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;
import org.tallypost.endpoint.internal.node.Joining;
import org.tallypost.endpoint.internal.node.JvmFlags;
import org.tallypost.endpoint.internal.node.Liveness;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.remote.TransportHost;
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.mailbox.process.Heartbeats;
import org.tallypost.node.Node;

/**
 * A node as this process takes part in it: makes the parts, and ends them in order. {@link Node} says what its methods mean.
 */
public final class LocalNode implements AutoCloseable
{
    private final NodeContext context;
    private final NodeRuntime runtime;
    private final Liveness liveness;
    private final TransportHost transportHost;
    private final OpenEndpoints endpoints;
    private final SendingThreads sendingThreads;
    private final Wakeups wakeups;
    private volatile boolean closed;
    /** Closed, but in the node still: some thread was in the midst of something. */
    private volatile boolean isLeaveOwed;
    /** How long close() waits for a thread between its claim mark and its publication. */
    public long claimLimitNs = TimeUnit.SECONDS.toNanos(10);
    /** How long it waits for the end of a duty cycle of the transport. */
    public long cycleLimitNs = TransportHost.CYCLE_LIMIT_NS;

    private LocalNode(final NodeContext context, final GuardedErrorHandler errors, final Heartbeats seen)
    {
        this.context = context;
        runtime = new NodeRuntime(
            context, errors, Joining.join(context, seen), (mailbox) -> wakeups().wake(mailbox), this::onCut);
        wakeups = new Wakeups(runtime);
        endpoints = new OpenEndpoints(this);
        sendingThreads = new SendingThreads(() -> runtime.registry().takeMark(runtime.process(), runtime.incarnation()),
            (peer) -> wakeups.granted(peer.words, peer.wordOffset(), peer.source));
        transportHost = new TransportHost(runtime, sendingThreads, wakeups);
        liveness = new Liveness(runtime, this::fence, this::onGone,
            sendingThreads::repairMarks, endpoints::check, transportHost::check, wakeups::ringOwed);
        startTransport();
        if (context.livenessThread())
        {
            liveness.start();
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

    /** As {@link Node#launch}. */
    public static LocalNode launch(final NodeContext context)
    {
        JvmFlags.check();
        context.conclude();
        final GuardedErrorHandler errors = GuardedErrorHandler.around(context.errorHandler());
        context.errorHandler(errors);
        MappedFiles.ensureDirectory(context.directory());
        ClosedNodes.limit(context);
        try
        {
            return new LocalNode(context, errors, null);
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
            return new LocalNode(context, errors, seen);
        }
    }

    /** Refuses an endpoint that is not open here. */
    public void requireOwn(final Endpoint endpoint)
    {
        if (!(endpoint.undecorated() instanceof LocalEndpoint own) || !own.isOf(this))
        {
            throw new IllegalArgumentException("endpoint of another node: found=" + endpoint + ", expected=" + this);
        }
        if (endpoint.isClosed())
        {
            throw new IllegalStateException("endpoint is closed: found=" + endpoint + ", expected=an open one");
        }
    }

    /** As {@link Node#open}. */
    public Endpoint open(final int rank)
    {
        if (rank < 0 || rank >= context.rankCount())
        {
            throw new IllegalArgumentException("no such rank: found=" + rank + ", expected=0 to " + (context.rankCount() - 1));
        }
        final RemoteNodes remote = runtime.remote();
        if (remote != null && remote.isRemote(rank))
        {
            throw new IllegalArgumentException("rank is on another node: found=" + rank + ", expected one of node " +
                remote.node() + ", nodes and ranks=" + remote.map());
        }
        // a holder that was killed just now does not keep another from taking its place
        if (GroupDescriptor.state(runtime.group().rankWordAcquire(rank)) == GroupDescriptor.STATE_OPEN)
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
        final LocalEndpoint endpoint = endpoints.open(rank);
        wakeups.membershipChanged();
        return endpoint;
    }

    /** An endpoint says of itself that it is closed. */
    void closed(final LocalEndpoint endpoint)
    {
        endpoints.closed(endpoint);
        runtime.mailboxes().remove(endpoint.rank(), endpoint.epoch());
    }

    /** As {@link Node#close}. */
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
            if (runtime.watch().check())
            {
                endpoints.closeAll();
                isLeft = awaitQuiet();
                if (isLeft)
                {
                    liveness.close();
                    NodeFiles.leave(runtime, wakeups::closeBell);
                    wakeups.membershipChanged();
                }
            }
        }
        catch (final MailboxException ex)
        {
            // there may be no directory any more; what is this process's own is released all the same
            runtime.errors().onError(ex);
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
        runtime.errors().onError(new MailboxException("this process cannot leave, and stays a member until it ends: threads in " +
            "the midst of a send=" + claiming.stream().map(Thread::getName).toList() + ", waited " +
            TimeUnit.NANOSECONDS.toMillis(claimLimitNs) + " ms, thread in the midst of a transport's duty cycle=" +
            (carrying == null ? "none" : carrying.getName() + ", waited " + TimeUnit.NANOSECONDS.toMillis(cycleLimitNs) +
            " ms") + ", directory=" + context.directory() +
            "; if they were stopped let them go on, then close the node again"));
        return false;
    }

    /** False if another thread has begun to close before. */
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
            ClosedNodes.add(runtime.mailboxes(), runtime.remote());
            runtime.mailboxes().clear();
        }
        runtime.errors().close();
        isLeaveOwed = !isLeft;
    }

    /** Others have declared this process gone: its credits are given away, so it must not send any more. */
    public void fence()
    {
        // not synchronized: the liveness thread is here, and close() waits for it
        endpoints.closeAll();
        transportHost.close(cycleLimitNs);
    }

    /** Processes or ranks are gone. */
    private void onGone()
    {
        wakeups.removeDeadBells();
        wakeups.membershipChanged();
    }

    /**
     * A file was truncated. Mailboxes are left as they are: the interpreter does not survive a compare-and-set on a missing page.
     * The others hear of it if the words that say so are still there.
     */
    private void onCut(final boolean isTold)
    {
        for (final LocalEndpoint endpoint : endpoints.all())
        {
            endpoint.abandon(isTold);
        }
        transportHost.close(cycleLimitNs);
    }

    /** As {@link Node#checkLiveness}. */
    public int checkLiveness()
    {
        return transportHost.isAtWork() ? 0 : liveness.check(System.currentTimeMillis());
    }

    public NodeRuntime runtime()
    {
        return runtime;
    }

    public TransportHost transportHost()
    {
        return transportHost;
    }

    public SendingThreads sendingThreads()
    {
        return sendingThreads;
    }

    public OpenEndpoints endpoints()
    {
        return endpoints;
    }

    public Wakeups wakeups()
    {
        return wakeups;
    }

    @Override
    public String toString()
    {
        return "Node{directory=" + context.directory() + ", group=" + context.groupName() +
            (runtime.remote() == null ? "" : ", node=" + runtime.remote().node()) + (closed ? ", closed" : ", open") + "}";
    }
}
