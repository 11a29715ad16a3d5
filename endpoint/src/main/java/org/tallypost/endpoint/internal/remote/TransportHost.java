// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import java.io.File;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.Uninterrupted;
import org.tallypost.mailbox.process.LockFile;

/**
 * Runs the transport's agent in that process of the node which holds a lock on a file. The system frees it when the process
 * dies; the others try for it at each look at the processes that are there.
 */
public final class TransportHost
{
    /** Between two duty cycles, while the program's idle strategy throws. */
    private static final long PARK_NS = 1_000_000;
    /** How long the end of a duty cycle, and of the last ones, is waited for: more than a transport may linger. */
    public static final long CYCLE_LIMIT_NS = TimeUnit.SECONDS.toNanos(60);

    private final NodeRuntime node;
    private final SendingThreads threads;
    private final Wakeups wakeups;
    private final TransportSettings settings;
    private final File lockFile;
    /** Null if this process does not carry the packets, or if another node of it does. */
    private LockFile lock;
    private Agent agent;
    private TransportPort port;
    private Thread thread;
    /** Whether {@link #work} does the agent's work: it has no thread. */
    private volatile boolean isInvoked;
    /** The thread that does the agent's work; null if none has yet. */
    private volatile CarrierThread carrier;
    /** Its thread if it came by {@link #work}: at hand for those that ask whether it is them, away from what it writes. */
    private volatile Thread invoker;
    /** The thread that does the agent's last duty cycles. */
    private volatile Thread ending;
    private volatile boolean closed;
    /** Closed, but a thread was still in a duty cycle: the agent and the lock are left to it. */
    private boolean isEndOwed;

    public TransportHost(final NodeRuntime node, final SendingThreads threads, final Wakeups wakeups)
    {
        this.node = node;
        this.threads = threads;
        this.wakeups = wakeups;
        settings = node.context().transportSettings();
        lockFile = new File(node.context().directory(), NodeFiles.TRANSPORT_LOCK_NAME).getAbsoluteFile();
    }

    /** Takes over if the process that carried the packets is not there any more. What goes wrong is told beside. */
    public void check()
    {
        try
        {
            tryStart();
        }
        catch (final Throwable t)
        {
            node.errors().onError(t);
        }
    }

    /** Begins to carry packets if no process does; does nothing if there is one node. */
    public synchronized void tryStart()
    {
        if (closed || agent != null || node.remote() == null || !settings.carry() || !lock())
        {
            return;
        }
        // what the agent maps and opens, here and in its duty cycles, an interrupt would close
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            port = new TransportPort(node, threads, wakeups);
            agent = node.context().transport().start(port);
            if (settings.thread())
            {
                thread = new Thread(this::run, "tallypost-transport-" + node.context().transport().node());
                thread.setDaemon(true);
                carrier = new CarrierThread(thread, agent, port.egress());
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
            restore(isInterrupted);
        }
    }

    private static void restore(final boolean isInterrupted)
    {
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private boolean lock()
    {
        try
        {
            lock = Uninterrupted.call(this::claimAndLock);
        }
        catch (final NoSuchFileException ex)
        {
            // the directory was removed, which is told beside: nobody else can come to carry the packets
            lock = null;
        }
        catch (final IOException ex)
        {
            throw new MailboxException("cannot lock file: file=" + lockFile + ", cause=" + ex, ex);
        }
        return lock != null;
    }

    /** Null if another process has the lock, or another node of this JVM, whatever class loader it comes from. */
    private LockFile claimAndLock() throws IOException
    {
        final LockFile claimed = LockFile.claim(lockFile, LockFile.TRANSPORT_PLACE);
        boolean isLocked = false;
        try
        {
            isLocked = claimed != null && claimed.tryLock();
        }
        finally
        {
            if (claimed != null && !isLocked)
            {
                claimed.close();
            }
        }
        return isLocked ? claimed : null;
    }

    /** Another process may carry the packets from now on. */
    public void unlock()
    {
        CloseHelper.quietClose(lock);
    }

    private void run()
    {
        final IdleStrategy idle = settings.idleStrategy();
        final CarrierThread own = carrier;
        while (!closed)
        {
            pass(idle, doWork(own));
        }
        end(own);
    }

    /** As the program's strategy will have it. Time passes too if that throws. */
    private void pass(final IdleStrategy idle, final int work)
    {
        try
        {
            idle.idle(work);
        }
        catch (final Throwable t)
        {
            node.errors().onError(t);
            LockSupport.parkNanos(PARK_NS);
        }
        // a program's code may leave it set: no park would last, and no channel stay open
        Thread.interrupted();
    }

    private int doWork(final CarrierThread running)
    {
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            return running.work();
        }
        catch (final Throwable t)
        {
            node.errors().onError(t);
            return 0;
        }
        finally
        {
            restore(isInterrupted);
        }
    }

