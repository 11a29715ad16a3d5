// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.matching;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.internal.wire.HeadDescriptor;

/**
 * Messages that came before a receive for them, or were announced, in the order of their arrival. Each is an entry of one cell,
 * linked into a bin of all four families, so that a receive looks only into the family of its own pattern; its bytes lie in
 * further cells. All memory is that of the cells. One thread.
 *
 * <pre>
 *   entry, offset length
 *       0  4   next of its bin, exact
 *       4  4   previous of its bin, exact
 *       8  4   next, any tag
 *      12  4   previous, any tag
 *      16  4   next, any source
 *      20  4   previous, any source
 *      24  4   next, any source and tag
 *      28  4   previous, any source and tag
 *      32  4   context
 *      36  4   source
 *      40  4   tag
 *      44  4   first data cell, with the bytes or their place; -1 if there is none
 *      48  8   id of the send; 0 if its sender waits for no answer
 *      56  4   length of the message
 *      60  4   announced: 0 if the bytes are here, 1 if it was only announced, else the kind of RTS with its place
 * </pre>
 */
public final class UnexpectedMessages
{
    /** Stands for no entry. */
    public static final int NONE = CellMemory.NONE;

    static final int LINKS_LENGTH = 2 * Integer.BYTES;
    static final int PREVIOUS_OFFSET = Integer.BYTES;
    static final int CONTEXT_OFFSET = Bins.FAMILIES * LINKS_LENGTH;
    static final int SOURCE_OFFSET = CONTEXT_OFFSET + Integer.BYTES;
    static final int TAG_OFFSET = SOURCE_OFFSET + Integer.BYTES;
    static final int DATA_CELL_OFFSET = TAG_OFFSET + Integer.BYTES;
    static final int ID_OFFSET = DATA_CELL_OFFSET + Integer.BYTES;
    static final int LENGTH_OFFSET = ID_OFFSET + Long.BYTES;
    static final int ANNOUNCED_OFFSET = LENGTH_OFFSET + Integer.BYTES;

    private static final int PLACED_CELLS = 1 + CellMemory.cells(HeadDescriptor.PLACE_LENGTH);
    /** What an announcement with a place counts in the window of its sender, in bytes. */
    public static final int PLACED_COST = PLACED_CELLS * CellMemory.CELL_LENGTH;

    private final CellMemory cells;
    private final int[] firsts = new int[Bins.FAMILIES * Bins.BINS];
    private final int[] lasts = new int[Bins.FAMILIES * Bins.BINS];
    private int size;

    /**
     * No messages.
     *
     * @param cells that messages are kept in.
     */
    public UnexpectedMessages(final CellMemory cells)
    {
        this.cells = cells;
        Arrays.fill(firsts, NONE);
        Arrays.fill(lasts, NONE);
    }

    /** Memory that a message with its bytes takes here, in bytes: what it counts in a window. */
    public static int cost(final int length)
    {
        return CellMemory.CELL_LENGTH * (1 + CellMemory.cells(length));
    }

    /**
     * Whether a message can be kept with its bytes.
     *
     * @param length of the message.
     * @return true if there is memory for it.
     */
    public boolean hasRoom(final int length)
    {
        return cells.hasRoom(1 + CellMemory.cells(length));
    }

    /**
     * Keeps a message with its bytes, behind all that are there.
     *
     * @param context of the message.
     * @param source  of the message.
     * @param tag     of the message.
     * @param id      of the send, 0 for none.
     * @param buffer  that holds the bytes.
     * @param offset  of the bytes.
     * @param length  of the message.
     * @return the entry; {@link #NONE} if there is no room.
     */
    public int add(
        final int context, final int source, final int tag, final long id, final DirectBuffer buffer, final int offset,
        final int length)
    {
        if (!hasRoom(length))
        {
            return NONE;
        }
        return link(context, source, tag, id, cells.store(buffer, offset, length), length, 0);
    }

