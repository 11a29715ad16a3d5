// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.invoke.VarHandle;
import java.util.concurrent.ThreadLocalRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/**
 * The log of a publication in shared memory: the publisher writes each message once, and the subscribers of its node read it
 * there. The publisher's thread writes; the thread that owns a line of a rank writes that line.
 */
final class TopicLog implements AutoCloseable
{
    private final SharedFile file;
    private final UnsafeBuffer buffer;
    private final int ranks;
    private final int length;
    private final int logOffset;

    private TopicLog(final SharedFile file, final int ranks, final int length)
    {
        this.file = file;
        buffer = file.buffer();
        this.ranks = ranks;
        this.length = length;
        logOffset = TopicLogDescriptor.logOffset(ranks);
    }

    private static String fileName(final int rank, final int number)
    {
        return "topic-" + rank + '-' + number;
    }

    static TopicLog create(
        final Node node, final int rank, final int number, final int ranks, final PublicationContext context)
    {
        final TopicLog log = create(node, fileName(rank, number), ranks, context.logLength());
        log.initialise(context.mayOverrun(), context.whenSlow(), 0, ThreadLocalRandom.current().nextLong());
        return log;
    }

    private static TopicLog create(final Node node, final String name, final int ranks, final int length)
    {
        return new TopicLog(
            node.createShared(name, (long)TopicLogDescriptor.logOffset(ranks) + length), ranks, length);
    }

    /** The log of a relay for what a rank of another node publishes: it begins at a place, and waits for the slowest. */
    static TopicLog createRelayed(
        final Node node, final int publisher, final int number, final int relay, final int ranks, final LogPlace at)
    {
        if (!isLength(at.length) || !at.isPlace())
        {
            throw new MailboxException("no place in a log of a topic: found length=" + at.length + ", position=" + at.position +
                ", expected a power of two from " + TopicLogDescriptor.LEAST_LENGTH + " to " + TopicLogDescriptor.MOST_LENGTH +
                ", and a multiple of " + TopicLogDescriptor.RECORD_ALIGNMENT + " from 0 on");
        }
        final TopicLog log = create(node, relayedName(publisher, number, relay), ranks, at.length);
        log.initialise(at.mayOverrun, WhenSlow.WAIT, at.position, at.publication);
        return log;
    }

    private void initialise(final boolean mayOverrun, final WhenSlow rule, final long position, final long publication)
    {
        initialise(buffer, length, ranks, mayOverrun, rule, position, publication);
    }

    /** Writes the head. Others look for it meanwhile: until it is whole they take the file for that of another publication. */
    static void initialise(
        final UnsafeBuffer buffer, final int length, final int ranks, final boolean mayOverrun, final WhenSlow rule,
        final long position, final long publication)
    {
        buffer.putInt(TopicLogDescriptor.LENGTH_OFFSET, length, LITTLE_ENDIAN);
        buffer.putInt(TopicLogDescriptor.RANKS_OFFSET, ranks, LITTLE_ENDIAN);
        buffer.putInt(TopicLogDescriptor.OVERRUN_OFFSET, mayOverrun ? 1 : 0, LITTLE_ENDIAN);
        buffer.putInt(TopicLogDescriptor.RULE_OFFSET, rule.ordinal(), LITTLE_ENDIAN);
        buffer.putLong(TopicLogDescriptor.INTENT_OFFSET, position);
        buffer.putLong(TopicLogDescriptor.TAIL_OFFSET, position);
        buffer.putLong(TopicLogDescriptor.VERSION_OFFSET, TopicLogDescriptor.VERSION);
        // SYNC POINT topic-number: one that finds it finds all of the head
        buffer.putLongRelease(TopicLogDescriptor.PUBLICATION_OFFSET, publication);
    }

    /** Whether the log is that of a publication, and whole. */
    static boolean isOf(final UnsafeBuffer buffer, final long publication)
    {
        return buffer.getLongVolatile(TopicLogDescriptor.PUBLICATION_OFFSET) == publication;
    }