    /** Whatever happens: the lock is given to another process afterwards. */
    private void end(final CarrierThread last)
    {
        ending = Thread.currentThread();
        final boolean isInterrupted = Thread.interrupted();
        try
        {
            try
            {
                if (last != null)
                {
                    last.endTrain();
                }
            }
            finally
            {
                agent.onClose();
            }
        }
        catch (final Throwable t)
        {
            node.errors().onError(t);
        }
        finally
        {
            ending = null;
            restore(isInterrupted);
        }
    }

    /**
     * One duty cycle by the calling thread.
     *
     * @throws org.tallypost.mailbox.files.MailboxException if it has no claim mark, and there is none left for it; or if another
     *                                                thread has been in the midst of a duty cycle for a liveness interval.
     */
    public int work()
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
        // a thread that has no claim mark could not write what comes in
        threads.mine();
        if (last != null && !last.shutAndWait(livenessIntervalNs()))
        {
            throw new MailboxException("the transport's work cannot be taken over: thread=" + last.thread.getName() +
                " has been in the midst of a duty cycle for livenessIntervalNs=" + livenessIntervalNs() + ", directory=" +
                node.context().directory() + "; if that thread was stopped let it go on, then call again");
        }
        synchronized (this)
        {
            if (closed || carrier != last)
            {
                return null;
            }
            if (last != null)
            {
                last.giveBack();
            }
            carrier = new CarrierThread(Thread.currentThread(), agent, port.egress());
            invoker = Thread.currentThread();
            return carrier;
        }
    }

    long livenessIntervalNs()
    {
        return node.context().livenessIntervalNs();
    }

    /** Credits of a pair with a rank of another node were put back: senders that wait for them are woken. */
    void granted(final UnsafeBuffer words, final int line, final int sender)
    {
        wakeups.granted(words, line, sender);
    }

    /** The calling thread, if it does the transport's work by {@link #work}; else null. */
    public CarrierThread invokedBy(final Thread current)
    {
        return invoker == current ? carrier : null;
    }

    /** Whether the calling thread is in the midst of a duty cycle, or of the last ones, or is there for nothing else. */
    public boolean isAtWork()
    {
        final CarrierThread current = carrier;
        return ending == Thread.currentThread() ||
            current != null && current.isHolder() && (!isInvoked || current.isAtWork());
    }

    /** For what would wait for the end of a duty cycle without end. */
    public void refuseAtWork(final String what)
    {
        if (isAtWork())
        {
            throw new IllegalStateException(what + " within the transport's duty cycle, as by an event handler: directory=" +
                node.context().directory() + "; call it by another thread, or after the duty cycle");
        }
    }

    /**
     * Does some of the transport's work if the calling thread is the one that does it, for want of room in a ring.
     *
     * @param ringSlots of the ring.
     * @return false if another thread does it.
     * @throws IllegalStateException if the calling thread is in the midst of it.
     */
    boolean makeRoom(final int ringSlots)
    {
        final CarrierThread own = carrier;
        if (own == null || !own.isHolder())
        {
            return false;
        }
        if (own.isAtWork())
        {
            throw new IllegalStateException("a message to another node is committed within the transport's duty cycle, as by " +
                "an event handler, and the ring to that node is full: egressSlots=" + ringSlots +
                "; commit it after the duty cycle, or raise egressSlots");
        }
        doWork(own);
        return true;
    }

    /**
     * Ends the agent when what was sent is carried, and gives the lock to another process. One thread at a time.
     *
     * @param limitNs longest time to wait in nanoseconds for a thread in a duty cycle.
     * @return null, or the thread that was in a duty cycle all the time: then the agent and the lock are left to it, as two
     *         processes must not carry the same packets. To be called again when that thread goes on.
     */
    public Thread close(final long limitNs)
    {
        final Thread running;
        synchronized (this)
        {
            if (closed && !isEndOwed)
            {
                return null;
            }
            closed = true;
            isEndOwed = false;
            running = thread;
            if (agent == null)
            {
                return null;
            }
        }
        final CarrierThread last = carrier;
        if (running == null ? last != null && !last.shutAndWait(limitNs) : !join(running, limitNs))
        {
            synchronized (this)
            {
                isEndOwed = true;
            }
            return running == null ? last.thread : running;
        }
        if (running == null)
        {
            end(last);
        }
        unlock();
        return null;
    }

    private static boolean join(final Thread running, final long limitNs)
    {
        final long startNs = System.nanoTime();
        boolean isInterrupted = false;
        long leftNs = limitNs;
        while (running.isAlive() && leftNs > 0)
        {
            try
            {
                TimeUnit.NANOSECONDS.timedJoin(running, leftNs);
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
            leftNs = limitNs - (System.nanoTime() - startNs);
        }
        restore(isInterrupted);
        return !running.isAlive();
    }
}
