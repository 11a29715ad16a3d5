// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.MessageListener;

/**
 * Polls of an endpoint with priorities. The high ring is looked at before each message of the mailbox, and before each part of a
 * poll: a message of high priority waits for one call of a listener, or for the copy of some runs of long messages. Neither ring
 * keeps the other waiting for longer than one poll: each has the limit of the poll for itself. For the polling thread.
 */
public final class HighFirst implements MessageListener
{
    /** Packets of the mailbox between two looks, for those that are runs of long messages: there is no call before each. */
    private static final int PART = 32;
    /** Polls, at least, for one that looks after the mailbox although nothing is there and something was in the high ring. */
    private static final int SKIP_MASK = 0x3F;

    private final Inbox low;
    private final Inbox high;
    private MessageListener handler;
    /** What delivers a message of the mailbox: the listener of the poll, or the channels. */
    private MessageListener way;
    private boolean isInHigh;
    /** Whether the next controlled poll begins with the mailbox. */
    private boolean isLowFirst;
    private boolean isStopped;
    private int highLeft;
    private int highCount;
    private int skips;

    public HighFirst(final Inbox low, final Inbox high)
    {
        this.low = low;
        this.high = high;
    }

    /** The endpoint is closed: if a listener has closed it, no further message is delivered by this poll. */
    public void stop()
    {
        isStopped = true;
    }

    /** As {@link Inbox#poll}, with or without channels; the limit counts for each priority. */
    public int poll(final MessageListener to, final int limit)
    {
        enter();
        handler = to;
        highLeft = limit;
        highCount = 0;
        try
        {
            way = low.way(to);
            if (high.isTurn())
            {
                pollHigh();
            }
            final boolean isSkipped = isStopped ||
                highCount > 0 && !low.isOwnReady() && !low.hasNews() && (++skips & SKIP_MASK) != 0;
            final int lowCount = isSkipped ? 0 : pollLow(limit);
            return lowCount + highCount;
        }
        finally
        {
            handler = null;
            way = null;
            low.way(null);
        }
    }

    /**
     * As {@link Inbox#controlledPoll}; the limit counts for each priority. A listener that ends a poll ends it for both. The next
     * one begins with the other ring then: a listener that ends each poll, or leaves a message, keeps neither waiting.
     */
    public int controlledPoll(final ControlledMessageListener to, final int limit)
    {
        enter();
        final Inbox first = isLowFirst ? low : high;
        final Inbox second = isLowFirst ? high : low;
        final int count = first.controlledPoll(to, limit);
        final boolean isEnded = first.isEndedByListener();
        isLowFirst = isEnded && first == high;
        return isEnded || isStopped ? count : count + second.controlledPoll(to, limit);
    }

    /** As {@link Inbox#poll}: in parts, with a look at the high ring between them. */
    private int pollLow(final int limit)
    {
        int count = 0;
        while (true)
        {
            final int most = Math.min(PART, limit - count);
            way = low.way(handler);
            final int found = low.poll(this, most);
            count += found;
            if (found < most || count >= limit || isStopped)
            {
                return count;
            }
            if (highLeft > 0 && high.isRingReady())
            {
                pollHigh();
            }
        }
    }

    /** Refuses another thread, and a listener that polls: of either ring, since each poll may have to do with both. */
    private void enter()
    {
        low.polling().enter();
        low.polling().leave();
        high.polling().enter();
        high.polling().leave();
    }

    private void pollHigh()
    {
        isInHigh = true;
        try
        {
            final int count = high.poll(low.way(handler), highLeft);
            highLeft -= count;
            highCount += count;
        }
        finally
        {
            isInHigh = false;
        }
    }

    /** A message of the mailbox; what has come with high priority meanwhile goes before it. */
    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            if (!isInHigh && highLeft > 0 && high.isRingReady())
            {
                pollHigh();
            }
        }
        finally
        {
            if (isStopped)
            {
                low.takeBack(length);
            }
            else
            {
                way.onMessage(source, tag, buffer, offset, length);
            }
        }
    }
}