    /**
     * Keeps an announcement, behind all that are there.
     *
     * @param context of the message.
     * @param source  of the message.
     * @param tag     of the message.
     * @param id      of the send.
     * @param length  of the message.
     * @return the entry; {@link #NONE} if there is no room.
     */
    public int announce(final int context, final int source, final int tag, final long id, final int length)
    {
        return cells.hasRoom(1) ? link(context, source, tag, id, NONE, length, 1) : NONE;
    }

    /**
     * Keeps an announcement with the place of the bytes, behind all that are there.
     *
     * @param context of the message.
     * @param source  of the message.
     * @param tag     of the message.
     * @param id      of the send.
     * @param length  of the message.
     * @param kind    of the announcement, of those with a place.
     * @param buffer  that holds the place.
     * @param offset  of the place.
     * @return the entry; {@link #NONE} if there is no room.
     */
    public int place(
        final int context, final int source, final int tag, final long id, final int length, final int kind,
        final DirectBuffer buffer, final int offset)
    {
        if (!cells.hasRoom(PLACED_CELLS))
        {
            return NONE;
        }
        return link(context, source, tag, id, cells.store(buffer, offset, HeadDescriptor.PLACE_LENGTH), length,
            kind);
    }

    private int link(
        final int context, final int source, final int tag, final long id, final int data, final int length,
        final int announced)
    {
        final int entry = cells.take();
        final UnsafeBuffer chunk = cells.chunk(entry);
        final int at = CellMemory.offset(entry);
        chunk.putInt(at + CONTEXT_OFFSET, context);
        chunk.putInt(at + SOURCE_OFFSET, source);
        chunk.putInt(at + TAG_OFFSET, tag);
        chunk.putInt(at + DATA_CELL_OFFSET, data);
        chunk.putLong(at + ID_OFFSET, id);
        chunk.putInt(at + LENGTH_OFFSET, length);
        chunk.putInt(at + ANNOUNCED_OFFSET, announced);
        for (int family = 0; family < Bins.FAMILIES; family++)
        {
            final int bin = Bins.bin(family, context, source, tag);
            final int links = at + family * LINKS_LENGTH;
            final int last = lasts[bin];
            chunk.putInt(links, NONE);
            chunk.putInt(links + PREVIOUS_OFFSET, last);
            if (last == NONE)
            {
                firsts[bin] = entry;
            }
            else
            {
                cells.chunk(last).putInt(CellMemory.offset(last) + family * LINKS_LENGTH, entry);
            }
            lasts[bin] = entry;
        }
        size++;
        return entry;
    }

    /**
     * The first message that a receive would get.
     *
     * @param context of the receive.
     * @param source  of the receive, or {@link Bins#ANY}.
     * @param tag     of the receive, or {@link Bins#ANY}.
     * @return the entry; {@link #NONE} if there is none.
     */
    public int find(final int context, final int source, final int tag)
    {
        return size == 0 ? NONE : search(firsts[Bins.bin(Bins.family(source, tag), context, source, tag)], context, source, tag);
    }

    /**
     * The next message behind one that {@link #find} has returned for the same receive.
     *
     * @param entry   that is linked.
     * @param context of the receive.
     * @param source  of the receive, or {@link Bins#ANY}.
     * @param tag     of the receive, or {@link Bins#ANY}.
     * @return the entry; {@link #NONE} if there is none.
     */
    public int findNext(final int entry, final int context, final int source, final int tag)
    {
        return search(next(entry, Bins.family(source, tag)), context, source, tag);
    }

    private int search(final int from, final int context, final int source, final int tag)
    {
        int entry = from;
        while (entry != NONE && !(context(entry) == context && (source == Bins.ANY || source(entry) == source) &&
            (tag == Bins.ANY || tag(entry) == tag)))
        {
            entry = next(entry, Bins.family(source, tag));
        }
        return entry;
    }

    private int next(final int entry, final int family)
    {
        return get(entry, family * LINKS_LENGTH);
    }

