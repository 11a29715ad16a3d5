// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/**
 * The memory of a rank that others may use: regions that they read and write, and messages that it lends. It is one shared file
 * of the node; its pages are reserved as it grows. Others map it when they first attach to something in it.
 *
 * <pre>
 *   final RegionMemory memory = RegionMemory.open(node, endpoint);
 *   final Region region = memory.register(1 &lt;&lt; 20, Region.ALL);
 *   region.key(key).encode(message, 0);                                   // and send it
 *
 *   remote.attach(memory, key.decode(message, 0));                        // at the other rank, with its own memory
 *   remote.put(at, buffer, 0, length);
 * </pre>
 *
 * <p><b>Threads.</b> One thread registers, closes regions and lends: the owner's. Any thread attaches, each with handles of its
 * own.
 *
 * <p><b>Trust.</b> A key is looked up in the owner's table and checked, and so is what is found there. What does not fit is
 * refused and counted. Other processes of the same user may write anything into the memory, as {@link SharedFile} says.
 */
public final class RegionMemory implements AutoCloseable
{
    /** Address space that {@link #open(Node, Endpoint)} takes, in bytes: 64 MiB. */
    public static final int DEFAULT_MAX_LENGTH = 1 << 26;
    /** Regions and loans at a time that {@link #open(Node, Endpoint)} has entries for. */
    public static final int DEFAULT_MAX_ENTRIES = 1024;
    /** Most regions and loans at a time. */
    public static final int MAX_ENTRIES = RegionDescriptor.MAX_ENTRIES;
    /** Longest memory in bytes: 1 GiB. */
    public static final int MAX_LENGTH = 1 << 30;
    /** Shortest memory in bytes, and shortest part of it that is given. */
    public static final int MIN_LENGTH = ChunkAllocator.UNIT_LENGTH;

    private final Endpoint endpoint;
    private final SharedFile file;
    private final UnsafeBuffer contents;
    private final int memoryOffset;
    private final ChunkAllocator chunks;
    private final RegionTable table;
    private final PeerMemory peers;
    private final AtomicLongArray refused = new AtomicLongArray(RegionResult.count());
    private volatile boolean closed;

    private RegionMemory(final Node node, final Endpoint endpoint, final int maxLength, final int maxEntries)
    {
        this.endpoint = endpoint;
        memoryOffset = RegionDescriptor.memoryOffset(maxEntries);
        final int length = Integer.highestOneBit(maxLength) == maxLength ? maxLength : Integer.highestOneBit(maxLength) << 1;
        file = node.createShared(
            PeerMemory.name(endpoint.rank(), endpoint.epoch()), memoryOffset, (long)memoryOffset + length);
        contents = file.buffer();
        RegionDescriptor.initialise(contents, endpoint.rank(), endpoint.epoch(), maxEntries);
        chunks = new ChunkAllocator(length);
        table = new RegionTable(contents, maxEntries);
        peers = new PeerMemory(node, endpoint, file);
    }

    /**
     * Makes the memory of a rank, of default size.
     *
     * @param node     of the rank.
     * @param endpoint of the rank, open in this process.
     * @return the memory, to be closed before the endpoint.
     * @throws org.tallypost.mailbox.files.MailboxException if the rank has one already, or there is no room for its table.
     */
    public static RegionMemory open(final Node node, final Endpoint endpoint)
    {
        return open(node, endpoint, DEFAULT_MAX_LENGTH, DEFAULT_MAX_ENTRIES);
    }

    /**
     * Makes the memory of a rank.
     *
     * @param node       of the rank.
     * @param endpoint   of the rank, open in this process.
     * @param maxLength  most bytes of all regions and loans, {@link #MIN_LENGTH} to {@link #MAX_LENGTH}; raised to a power of
     *                   two.
     * @param maxEntries most regions and loans at a time, 1 to {@link #MAX_ENTRIES}: 128 bytes each.
     * @return the memory, to be closed before the endpoint.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws org.tallypost.mailbox.files.MailboxException if the rank has one already, or there is no room for its table.
     */
    public static RegionMemory open(final Node node, final Endpoint endpoint, final int maxLength, final int maxEntries)
    {
        range("maxLength", maxLength, MIN_LENGTH, MAX_LENGTH);
        range("maxEntries", maxEntries, 1, MAX_ENTRIES);
        return new RegionMemory(node, endpoint, maxLength, maxEntries);
    }

