// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.internal.layout.BulkQueueDescriptor;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.BulkResult;

/**
 * What a rank wants to do with memory of ranks of other nodes: to read and write it, and to change words of it. The process that
 * carries the node's packets does it, by a stream of its own beside that of messages; the other node's does what is asked without
 * the help of the program there. Nothing here waits.
 *
 * <p>Operations for one node are done in order, and complete in order. A get may see what a later put of the same rank wrote.
 *
 * <p><b>Lost links.</b> Operations that are under way complete with {@link BulkResult#LINK_DOWN}, and it is not known whether
 * they were done. So do those that are under way when another process begins to carry the node's packets, or when what another
 * process has written into the queue cannot be: that ends it, and what is asked for later is refused with
 * {@link BulkResult#DAMAGED}. {@link org.tallypost.mailbox.files.Notice} tells the node's error handler.
 *
 * <p><b>Closing.</b> When the queue, its endpoint or its node is closed, the next {@link #poll} ends what is under way with
 * {@link Endpoint#CLOSED}: it is not known whether it was done, and buffers of gets stay as they are. Later operations return the
 * same.
 *
 * <p><b>Bounds.</b> {@link #MAX_OPERATIONS} may be under way; puts longer than 64 bytes and gets take slots of
 * {@link #MAX_LENGTH}, of which there are 64. A longer one takes several operations. The queue is a shared file of 2.1 MiB.
 *
 * <p>For one thread. Operations and {@link #poll} allocate nothing.
 */
public final class BulkQueue implements AutoCloseable
{
    /** Most operations that are under way. */
    public static final int MAX_OPERATIONS = BulkPort.MAX_OPERATIONS;
    /** Most bytes of one operation. */
    public static final int MAX_LENGTH = BulkPort.MAX_LENGTH;
    /** For a put: no counter. */
    public static final long NO_COUNTER = -1;

    private final SharedFile file;
    private final UnsafeBuffer contents;
    private final BulkCounts counts;
    private final BulkListener[] listeners = new BulkListener[BulkQueueDescriptor.CELLS];
    /** Slot of the operation in each cell. */
    private final int[] slots = new int[BulkQueueDescriptor.CELLS];
    private final MutableDirectBuffer[] targets = new MutableDirectBuffer[BulkQueueDescriptor.CELLS];
    private final int[] targetOffsets = new int[BulkQueueDescriptor.CELLS];
    private final int[] lengths = new int[BulkQueueDescriptor.CELLS];
    /** A bit for each slot that no operation has. */
    private long freeSlots = -1L >>> Long.SIZE - BulkQueueDescriptor.SLOTS;
    /** First operation that may not be completed. */
    private long oldest;
    private long next;
    private int underWay;
    private long agents;
    /** Operations of this agent, and of those before it, of which this rank has learned that they are complete. */
    private long completed;
    /** What another process has written into the queue cannot be. */
    private boolean isDamaged;

    private BulkQueue(final Node node, final Endpoint endpoint)
    {
        file = node.createShared(
            BulkQueueDescriptor.name(endpoint.rank(), endpoint.epoch()), BulkQueueDescriptor.LENGTH);
        contents = file.buffer();
        counts = new BulkCounts(node, endpoint);
        Arrays.fill(slots, BulkQueueDescriptor.NO_SLOT);
        BulkQueueDescriptor.initialise(contents, endpoint.rank(), endpoint.epoch());
        node.local().runtime().remote().markQueue(endpoint.rank());
    }

    /**
     * Makes the queue by which a rank of a node uses memory of ranks of other nodes. For the thread that uses it then.
     *
     * @param node     of the rank.
     * @param endpoint of the rank, open in this process.
     * @return the queue, to be closed before the endpoint.
     * @throws IllegalStateException if it is not {@link #isPossible possible}, or the endpoint is closed.
     * @throws IllegalArgumentException if the endpoint is of another node.
     * @throws org.tallypost.mailbox.files.MailboxException if the rank has a queue, or there is no room for the file.
     */
    public static BulkQueue open(final Node node, final Endpoint endpoint)
    {
        if (!isPossible(node))
        {
            throw new IllegalStateException("there are no other nodes, or the transport has no bulk stream: transport=" +
                node.context().transport() + "; set AeronTransport.bulkTermLength on all nodes");
        }
        node.requireOwn(endpoint);
        return new BulkQueue(node, endpoint);
    }

