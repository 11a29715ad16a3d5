// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.internal.ExposureDescriptor;

/**
 * Where the members have the data of the operation under way, for those that read them there. In a first step all say where their
 * data are ({@link #expose}, {@link #see}). If all data that a member wants can be read, the operation goes on directly, at all
 * members: they have read the same lines.
 *
 * <p>What a line says is checked against what this member knows itself: which memory there is, how long the part of a member is,
 * how long its data must be. So nothing is read outside a member's part.
 */
final class DirectPath
{
    /** What goes in a step was read. */
    static final int TAKEN = 0;
    /** There are more pieces. */
    static final int MORE = 1;
    /** A member's buffer may not be read any more. */
    static final int CLOSED = 2;

    private final int member;
    private final MemoryTable memories;
    /** Null if the members are not all in this process. */
    private final LocalMemory local;
    private final EarlyPortions early;
    private final UnsafeBuffer[] buffers;
    private final boolean[] isLocal;
    /** The step in which all say where their data are. */
    private long exposed;
    private boolean canBeRead;
    private int source;
    private int cursor;
    private int piece;
    private boolean isOverwritten;

    DirectPath(
        final int member, final int members, final MemoryTable memories, final LocalMemory local, final EarlyPortions early)
    {
        this.member = member;
        this.memories = memories;
        this.local = local;
        this.early = early;
        buffers = new UnsafeBuffer[members];
        isLocal = new boolean[members];
        for (int i = 0; i < members; i++)
        {
            buffers[i] = new UnsafeBuffer(0, 0);
        }
    }

    /** Whether there may be data that others can read where they are: the same at all members at each operation. */
    boolean isPossible()
    {
        return local != null || memories.count() > 0;
    }

    /** Writes where this member's data are. */
    void expose(final Operation operation, final long step, final MutableDirectBuffer line, final int offset)
    {
        exposed = step;
        canBeRead = true;
        isOverwritten = false;
        final UnsafeBuffer data = operation.given();
        final boolean isTaken = operation.isOverwriting();
        TeamMemory memory = null;
        int kind = ExposureDescriptor.UNUSED;
        if (data != null && data.capacity() > 0)
        {
            buffers[member].wrap(data);
            memory = memories.find(data);
            kind = memory != null ? ExposureDescriptor.TEAM_MEMORY :
                local != null && (data.byteArray() != null || data.byteBuffer() != null) ? ExposureDescriptor.PROCESS_MEMORY :
                ExposureDescriptor.NOWHERE;
        }
        if (kind == ExposureDescriptor.PROCESS_MEMORY)
        {
            local.buffer(member, step).wrap(data);
        }
        line.putInt(offset + ExposureDescriptor.KIND_OFFSET, kind);
        line.putInt(offset + ExposureDescriptor.OVERWRITTEN_OFFSET, isTaken ? 1 : 0);
        line.putInt(offset + ExposureDescriptor.MEMORY_OFFSET, memory == null ? 0 : memory.number());
        line.putLong(offset + ExposureDescriptor.DATA_OFFSET_OFFSET,
            memory == null ? 0 : data.addressOffset() - memory.buffer().addressOffset());
        line.putLong(offset + ExposureDescriptor.DATA_LENGTH_OFFSET, data == null ? 0 : data.capacity());
        operation.expose(line, offset);
        early.write(operation, step, operation.longestOf(member));
    }

    /** Reads where a member's data are. 0, or why it cannot go on: {@link Team#DAMAGED} if that cannot be true. */
    long see(final Operation operation, final int source, final DirectBuffer line, final int offset)
    {
        // read once: what is checked is what is used
        final long length = line.getLong(offset + ExposureDescriptor.DATA_LENGTH_OFFSET);
        return isPlausible(operation, source, line, offset, length) ? operation.see(source, line, offset, length) : Team.DAMAGED;
    }

    private boolean isPlausible(
        final Operation operation, final int source, final DirectBuffer line, final int offset, final long length)
    {
        final int kind = line.getInt(offset + ExposureDescriptor.KIND_OFFSET);
        isOverwritten |= line.getInt(offset + ExposureDescriptor.OVERWRITTEN_OFFSET) != 0;
        // by slices each member reads from all
        final boolean isWanted = operation.kind().isSliced() || operation.takes(member, source);
        final int expected = operation.givenLength(source);
        if (isWanted && (expected < 0 ? length < 0 || length > Integer.MAX_VALUE : length != expected))
        {
            return false;
        }
        switch (kind)
        {
            case ExposureDescriptor.NOWHERE:
                canBeRead = false;
                return true;
            case ExposureDescriptor.UNUSED:
                buffers[source].wrap(0, 0);
                return !isWanted || length == 0;
            case ExposureDescriptor.TEAM_MEMORY:
                return source == member || !isWanted || seeMemory(source, line, offset, length);
            case ExposureDescriptor.PROCESS_MEMORY:
                return source == member || !isWanted || seeLocal(source, length);
            default:
                return false;
        }
    }

