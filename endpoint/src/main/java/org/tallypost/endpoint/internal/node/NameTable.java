// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.ENTRIES;
import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.EPOCH_OFFSET;
import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.NAME_LENGTH_OFFSET;
import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.NAME_OFFSET;
import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.NUMBER_OFFSET;
import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.RANK_OFFSET;
import static org.tallypost.endpoint.internal.layout.NameTableDescriptor.SEQUENCE_OFFSET;

import java.io.File;
import java.lang.invoke.VarHandle;
import java.nio.charset.StandardCharsets;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.NameTableDescriptor;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.NodeLock;

/**
 * The file of names of a node. It belongs to no process: the first one that needs it makes it, and it goes with the node. A name
 * goes with the incarnation of its rank. Any thread.
 */
public final class NameTable
{
    static final String FILE_NAME = "names";

    /** Looks at an entry that somebody writes, before the lock tells whether the writer is only late. */
    private static final int MAX_LOOKS = 1_000;
    /** What a look finds while somebody writes. */
    private static final Named UNFINISHED = new Named(-1, 0, 0);

    private final NodeRuntime node;
    private final File file;
    private final UnsafeBuffer buffer;

    /**
     * What a name stands for.
     *
     * @param rank   that has the name.
     * @param epoch  of the rank.
     * @param number given with it.
     */
    public record Named(int rank, int epoch, long number)
    {
    }

    private NameTable(final NodeRuntime node, final File file, final UnsafeBuffer buffer)
    {
        this.node = node;
        this.file = file;
        this.buffer = buffer;
    }

    /** Maps the file, or makes it. */
    static NameTable open(final NodeRuntime node)
    {
        final File file = new File(node.context().directory(), FILE_NAME);
        return NodeLock.locked(NodeLock.file(node.context().directory()), () ->
        {
            node.shared().checkMember();
            return file.exists() ? attach(node, file) :
                new NameTable(node, file, MappedFiles.create(file, NameTableDescriptor.fileLength(), NameTable::initialise));
        });
    }

    private static void initialise(final UnsafeBuffer buffer)
    {
        buffer.putLong(NameTableDescriptor.MAGIC_OFFSET, NameTableDescriptor.MAGIC);
        buffer.putInt(NameTableDescriptor.ENTRIES_OFFSET, ENTRIES);
        buffer.putLong(NameTableDescriptor.FILE_LENGTH_OFFSET, buffer.capacity());
        // SYNC POINT file-complete
        buffer.putIntRelease(NameTableDescriptor.VERSION_OFFSET, NameTableDescriptor.VERSION);
    }

    private static NameTable attach(final NodeRuntime node, final File file)
    {
        return MappedFiles.attach(file, NameTableDescriptor.TABLE_OFFSET, FILE_NAME, (buffer) ->
        {
            MappedFiles.checkHeader(buffer, file, FILE_NAME, NameTableDescriptor.MAGIC, NameTableDescriptor.VERSION,
                NameTableDescriptor.FILE_LENGTH_OFFSET);
            final int entries = buffer.getInt(NameTableDescriptor.ENTRIES_OFFSET);
            if (entries != ENTRIES || buffer.capacity() != NameTableDescriptor.fileLength())
            {
                throw new MailboxException("names file does not fit its own header: file=" + file + ", found length=" +
                    buffer.capacity() + ", entries=" + entries + ", expected length=" + NameTableDescriptor.fileLength() +
                    ", entries=" + ENTRIES);
            }
            return new NameTable(node, file, buffer);
        });
    }

    /** Gives a name to a rank of this process, or another number to the name. */
    public void enter(final String name, final int rank, final long number)
    {
        final Named found = enterOrFind(name, rank, number);
        if (found != null)
        {
            throw new MailboxException("name is taken: name=" + name + ", found rank=" + found.rank + ", epoch=" +
                found.epoch + ", file=" + file + "; choose another name, or remove it there first");
        }
    }

    /** The same, if no other rank has the name. Whether it was given. */
    public boolean tryEnter(final String name, final int rank, final long number)
    {
        return enterOrFind(name, rank, number) == null;
    }

    /** The same, if a condition holds that is looked at under the lock: no name changes between. */
    public boolean tryEnter(final String name, final int rank, final long number, final BooleanSupplier condition)
    {
        final byte[] bytes = bytes(name);
        checkRank(rank);
        return locked(() -> condition.getAsBoolean() && enterLocked(name, bytes, rank, number) == null);
    }

    private Named enterOrFind(final String name, final int rank, final long number)
    {
        final byte[] bytes = bytes(name);
        checkRank(rank);
        return locked(() -> enterLocked(name, bytes, rank, number));
    }

    private void checkRank(final int rank)
    {
        Checks.range("rank", rank, 0, node.context().rankCount() - 1);
    }

    private <T> T locked(final Supplier<T> action)
    {
        return NodeLock.locked(NodeLock.file(node.context().directory()), action);
    }

    /** What another rank has entered under the name; null if the name was given. */
    private Named enterLocked(final String name, final byte[] bytes, final int rank, final long number)
    {
        node.shared().checkMember();
        if (!node.group().isOpenIn(rank, node.process(), node.incarnation()))
        {
            throw new IllegalStateException("rank is not open in this process: found=" + rank + ", name=" + name);
        }
        final int epoch = GroupDescriptor.epoch(node.group().rankWordAcquire(rank));
        int free = -1;
        for (int entry = 0; entry < ENTRIES; entry++)
        {
            final int offset = NameTableDescriptor.entryOffset(entry);
            final Named found = readLocked(offset, null);
            if (found == null)
            {
                free = free < 0 ? offset : free;
            }
            else if (isNamed(offset, bytes))
            {
                if (found.rank != rank)
                {
                    return found;
                }
                write(offset, bytes, rank, epoch, number);
                return null;
            }
        }
        if (free < 0)
        {
            throw new MailboxException("no entry left for a name: file=" + file + ", entries=" + ENTRIES + "; remove names");
        }
        write(free, bytes, rank, epoch, number);
        return null;
    }