    /**
     * Whether ranks of a node can use memory of ranks of other nodes.
     *
     * @param node of the ranks.
     * @return true if there are other nodes, and the transport carries operations on their memory.
     */
    public static boolean isPossible(final Node node)
    {
        return node.context().transport() != null && node.context().transport().hasBulk();
    }

    /**
     * Writes bytes into memory of a rank of another node. They are copied: the buffer may be used again.
     *
     * @param listener that hears of each of the operations that this takes.
     * @param owner    of the memory: rank (32 bits) and epoch (32).
     * @param entry    of the memory: entry (32 bits) and generation (32).
     * @param at       offset in the memory in bytes.
     * @param buffer   that holds the bytes.
     * @param offset   of them in the buffer.
     * @param length   of them, 0 or more.
     * @param counter  offset of a word that is increased by 1 when all of the bytes are there, or {@link #NO_COUNTER}.
     * @return number of bytes that were taken, which is less than asked for if there is no room for more: put the rest later,
     *         with the counter, which is increased when the last of them is written. {@link BulkResult#BUSY} if there is room
     *         for none; {@link BulkResult#DAMAGED} or {@link Endpoint#CLOSED} if the queue is over.
     */
    public long put(
        final BulkListener listener, final long owner, final long entry, final long at, final DirectBuffer buffer,
        final int offset, final int length, final long counter)
    {
        final long over = over();
        if (over < 0)
        {
            return over;
        }
        int taken = 0;
        do
        {
            final int piece = Math.min(MAX_LENGTH, length - taken);
            final boolean isShort = piece <= BulkQueueDescriptor.MAX_SHORT_LENGTH;
            if (isFull() || !isShort && freeSlots == 0)
            {
                return taken > 0 ? taken : BulkResult.BUSY;
            }
            final int cell = BulkQueueDescriptor.cellOffset(next);
            final int slot = isShort ? BulkQueueDescriptor.NO_SLOT : takeSlot();
            contents.putBytes(isShort ? cell + BulkQueueDescriptor.BYTES_OFFSET : BulkQueueDescriptor.slotOffset(slot),
                buffer, offset + taken, piece);
            final boolean isLast = piece == length - taken;
            ask(listener, BulkOperation.PUT, owner, entry, at + taken, isLast ? counter : NO_COUNTER, 0, slot, piece);
            taken += piece;
        }
        while (taken < length);
        return taken;
    }

    /**
     * Reads bytes of memory of a rank of another node.
     *
     * @param listener that hears of each of the operations that this takes.
     * @param owner    of the memory: rank (32 bits) and epoch (32).
     * @param entry    of the memory: entry (32 bits) and generation (32).
     * @param at       offset in the memory in bytes.
     * @param buffer   to be filled within {@link #poll}; kept until then. If the bytes do not fit into it any more by then, it
     *                 stays as it is, and the operation ends with {@link BulkResult#OUT_OF_BOUNDS}.
     * @param offset   in the buffer.
     * @param length   of the bytes, 0 or more.
     * @return number of bytes that were asked for, which may be less than the length, as with {@link #put};
     *         {@link BulkResult#BUSY} if there is room for none; {@link BulkResult#DAMAGED} or {@link Endpoint#CLOSED} if the
     *         queue is over.
     */
    public long get(
        final BulkListener listener, final long owner, final long entry, final long at, final MutableDirectBuffer buffer,
        final int offset, final int length)
    {
        final long over = over();
        if (over < 0)
        {
            return over;
        }
        int taken = 0;
        do
        {
            final int piece = Math.min(MAX_LENGTH, length - taken);
            if (isFull() || freeSlots == 0)
            {
                return taken > 0 ? taken : BulkResult.BUSY;
            }
            final int index = (int)(next & BulkQueueDescriptor.CELLS - 1);
            targets[index] = buffer;
            targetOffsets[index] = offset + taken;
            ask(listener, BulkOperation.GET, owner, entry, at + taken, 0, 0, takeSlot(), piece);
            taken += piece;
        }
        while (taken < length);
        return taken;
    }

