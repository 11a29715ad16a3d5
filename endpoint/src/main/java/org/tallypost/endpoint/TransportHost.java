// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.HashSet;
import java.util.Set;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.tallypost.mailbox.MailboxException;
import org.tallypost.mailbox.MappedFiles;

/**
 * Runs the transport's agent in that process of the node which holds a lock on a file. The system frees it when the process
 * dies; the others try for it at each look at who is there.
 */
final class TransportHost implements AutoCloseable
{
    static final String LOCK_NAME = "transport.lock";

    /** To close any descriptor of a file drops the locks of the whole process on it: what is held here is not opened again. */
    private static final Set<File> HELD = new HashSet<>();

    private final Node node;
    private final TransportSettings settings;
    private final File lockFile;
    private FileChannel channel;
    private Agent agent;
    private TransportPort port;
    private Thread thread;
    /** Whether {@link #work} does the agent's work: it has no thread. */
    private volatile boolean isInvoked;
    /** Who does the agent's work; null if nobody has yet. */
    private volatile CarrierThread carrier;
    private volatile boolean closed;

    TransportHost(final Node node)
    {
        this.node = node;
        settings = node.context().transportSettings();
        lockFile = new File(node.context().directory(), LOCK_NAME).getAbsoluteFile();
    }

    /** Takes over if the process that carried the packets is not there any more. What goes wrong is told beside. */
    void check()
    {
        try
        {
            tryStart();
        }
        catch (final RuntimeException ex)
        {
            node.context().errorHandler().onError(ex);
        }
    }

    /** Begins to carry packets if no process does; does nothing if there is one node. */
    synchronized void tryStart()
    {
        if (closed || agent != null || node.remote() == null || !settings.carry() || !lock())
        {
            return;
        }
        try
        {
            port = new TransportPort(node);
            agent = node.context().transport().start(port);
            if (settings.thread())
            {
                thread = new Thread(this::run, "tallypost-transport-" + node.context().transport().node());
                thread.setDaemon(true);
                carrier = new CarrierThread(thread, agent, port);
                thread.start();
            }
            else
            {
                isInvoked = true;
            }
        }
        finally
        {
            if (agent == null)
            {
                unlock();
            }
        }
    }

    private boolean lock()
    {
        synchronized (HELD)
        {
            if (HELD.contains(lockFile))
            {
                return false;
            }
            FileLock lock = null;
            try
            {
                channel = MappedFiles.openPrivate(lockFile);
                lock = channel.tryLock();
            }
            catch (final IOException ex)
            {
                throw new MailboxException("cannot lock file: file=" + lockFile + ", cause=" + ex, ex);
            }
            finally
            {
                if (lock == null)
                {
                    CloseHelper.quietClose(channel);
                }
                else
                {
                    HELD.add(lockFile);
                }
            }
            return lock != null;
        }
    }

    private void unlock()
    {
        synchronized (HELD)
        {
            CloseHelper.quietClose(channel);
            HELD.remove(lockFile);
        }
    }

    private void run()
    {
        final IdleStrategy idle = settings.idleStrategy();
        final CarrierThread own = carrier;
        while (!closed)
        {
            idle.idle(doWork(own));
        }
        end(agent);
    }

    private int doWork(final CarrierThread running)
    {
        try
        {
            return running.work();
        }
        catch (final Throwable t)
        {
            node.context().errorHandler().onError(t);
            return 0;
        }
    }

    private void end(final Agent running)
    {
        try
        {
            running.onClose();
        }
        catch (final Throwable t)
        {
            node.context().errorHandler().onError(t);
        }
    }

    int work()
    {
        if (!isInvoked || closed)
        {
            return 0;
        }
        final CarrierThread last = carrier;
        final CarrierThread running = last != null && last.isHolder() ? last : takeOver(last);
        return running == null || running.isAtWork() ? 0 : doWork(running);
    }

    /** The calling thread does the work from now on; null if it must not. */
    private CarrierThread takeOver(final CarrierThread last)
    {
        if (last != null)
        {
            last.shutAndWait();
        }
        synchronized (this)
        {
            if (closed || carrier != last)
            {
                return null;
            }
            carrier = new CarrierThread(Thread.currentThread(), agent, port);
            return carrier;
        }
    }

    /** The thread that does the transport's work in this process; null if there is none, or nobody knows yet which. */
    CarrierThread carrier()
    {
        return carrier;
    }

    /**
     * Does some of the transport's work if the calling thread is who does it.
     *
     * @return false if another thread does it.
     * @throws IllegalStateException if the calling thread is in the midst of it.
     */
    boolean workOfThisThread(final String what)
    {
        final CarrierThread own = carrier;
        if (own == null || !own.isHolder())
        {
            return false;
        }
        if (own.isAtWork())
        {
            throw new IllegalStateException(what);
        }
        doWork(own);
        return true;
    }

    /** Ends the agent when what was sent is carried, and gives the lock to another process. */
    @Override
    public void close()
    {
        final Thread running;
        synchronized (this)
        {
            if (closed)
            {
                return;
            }
            closed = true;
            running = thread;
            if (agent == null)
            {
                return;
            }
        }
        if (running == null)
        {
            final CarrierThread last = carrier;
            if (last != null)
            {
                last.shutAndWait();
            }
            end(agent);
        }
        else
        {
            join(running);
        }
        unlock();
    }

    private static void join(final Thread running)
    {
        boolean isInterrupted = false;
        while (running.isAlive())
        {
            try
            {
                running.join();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }
}
