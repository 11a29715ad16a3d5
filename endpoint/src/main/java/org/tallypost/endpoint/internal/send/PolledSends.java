// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.SendListener;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;

/**
 * The long messages of an endpoint that its polls carry on, in the order in which they were started. The handles are the links of
 * the lists, so nothing is allocated. For the polling thread; handed over as the endpoint is.
 *
 * <pre>
 *   start    NO_CREDIT: at the end of the list
 *   poll     all of the list go on; those that end go to a second list
 *            those that have sent something go behind those that have not, so that each gets its turn
 *            then the listeners of the second list are told, which may start further ones
 * </pre>
 *
 * So of two messages to one receiver the second goes on before a listener may start a third one.
 */
public final class PolledSends
{
    private final Outbox outbox;
    private final PollingThread polling;
    private final GuardedErrorHandler errors;
    private final Runnable atWork;
    private PolledSend first;
    private PolledSend last;
    private PolledSend firstEnded;
    private PolledSend lastEnded;

    /**
     * No messages yet.
     *
     * @param outbox  that sends.
     * @param polling the one that polls.
     * @param errors  that learns what listeners throw.
     * @param atWork  called when there is something to do for polls.
     */
    public PolledSends(
        final Outbox outbox, final PollingThread polling, final GuardedErrorHandler errors, final Runnable atWork)
    {
        this.outbox = outbox;
        this.polling = polling;
        this.errors = errors;
        this.atWork = atWork;
    }

    /** A new handle. Any thread. */
    public LongSend handle(final SendListener listener)
    {
        return new PolledSend(this, new RunSend(outbox), listener);
    }

    /** Refuses threads that do not poll; the calling thread becomes the one that does if there is none. */
    void enter()
    {
        if (!polling.isCurrent())
        {
            polling.enter();
            polling.leave();
        }
    }

    void add(final PolledSend send)
    {
        if (send.isListed)
        {
            // its last message was given up, and no poll has come by since
            return;
        }
        send.isListed = true;
        append(send);
        atWork.run();
    }

    private void append(final PolledSend send)
    {
        if (first == null)
        {
            first = send;
        }
        else
        {
            last.next = send;
        }
        last = send;
    }

    public boolean isEmpty()
    {
        return first == null && firstEnded == null;
    }

    /**
     * Sends what there are credits for, and tells listeners.
     *
     * @return number of messages that ended; 0 if the calling thread is not the one that polls.
     */
    public int work()
    {
        if (!polling.isCurrent() || isEmpty())
        {
            return 0;
        }
        // nothing polls within a listener
        polling.enter();
        try
        {
            goOn();
            if (first != last)
            {
                rotate();
            }
            return tellEnded();
        }
        finally
        {
            polling.leave();
        }
    }

    private void goOn()
    {
        final PolledSend end = last;
        PolledSend send = null;
        while (first != null && send != end)
        {
            send = first;
            first = send.next;
            send.next = null;
            try
            {
                if (send.send.isActive())
                {
                    goOn(send);
                }
            }
            finally
            {
                // also if something was thrown, as by the program's memory
                if (!send.isEnded)
                {
                    keep(send);
                }
            }
        }
    }

    /** Keeps a message that is under way; drops one that was given up. */
    private void keep(final PolledSend send)
    {
        send.isListed = send.send.isActive();
        if (send.isListed)
        {
            append(send);
        }
    }

    /** Those that have sent something go to the end of the list. */
    private void rotate()
    {
        PolledSend send = first;
        first = null;
        last = null;
        PolledSend firstSent = null;
        PolledSend lastSent = null;
        while (send != null)
        {
            final PolledSend next = send.next;
            send.next = null;
            if (!send.hasSent)
            {
                append(send);
            }
            else if (firstSent == null)
            {
                firstSent = send;
                lastSent = send;
            }
            else
            {
                lastSent.next = send;
                lastSent = send;
            }
            send = next;
        }
        if (firstSent != null)
        {
            append(firstSent);
            last = lastSent;
        }
    }

    private void goOn(final PolledSend send)
    {
        final int before = send.send.sent();
        long result = Endpoint.FAILED;
        try
        {
            send.send.limitUnread(send.listener.mostUnread(before));
            result = send.send.progress();
        }
        finally
        {
            // what was thrown has ended it or not
            send.hasSent = send.send.sent() != before;
            if (result != Endpoint.NO_CREDIT && !send.send.isActive())
            {
                end(send, result);
            }
        }
    }

    /** Its listener is told by this poll, or, if something is thrown, by the next one. */
    private void end(final PolledSend send, final long result)
    {
        send.result = result;
        send.isEnded = true;
        if (firstEnded == null)
        {
            firstEnded = send;
        }
        else
        {
            lastEnded.next = send;
        }
        lastEnded = send;
    }

    private int tellEnded()
    {
        int told = 0;
        while (firstEnded != null)
        {
            final PolledSend send = firstEnded;
            firstEnded = send.next;
            send.next = null;
            if (send.isEnded)
            {
                send.isEnded = false;
                send.isListed = false;
                told++;
                tell(send);
            }
            else
            {
                // a listener before it has given it up, and perhaps started it anew
                keep(send);
            }
        }
        return told;
    }

    private void tell(final PolledSend send)
    {
        try
        {
            send.listener.onSendEnd(send, send.result);
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }
}