    /**
     * Takes a message out of matching: no receive finds it. Its memory stays until {@link #release}.
     *
     * @param entry that is linked.
     */
    public void unlink(final int entry)
    {
        for (int family = 0; family < Bins.FAMILIES; family++)
        {
            final int bin = Bins.bin(family, context(entry), source(entry), tag(entry));
            final int links = family * LINKS_LENGTH;
            final int next = get(entry, links);
            final int previous = get(entry, links + PREVIOUS_OFFSET);
            if (previous == NONE)
            {
                firsts[bin] = next;
            }
            else
            {
                put(previous, links, next);
            }
            if (next == NONE)
            {
                lasts[bin] = previous;
            }
            else
            {
                put(next, links + PREVIOUS_OFFSET, previous);
            }
        }
        size--;
    }

    /**
     * Gives back the memory of a message.
     *
     * @param entry that is not linked.
     */
    public void release(final int entry)
    {
        cells.releaseAll(get(entry, DATA_CELL_OFFSET));
        cells.release(entry);
    }

    /**
     * Copies the first bytes of a message out.
     *
     * @param entry  with bytes.
     * @param to     buffer.
     * @param offset in it.
     * @param length at most that of the message.
     */
    public void load(final int entry, final MutableDirectBuffer to, final int offset, final int length)
    {
        cells.load(get(entry, DATA_CELL_OFFSET), to, offset, length);
    }

    /** Context of a message. */
    public int context(final int entry)
    {
        return get(entry, CONTEXT_OFFSET);
    }

    /** Source of a message. */
    public int source(final int entry)
    {
        return get(entry, SOURCE_OFFSET);
    }

    /** Tag of a message. */
    public int tag(final int entry)
    {
        return get(entry, TAG_OFFSET);
    }

    /** Length of a message. */
    public int length(final int entry)
    {
        return get(entry, LENGTH_OFFSET);
    }

    /** Whether a message was announced, and its bytes are with its sender. */
    public boolean isAnnounced(final int entry)
    {
        return get(entry, ANNOUNCED_OFFSET) != 0;
    }

    /** Whether a message was announced, and the place of its bytes is here: {@link #load} has it. */
    public boolean isPlaced(final int entry)
    {
        return get(entry, ANNOUNCED_OFFSET) > 1;
    }

    /** Kind of the announcement of a message with a place. */
    public int placeKind(final int entry)
    {
        return get(entry, ANNOUNCED_OFFSET);
    }

    /** Cells that a message takes. */
    public int cellCount(final int entry)
    {
        return isPlaced(entry) ? PLACED_CELLS : isAnnounced(entry) ? 1 : 1 + CellMemory.cells(length(entry));
    }

    /** Id of the send of a message; 0 if its sender waits for nothing. */
    public long id(final int entry)
    {
        return cells.chunk(entry).getLong(CellMemory.offset(entry) + ID_OFFSET);
    }

    /** The sender waits for nothing any more. */
    public void clearId(final int entry)
    {
        cells.chunk(entry).putLong(CellMemory.offset(entry) + ID_OFFSET, 0);
    }

    /** Makes an entry that is not linked the first one of a list of the caller's. */
    public void push(final int entry, final int list)
    {
        put(entry, 0, list);
    }

    /** The entry behind one in a list of the caller's. */
    public int pop(final int entry)
    {
        return get(entry, 0);
    }

    /** How many messages are linked. */
    public int size()
    {
        return size;
    }

    /** The first entry of a bin, for a walk over all entries; bins of one family hold them all. */
    public int firstOf(final int bin)
    {
        return firsts[bin];
    }

    /** The entry behind one, in its bin of the exact family. */
    public int behind(final int entry)
    {
        return next(entry, 0);
    }

    /** Bins of the exact family. */
    public int binCount()
    {
        return Bins.BINS;
    }

    private int get(final int entry, final int field)
    {
        return cells.chunk(entry).getInt(CellMemory.offset(entry) + field);
    }

    private void put(final int entry, final int field, final int value)
    {
        cells.chunk(entry).putInt(CellMemory.offset(entry) + field, value);
    }
}
