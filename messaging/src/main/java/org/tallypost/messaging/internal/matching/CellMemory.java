// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.matching;

import java.util.Arrays;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory off the heap for messages that wait: cells of 64 bytes, taken and released one by one, in chunks of 1,024 that are
 * allocated when they are needed and kept. Bytes of any number lie in a list of cells, so that no free cell is ever too small,
 * and n bytes cost the same whatever was there before.
 *
 * <pre>
 *   data cell, offset length
 *       0  4   next cell of the list; -1 for none; of a free cell the next free one
 *       4 60   bytes
 * </pre>
 *
 * One thread.
 */
public final class CellMemory
{
    /** Length of a cell in bytes. */
    public static final int CELL_LENGTH = 64;
    /** Stands for no cell. */
    public static final int NONE = -1;
    /** Cells of a chunk. */
    public static final int CHUNK_CELLS = 1024;

    static final int NEXT_OFFSET = 0;
    static final int DATA_OFFSET = NEXT_OFFSET + Integer.BYTES;
    static final int DATA_LENGTH = CELL_LENGTH - DATA_OFFSET;

    private static final long MOST_CELLS = Integer.MAX_VALUE - CHUNK_CELLS;
    private static final int CHUNK_SHIFT = 10;
    private static final int CHUNK_MASK = CHUNK_CELLS - 1;
    private static final int CELL_SHIFT = 6;

    private final long maxCells;
    private UnsafeBuffer[] chunks = new UnsafeBuffer[4];
    private int chunkCount;
    /** Cells that were in use at some time: those from here on have no links yet. */
    private int fresh;
    private int free = NONE;
    private int used;
    /** Cells in use that do not count against the limit. */
    private int exempt;

    /**
     * Memory that is empty.
     *
     * @param maxCells that it may hold.
     */
    public CellMemory(final long maxCells)
    {
        this.maxCells = Math.min(maxCells, MOST_CELLS);
    }

    /** Cells that so many bytes take. */
    public static int cells(final int length)
    {
        return (length + DATA_LENGTH - 1) / DATA_LENGTH;
    }

    /** Cells in use. */
    public int used()
    {
        return used;
    }

    /** Bytes allocated. */
    public long allocatedBytes()
    {
        return (long)chunkCount * CHUNK_CELLS * CELL_LENGTH;
    }

    /** Whether so many cells can be taken. */
    boolean hasRoom(final int count)
    {
        return (long)used + count <= Math.min(maxCells + exempt, MOST_CELLS);
    }

    /** So many more cells that are in use do not count against the limit; fewer if it is negative. */
    public void exempt(final int count)
    {
        exempt += count;
    }

    UnsafeBuffer chunk(final int cell)
    {
        return chunks[cell >> CHUNK_SHIFT];
    }

    static int offset(final int cell)
    {
        return (cell & CHUNK_MASK) << CELL_SHIFT;
    }

    /** A cell; the caller knows that there is room. */
    int take()
    {
        used++;
        final int cell = free;
        if (cell != NONE)
        {
            free = chunk(cell).getInt(offset(cell) + NEXT_OFFSET);
            return cell;
        }
        if (fresh == chunkCount << CHUNK_SHIFT)
        {
            grow();
        }
        return fresh++;
    }

    private void grow()
    {
        if (chunkCount == chunks.length)
        {
            chunks = Arrays.copyOf(chunks, 2 * chunkCount);
        }
        chunks[chunkCount++] = new UnsafeBuffer(
            BufferUtil.allocateDirectAligned(CHUNK_CELLS * CELL_LENGTH, BitUtil.CACHE_LINE_LENGTH));
    }

    void release(final int cell)
    {
        chunk(cell).putInt(offset(cell) + NEXT_OFFSET, free);
        free = cell;
        used--;
    }

    /** Copies bytes into a new list of cells; the caller knows that there is room. */
    int store(final DirectBuffer from, final int offset, final int length)
    {
        int first = NONE;
        // from the last cell to the first one, so that each knows its next one
        for (int at = (cells(length) - 1) * DATA_LENGTH; at >= 0; at -= DATA_LENGTH)
        {
            final int cell = take();
            final UnsafeBuffer chunk = chunk(cell);
            final int to = offset(cell);
            chunk.putInt(to + NEXT_OFFSET, first);
            chunk.putBytes(to + DATA_OFFSET, from, offset + at, Math.min(DATA_LENGTH, length - at));
            first = cell;
        }
        return first;
    }

    /** Copies the first bytes of a list of cells out. */
    void load(final int first, final MutableDirectBuffer to, final int offset, final int length)
    {
        int cell = first;
        for (int at = 0; at < length; at += DATA_LENGTH)
        {
            final UnsafeBuffer chunk = chunk(cell);
            final int from = offset(cell);
            to.putBytes(offset + at, chunk, from + DATA_OFFSET, Math.min(DATA_LENGTH, length - at));
            cell = chunk.getInt(from + NEXT_OFFSET);
        }
    }

    /** Releases a list of cells. */
    void releaseAll(final int first)
    {
        int cell = first;
        while (cell != NONE)
        {
            final int next = chunk(cell).getInt(offset(cell) + NEXT_OFFSET);
            release(cell);
            cell = next;
        }
    }
}
