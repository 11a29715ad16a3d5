// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.tallypost.mailbox.ClaimMark;

/**
 * The threads of a process that have sent something, each with a claim mark; those that have ended leave theirs to others.
 */
final class SendingThreads
{
    private static final String PACKAGE = SendingThreads.class.getPackageName() + ".";
    /** After so many looks a thread is looked at itself. */
    private static final int LOOKS = 10_000;

    private final Supplier<ClaimMark> newMark;
    private final List<SendingThread> threads = new ArrayList<>();
    private final ThreadLocal<SendingThread> mine = ThreadLocal.withInitial(this::add);

    SendingThreads(final Supplier<ClaimMark> newMark)
    {
        this.newMark = newMark;
    }

    /** The calling thread, with a mark from now on. */
    SendingThread mine()
    {
        return mine.get();
    }

    /**
     * The calling thread if it has ever sent.
     *
     * @param known what was found before, or null.
     * @return null if it has no mark.
     */
    SendingThread current(final SendingThread known)
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
                    final SendingThread heir = new SendingThread(thread, old.mark);
                    threads.set(i, heir);
                    return heir;
                }
            }
            final SendingThread fresh = new SendingThread(thread, newMark.get());
            threads.add(fresh);
            return fresh;
        }
    }

    /** Takes out of the marks what somebody else wrote there. Now and then. */
    void repairMarks()
    {
        synchronized (threads)
        {
            for (final SendingThread sender : threads)
            {
                sender.mark.repair();
            }
        }
    }

    /** Whether a thread is in none of our methods, or in this one, so that it cannot be claiming anything. */
    private static boolean isElsewhere(final Thread thread)
    {
        if (thread == Thread.currentThread())
        {
            return true;
        }
        for (final StackTraceElement frame : thread.getStackTrace())
        {
            if (frame.getClassName().startsWith(PACKAGE))
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Waits until no thread of this process is between its claim mark and its publication: whoever marks a claim from now
     * on finds its endpoint closed. Takes as long as copying a message, if the thread is not held up.
     */
    void awaitQuiet()
    {
        synchronized (threads)
        {
            // SYNC POINT endpoint-closed
            for (final SendingThread sender : threads)
            {
                for (int look = 1; sender.mark.isClaiming() && sender.thread.isAlive(); look++)
                {
                    if (look % LOOKS == 0 && isElsewhere(sender.thread))
                    {
                        // an error, as of a file that was cut off, took it out of the midst of a claim
                        break;
                    }
                    Thread.yield();
                }
            }
        }
    }
}
