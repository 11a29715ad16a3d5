// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * What goes to other ranks, to each in its order. A message that cannot go at once may wait here, up to a number for all ranks
 * together; one rank gets at most as much room as it leaves to the others. So a rank that takes nothing holds up none but what
 * goes to it. One thread.
 */
final class Outbox
{
    private static final int KEPT_LENGTH = 65_536;

    /** What waits for one rank. */
    private static final class Queue
    {
        private final int dest;
        private LongSend send;
        private StoredMessage first;
        private StoredMessage last;
        private int count;
        private boolean isListed;
        private Queue nextListed;

        Queue(final int dest)
        {
            this.dest = dest;
        }
    }

    private final Endpoint endpoint;
    private final int channel;
    private final int most;
    private final ServicesCounters counters;
    private final Queue[] queues;
    private Queue listed;
    private StoredMessage free;
    private int count;

    Outbox(
        final Endpoint endpoint, final int channel, final int ranks, final int most, final ServicesCounters counters)
    {
        this.endpoint = endpoint;
        this.channel = channel;
        this.most = most;
        queues = new Queue[ranks];
        this.counters = counters;
    }

    /**
     * Sends a message, or nothing. One that is to be kept waits here if it cannot go. So does one of several slots that nothing
     * waits before: the endpoint saves up no credits for a message that it refuses, and others could keep it from going for ever.
     * A code of the endpoint if it is neither sent nor kept.
     */
    long send(
        final int dest, final int kind, final DirectBuffer head, final int headLength, final DirectBuffer body,
        final int offset, final int length, final boolean isToBeKept)
    {
        final int tag = Channel.tag(channel, kind);
        Queue queue = queues[dest];
        final boolean isFirst = queue == null || queue.first == null;
        final int whole = headLength + length;
        long result = Endpoint.NO_CREDIT;
        if (isFirst && whole <= Endpoint.MAX_RUN_LENGTH)
        {
            result = endpoint.offer(dest, tag, head, 0, headLength, body, offset, length);
        }
        final boolean mayWait = isToBeKept || isFirst && Endpoint.slots(Math.min(whole, Endpoint.MAX_RUN_LENGTH)) > 1;
        // one rank takes at most as much room as it leaves: one that takes nothing must not use up what others need
        final boolean isFull = count + (queue == null ? 0 : queue.count) >= most;
        if (result >= 0 || result == Endpoint.PEER_GONE || result == Endpoint.CLOSED || !mayWait || isFull)
        {
            return result == Endpoint.TOO_LONG ? Endpoint.NO_CREDIT : result;
        }
        if (queue == null)
        {
            queue = new Queue(dest);
            queues[dest] = queue;
        }
        add(queue, tag, head, headLength, body, offset, length);
        progress(queue);
        return 0;
    }

    private void add(
        final Queue queue, final int tag, final DirectBuffer head, final int headLength, final DirectBuffer body,
        final int offset, final int length)
    {
        final StoredMessage message = free == null ? new StoredMessage() : free;
        free = message.next;
        message.next = null;
        message.set(tag, head, headLength, body, offset, length);
        if (queue.first == null)
        {
            queue.first = message;
        }
        else
        {
            queue.last.next = message;
        }
        queue.last = message;
        queue.count++;
        count++;
        counters.add(Counter.STORED);
    }

    /** Sends what can go now; returns how many messages went. */
    int work()
    {
        int work = 0;
        Queue next = listed;
        listed = null;
        while (next != null)
        {
            final Queue queue = next;
            next = queue.nextListed;
            queue.isListed = false;
            queue.nextListed = null;
            work += progress(queue);
        }
        return work;
    }

    private int progress(final Queue queue)
    {
        int sent = 0;
        while (queue.first != null)
        {
            final long result = sendFirst(queue);
            if (result == Endpoint.PEER_GONE || result == Endpoint.CLOSED)
            {
                drop(queue);
                return sent;
            }
            if (result < 0)
            {
                list(queue);
                return sent;
            }
            remove(queue);
            sent++;
        }
        return sent;
    }

    private long sendFirst(final Queue queue)
    {
        final StoredMessage message = queue.first;
        queue.send = queue.send == null ? endpoint.newSend() : queue.send;
        return queue.send.isActive() ? queue.send.progress() :
            queue.send.start(queue.dest, message.tag, message.bytes, 0, message.length);
    }

    private void list(final Queue queue)
    {
        if (!queue.isListed)
        {
            queue.isListed = true;
            queue.nextListed = listed;
            listed = queue;
        }
    }

    private void remove(final Queue queue)
    {
        final StoredMessage message = queue.first;
        queue.first = message.next;
        message.trim(KEPT_LENGTH);
        message.next = free;
        free = message;
        queue.count--;
        count--;
    }

    /** A rank is gone: what waits for it goes nowhere. */
    void drop(final int dest)
    {
        if (queues[dest] != null)
        {
            drop(queues[dest]);
        }
    }

    private void drop(final Queue queue)
    {
        if (queue.send != null && queue.send.isActive())
        {
            queue.send.abort();
        }
        while (queue.first != null)
        {
            remove(queue);
        }
    }

    void close()
    {
        for (final Queue queue : queues)
        {
            if (queue != null)
            {
                drop(queue);
            }
        }
    }

    boolean isEmpty()
    {
        return count == 0;
    }
}