    /**
     * Leaves the buffers of gets alone: those that are under way go on, and none of their bytes is written any more.
     *
     * @param listener that hears of these gets, as it does without this.
     */
    public void abandon(final BulkListener listener)
    {
        for (long number = oldest; number != next; number++)
        {
            final int index = (int)(number & BulkQueueDescriptor.CELLS - 1);
            if (listeners[index] == listener)
            {
                targets[index] = null;
            }
        }
    }

    /**
     * Reads or changes a word of 8 bytes of memory of a rank of another node, or asks for length and rights of a region.
     *
     * @param listener that hears when it is done.
     * @param kind     one of {@link BulkOperation}, but put and get.
     * @param owner    of the memory: rank (32 bits) and epoch (32).
     * @param entry    of the memory: entry (32 bits) and generation (32).
     * @param at       offset of the word in the memory, a multiple of 8.
     * @param first    as the kind says.
     * @param second   as the kind says.
     * @return 0, or {@link BulkResult#BUSY}, {@link BulkResult#DAMAGED}, {@link Endpoint#CLOSED}.
     */
    public long word(
        final BulkListener listener, final int kind, final long owner, final long entry, final long at, final long first,
        final long second)
    {
        final long over = over();
        if (over < 0 || isFull())
        {
            return over < 0 ? over : BulkResult.BUSY;
        }
        ask(listener, kind, owner, entry, at, first, second, BulkQueueDescriptor.NO_SLOT, 0);
        return 0;
    }

    /** Why nothing more is taken; 0 if the queue is not over. */
    private long over()
    {
        return isClosed() ? Endpoint.CLOSED : isDamaged ? BulkResult.DAMAGED : 0;
    }

    /** If one is free. */
    private int takeSlot()
    {
        final int slot = Long.numberOfTrailingZeros(freeSlots);
        freeSlots &= freeSlots - 1;
        return slot;
    }

    private boolean isFull()
    {
        return next - oldest >= MAX_OPERATIONS;
    }

    private void ask(
        final BulkListener listener, final int kind, final long owner, final long entry, final long at, final long first,
        final long second, final int slot, final int length)
    {
        final int index = (int)(next & BulkQueueDescriptor.CELLS - 1);
        final int cell = BulkQueueDescriptor.cellOffset(next);
        listeners[index] = listener;
        slots[index] = slot;
        lengths[index] = length;
        contents.putLong(cell + BulkQueueDescriptor.NUMBER_OFFSET, next);
        contents.putInt(cell + BulkQueueDescriptor.KIND_OFFSET, kind);
        contents.putInt(cell + BulkQueueDescriptor.LENGTH_OFFSET, length);
        contents.putLong(cell + BulkQueueDescriptor.OWNER_OFFSET, owner);
        contents.putLong(cell + BulkQueueDescriptor.ENTRY_OFFSET, entry);
        contents.putLong(cell + BulkQueueDescriptor.AT_OFFSET, at);
        contents.putLong(cell + BulkQueueDescriptor.FIRST_OFFSET, first);
        contents.putLong(cell + BulkQueueDescriptor.SECOND_OFFSET, second);
        contents.putInt(cell + BulkQueueDescriptor.SLOT_OFFSET, slot);
        underWay++;
        next++;
        counts.onAsked(underWay);
        // SYNC POINT bulk-asked: the cell comes first
        contents.putLongRelease(BulkQueueDescriptor.ASKED_OFFSET, next);
    }

    /**
     * Learns which operations are over, and tells their listeners.
     *
     * @return number of these operations.
     */
    public int poll()
    {
        if (isClosed())
        {
            return collect(next, MAX_OPERATIONS, Endpoint.CLOSED);
        }
        int count = 0;
        // SYNC POINT bulk-agent: from where it reads comes first
        final long found = contents.getLongAcquire(BulkQueueDescriptor.AGENTS_OFFSET);
        if (found != agents)
        {
            count += follow(found);
        }
        final long done = contents.getLongAcquire(BulkQueueDescriptor.COMPLETED_OFFSET);
        // of the same agent: a further one is followed by the next poll
        if (done - completed > 0 && contents.getLongAcquire(BulkQueueDescriptor.AGENTS_OFFSET) == agents)
        {
            // as many cells say so, or another process has written the count
            final int complete = collect(next, done - completed, 0);
            isDamaged |= complete != done - completed;
            completed = done;
            count += complete;
        }
        // SYNC POINT bulk-dropped: what the agent has completed comes first
        isDamaged |= contents.getIntAcquire(BulkQueueDescriptor.DROPPED_OFFSET) != 0;
        return isDamaged ? count + collect(next, MAX_OPERATIONS, BulkResult.LINK_DOWN) : count;
    }

