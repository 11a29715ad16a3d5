// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import java.util.ArrayList;
import java.util.List;
import org.tallypost.mailbox.Mailbox;

/**
 * The threads that want to be woken for one endpoint: usually the one that polls it, perhaps others that wait for credits.
 * They share the armed word of its mailbox, so that it is 1 as long as one of them may sleep. The thread that takes it wakes all.
 */
public final class Alarm
{
    private final Mailbox mailbox;
    /** Null if there are no priorities. */
    private final Mailbox high;
    private final List<Sleeper> sleepers = new ArrayList<>();
    private boolean isClosed;

    /**
     * Nobody waits yet.
     *
     * @param mailbox of the endpoint.
     * @param high    its high ring, or null; it is armed and disarmed with the mailbox.
     */
    public Alarm(final Mailbox mailbox, final Mailbox high)
    {
        this.mailbox = mailbox;
        this.high = high;
    }

    boolean isOf(final Mailbox other)
    {
        return other == mailbox || other == high;
    }

    Mailbox mailbox()
    {
        return mailbox;
    }

    /**
     * Arms the mailbox for a thread. What it waits for has to be looked at once more before it parks.
     *
     * @return false if the endpoint is closed, so that nothing will wake it.
     */
    public synchronized boolean arm(final Sleeper sleeper, final int how)
    {
        if (isClosed)
        {
            return false;
        }
        final boolean isHighNew = high == null || high.arm(how);
        if (!mailbox.arm(how) | !isHighNew)
        {
            // a thread that took it from those that armed before may be on the way here, and finds it armed again: wake them now
            wakeSleepers(sleeper);
        }
        if (!sleepers.contains(sleeper))
        {
            sleepers.add(sleeper);
        }
        return true;
    }

    /** The thread is awake. The word is cleared with the last one only: it counts for the others too. */
    public synchronized void disarm(final Sleeper sleeper)
    {
        if (sleepers.remove(sleeper) && sleepers.isEmpty())
        {
            disarm();
        }
    }

    private void disarm()
    {
        mailbox.disarm();
        if (high != null)
        {
            high.disarm();
        }
    }

    /**
     * Clears the word for a thread that parks for a short time only, and is still woken by {@link #wakeAll()}. The word stays
     * if it counts for others.
     */
    public synchronized void withdraw(final Sleeper sleeper)
    {
        if (sleepers.size() == 1 && sleepers.get(0) == sleeper)
        {
            disarm();
        }
    }

    /** Wakes all if another thread took the armed word. */
    synchronized void wakeIfTaken()
    {
        if (!sleepers.isEmpty() && !(mailbox.isArmed() && (high == null || high.isArmed())))
        {
            wakeSleepers(null);
        }
    }

    public synchronized void wakeAll()
    {
        wakeSleepers(null);
    }

    public synchronized void close()
    {
        isClosed = true;
        wakeSleepers(null);
        sleepers.clear();
    }

    private void wakeSleepers(final Sleeper except)
    {
        for (int i = 0; i < sleepers.size(); i++)
        {
            if (sleepers.get(i) != except)
            {
                sleepers.get(i).wake();
            }
        }
    }
}