    private boolean seeMemory(final int source, final DirectBuffer line, final int offset, final long length)
    {
        final TeamMemory memory = memories.get(line.getInt(offset + ExposureDescriptor.MEMORY_OFFSET));
        final long at = line.getLong(offset + ExposureDescriptor.DATA_OFFSET_OFFSET);
        if (memory == null || at < 0 || at > memory.part(source).capacity() - length)
        {
            return false;
        }
        isLocal[source] = false;
        buffers[source].wrap(memory.part(source), (int)at, (int)length);
        return true;
    }

    private boolean seeLocal(final int source, final long length)
    {
        if (local == null || local.buffer(source, exposed).capacity() != length)
        {
            return false;
        }
        isLocal[source] = true;
        buffers[source].wrap(local.buffer(source, exposed));
        return true;
    }

    /** All have been seen: whether the data are there already, so that no step follows. */
    boolean isDone(final Operation operation)
    {
        return early.isEnough(operation);
    }

    /** Takes data that are there already. -1, or a member that sends another one what this one does not expect. */
    int takeEarly(final Operation operation)
    {
        final int odd = early.differs(operation, exposed);
        if (odd < 0)
        {
            early.read(operation, exposed);
        }
        return odd;
    }

    /** All have been seen: how the operation goes on. */
    void settle(final Operation operation)
    {
        operation.plan().settle(canBeRead, isOverwritten, operation.longest());
        if (!operation.plan().algorithm().isDirect())
        {
            forget();
        }
    }

    /**
     * Reads from the members' buffers what this member shows, or has, next: a piece, and of that what goes in a turn.
     *
     * @param to where a slice gets to in the arena.
     * @return {@link #TAKEN} if that is all for a step, {@link #MORE} or {@link #CLOSED}.
     */
    int take(final Operation operation, final MutableDirectBuffer arena, final int to)
    {
        final Plan plan = operation.plan();
        final boolean isSliced = plan.algorithm() == Algorithm.DIRECT_SLICES;
        final int length = isSliced ? plan.movedLength() / buffers.length : plan.movedLength();
        for (int moved = 0; cursor < buffers.length; cursor++)
        {
            source = operation.source(cursor);
            if (isSliced || operation.takes(member, source))
            {
                if (moved >= Plan.DIRECT_PIECE)
                {
                    return MORE;
                }
                if (!tryEnter())
                {
                    return CLOSED;
                }
                operation.stays(!isLocal[source] || source == member);
                try
                {
                    if (isSliced)
                    {
                        operation.fold(piece, source, buffers[source], operation.placeOf(source, piece), arena, to);
                    }
                    else
                    {
                        operation.read(piece, source, buffers[source], operation.placeOf(source, piece));
                    }
                }
                finally
                {
                    exit();
                }
                moved += length;
            }
        }
        cursor = 0;
        piece++;
        if (piece == plan.pieces())
        {
            piece = 0;
            return TAKEN;
        }
        return isSliced ? TAKEN : MORE;
    }

    /** Whether this member reads data of another one: the other one is not through before it has. */
    boolean isRead(final Operation operation, final int other)
    {
        // by slices each member reads from all
        return operation.plan().algorithm() == Algorithm.DIRECT_SLICES || operation.takes(member, other);
    }

    private boolean tryEnter()
    {
        return source == member || !isLocal[source] || local.tryEnter(member, source);
    }

    private void exit()
    {
        if (isLocal[source] && source != member)
        {
            local.exit(member);
        }
    }

    /** The member of which data were read last, or could not be read. */
    int source()
    {
        return source;
    }

    /** This member reads no data of others any more. */
    void forget()
    {
        for (final UnsafeBuffer buffer : buffers)
        {
            buffer.wrap(0, 0);
        }
    }

    /** The operation has failed: waits until no member reads this member's data. */
    void close()
    {
        if (local != null)
        {
            local.close(member);
        }
    }

    /** Memory of the team, by number. */
    MemoryTable memories()
    {
        return memories;
    }
}
