// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * The threads of a process that have sent something, each with a claim mark; those that have ended leave theirs to others.
 */
public final class SendingThreads
{
    private final Supplier<ClaimMark> newMark;
    private final Consumer<Peer> onGivenBack;
    private final List<SendingThread> threads = new ArrayList<>();
    private final ThreadLocal<SendingThread> mine = ThreadLocal.withInitial(this::add);

    /**
     * @param newMark     gives a mark to a thread that has none, or throws if there is none left.
     * @param onGivenBack hears of credits that went back to where they had been taken from.
     */
    public SendingThreads(final Supplier<ClaimMark> newMark, final Consumer<Peer> onGivenBack)
    {
        this.newMark = newMark;
        this.onGivenBack = onGivenBack;
    }

    /** The calling thread, with a mark from now on. */
    public SendingThread mine()
    {
        return mine.get();
    }

    /**
     * The calling thread if it has ever sent.
     *
     * @param known what was found before, or null.
     * @return null if it has no mark.
     */
    public SendingThread current(final SendingThread known)
    {
        final Thread thread = Thread.currentThread();
        if (known != null && known.thread == thread)
        {
            return known;
        }
        synchronized (threads)
        {
            for (final SendingThread candidate : threads)
            {
                if (candidate.thread == thread)
                {
                    return candidate;
                }
            }
        }
        return null;
    }

    private SendingThread add()
    {
        final Thread thread = Thread.currentThread();
        synchronized (threads)
        {
            for (int i = 0; i < threads.size(); i++)
            {
                final SendingThread old = threads.get(i);
                if (!old.thread.isAlive())
                {
                    threads.remove(i--);
                    if (old.finishDead())
                    {
                        return put(thread, old.mark);
                    }
                }
            }
            return put(thread, newMark.get());
        }
    }

    private SendingThread put(final Thread thread, final ClaimMark mark)
    {
        final SendingThread fresh = new SendingThread(thread, mark, onGivenBack);
        threads.add(fresh);
        return fresh;
    }

    /**
     * Finishes what Errors have left of claims, takes out of the marks what somebody else wrote there, and gives those of
     * threads that have ended back to all processes. Now and then.
     */
    public void repairMarks()
    {
        Throwable first = null;
        synchronized (threads)
        {
            for (int i = threads.size() - 1; i >= 0; i--)
            {
                try
                {
                    repair(i);
                }
                catch (final RuntimeException | Error ex)
                {
                    // as of a file that was cut off: the marks of others count all the same
                    first = first == null ? ex : first;
                }
            }
        }
        if (first instanceof Error)
        {
            throw (Error)first;
        }
        if (first != null)
        {
            throw (RuntimeException)first;
        }
    }

    /** Finishes the claim of a thread that has ended, unless that was done. */
    public void finishDead(final SendingThread sender)
    {
        synchronized (threads)
        {
            // what is not known here any more has no claim, and its mark may be another thread's
            if (threads.contains(sender))
            {
                sender.finishDead();
            }
        }
    }

    private void repair(final int index)
    {
        final SendingThread sender = threads.get(index);
        if (sender.thread.isAlive())
        {
            try
            {
                sender.finishLeft();
            }
            catch (final InternalError error)
            {
                // told once: nobody reads what was cut off, and others have to be looked after
                sender.forgetLeft();
                throw error;
            }
            sender.mark.repair();
            return;
        }
        threads.remove(index);
        if (sender.finishDead())
        {
            sender.mark.release();
        }
    }

    private static void finishAll(final SendingThread sender)
    {
        try
        {
            if (sender.thread.isAlive())
            {
                sender.finishLeft();
            }
            else
            {
                sender.finishDead();
            }
        }
        catch (final InternalError error)
        {
            // a file was cut off, and that was told
            sender.forgetLeft();
        }
    }

    /**
     * Waits until no thread of this process is between its claim mark and its publication: a thread that marks a claim from now
     * on finds its endpoint closed. Takes as long as copying a message, if the thread is not held up. A thread that an Error took
     * out of the midst of a claim has said so.
     *
     * @param limitNs longest time to wait in nanoseconds, for all threads together.
     * @return the threads that were in the midst of a claim all the time, as one that a debugger has stopped. Each goes on
     *         writing where it claimed: the process must not leave, or receivers take it for dead and give those slots away.
     */
    public List<Thread> awaitQuiet(final long limitNs)
    {
        final List<Thread> claiming = new ArrayList<>();
        final long startNs = System.nanoTime();
        synchronized (threads)
        {
            // SYNC POINT endpoint-closed
            for (final SendingThread sender : threads)
            {
                while (isInClaim(sender) && System.nanoTime() - startNs < limitNs)
                {
                    Thread.yield();
                }
                if (isInClaim(sender))
                {
                    claiming.add(sender.thread);
                }
                else
                {
                    finishAll(sender);
                }
            }
        }
        return claiming;
    }

    private static boolean isInClaim(final SendingThread sender)
    {
        return sender.mark.isClaiming() && !sender.isLeft && sender.thread.isAlive() &&
            sender.thread != Thread.currentThread();
    }
}
