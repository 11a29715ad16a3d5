// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.Objects;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.internal.layout.Checks;

/**
 * Sends messages of high priority and tells of each when its receiver has taken it: when its slots are free again, as
 * {@link Endpoint#isHighTaken} says. Of a receiver on another node it tells when the message has come into the ring there. So a
 * program knows that what it answers, announces or commands was seen, without a message that says so.
 *
 * <pre>
 *   SendCompletions completions = new SendCompletions(endpoint, 64, (dest, context, result) -&gt; ...);
 *   long result = completions.offer(dest, tag, buffer, 0, length, context);
 *   ...
 *   completions.poll();                     beside endpoint.poll(...)
 * </pre>
 *
 * For one thread, any one of those that may send. Allocates nothing after construction.
 */
public final class SendCompletions
{
    private final Endpoint endpoint;
    private final CompletionListener listener;
    private final int[] dests;
    private final long[] contexts;
    private final long[] positions;
    /** States of the receivers' ranks when the messages were sent: another one means that the incarnation is over. */
    private final long[] states;
    private int size;
    private boolean isPolling;

    /**
     * Completions of one thread.
     *
     * @param endpoint that sends, in a group with {@link NodeContext#highSlots}.
     * @param capacity most messages that are not told of at a time, at least 1. More than all {@link Endpoint#sendTokens} of high
     *                 priority are never under way within a node.
     * @param listener hears of each message.
     * @throws IllegalStateException if the group has no high rings.
     * @throws IllegalArgumentException if the capacity is less than 1.
     */
    public SendCompletions(final Endpoint endpoint, final int capacity, final CompletionListener listener)
    {
        Checks.atLeast("capacity", capacity, 1);
        this.endpoint = endpoint;
        this.listener = Objects.requireNonNull(listener, "listener");
        if (!endpoint.takesHigh(endpoint.rank()))
        {
            throw new IllegalStateException("there are no priorities in this group, so nobody knows what a receiver has taken: " +
                "found highSlots=0, expected at least 2; set NodeContext.highSlots in all processes");
        }
        dests = new int[capacity];
        contexts = new long[capacity];
        positions = new long[capacity];
        states = new long[capacity];
    }

    /**
     * Sends a message with high priority.
     *
     * @param dest    rank of the receiver.
     * @param tag     handed to the receiver.
     * @param buffer  that holds the message; it may be used again when this returns.
     * @param offset  of the message in bytes.
     * @param length  of the message in bytes.
     * @param context handed to the listener.
     * @return as {@link Endpoint#offer(int, int, Priority, DirectBuffer, int, int)}; {@link Endpoint#NO_CREDIT} also if as many
     *         messages as the capacity are not told of yet. If it is negative nothing was sent, and the listener hears nothing.
     */
    public long offer(
        final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length, final long context)
    {
        if (size == dests.length)
        {
            return Endpoint.NO_CREDIT;
        }
        final long state = endpoint.rankState(dest);
        final long position = endpoint.offer(dest, tag, Priority.HIGH, buffer, offset, length);
        if (position >= 0)
        {
            dests[size] = dest;
            contexts[size] = context;
            positions[size] = position;
            states[size] = state;
            size++;
        }
        return position;
    }

    /**
     * Tells of the messages that are complete by now, or lost, in the order in which they were sent. It waits for nothing: a
     * receiver that does not poll, and lives, is for the program to give up.
     *
     * @return number of messages that were told.
     * @throws IllegalStateException if the listener calls this.
     */
    public int poll()
    {
        if (isPolling)
        {
            throw new IllegalStateException("a listener must not poll for completions: rank=" + endpoint.rank() +
                ", pending=" + size);
        }
        int told = 0;
        int at = 0;
        // what the listener sends is behind these, and is looked at by the next call
        int end = size;
        while (at < end)
        {
            final long result = result(at);
            if (result == Endpoint.NO_CREDIT)
            {
                at++;
                continue;
            }
            final int dest = dests[at];
            final long context = contexts[at];
            remove(at);
            end--;
            told++;
            isPolling = true;
            try
            {
                listener.onCompleted(dest, context, result);
            }
            finally
            {
                isPolling = false;
            }
        }
        return told;
    }

    /** What is told of a message; NO_CREDIT if nothing is yet. */
    private long result(final int at)
    {
        final boolean isTaken = !endpoint.isClosed() && endpoint.isHighTaken(dests[at], positions[at]);
        // behind that: a receiver that is gone has taken all, as far as it says
        if (endpoint.rankState(dests[at]) != states[at])
        {
            return Endpoint.PEER_GONE;
        }
        return isTaken ? positions[at] : endpoint.isClosed() ? Endpoint.CLOSED : Endpoint.NO_CREDIT;
    }

    private void remove(final int at)
    {
        size--;
        System.arraycopy(dests, at + 1, dests, at, size - at);
        System.arraycopy(contexts, at + 1, contexts, at, size - at);
        System.arraycopy(positions, at + 1, positions, at, size - at);
        System.arraycopy(states, at + 1, states, at, size - at);
    }

    /**
     * Messages that were sent and not told of.
     *
     * @return their number.
     */
    public int pending()
    {
        return size;
    }
}
