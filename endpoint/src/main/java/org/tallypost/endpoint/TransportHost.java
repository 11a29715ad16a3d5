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
    private Thread thread;
    /** The agent, if it has no thread. */
    private volatile Agent invoked;
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
            agent = node.context().transport().start(new TransportPort(node));
            if (settings.thread())
            {
                thread = new Thread(this::run, "tallypost-transport-" + node.context().transport().node());
                thread.setDaemon(true);
                thread.start();
            }
            else
            {
                invoked = agent;
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
        while (!closed)
        {
            idle.idle(doWork(agent));
        }
        end(agent);
    }

    private int doWork(final Agent running)
    {
        try
        {
            return running.doWork();
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
        final Agent running = invoked;
        return running == null || closed ? 0 : doWork(running);
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
