// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.SharedFileDescriptor;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/**
 * The four parameters of LogGP, which slow down the active messages of a rank while it runs (seed 004, pages 22 and 23). Each is
 * added to what the machine takes anyway, but for g, which is the least gap; and all are 0 at first.
 *
 * <table border="1">
 * <caption>The knobs.</caption>
 * <tr><td>o</td><td>a spin of the sending thread for each message, and of the receiving one before it runs the handler</td></tr>
 * <tr><td>g</td><td>least time between two messages of a sender; no thread is held up until 16 messages wait</td></tr>
 * <tr><td>G</td><td>as g, for each byte of a block</td></tr>
 * <tr><td>L</td><td>time for which the receiver holds a message back</td></tr>
 * </table>
 *
 * <p>A rank that is to be slowed down opens its knobs and hands them to {@link ActiveMessagesContext#knobs}. The words are in a
 * shared file of the node, where {@link #find} gets at them from any process of the host. Any thread.
 */
public final class LoggpKnobs implements AutoCloseable
{
    /** Greatest value of o, g and L: 1 s. */
    public static final long MAX_NS = 1_000_000_000L;
    /** Greatest value of G: 1 ms for each byte. */
    public static final long MAX_BYTE_GAP_PS = 1_000_000_000L;

    private static final String NAME = "loggp-";
    private static final String FILE_PREFIX = "shared-" + NAME;

    private final int rank;
    private final UnsafeBuffer words;
    /** Null in a process that found the file. */
    private final SharedFile owned;
    /** The whole file in a process that found it, else null. */
    private final UnsafeBuffer found;
    private final ProcessIdentity owner;

    private LoggpKnobs(
        final int rank,
        final UnsafeBuffer words,
        final SharedFile owned,
        final UnsafeBuffer found,
        final ProcessIdentity owner)
    {
        this.rank = rank;
        this.words = words;
        this.owned = owned;
        this.found = found;
        this.owner = owner;
    }

    /**
     * Makes the knobs of a rank of this process.
     *
     * @param node of the rank.
     * @param rank that is slowed down.
     * @return knobs that are all 0.
     * @throws IllegalArgumentException if the group has no such rank.
     * @throws MailboxException         if the rank has knobs, or there is no room.
     */
    public static LoggpKnobs open(final Node node, final int rank)
    {
        final int rankCount = node.context().rankCount();
        if (rank < 0 || rank >= rankCount)
        {
            throw new IllegalArgumentException("rank is out of range: found=" + rank + ", expected=0 to " + (rankCount - 1));
        }
        final SharedFile file = create(node, rank);
        final UnsafeBuffer words = file.buffer();
        words.putLongRelease(KnobsDescriptor.VERSION_OFFSET, KnobsDescriptor.VERSION);
        return new LoggpKnobs(rank, words, file, null, ProcessIdentity.current());
    }

    private static SharedFile create(final Node node, final int rank)
    {
        try
        {
            return node.createShared(NAME + rank, KnobsDescriptor.LENGTH);
        }
        catch (final MailboxException ex)
        {
            final File file = new File(node.context().directory(), FILE_PREFIX + rank);
            final LoggpKnobs live = file.exists() ? tryAttach(file) : null;
            if (live == null || !live.isLive())
            {
                throw ex;
            }
            throw new MailboxException("the rank has knobs already: rank=" + rank + ", file=" + file + ", found those of " +
                live.owner + ", expected none; close them first, or hand the same ones to ActiveMessagesContext.knobs, and set " +
                "them by LoggpKnobs.find", ex);
        }
    }

    /**
     * Finds the knobs of all ranks in the directory of a node.
     *
     * @param directory of a node.
     * @return those of ranks with a live process, by rank; without such that are just made or ended.
     * @throws MailboxException if there is no such directory, or one of the files is damaged.
     */
    public static List<LoggpKnobs> find(final File directory)
    {
        final File[] files = directory.listFiles((parent, name) -> name.matches(FILE_PREFIX + "[0-9]{1,9}"));
        if (files == null)
        {
            throw new MailboxException("not a directory: found=" + directory + ", expected the directory of a node");
        }
        final List<LoggpKnobs> found = new ArrayList<>();
        for (final File file : files)
        {
            final LoggpKnobs knobs = tryAttach(file);
            if (knobs != null && knobs.isLive())
            {
                found.add(knobs);
            }
        }
        found.sort(Comparator.comparingInt(LoggpKnobs::rank));
        return found;
    }

    /** Null if they are not made yet, or have ended since they were found. */
    private static LoggpKnobs tryAttach(final File file)
    {
        try
        {
            return attach(file);
        }
        catch (final MailboxException ex)
        {
            if (file.exists())
            {
                throw ex;
            }
            return null;
        }
    }

    private static LoggpKnobs attach(final File file)
    {
        final int rank = Integer.parseInt(file.getName().substring(FILE_PREFIX.length()));
        return MappedFiles.attach(
            file, SharedFileDescriptor.CONTENTS_OFFSET + KnobsDescriptor.LENGTH, "knobs", (buffer) ->
            {
                MappedFiles.checkHeader(buffer, file, "knobs", SharedFileDescriptor.MAGIC, SharedFileDescriptor.VERSION,
                    SharedFileDescriptor.FILE_LENGTH_OFFSET);
                final UnsafeBuffer words = new UnsafeBuffer(
                    buffer.byteBuffer(), SharedFileDescriptor.CONTENTS_OFFSET, KnobsDescriptor.LENGTH);
                final long version = words.getLongAcquire(KnobsDescriptor.VERSION_OFFSET);
                if (version == KnobsDescriptor.NOT_MADE)
                {
                    return null;
                }
                if (version != KnobsDescriptor.VERSION)
                {
                    throw new MailboxException("not a file with knobs: file=" + file + ", found version=" + version +
                        ", expected=" + KnobsDescriptor.VERSION);
                }
                return new LoggpKnobs(rank, words, null, buffer, new ProcessIdentity(
                    buffer.getLong(SharedFileDescriptor.PID_OFFSET),
                    buffer.getLong(SharedFileDescriptor.START_TIME_OFFSET),
                    buffer.getLong(SharedFileDescriptor.NAMESPACE_OFFSET)));
            });
    }

    /**
     * Which rank is slowed down.
     *
     * @return the rank.
     */
    public int rank()
    {
        return rank;
    }

    /**
     * Whether the process of the rank is there, and has not closed the knobs or its node.
     *
     * @return false if it is gone or has closed them: no message is slowed down by them any more.
     */
    public boolean isLive()
    {
        return !isClosed() && owner.probe() != ProcessIdentity.Liveness.DEAD;
    }

    private boolean isClosed()
    {
        return owned != null ? owned.isClosed() : found.getIntAcquire(SharedFileDescriptor.CLOSED_OFFSET) != 0;
    }

    /**
     * Sets a knob. The next message has it.
     *
     * @param knob  which one.
     * @param value in the knob's unit.
     * @return this.
     * @throws IllegalArgumentException if it is negative or above the knob's greatest value.
     * @throws IllegalStateException    if the process of the rank is gone, or has closed them.
     */
    public LoggpKnobs set(final Knob knob, final long value)
    {
        if (value < 0 || value > knob.most)
        {
            throw new IllegalArgumentException(knob + " is out of range: found=" + value + ", expected=0 to " + knob.most + " " +
                knob.unit);
        }
        if (!isLive())
        {
            throw new IllegalStateException((isClosed() ? "the knobs of rank " + rank + " are closed: found " :
                "the process of rank " + rank + " is gone: found ") + owner);
        }
        words.putLongOpaque(knob.offset, value);
        // SYNC POINT knob-set: the value is there when the count is
        words.getAndAddLong(KnobsDescriptor.CHANGES_OFFSET, 1);
        return this;
    }

    /**
     * The value of a knob.
     *
     * @param knob which one.
     * @return from 0 to the knob's greatest value, whatever other processes have written.
     */
    public long get(final Knob knob)
    {
        return Math.max(0, Math.min(knob.most, words.getLongOpaque(knob.offset)));
    }

    /** A parameter of LogGP. */
    public enum Knob
    {
        /** Overhead o, in nanoseconds. */
        OVERHEAD(KnobsDescriptor.OVERHEAD_OFFSET, MAX_NS, "ns"),
        /** Gap g between messages, in nanoseconds. */
        GAP(KnobsDescriptor.GAP_OFFSET, MAX_NS, "ns"),
        /** Gap G between bytes of a block, in picoseconds. */
        BYTE_GAP(KnobsDescriptor.BYTE_GAP_OFFSET, MAX_BYTE_GAP_PS, "ps"),
        /** Latency L, in nanoseconds. */
        LATENCY(KnobsDescriptor.LATENCY_OFFSET, MAX_NS, "ns");

        private final int offset;
        private final long most;
        private final String unit;

        Knob(final int offset, final long most, final String unit)
        {
            this.offset = offset;
            this.most = most;
            this.unit = unit;
        }
    }

    /** For the thread of the rank. */
    KnobValues values()
    {
        return new KnobValues(this, words);
    }

    /** Ends the knobs of a rank of this process; knobs that were found need no end. */
    @Override
    public void close()
    {
        if (owned != null)
        {
            owned.close();
        }
    }

    @Override
    public String toString()
    {
        return "LoggpKnobs{rank=" + rank + ", " + Arrays.toString(Knob.values()) + "=" + get(Knob.OVERHEAD) + " ns, " +
            get(Knob.GAP) + " ns, " + get(Knob.BYTE_GAP) + " ps, " + get(Knob.LATENCY) + " ns}";
    }
}
