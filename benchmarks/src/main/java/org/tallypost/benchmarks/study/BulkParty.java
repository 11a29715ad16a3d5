// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * One of the two threads of a way: sends messages and waits for an answer to each, or answers each. Of each 4,096 bytes the
 * sender writes one word, and the receiver reads two. For one thread.
 */
abstract class BulkParty implements AutoCloseable
{
    /** In which a message or an answer has to come. */
    static final long PATIENCE_NS = 180_000_000_000L;
    private static final int PAGE = 4096;

    private long number;
    private long sum;

    /** Sends the next message, and waits until it is answered. */
    final void send(final int length)
    {
        number++;
        sendAndWait(length);
    }

    /** Waits for the next message, and answers it. */
    final void answer(final int length)
    {
        number++;
        awaitAndAnswer(length);
    }

    abstract void sendAndWait(int length);

    abstract void awaitAndAnswer(int length);

    /** How many messages there were with this one. */
    final long number()
    {
        return number;
    }

    /** Writes what changes from message to message. */
    final void stamp(final MutableDirectBuffer message, final int length)
    {
        for (int at = 0; at < length; at += PAGE)
        {
            message.putLong(at, number);
        }
    }

    /** Reads two words of each page, and holds the first to what was sent. */
    final void check(final DirectBuffer message, final int length)
    {
        for (int page = 0; page < length; page += PAGE)
        {
            if (message.getLong(page) != number)
            {
                throw new IllegalStateException("wrong bytes at " + page + " of " + length + ": found " + message.getLong(page) +
                    ", expected " + number);
            }
            final int words = Math.min(PAGE, length - page) / Long.BYTES;
            sum += message.getLong(page + Long.BYTES * (int)(number % words));
        }
    }

    /** What was read, so that it has to be read. */
    final long sum()
    {
        return sum;
    }

    @Override
    public abstract void close();
}
