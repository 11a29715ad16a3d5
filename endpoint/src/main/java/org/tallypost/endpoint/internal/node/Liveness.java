// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.util.concurrent.locks.LockSupport;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.Heartbeats;
import org.tallypost.mailbox.process.Registry;

/**
 * Watches over the processes of a node: says that this one is alive, and finds out which are not any more. Four times
 * within the liveness interval, so that a death is told within it.
 */
public final class Liveness implements AutoCloseable
{
    private static final int CHECKS_PER_INTERVAL = 4;

    private final NodeRuntime node;
    private final Registry registry;
    private final Runnable fence;
    private final Runnable onGone;
    private final Runnable[] steps;
    private final long intervalNs;
    private final Heartbeats seen;
    private Thread thread;
    private boolean fenced;
    private boolean isLeftoverDue;
    private boolean isLeaving;
    private volatile boolean closed;

    /**
     * Nothing is looked at yet.
     *
     * @param node   the node with the processes that are watched.
     * @param fence  called when others have declared this process gone: it must not send any more.
     * @param onGone called when processes or ranks were found to be gone.
     * @param steps  what this process looks after at each look beside that.
     */
    public Liveness(final NodeRuntime node, final Runnable fence, final Runnable onGone, final Runnable... steps)
    {
        this.node = node;
        this.fence = fence;
        this.onGone = onGone;
        this.steps = steps;
        registry = node.registry();
        intervalNs = node.context().livenessIntervalNs();
        seen = new Heartbeats(registry.processes());
    }

    public void start()
    {
        thread = new Thread(this::run, "tallypost-liveness-" + node.process());
        thread.setDaemon(true);
        thread.start();
    }

    private void run()
    {
        while (!closed)
        {
            try
            {
                check(System.currentTimeMillis());
            }
            catch (final Throwable t)
            {
                node.errors().onError(t);
            }
            // an error handler may leave it set: no park would last, and no channel stay open
            Thread.interrupted();
            LockSupport.parkNanos(this, intervalNs / CHECKS_PER_INTERVAL);
        }
    }

    /** One look at everybody. */
    public synchronized int check(final long nowMs)
    {
        if (closed || !node.watch().check())
        {
            return 0;
        }
        final boolean isLive = node.isMember();
        if (isLeaving)
        {
            // the thread that closes the node closes all that a fence would
            if (isLive)
            {
                registry.heartbeat(node.process(), nowMs);
            }
            return 0;
        }
        if (!isLive)
        {
            if (!fenced)
            {
                fenced = true;
                fence.run();
                node.errors().onError(new MailboxException(
                    "this process was declared gone by another one and is closed: directory=" + node.context().directory() +
                    ", livenessIntervalNs=" + intervalNs + "; it did not run for longer than that; raise livenessIntervalNs"));
            }
            return 0;
        }
        registry.heartbeat(node.process(), nowMs);
        for (final Runnable step : steps)
        {
            run(step);
        }
        node.errors().flush(System.nanoTime());
        final int gone = registry.declareGone(seen, System.nanoTime(), intervalNs) + node.group().markGone(registry);
        if (gone > 0)
        {
            onGone.run();
            isLeftoverDue = true;
        }
        // a process that died may have been making a file, and may have shared some
        isLeftoverDue = isLeftoverDue && !NodeFiles.tryRemoveLeft(node.context().directory(), registry);
        return gone;
    }

    /** What goes wrong with one thing does not keep the others from being looked at, deaths above all. */
    private void run(final Runnable action)
    {
        try
        {
            action.run();
        }
        catch (final Throwable t)
        {
            node.errors().onError(t);
        }
    }

    /** From now on says that this process is there, and does nothing else. A look under way ends before. */
    public synchronized void beatOnly()
    {
        isLeaving = true;
    }

    @Override
    public void close()
    {
        closed = true;
        if (thread != null)
        {
            LockSupport.unpark(thread);
        }
        // a check under way ends before the process leaves
        synchronized (this)
        {
            thread = null;
        }
    }
}