    private static void range(final String what, final int found, final int least, final int most)
    {
        if (found < least || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=" + least + " to " + most);
        }
    }

    /**
     * Gives a part of the memory to the others. It is filled with zeros, and takes the next power of two of bytes, at least
     * 1 KiB.
     *
     * @param length in bytes, at least 1.
     * @param rights of the others: any of {@link Region#READ}, {@link Region#WRITE} and {@link Region#ATOMIC}.
     * @return the region.
     * @throws IllegalArgumentException if a value is out of range.
     * @throws IllegalStateException if this is closed, or all entries or all chunks of this length are in use: the message says
     *                               which, and what to raise.
     * @throws NoRoomException if the file system has no room for further pages.
     */
    public Region register(final int length, final int rights)
    {
        range("length", length, 1, MAX_LENGTH);
        range("rights", rights, 0, Region.ALL);
        checkOpen();
        if (table.freeCount() == 0)
        {
            throw new IllegalStateException(
                "all entries are in use: file=" + file.file() + "; close regions, or raise maxEntries");
        }
        final int chunk = take(length);
        if (chunk == ChunkAllocator.NONE)
        {
            throw new IllegalStateException("no free part of the memory is as long: file=" + file.file() + ", length=" + length +
                ", in use=" + chunks.takenLength() + " of " + (file.maxLength() - memoryOffset) +
                "; close regions, or raise maxLength");
        }
        contents.setMemory(memoryOffset + chunk, length, (byte)0);
        final int id = table.open(RegionDescriptor.KIND_REGION, rights, memoryOffset + chunk, length);
        final Region region = new Region(this, id, table.generation(id), rights);
        region.buffer().wrap(contents, memoryOffset + chunk, length);
        return region;
    }

    /** Takes a chunk, and sees to it that its pages are reserved. */
    private int take(final int length)
    {
        final int chunk = chunks.take(length);
        if (chunk == ChunkAllocator.NONE)
        {
            return chunk;
        }
        boolean isReserved = false;
        try
        {
            final long end = (long)memoryOffset + chunk + chunks.chunkLength(length);
            isReserved = file.length() >= end || file.grow(end) >= end;
            return chunk;
        }
        finally
        {
            if (!isReserved)
            {
                chunks.give(chunk);
            }
        }
    }

    /** A region is closed. */
    void end(final int id)
    {
        chunks.give(table.end(id) - memoryOffset);
    }

    RegionKey key(final RegionKey key, final int id, final int generation)
    {
        return key.set(endpoint.rank(), endpoint.epoch(), id, generation);
    }

    PeerMemory peers()
    {
        return peers;
    }

    long rankState(final int rank)
    {
        return endpoint.rankState(rank);
    }

    boolean isEndpointClosed()
    {
        return endpoint.isClosed();
    }

    /** Counts a refusal; returns it. */
    long refuse(final long result)
    {
        final int index = RegionResult.index(result);
        if (index >= 0)
        {
            refused.incrementAndGet(index);
        }
        return result;
    }

    /**
     * How many operations of this process were refused by this memory and its handles.
     *
     * @param result which of {@link RegionResult}.
     * @return their number; 0 for a result that is no refusal.
     */
    public long refusedCount(final long result)
    {
        final int index = RegionResult.index(result);
        return index < 0 ? 0 : refused.get(index);
    }

    /**
     * Bytes of the memory that regions and loans take.
     *
     * @return the sum of their chunks.
     */
    public long usedLength()
    {
        return chunks.takenLength();
    }

    private void checkOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("memory is closed: file=" + file.file());
        }
    }

    /**
     * Whether {@link #close()} was called.
     *
     * @return true if so.
     */
    public boolean isClosed()
    {
        return closed;
    }

    /**
     * Ends all of it: the others' operations go on in what they have mapped until the rank is closed, and nobody attaches any
     * more. Operations of handles of this memory return {@link Endpoint#CLOSED}. Idempotent.
     */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            peers.close();
        }
    }

    @Override
    public String toString()
    {
        return "RegionMemory{file=" + file.file() + ", used=" + usedLength() + ", maxLength=" +
            (file.maxLength() - memoryOffset) + (closed ? ", closed}" : "}");
    }
}
