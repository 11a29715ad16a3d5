// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Messages of one sender that have come and are not due, in their order: LogGP's delay queue at the receiver (seed 004, page 23).
 * It has room for all requests and answers that the windows of a pair let be under way. One thread.
 */
final class DelayedMessages
{
    private final int room;
    /** When a message is on the wire; for one that was looked at, when it is due. */
    private final long[] timesNs;
    private final int[] tags;
    private final int[] lengths;
    private final UnsafeBuffer bytes;
    private int first;
    private int count;
    /** Of these, from the first one on, it is known when they are due. */
    private int timedCount;

    DelayedMessages(final int window)
    {
        room = 2 * window;
        timesNs = new long[room];
        tags = new int[room];
        lengths = new int[room];
        bytes = new UnsafeBuffer(new byte[room * MessageDescriptor.MAX_LENGTH]);
    }

    boolean isFull()
    {
        return count == room;
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    void add(final long onWireNs, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final int entry = (first + count) % room;
        timesNs[entry] = onWireNs;
        tags[entry] = tag;
        lengths[entry] = length;
        bytes.putBytes(entry * MessageDescriptor.MAX_LENGTH, from, offset, length);
        count++;
    }

    /**
     * Says when those are due that have come since the last call: the latency after they have come, and after they are on the
     * wire. Not when they are added, since what a message takes from there to its handler is no part of the latency.
     *
     * @param nowNs     time.
     * @param mostNs    that a message takes by itself; what is more it has waited for this rank.
     * @param latencyNs L.
     */
    void time(final long nowNs, final long mostNs, final long latencyNs)
    {
        for (; timedCount < count; timedCount++)
        {
            final int entry = (first + timedCount) % room;
            final long onWireNs = timesNs[entry];
            timesNs[entry] = onWireNs + Math.max(0, Math.min(nowNs - onWireNs, mostNs)) + latencyNs;
        }
    }

    long dueNs()
    {
        return timesNs[first];
    }

    int tag()
    {
        return tags[first];
    }

    int length()
    {
        return lengths[first];
    }

    int offset()
    {
        return first * MessageDescriptor.MAX_LENGTH;
    }

    DirectBuffer buffer()
    {
        return bytes;
    }

    void remove()
    {
        first = (first + 1) % room;
        count--;
        timedCount--;
    }

    /** Drops all of them; returns how many they were. */
    int clear()
    {
        final int dropped = count;
        count = 0;
        timedCount = 0;
        return dropped;
    }
}
