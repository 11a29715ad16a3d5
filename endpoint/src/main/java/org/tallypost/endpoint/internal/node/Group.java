// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_CLOSED;
import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_GONE;
import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_OPEN;

import java.io.File;
import java.nio.charset.StandardCharsets;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.mailbox.process.Registry;

/**
 * The mapped group file of a node: what all agree on, and the holder of each rank.
 */
public final class Group
{
    public static final String FILE_NAME = "group";

    private final File file;
    private final UnsafeBuffer buffer;
    private final int ranks;
    private final int highSlots;
    private final long livenessIntervalNs;

    private Group(final File file, final UnsafeBuffer buffer)
    {
        this.file = file;
        this.buffer = buffer;
        ranks = buffer.getInt(GroupDescriptor.RANKS_OFFSET);
        highSlots = buffer.getInt(GroupDescriptor.HIGH_SLOTS_OFFSET);
        if (ranks < 1 || highSlots < 0 || GroupDescriptor.fileLength(ranks, highSlots) != buffer.capacity())
        {
            throw new MailboxException("group file does not fit its own header: file=" + file + ", found length=" +
                buffer.capacity() + ", ranks=" + ranks + ", highSlots=" + highSlots);
        }
        livenessIntervalNs = buffer.getLong(GroupDescriptor.LIVENESS_INTERVAL_OFFSET);
        if (livenessIntervalNs < NodeContext.MIN_LIVENESS_INTERVAL_NS)
        {
            throw new MailboxException("livenessIntervalNs out of range: file=" + file + ", found=" + livenessIntervalNs +
                ", expected at least " + NodeContext.MIN_LIVENESS_INTERVAL_NS + "; the file is damaged: use another directory");
        }
    }

    static Group create(final File file, final NodeContext context)
    {
        final byte[] name = context.groupName().getBytes(StandardCharsets.UTF_8);
        final int ranks = context.rankCount();
        final long length = GroupDescriptor.fileLength(ranks, context.highSlots());
        return new Group(file, MappedFiles.create(file, length, (b) ->
        {
            b.putLong(GroupDescriptor.MAGIC_OFFSET, GroupDescriptor.MAGIC);
            b.putInt(GroupDescriptor.RANKS_OFFSET, ranks);
            b.putLong(GroupDescriptor.FILE_LENGTH_OFFSET, length);
            b.putInt(GroupDescriptor.SLOTS_OFFSET, context.slotsPerSender());
            b.putInt(GroupDescriptor.CREDIT_SLOTS_OFFSET, context.creditSlots());
            b.putInt(GroupDescriptor.FLOW_OFFSET, context.flow().ordinal());
            b.putInt(GroupDescriptor.CREDIT_RETURN_OFFSET, context.creditReturn().ordinal());
            b.putInt(GroupDescriptor.RING_SLOTS_OFFSET, context.ringSlots());
            b.putInt(GroupDescriptor.PIGGYBACK_OFFSET, context.piggyback() ? 1 : 0);
            b.putInt(GroupDescriptor.HIGH_SLOTS_OFFSET, context.highSlots());
            b.putLong(GroupDescriptor.LIVENESS_INTERVAL_OFFSET, context.livenessIntervalNs());
            b.putInt(GroupDescriptor.NAME_LENGTH_OFFSET, name.length);
            b.putBytes(GroupDescriptor.NAME_OFFSET, name);
            // SYNC POINT file-complete
            b.putIntRelease(GroupDescriptor.VERSION_OFFSET, GroupDescriptor.VERSION);
        }));
    }

    public static Group attach(final File file)
    {
        return MappedFiles.attach(file, GroupDescriptor.RANK_WORDS_OFFSET, "group", (buffer) ->
        {
            MappedFiles.checkHeader(
                buffer, file, "group", GroupDescriptor.MAGIC, GroupDescriptor.VERSION, GroupDescriptor.FILE_LENGTH_OFFSET);
            return new Group(file, buffer);
        });
    }

