// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLongArray;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.messaging.internal.checks.Checks;
import org.tallypost.node.BulkQueue;
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
 * <p><b>Loans.</b> A message of any length goes without a copy: {@link #tryLoan}, written in place, {@link Loan#lend}, the key
 * sent, {@link LoanedMessage} at the receiver, which releases it. If the borrower's incarnation ends, the memory comes back as
 * well. A process that was taken for dead and goes on may read what it had borrowed: by then there may be something else.
 *
 * <p><b>Threads.</b> One thread registers, closes regions and lends: the owner's. Any thread attaches, each with handles of its
 * own. One thread uses regions of ranks of other nodes, and calls {@link #poll}.
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
    /** Loans of each borrower at a time with {@link #open(Node, Endpoint)}. */
    public static final int DEFAULT_MAX_LOANS = 64;
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
    private final int maxEntries;
    private final PeerMemory peers;
    private final LoanedChunks lent;
    private final KeptRegions kept;
    private final AtomicLongArray refused = new AtomicLongArray(RegionResult.count());
    private final Node node;
    /** Null until a region of a rank of another node is first attached to. */
    private BulkQueue bulk;
    private volatile boolean closed;

    private RegionMemory(
        final Node node, final Endpoint endpoint, final int maxLength, final int maxEntries, final int maxLoans)
    {
        this.node = node;
        this.endpoint = endpoint;
        memoryOffset = RegionDescriptor.memoryOffset(maxEntries);
        final int length = Integer.highestOneBit(maxLength) == maxLength ? maxLength : Integer.highestOneBit(maxLength) << 1;
        file = node.createShared(
            RegionDescriptor.name(endpoint.rank(), endpoint.epoch()), memoryOffset, (long)memoryOffset + length);
        contents = file.buffer();
        RegionDescriptor.initialise(contents, endpoint.rank(), endpoint.epoch(), maxEntries);
        chunks = new ChunkAllocator(length);
        this.maxEntries = maxEntries;
        table = new RegionTable(contents, maxEntries, ThreadLocalRandom.current().nextInt());
        peers = new PeerMemory(node, endpoint, file);
        lent = new LoanedChunks(endpoint, table, maxEntries, node.context().rankCount(), maxLoans);
        kept = new KeptRegions(endpoint, table, node.context().rankCount());
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
        return open(node, endpoint, DEFAULT_MAX_LENGTH, DEFAULT_MAX_ENTRIES, DEFAULT_MAX_LOANS);
    }

    /**
     * Makes the memory of a rank.
     *
     * @param node       of the rank.
     * @param endpoint   of the rank, open in this process.
     * @param maxLength  most bytes of all regions and loans, {@link #MIN_LENGTH} to {@link #MAX_LENGTH}; raised to a power of
     *                   two.
     * @param maxEntries most regions and loans at a time, 1 to {@link #MAX_ENTRIES}: 128 bytes each.
     * @param maxLoans   most loans of each borrower at a time, at least 1: one that keeps what it has does not take all.
     * @return the memory, to be closed before the endpoint.
     * @throws IllegalArgumentException if a value is out of range, or the endpoint is of another node.
     * @throws IllegalStateException if the endpoint is closed.
     * @throws org.tallypost.mailbox.files.MailboxException if the rank has one already, or there is no room for its table.
     */
    public static RegionMemory open(
        final Node node, final Endpoint endpoint, final int maxLength, final int maxEntries, final int maxLoans)
    {
        Checks.range("maxLength", maxLength, MIN_LENGTH, MAX_LENGTH);
        Checks.range("maxEntries", maxEntries, 1, MAX_ENTRIES);
        Checks.range("maxLoans", maxLoans, 1, Integer.MAX_VALUE);
        node.requireOwn(endpoint);
        return new RegionMemory(node, endpoint, maxLength, maxEntries, maxLoans);
    }

    /**
     * Gives a part of the memory to the others. It is filled with zeros, and takes the next power of two of bytes, at least
     * 1 KiB. What borrowers have released is collected first if there is nothing else.
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
        Checks.range("length", length, 1, MAX_LENGTH);
        Checks.range("rights", rights, 0, Region.ALL);
        checkOpen();
        if (table.freeCount() == 0 && collect() == 0)
        {
            throw new IllegalStateException(
                "all entries are in use: file=" + file.file() + "; close regions, or raise maxEntries");
        }
        final int chunk = takeOrCollect(length);
        if (chunk == ChunkAllocator.NONE)
        {
            throw new IllegalStateException("no free part of the memory is as long: file=" + file.file() + ", length=" + length +
                ", in use=" + chunks.takenLength() + " of " + (file.maxLength() - memoryOffset) +
                "; close regions, or raise maxLength");
        }
        contents.setMemory(memoryOffset + chunk, length, (byte)0);
        final int id = table.open(RegionDescriptor.KIND_REGION, rights, memoryOffset + chunk, length);
        if ((rights & Region.READ) != 0)
        {
            chunks.note(chunk, id + 1);
        }
        final Region region = new Region(this, id, table.generation(id), rights);
        region.buffer().wrap(contents, memoryOffset + chunk, length);
        return region;
    }

    /**
     * Gives what a file holds now to the others: registers a region of its length and copies the file. The region is no mapping
     * of the file: what is written into either later does not reach the other, and nothing that happens to the file harms
     * those that have attached.
     *
     * @param file   regular, no symbolic link, of 1 byte to {@link #MAX_LENGTH}.
     * @param rights as for {@link #register}.
     * @return the region.
     * @throws IOException if the file cannot be read, is of another kind or length, or has another length or time of its last
     *                     change when it was read than before: found and expected are in the message. Changes within one
     *                     step of the file system's clock, some milliseconds, go unseen, and so do those that are in the midst:
     *                     the region has some bytes from before and some from after then. Load a file that nothing writes.
     * @throws IllegalArgumentException if the rights are out of range.
     * @throws IllegalStateException as by {@link #register}.
     */
    public Region load(final File file, final int rights) throws IOException
    {
        try (RegionFile opened = new RegionFile(file, MAX_LENGTH))
        {
            final Region region = register(opened.length(), rights);
            boolean isWhole = false;
            try
            {
                opened.copyTo(region.buffer());
                isWhole = true;
                return region;
            }
            finally
            {
                if (!isWhole)
                {
                    region.close();
                }
            }
        }
    }

    /**
     * Finds the own region that bytes lie in, so that others may be told where to read them. For the thread that registers.
     *
     * @param buffer that holds the bytes, whatever object has wrapped them.
     * @param offset of the bytes in the buffer.
     * @param length of them, within the buffer.
     * @param key    gets the region's key.
     * @return offset of the bytes in the region; {@link RegionResult#UNKNOWN_KEY} if they lie in no region, or in one without
     *         the right {@link Region#READ}, which is not counted.
     * @throws IndexOutOfBoundsException if they lie outside of the buffer.
     */
    public long find(final DirectBuffer buffer, final int offset, final int length, final RegionKey key)
    {
        Checks.within(buffer, offset, length);
        if (closed || buffer.byteArray() != null)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        final long at = buffer.addressOffset() + offset - contents.addressOffset() - memoryOffset;
        final int number = at < 0 || at >= contents.capacity() - memoryOffset ? 0 : chunks.noted((int)at);
        if (number == 0)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        final int id = number - 1;
        final long first = at + memoryOffset - table.chunk(id);
        key(key, id, table.generation(id));
        return first + length <= table.length(id) ? first : RegionResult.UNKNOWN_KEY;
    }

    /**
     * The owner of the memory.
     *
     * @return the endpoint of the rank.
     */
    public Endpoint endpoint()
    {
        return endpoint;
    }

    private int takeOrCollect(final int length)
    {
        try
        {
            final int chunk = take(length);
            if (chunk != ChunkAllocator.NONE || collect() == 0)
            {
                return chunk;
            }
        }
        catch (final NoRoomException ex)
        {
            if (collect() == 0)
            {
                throw ex;
            }
        }
        return take(length);
    }

    /**
     * Takes memory for a message that is written in place and lent. What borrowers have released is collected first if there is
     * nothing else. Allocates nothing, unless the file grows.
     *
     * @param length of the message in bytes, at least 1.
     * @param loan   to be opened; not one that is being written.
     * @return the length; {@link RegionResult#NO_ROOM} if all entries or all chunks as long are in use, or the file system has no
     *         room for further pages; {@link Endpoint#CLOSED}.
     * @throws IllegalArgumentException if the length is out of range.
     * @throws IllegalStateException if the loan is being written.
     */
    public long tryLoan(final int length, final Loan loan)
    {
        Checks.range("length", length, 1, MAX_LENGTH);
        loan.checkFree();
        if (closed)
        {
            return Endpoint.CLOSED;
        }
        int chunk = tryTake(length);
        if (chunk == ChunkAllocator.NONE && collect() > 0)
        {
            chunk = tryTake(length);
        }
        if (chunk == ChunkAllocator.NONE)
        {
            return refuse(RegionResult.NO_ROOM);
        }
        final int id = table.open(RegionDescriptor.KIND_LOAN, 0, memoryOffset + chunk, length);
        loan.open(this, id, table.generation(id));
        loan.buffer().wrap(contents, memoryOffset + chunk, length);
        return length;
    }

    private int tryTake(final int length)
    {
        try
        {
            return table.freeCount() == 0 ? ChunkAllocator.NONE : take(length);
        }
        catch (final NoRoomException ex)
        {
            return ChunkAllocator.NONE;
        }
    }

    /** Lends what was written. */
    long lend(final int id, final int dest)
    {
        if (closed)
        {
            return Endpoint.CLOSED;
        }
        long result = lent.lend(id, dest);
        if (result == RegionResult.TOO_MANY_LOANS && collect() > 0)
        {
            result = lent.lend(id, dest);
        }
        return refuse(result);
    }

    /** The program gives a loan up, which may be over already. One that the borrower has attached to ends with its release. */
    void cancel(final int id, final int generation, final boolean isLent)
    {
        if (table.generation(id) != generation || isLent && !table.takeBack(id) && table.isRead(id))
        {
            return;
        }
        if (isLent)
        {
            lent.remove(id);
        }
        end(id);
    }

    /** Takes back what was lent if no rank has attached to it. */
    boolean takeBack(final int id, final int generation, final UnsafeBuffer buffer)
    {
        if (closed || table.generation(id) != generation || !table.takeBack(id))
        {
            return false;
        }
        lent.remove(id);
        buffer.wrap(contents, table.chunk(id), table.length(id));
        return true;
    }

    /**
     * Takes back the loans that were released, and those of borrowers after their incarnation, and what
     * {@link Region#closeWhenLeft} has kept. {@link #tryLoan} does so when it finds nothing else; to be called now and then if
     * few loans are made.
     *
     * @return number of loans, and of kept regions, that are over.
     */
    public int collect()
    {
        int count = 0;
        for (int place = lent.count() - 1; place >= 0; place--)
        {
            final int id = lent.findOver(place);
            if (id != RegionTable.NONE)
            {
                lent.remove(id);
                end(id);
                count++;
            }
        }
        for (int id = kept.takeLeft(); id != RegionTable.NONE; id = kept.takeLeft())
        {
            end(id);
            count++;
        }
        return count;
    }

    /**
     * Loans that are not over, as far as the owner has looked.
     *
     * @param borrower rank.
     * @return number of loans of the rank.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public int loanCount(final int borrower)
    {
        Checks.range("borrower", borrower, 0, node.context().rankCount() - 1);
        return lent.count(borrower);
    }

    /**
     * Loans that came back without a release, since their borrower's incarnation was over.
     *
     * @return their number so far.
     */
    public long takenBackCount()
    {
        return lent.takenBack();
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

    /** Maps the memory of a region once more. */
    ByteBuffer map(final DirectBuffer region)
    {
        return file.map(region.addressOffset() - contents.addressOffset(), region.capacity());
    }

    /** A region is closed. */
    void end(final int id)
    {
        chunks.give(table.end(id) - memoryOffset);
    }

    /** Whether no put is under way in a region with keys that are over. */
    boolean isLeft(final int id, final ProcessIdentity process)
    {
        return kept.isLeft(id, process);
    }

    /** A region is closed, and its memory comes back later. */
    void keep(final int id, final ProcessIdentity process)
    {
        kept.add(id, process);
    }

    /** The keys of a region are over; returns its next generation. */
    int renew(final int id, final int rights)
    {
        table.renew(id, rights);
        return table.generation(id);
    }

    RegionKey key(final RegionKey key, final int id, final int generation)
    {
        return key.set(endpoint.rank(), endpoint.epoch(), id, generation);
    }

    PeerMemory peers()
    {
        return peers;
    }

    /** This rank, as the table of an owner names a borrower. */
    long borrowerWord()
    {
        return RegionDescriptor.borrowerWord(endpoint.rank(), endpoint.epoch());
    }

    /** Where operations on memory of ranks of other nodes go; null if the transport carries none. */
    BulkQueue bulk()
    {
        if (bulk == null && BulkQueue.isPossible(node))
        {
            bulk = BulkQueue.open(node, endpoint);
        }
        return bulk;
    }

    /** Whether a rank is one of another node. */
    boolean isFar(final int rank)
    {
        return rank >= 0 && rank < node.context().rankCount() && !endpoint.isSameNode(rank);
    }

    /**
     * Whether this rank and another one can use regions of each other.
     *
     * @param rank the other one.
     * @return true if it is of this node, or the transport of this node has bulk streams.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public boolean isReachable(final int rank)
    {
        Checks.range("rank", rank, 0, node.context().rankCount() - 1);
        return !isFar(rank) || BulkQueue.isPossible(node);
    }

    /**
     * Learns what has come of operations on regions of ranks of other nodes: by the thread that uses these, again and again while
     * {@link RemoteRegion#flush} says that some are under way. Allocates nothing, and waits for nothing. When this, its endpoint
     * or its node was closed, all of them are over, with {@link Endpoint#CLOSED}.
     *
     * @return number of operations that are over; 0 if all regions are of this node.
     */
    public int poll()
    {
        return bulk == null ? 0 : bulk.poll();
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
        if (index >= 0 && result != RegionResult.BUSY)
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

    /**
     * Most regions and loans at a time.
     *
     * @return number of entries.
     */
    public int maxEntries()
    {
        return maxEntries;
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
     * more: {@link RegionResult#UNKNOWN_KEY}. Another memory of the rank may be opened then: keys of this one do not fit it, and
     * are refused with {@link RegionResult#STALE}. Operations of handles of this memory return {@link Endpoint#CLOSED}.
     * Idempotent.
     */
    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            RegionDescriptor.close(contents);
            CloseHelper.close(bulk);
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
