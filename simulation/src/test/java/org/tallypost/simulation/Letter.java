// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Priority;

/** A message as the books know it. Its bytes follow from its sender, its receiver and its number. */
final class Letter
{
    static final int MIN_LENGTH = 16;
    private static final int HIGH_TAG = 1 << 20;

    /** What became of it, as its sender was told. */
    enum State
    {
        /** The call is not over, or its process died in it: it may come or not. */
        SENDING,
        /** It has to come, or its loss is told. */
        ACCEPTED,
        /** It must not come. */
        REFUSED
    }

    final Post post;
    final int number;
    final int thread;
    final int length;
    State state = State.SENDING;
    /** How often the sender had been told of a loss when this was accepted. */
    int segment;
    /** Incarnation of the receiver as the sender's node counts it. */
    int destEpoch;
    Party receivedBy;

    Letter(final Post post, final int number, final int thread, final int length)
    {
        this.post = post;
        this.number = number;
        this.thread = thread;
        this.length = length;
    }

    /** Some letters in a row have the same, and may form trains between nodes. */
    int tag()
    {
        return number >> 4 | (post.priority == Priority.HIGH ? HIGH_TAG : 0);
    }

    static Priority priority(final int tag)
    {
        return (tag & HIGH_TAG) == 0 ? Priority.LOW : Priority.HIGH;
    }

    /** The bytes. */
    UnsafeBuffer bytes()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        buffer.putInt(0, post.sender.id);
        buffer.putInt(4, post.dest);
        buffer.putInt(8, number);
        buffer.putInt(12, length);
        for (int i = MIN_LENGTH; i < length; i++)
        {
            buffer.putByte(i, at(i));
        }
        return buffer;
    }

    private byte at(final int index)
    {
        return (byte)(post.sender.id * 31 + number * 7 + index);
    }

    /** Whether bytes that came are those of this message. */
    boolean isIn(final DirectBuffer buffer, final int offset, final int count)
    {
        if (count != length)
        {
            return false;
        }
        for (int i = MIN_LENGTH; i < length; i++)
        {
            if (buffer.getByte(offset + i) != at(i))
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString()
    {
        return "message " + number + " of " + length + " bytes, " + post.priority + ", from " + post.sender + " to rank " +
            post.dest + " epoch " + destEpoch +
            ", state=" + state + ", segment=" + segment + " of " + post.segment + ", received by " + receivedBy;
    }
}