    /** Everybody in a group has the same idea of it: the first one's. */
    void checkAgrees(final NodeContext context)
    {
        agree("groupName", name(), context.groupName());
        agree("rankCount", ranks, context.rankCount());
        agree("slotsPerSender", slotsPerSender(), context.slotsPerSender());
        agree("creditSlots", creditSlots(), context.creditSlots());
        agree("flow", flow(), context.flow());
        agree("creditReturn", creditReturn(), context.creditReturn());
        agree("ringSlots", ringSlots(), context.ringSlots());
        agree("piggyback", piggyback(), context.piggyback());
        agree("highSlots", highSlots, context.highSlots());
    }

    private void agree(final String what, final Object found, final Object expected)
    {
        if (!found.equals(expected))
        {
            throw new Mismatch("group was created with another " + what + ": file=" + file + ", found=" + found +
                ", expected=" + expected + "; give all processes the same value, or another directory");
        }
    }

    /** The group was created with other values. */
    public static final class Mismatch extends MailboxException
    {
        private static final long serialVersionUID = 1;

        Mismatch(final String message)
        {
            super(message);
        }
    }

    /** The founder's: how long a process may be silent before others take it for gone. */
    long livenessIntervalNs()
    {
        return livenessIntervalNs;
    }

    public String name()
    {
        final int stored = buffer.getInt(GroupDescriptor.NAME_LENGTH_OFFSET);
        final int length = Math.max(0, Math.min(stored, GroupDescriptor.MAX_NAME_LENGTH));
        final byte[] bytes = new byte[length];
        buffer.getBytes(GroupDescriptor.NAME_OFFSET, bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    public int ranks()
    {
        return ranks;
    }

    public int slotsPerSender()
    {
        return buffer.getInt(GroupDescriptor.SLOTS_OFFSET);
    }

    int creditSlots()
    {
        return buffer.getInt(GroupDescriptor.CREDIT_SLOTS_OFFSET);
    }

    int ringSlots()
    {
        return buffer.getInt(GroupDescriptor.RING_SLOTS_OFFSET);
    }

    boolean piggyback()
    {
        return buffer.getInt(GroupDescriptor.PIGGYBACK_OFFSET) != 0;
    }

    public Flow flow()
    {
        return value(Flow.values(), GroupDescriptor.FLOW_OFFSET, "flow");
    }

    public CreditReturn creditReturn()
    {
        return value(CreditReturn.values(), GroupDescriptor.CREDIT_RETURN_OFFSET, "creditReturn");
    }

    private <T> T value(final T[] values, final int offset, final String what)
    {
        final int ordinal = buffer.getInt(offset);
        if (ordinal < 0 || ordinal >= values.length)
        {
            throw new MailboxException(what + " out of range: file=" + file + ", found=" + ordinal + ", expected=0 to " +
                (values.length - 1));
        }
        return values[ordinal];
    }

    /** Epoch and state of a rank, in one opaque load of a line that is seldom written. */
    public long rankWord(final int rank)
    {
        return buffer.getLongOpaque(GroupDescriptor.rankWordOffset(rank));
    }

    /** Where the first rank's word is; those of the others follow at distances of {@link Long#BYTES}. */
    public long rankWordsAddress()
    {
        return buffer.addressOffset() + GroupDescriptor.rankWordOffset(0);
    }

    /** {@link #rankWord} with acquire semantics: what its holder wrote before it opened the rank is seen. */
    public long rankWordAcquire(final int rank)
    {
        return buffer.getLongAcquire(GroupDescriptor.rankWordOffset(rank));
    }

    public int ownerProcess(final int rank)
    {
        return (int)(buffer.getLongAcquire(GroupDescriptor.ownerOffset(ranks, rank)) >>> 32);
    }

    public int ownerIncarnation(final int rank)
    {
        return (int)buffer.getLongAcquire(GroupDescriptor.ownerOffset(ranks, rank));
    }

    public boolean isOwnerLive(final int rank, final Registry registry)
    {
        final long owner = buffer.getLongAcquire(GroupDescriptor.ownerOffset(ranks, rank));
        return registry.isLive((int)(owner >>> 32), (int)owner);
    }

    /** Whether a rank is open in this incarnation and process. */
    public boolean isHeld(final int rank, final int epoch, final int process, final int incarnation)
    {
        return rankWordAcquire(rank) == GroupDescriptor.rankWord(epoch, STATE_OPEN) &&
            ownerProcess(rank) == process && ownerIncarnation(rank) == incarnation;
    }

    /** Whether a rank is open, in whichever incarnation, in this process. */
    public boolean isOpenIn(final int rank, final int process, final int incarnation)
    {
        return GroupDescriptor.state(rankWordAcquire(rank)) == STATE_OPEN &&
            ownerProcess(rank) == process && ownerIncarnation(rank) == incarnation;
    }

    /** Identity of the process in which a rank is open; null if it is not, or changes meanwhile. */
    public ProcessIdentity processOf(final int rank, final Registry registry)
    {
        final long word = rankWordAcquire(rank);
        final ProcessIdentity found = registry.identity(ownerProcess(rank));
        return GroupDescriptor.state(word) == STATE_OPEN && isOwnerLive(rank, registry) && rankWordAcquire(rank) == word ?
            found : null;
    }

    /** Whether a rank is open in another incarnation, and its process lives. */
    public boolean isOpenElsewhere(final int rank, final int epoch, final Registry registry)
    {
        final long word = rankWordAcquire(rank);
        return GroupDescriptor.state(word) == STATE_OPEN && GroupDescriptor.epoch(word) != epoch && isOwnerLive(rank, registry);
    }

    /** Opens a rank. The caller holds the node's file lock. */
    public void open(final int rank, final int epoch, final int process, final int incarnation)
    {
        final long owner = ((long)process << 32) | (incarnation & 0xFFFF_FFFFL);
        buffer.putLongRelease(GroupDescriptor.ownerOffset(ranks, rank), owner);
        // SYNC POINT rank-open: the mailbox file is there and the owner is known
        buffer.putLongRelease(GroupDescriptor.rankWordOffset(rank), GroupDescriptor.rankWord(epoch, STATE_OPEN));
    }

    public void close(final int rank, final int epoch)
    {
        leave(rank, epoch, STATE_CLOSED);
    }

    /** One compare-and-set: false if the rank is not open in this epoch. */
    public boolean leave(final int rank, final int epoch, final int state)
    {
        final long open = GroupDescriptor.rankWord(epoch, STATE_OPEN);
        // read first: an interpreter survives a load from a page that was cut off, and no compare-and-set
        return rankWordAcquire(rank) == open &&
            buffer.compareAndSetLong(GroupDescriptor.rankWordOffset(rank), open, GroupDescriptor.rankWord(epoch, state));
    }

    /** Marks the ranks of processes that are not there any more. Any process may do it, and several at once. */
    int markGone(final Registry registry)
    {
        int count = 0;
        for (int rank = 0; rank < ranks; rank++)
        {
            final long word = rankWordAcquire(rank);
            if (GroupDescriptor.state(word) == STATE_OPEN && !isOwnerLive(rank, registry) &&
                leave(rank, GroupDescriptor.epoch(word), STATE_GONE))
            {
                count++;
            }
        }
        return count;
    }

    public CounterWords counters(final int rank)
    {
        return new CounterWords(buffer, GroupDescriptor.countersOffset(ranks, rank));
    }

    /** Counters of a rank's high ring; null if the group has none. */
    public CounterWords highCounters(final int rank)
    {
        return highSlots == 0 ? null : new CounterWords(buffer, GroupDescriptor.highCountersOffset(ranks, rank));
    }

    public void clearCounters(final int rank)
    {
        if (highSlots > 0)
        {
            buffer.setMemory(GroupDescriptor.highCountersOffset(ranks, rank), CountersDescriptor.LENGTH, (byte)0);
        }
        buffer.setMemory(GroupDescriptor.countersOffset(ranks, rank), CountersDescriptor.LENGTH, (byte)0);
    }

    public File file()
    {
        return file;
    }
}