    private static String relayedName(final int publisher, final int number, final int relay)
    {
        return fileName(publisher, number) + "-by-" + relay;
    }

    /** The log of a relay of the node; null if it has gone, or is not there yet. */
    static TopicLog tryAttachRelayed(
        final Node node, final int publisher, final int number, final int relay, final int ranks, final int length,
        final long publication)
    {
        return tryAttach(node, relayedName(publisher, number, relay), ranks, length, publication);
    }

    /** The log of another rank of the node; null if it has gone. */
    static TopicLog tryAttach(
        final Node node, final int rank, final int number, final int ranks, final int length, final long publication)
    {
        return tryAttach(node, fileName(rank, number), ranks, length, publication);
    }

    private static TopicLog tryAttach(
        final Node node, final String name, final int ranks, final int length, final long publication)
    {
        final SharedFile file = node.tryAttachShared(name);
        if (file == null)
        {
            return null;
        }
        final UnsafeBuffer buffer = file.buffer();
        final boolean hasHead = file.length() >= TopicLogDescriptor.LINES_OFFSET;
        if (hasHead && !isOf(buffer, publication))
        {
            // that of another publication, which began later, or its relay is about to write the head
            file.close();
            return null;
        }
        final long version = hasHead ? buffer.getLong(TopicLogDescriptor.VERSION_OFFSET) : 0;
        final int foundLength = hasHead ? buffer.getInt(TopicLogDescriptor.LENGTH_OFFSET, LITTLE_ENDIAN) : 0;
        final int foundRanks = hasHead ? buffer.getInt(TopicLogDescriptor.RANKS_OFFSET, LITTLE_ENDIAN) : 0;
        if (version != TopicLogDescriptor.VERSION || foundLength != length || foundRanks != ranks || !isLength(length) ||
            file.length() < (long)TopicLogDescriptor.logOffset(ranks) + length)
        {
            final String text = "no log of a topic: file=" + file.file() + ", found version=" + version + ", length=" +
                foundLength + ", ranks=" + foundRanks + ", bytes=" + file.length() + ", expected version=" +
                TopicLogDescriptor.VERSION + ", length=" + length + ", ranks=" + ranks + ", bytes for both";
            file.close();
            throw new MailboxException(text);
        }
        return new TopicLog(file, ranks, length);
    }

    private static boolean isLength(final int length)
    {
        return length >= TopicLogDescriptor.LEAST_LENGTH && length <= TopicLogDescriptor.MOST_LENGTH &&
            (length & length - 1) == 0;
    }

    long publication()
    {
        return buffer.getLong(TopicLogDescriptor.PUBLICATION_OFFSET, LITTLE_ENDIAN);
    }

    /** Whether the publisher may write over what a subscriber reads: then it is copied first. */
    boolean mayOverrun()
    {
        return buffer.getInt(TopicLogDescriptor.OVERRUN_OFFSET, LITTLE_ENDIAN) != 0;
    }

    /** Whether a subscriber that finds itself overrun is told what it has lost, and goes on. */
    boolean isToldWhenSlow()
    {
        return buffer.getInt(TopicLogDescriptor.RULE_OFFSET, LITTLE_ENDIAN) == WhenSlow.TELL.ordinal();
    }