    /** The caller holds the node's lock. */
    private void write(final int offset, final byte[] name, final int rank, final int epoch, final long number)
    {
        final int sequence = buffer.getIntAcquire(offset + SEQUENCE_OFFSET) | 1;
        buffer.putIntOpaque(offset + SEQUENCE_OFFSET, sequence);
        // SYNC POINT name-entry: odd before anything else changes
        VarHandle.storeStoreFence();
        buffer.putInt(offset + NAME_LENGTH_OFFSET, name.length);
        buffer.putInt(offset + RANK_OFFSET, rank);
        buffer.putInt(offset + EPOCH_OFFSET, epoch);
        buffer.putLong(offset + NUMBER_OFFSET, number);
        buffer.putBytes(offset + NAME_OFFSET, name);
        // SYNC POINT name-entry: even again behind all of it
        buffer.putIntRelease(offset + SEQUENCE_OFFSET, sequence + 1);
    }

    /** Takes a name from a rank of this process. */
    public boolean remove(final String name, final int rank)
    {
        final byte[] bytes = bytes(name);
        return locked(() ->
        {
            for (int entry = 0; entry < ENTRIES; entry++)
            {
                final int offset = NameTableDescriptor.entryOffset(entry);
                final Named found = readLocked(offset, bytes);
                if (found != null && found.rank == rank &&
                    node.group().isOpenIn(rank, node.process(), node.incarnation()))
                {
                    write(offset, new byte[0], 0, 0, 0);
                    return true;
                }
            }
            return false;
        });
    }

    /** What a name stands for; null if no open rank has it. Takes the lock only where a writer has stopped in an entry. */
    public Named find(final String name)
    {
        final byte[] bytes = bytes(name);
        for (int entry = 0; entry < ENTRIES; entry++)
        {
            final int offset = NameTableDescriptor.entryOffset(entry);
            final Named seen = read(offset, bytes, MAX_LOOKS);
            final Named found = seen == UNFINISHED ? locked(() -> readLocked(offset, bytes)) : seen;
            if (found != null)
            {
                return found;
            }
        }
        return null;
    }

    /** The caller holds the node's lock: an entry that is not finished is of a writer that has died, and is emptied. */
    private Named readLocked(final int offset, final byte[] name)
    {
        final Named found = read(offset, name, 1);
        if (found != UNFINISHED)
        {
            return found;
        }
        write(offset, new byte[0], 0, 0, 0);
        return null;
    }

    /**
     * What an entry says, if its rank is open in its epoch, and if it has a name: this one, or any for null. {@link #UNFINISHED}
     * if somebody was writing at each look.
     */
    private Named read(final int offset, final byte[] name, final int looks)
    {
        for (int look = 0; look < looks; look++)
        {
            // SYNC POINT name-entry: the sequence before and behind
            final int sequence = buffer.getIntAcquire(offset + SEQUENCE_OFFSET);
            final int length = buffer.getInt(offset + NAME_LENGTH_OFFSET);
            final int rank = buffer.getInt(offset + RANK_OFFSET);
            final int epoch = buffer.getInt(offset + EPOCH_OFFSET);
            final long number = buffer.getLong(offset + NUMBER_OFFSET);
            final boolean isNamed = length > 0 && length <= NameTableDescriptor.MAX_NAME_LENGTH &&
                (name == null || isNamed(offset, name));
            VarHandle.loadLoadFence();
            if ((sequence & 1) == 0 && buffer.getIntOpaque(offset + SEQUENCE_OFFSET) == sequence)
            {
                return isNamed && rank >= 0 && rank < node.group().ranks() && node.group().rankWordAcquire(rank) ==
                    GroupDescriptor.rankWord(epoch, GroupDescriptor.STATE_OPEN) ? new Named(rank, epoch, number) : null;
            }
            Thread.onSpinWait();
        }
        return UNFINISHED;
    }

    private boolean isNamed(final int offset, final byte[] name)
    {
        if (buffer.getInt(offset + NAME_LENGTH_OFFSET) != name.length)
        {
            return false;
        }
        for (int i = 0; i < name.length; i++)
        {
            if (buffer.getByte(offset + NAME_OFFSET + i) != name[i])
            {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytes(final String name)
    {
        if (name != null && !StandardCharsets.UTF_8.newEncoder().canEncode(name))
        {
            // getBytes would make the same '?' of all of them
            throw new IllegalArgumentException("name of a rank is no text: it has a surrogate without the other half, length=" +
                name.length());
        }
        final byte[] bytes = name == null ? new byte[0] : name.getBytes(StandardCharsets.UTF_8);
        if (bytes.length == 0 || bytes.length > NameTableDescriptor.MAX_NAME_LENGTH)
        {
            throw new IllegalArgumentException("name of a rank out of range: found=" + name + ", of " + bytes.length +
                " bytes of UTF-8, expected 1 to " + NameTableDescriptor.MAX_NAME_LENGTH);
        }
        return bytes;
    }
}
