// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;

/** Where a subscriber begins to read, as its publisher has told it: nothing of it is believed yet. */
final class LogPlace
{
    /** Rank that has the log, {@link SubscriberLink#NO_LOG} if messages come one by one. */
    final int logRank;
    final int length;
    final long publication;
    final long position;
    /** Number of the message at the position. */
    final long sequence;
    /** Number of the first message that is for the subscriber. */
    final long first;
    /** Whether what a subscriber reads may be written over. */
    final boolean mayOverrun;

    private LogPlace(final DirectBuffer buffer, final int offset)
    {
        logRank = buffer.getInt(offset + TopicMessages.LOG_RANK_OFFSET, LITTLE_ENDIAN);
        length = buffer.getInt(offset + TopicMessages.LOG_LENGTH_OFFSET, LITTLE_ENDIAN);
        publication = buffer.getLong(offset + TopicMessages.PUBLICATION_OFFSET, LITTLE_ENDIAN);
        position = buffer.getLong(offset + TopicMessages.POSITION_OFFSET, LITTLE_ENDIAN);
        sequence = buffer.getLong(offset + TopicMessages.SEQUENCE_OFFSET, LITTLE_ENDIAN);
        first = buffer.getLong(offset + TopicMessages.FIRST_OFFSET, LITTLE_ENDIAN);
        mayOverrun = buffer.getInt(offset + TopicMessages.OVERRUN_OFFSET, LITTLE_ENDIAN) != 0;
    }

    static LogPlace read(final DirectBuffer buffer, final int offset)
    {
        return new LogPlace(buffer, offset);
    }

    boolean hasLog()
    {
        return logRank != SubscriberLink.NO_LOG;
    }

    /** Whether a record may begin there. */
    boolean isPlace()
    {
        return position >= 0 && position % TopicLogDescriptor.RECORD_ALIGNMENT == 0;
    }
}
