// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.VarHandle;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A place in the log of a publication, and what lies there. The log comes from another process: nothing outside of it is read,
 * whatever it holds. One thread; the publisher may write at the same time.
 */
final class LogReader
{
    /** What lies at the place. */
    enum Found
    {
        /** Nothing yet. */
        NOTHING,
        /** A message: {@link #offset()} and {@link #length()}. */
        MESSAGE,
        /** Something else: the publisher has written over what lay here. {@link #skip()} goes on. */
        OVERRUN,
        /** Nothing that a publisher writes. */
        DAMAGED
    }

    private final UnsafeBuffer log;
    private final int logOffset;
    private final int length;
    private final int half;
    private long position;
    private long sequence;
    private long foundSequence;
    private boolean isSkipping;
    private int messageOffset;
    private int messageLength;

    LogReader(final UnsafeBuffer log, final int logOffset, final int length, final long position, final long sequence)
    {
        this.log = log;
        this.logOffset = logOffset;
        this.length = length;
        half = length / 2;
        this.position = position;
        this.sequence = sequence;
    }

    Found next()
    {
        // SYNC POINT topic-tail: what lies before it is written
        final long tail = log.getLongVolatile(TopicLogDescriptor.TAIL_OFFSET);
        // a log of a relay may not have come as far as its readers
        while (position < tail)
        {
            if (isOverrun() || tail - position > length)
            {
                return Found.OVERRUN;
            }
            final int index = logOffset + (int)(position & length - 1);
            final int toHalf = half - (int)(position & half - 1);
            final int found = log.getInt(index, LITTLE_ENDIAN);
            foundSequence = log.getLong(index + TopicLogDescriptor.SEQUENCE_OFFSET, LITTLE_ENDIAN);
            if (found < 0 && -found == toHalf && toHalf <= tail - position)
            {
                position += toHalf;
                continue;
            }
            final boolean isMessage = found >= 0 && found <= TopicLogDescriptor.maxMessageLength(length) &&
                TopicLogDescriptor.recordLength(found) <= Math.min(toHalf, tail - position) &&
                (isSkipping ? foundSequence >= sequence : foundSequence == sequence);
            if (!isMessage)
            {
                return isOverrun() ? Found.OVERRUN : Found.DAMAGED;
            }
            messageOffset = index + TopicLogDescriptor.HEAD_LENGTH;
            messageLength = found;
            return Found.MESSAGE;
        }
        return Found.NOTHING;
    }

    /** Whether the publisher may have written over what lies at the place, or before it: what was read until now may be torn. */
    boolean isOverrun()
    {
        // SYNC POINT topic-intent: what was read comes before this look
        VarHandle.acquireFence();
        return log.getLongVolatile(TopicLogDescriptor.INTENT_OFFSET) - position > length;
    }

    /** Goes on at the last begin of a half: a record begins there, and half of the log lies between it and the publisher. */
    void skip()
    {
        final long tail = log.getLongVolatile(TopicLogDescriptor.TAIL_OFFSET);
        position = Math.max(position, tail - (tail & half - 1));
        isSkipping = true;
    }

    /** Takes any number for the one at the place. */
    void acceptAnyNumber()
    {
        isSkipping = true;
    }

    /** Number of the message at the place. */
    long number()
    {
        return foundSequence;
    }

    /** Number of the message that is expected at the place. */
    long sequence()
    {
        return sequence;
    }

    /** How many messages were skipped before the one at the place. */
    long lost()
    {
        return foundSequence - sequence;
    }

    /** The subscriber knows what was skipped. */
    void countLost()
    {
        sequence = foundSequence;
    }

    /** Passes the message at the place. */
    void advance()
    {
        position += TopicLogDescriptor.recordLength(messageLength);
        sequence = foundSequence + 1;
        isSkipping = false;
    }

    boolean hasNext()
    {
        return log.getLongVolatile(TopicLogDescriptor.TAIL_OFFSET) > position;
    }

    long position()
    {
        return position;
    }

    /** Where the message lies in the buffer. */
    int offset()
    {
        return messageOffset;
    }

    /** Its length in bytes. */
    int length()
    {
        return messageLength;
    }

    @Override
    public String toString()
    {
        return "position=" + position + ", sequence=" + sequence + ", found sequence=" + foundSequence + ", length of the log=" +
            length;
    }
}