    /** Another agent has begun: none does what another one had taken, and what that one has completed is complete. */
    private int follow(final long found)
    {
        final boolean isFirst = agents == 0 && found == 1;
        final long start = contents.getLong(BulkQueueDescriptor.START_OFFSET);
        final long before = contents.getLong(BulkQueueDescriptor.BEFORE_OFFSET);
        agents = found;
        // none begins behind what this rank has asked for
        isDamaged |= start < 0 || start > next;
        final int complete = isDamaged ? 0 : collect(start, MAX_OPERATIONS, 0);
        // each of those has died before it counted one of them, perhaps
        isDamaged |= before < completed || before > completed + complete;
        completed = before;
        return isFirst || isDamaged ? complete : complete + collect(start, MAX_OPERATIONS, BulkResult.LINK_DOWN);
    }

    /** Ends some of those that are complete before an end, and, with a result below 0, all the others before it. */
    private int collect(final long end, final long most, final long otherwise)
    {
        int count = 0;
        for (long number = oldest; number - end < 0 && count < most; number++)
        {
            final int index = (int)(number & BulkQueueDescriptor.CELLS - 1);
            if (listeners[index] == null)
            {
                continue;
            }
            final int cell = BulkQueueDescriptor.cellOffset(number);
            // SYNC POINT bulk-done: result, value and the bytes of a get are there
            if (contents.getLongAcquire(cell + BulkQueueDescriptor.DONE_OFFSET) == number + 1)
            {
                finish(index, checked(contents.getLong(cell + BulkQueueDescriptor.RESULT_OFFSET)),
                    contents.getLong(cell + BulkQueueDescriptor.VALUE_OFFSET));
                count++;
            }
            else if (otherwise < 0)
            {
                finish(index, otherwise, 0);
                count++;
            }
        }
        while (oldest != next && listeners[(int)(oldest & BulkQueueDescriptor.CELLS - 1)] == null)
        {
            oldest++;
        }
        return count;
    }

    /** What no agent answers was written by another process. */
    private static long checked(final long result)
    {
        return result >= 0 || BulkResult.isRefusal(result) || result == BulkResult.LINK_DOWN || result == Endpoint.PEER_GONE ?
            result : BulkResult.DAMAGED;
    }

    private void finish(final int index, final long result, final long value)
    {
        final MutableDirectBuffer target = targets[index];
        final BulkListener listener = listeners[index];
        targets[index] = null;
        listeners[index] = null;
        underWay--;
        final int slot = slots[index];
        if (slot != BulkQueueDescriptor.NO_SLOT)
        {
            freeSlots |= 1L << slot;
        }
        // the program may have wrapped something shorter, or closed its region; bounds checks may be switched off
        final boolean hasRoom = target == null || target.isExpandable() ||
            lengths[index] <= target.capacity() - targetOffsets[index];
        if (target != null && result >= 0 && hasRoom)
        {
            target.putBytes(targetOffsets[index], contents, BulkQueueDescriptor.slotOffset(slot), lengths[index]);
        }
        final long told = hasRoom || result < 0 ? result : BulkResult.OUT_OF_BOUNDS;
        counts.onDone(told, lengths[index], underWay);
        listener.onDone(told, value);
    }

    /**
     * Operations that are not over, as far as {@link #poll} has learned.
     *
     * @return their number.
     */
    public int underWay()
    {
        return underWay;
    }

    /**
     * Whether the queue, its endpoint or its node was closed.
     *
     * @return true if so: {@link #poll} ends what is under way.
     */
    public boolean isClosed()
    {
        return file.isClosed() || counts.isOver();
    }

    /** Ends it. The next {@link #poll} tells the listeners of what is under way. Idempotent; any thread. */
    @Override
    public void close()
    {
        if (!file.isClosed())
        {
            contents.putIntRelease(BulkQueueDescriptor.CLOSED_OFFSET, 1);
            // a program may poll no more
            counts.pending(0);
            file.close();
        }
    }

    @Override
    public String toString()
    {
        return "BulkQueue{file=" + file.file() + ", under way=" + underWay + ", asked for=" + next + "}";
    }
}