    int length()
    {
        return length;
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    LogReader reader(final long position, final long sequence)
    {
        return new LogReader(buffer, logOffset, length, position, sequence);
    }

    /** Number of the message at a position that is still there: the one that comes next, if it is the tail. */
    long sequence(final long position, final long tail, final long next)
    {
        final LogReader reader = reader(position, 0);
        reader.acceptAnyNumber();
        return position != tail && reader.next() == LogReader.Found.MESSAGE ? reader.number() : next;
    }

    /** Where a record that begins at the tail or after the padding behind it would begin. */
    long begin(final long tail, final int messageLength)
    {
        final int toHalf = length / 2 - (int)(tail & length / 2 - 1);
        return TopicLogDescriptor.recordLength(messageLength) > toHalf ? tail + toHalf : tail;
    }

    /** Writes a message at a begin, and padding before it; returns the new tail. */
    long append(
        final long tail, final long begin, final long sequence, final DirectBuffer source, final int offset,
        final int messageLength)
    {
        final long end = begin + TopicLogDescriptor.recordLength(messageLength);
        // SYNC POINT topic-intent: a reader that sees a byte of what follows sees that what lay there is gone
        buffer.putLongRelease(TopicLogDescriptor.INTENT_OFFSET, end);
        VarHandle.storeStoreFence();
        if (begin != tail)
        {
            buffer.putInt(logOffset + (int)(tail & length - 1), (int)(tail - begin), LITTLE_ENDIAN);
        }
        final int index = logOffset + (int)(begin & length - 1);
        buffer.putInt(index, messageLength, LITTLE_ENDIAN);
        buffer.putLong(index + TopicLogDescriptor.SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
        buffer.putBytes(index + TopicLogDescriptor.HEAD_LENGTH, source, offset, messageLength);
        // SYNC POINT topic-tail: the record is whole
        buffer.putLongRelease(TopicLogDescriptor.TAIL_OFFSET, end);
        return end;
    }

    /** The publisher sets where a rank begins. */
    void begin(final int rank, final long position)
    {
        buffer.putInt(TopicLogDescriptor.lineOffset(rank) + TopicLogDescriptor.LINE_ASLEEP_OFFSET, 0);
        buffer.putLongVolatile(TopicLogDescriptor.lineOffset(rank), position);
    }

    /** A subscriber has read up to here. What it has read may be written over. */
    void read(final int rank, final long position)
    {
        // SYNC POINT topic-read: the reads come before
        buffer.putLongRelease(TopicLogDescriptor.lineOffset(rank), position);
    }

    /** Position of a rank as it says: anything. */
    long position(final int rank)
    {
        return buffer.getLongVolatile(TopicLogDescriptor.lineOffset(rank));
    }

    /** A subscriber is about to sleep. It looks at the tail once more after this. */
    void sleep(final int rank)
    {
        // SYNC POINT topic-sleep: both words are there before the tail is looked at again
        buffer.putIntVolatile(TopicLogDescriptor.lineOffset(rank) + TopicLogDescriptor.LINE_ASLEEP_OFFSET, 1);
        buffer.putIntVolatile(TopicLogDescriptor.ASLEEP_OFFSET, 1);
    }

    /** Whether a subscriber may sleep, as the publisher asks after it has written. It is asked once for each time. */
    boolean takeSleepers()
    {
        // SYNC POINT topic-sleep: the tail is there before the word is looked at
        VarHandle.fullFence();
        if (buffer.getIntVolatile(TopicLogDescriptor.ASLEEP_OFFSET) == 0)
        {
            return false;
        }
        buffer.putIntVolatile(TopicLogDescriptor.ASLEEP_OFFSET, 0);
        return true;
    }

    /** Whether the subscriber of a rank may sleep. It is asked once for each time. */
    boolean takeSleeper(final int rank)
    {
        final int offset = TopicLogDescriptor.lineOffset(rank) + TopicLogDescriptor.LINE_ASLEEP_OFFSET;
        if (buffer.getIntVolatile(offset) == 0)
        {
            return false;
        }
        buffer.putIntVolatile(offset, 0);
        return true;
    }

    /** Whether the relay of the log sleeps, as a reader asks after it has read. It is asked once for each time. */
    boolean takeRelay(final int rank)
    {
        // SYNC POINT topic-sleep: the position of the reader is there before the word is looked at
        VarHandle.fullFence();
        return takeSleeper(rank);
    }

    @Override
    public void close()
    {
        file.close();
    }

    @Override
    public String toString()
    {
        return "TopicLog{" + file + ", ranks=" + ranks + ", length=" + length + '}';
    }
}
