// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.BulkQueueDescriptor;
import org.tallypost.endpoint.internal.node.SharedMapping;
import org.tallypost.endpoint.transport.BulkHandler;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkResult;

/**
 * The agent's side of a rank's bulk queue. What the rank has written is read once, checked, and kept here; it may be damaged
 * by any process of the node. For the transport's thread.
 */
final class QueueReader
{
    private final SharedMapping mapping;
    private final UnsafeBuffer contents;
    private final BulkOperation operation = new BulkOperation();
    private final long[] numbers = new long[BulkQueueDescriptor.CELLS];
    private final int[] slots = new int[BulkQueueDescriptor.CELLS];
    private final int[] lengths = new int[BulkQueueDescriptor.CELLS];
    private final boolean[] areOpen = new boolean[BulkQueueDescriptor.CELLS];
    private long position;
    private long completed;
    private boolean isBegun;
    private boolean isDamaged;

    /** Goes on behind what an agent before this one was asked for. */
    QueueReader(final SharedMapping mapping, final int number)
    {
        this.mapping = mapping;
        contents = mapping.contents();
        operation.queue = number;
        completed = contents.getLong(BulkQueueDescriptor.COMPLETED_OFFSET);
        final long agents = contents.getLong(BulkQueueDescriptor.AGENTS_OFFSET);
        position = agents == 0 ? 0 : contents.getLongAcquire(BulkQueueDescriptor.ASKED_OFFSET);
        contents.putLong(BulkQueueDescriptor.START_OFFSET, position);
        contents.putLong(BulkQueueDescriptor.BEFORE_OFFSET, completed);
        // SYNC POINT bulk-agent: from where this agent reads comes first
        contents.putLongRelease(BulkQueueDescriptor.AGENTS_OFFSET, agents + 1);
    }

    int number()
    {
        return operation.queue;
    }

    /** Whether nothing more comes by it: the rank has closed it, or what is in it cannot be, or an agent has dropped it. */
    boolean isOver()
    {
        isDamaged |= contents.getIntAcquire(BulkQueueDescriptor.DROPPED_OFFSET) != 0;
        return isDamaged || contents.getIntAcquire(BulkQueueDescriptor.CLOSED_OFFSET) != 0;
    }

    boolean isDamaged()
    {
        return isDamaged;
    }

    /** Ends the use of it, and tells the rank: nothing more is completed. */
    void drop()
    {
        // SYNC POINT bulk-dropped: what was completed comes first
        contents.putIntRelease(BulkQueueDescriptor.DROPPED_OFFSET, 1);
        mapping.close();
    }

    int poll(final BulkHandler handler)
    {
        int count = 0;
        if (contents.getLong(BulkQueueDescriptor.COMPLETED_OFFSET) != completed)
        {
            // another process, or a former agent that was taken for dead: the rank would not look, or look in vain
            contents.putLongRelease(BulkQueueDescriptor.COMPLETED_OFFSET, completed);
        }
        // SYNC POINT bulk-asked: the cells are written
        final long asked = contents.getLongAcquire(BulkQueueDescriptor.ASKED_OFFSET);
        if (asked - position < 0 || asked - position > BulkQueueDescriptor.CELLS)
        {
            isDamaged = true;
            return 0;
        }
        while (position != asked && count < BulkQueueDescriptor.CELLS)
        {
            if (!isBegun && !begin())
            {
                return count;
            }
            if (isBegun && !handler.onOperation(operation))
            {
                return count;
            }
            isBegun = false;
            position++;
            count++;
        }
        return count;
    }

    /** Reads a cell; false if the queue is damaged. A fault within an operation ends that operation alone. */
    private boolean begin()
    {
        final int cell = BulkQueueDescriptor.cellOffset(position);
        final int index = (int)(position & BulkQueueDescriptor.CELLS - 1);
        if (areOpen[index] || contents.getLong(cell + BulkQueueDescriptor.NUMBER_OFFSET) != position)
        {
            isDamaged = true;
            return false;
        }
        operation.number = position;
        operation.kind = contents.getInt(cell + BulkQueueDescriptor.KIND_OFFSET);
        operation.length = contents.getInt(cell + BulkQueueDescriptor.LENGTH_OFFSET);
        operation.owner = contents.getLong(cell + BulkQueueDescriptor.OWNER_OFFSET);
        operation.entry = contents.getLong(cell + BulkQueueDescriptor.ENTRY_OFFSET);
        operation.at = contents.getLong(cell + BulkQueueDescriptor.AT_OFFSET);
        operation.first = contents.getLong(cell + BulkQueueDescriptor.FIRST_OFFSET);
        operation.second = contents.getLong(cell + BulkQueueDescriptor.SECOND_OFFSET);
        operation.progress = 0;
        operation.link = 0;
        final int slot = contents.getInt(cell + BulkQueueDescriptor.SLOT_OFFSET);
        numbers[index] = position;
        slots[index] = operation.kind == BulkOperation.GET ? slot : BulkQueueDescriptor.NO_SLOT;
        lengths[index] = operation.length;
        areOpen[index] = true;
        isBegun = isSound(slot);
        if (!isBegun)
        {
            complete(position, BulkResult.DAMAGED, 0);
            return true;
        }
        final boolean isInCell = slot == BulkQueueDescriptor.NO_SLOT;
        operation.wrap(contents, isInCell ? cell + BulkQueueDescriptor.BYTES_OFFSET : BulkQueueDescriptor.slotOffset(slot),
            operation.length);
        return true;
    }

    private boolean isSound(final int slot)
    {
        final int kind = operation.kind;
        if (!BulkOperation.isKind(kind))
        {
            return false;
        }
        if (kind == BulkOperation.GET && slot == BulkQueueDescriptor.NO_SLOT)
        {
            return false;
        }
        if (kind != BulkOperation.PUT && kind != BulkOperation.GET)
        {
            return operation.length == 0 && slot == BulkQueueDescriptor.NO_SLOT;
        }
        final int most = slot == BulkQueueDescriptor.NO_SLOT ? BulkQueueDescriptor.MAX_SHORT_LENGTH :
            BulkQueueDescriptor.SLOT_LENGTH;
        return slot >= BulkQueueDescriptor.NO_SLOT && slot < BulkQueueDescriptor.SLOTS && operation.length >= 0 &&
            operation.length <= most;
    }

    private int find(final long number)
    {
        final int index = (int)(number & BulkQueueDescriptor.CELLS - 1);
        return areOpen[index] && numbers[index] == number ? index : -1;
    }

    void complete(final long number, final long result, final long value)
    {
        final int index = find(number);
        if (index < 0)
        {
            return;
        }
        areOpen[index] = false;
        final int cell = BulkQueueDescriptor.cellOffset(number);
        contents.putLong(cell + BulkQueueDescriptor.RESULT_OFFSET, result);
        contents.putLong(cell + BulkQueueDescriptor.VALUE_OFFSET, value);
        // SYNC POINT bulk-done: result, value and the bytes of a get come first
        contents.putLongRelease(cell + BulkQueueDescriptor.DONE_OFFSET, number + 1);
        contents.putLongRelease(BulkQueueDescriptor.COMPLETED_OFFSET, ++completed);
    }

    boolean putPiece(final long number, final long at, final DirectBuffer buffer, final int offset, final int length)
    {
        final int index = find(number);
        if (index < 0 || slots[index] == BulkQueueDescriptor.NO_SLOT || at < 0 || length < 0 || length > lengths[index] - at)
        {
            return false;
        }
        contents.putBytes(BulkQueueDescriptor.slotOffset(slots[index]) + (int)at, buffer, offset, length);
        return true;
    }
}
