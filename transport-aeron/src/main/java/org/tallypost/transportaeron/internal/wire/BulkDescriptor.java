// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.endpoint.transport.BulkOperation;

/**
 * Layout of a frame of the bulk stream of two nodes, behind the header of {@link BatchDescriptor} with the kind BULK: one frame
 * in each Aeron message. Little-endian.
 *
 * <pre>
 *  offset   length   field                              PUT  GET  word  LOOK_UP   ACK  FAIL  VALUE  PIECE
 *  --------------------------------------------------------------------------------------------------------
 *      24        1   type                                x    x    x      x        x    x     x      x
 *      25        1   flags: 1 for the last frame         x    1    1      1        0    0     0      x
 *      26        2   zero
 *      28        4   bytes that follow, or are wanted    x    x    0      0        0    0     0      x
 *      32        8   number of the operation             x    x    x      x        x    x     x      x
 *      40        8   owner: rank (32 bits), epoch (32)   x    x    x      x        0    0     0      0
 *      48        8   entry (32 bits), generation (32)    x    x    x      x        0    0     0      0
 *      56        8   offset; of a PIECE its position     x    x    x      0        x    0     0      x
 *      64        8   first word                          x    0    x      0        0    x     x      0
 *      72        8   second word                         0    0    x      0        0    0     x      0
 *      80            bytes                               x                                           x
 * </pre>
 *
 * Requests have the types of {@link BulkOperation}: PUT, GET, LOOK_UP, and those of one word: ADD, SET, COMPARE, LOAD, STORE.
 * First and second word are its operands. The first word of a PUT is the offset of a counter that is increased behind the last
 * frame, or -1. Operations are numbered from 0 for each link and direction. An operation's frames follow each other; a later
 * number ends one that has had no last frame.
 *
 * <p>Answers: a PIECE is part of what a GET wants. A VALUE has what a word was (first word) and the operation's result (second).
 * FAIL has a result in its first word. An ACK says, absolutely and behind these, how many operations are over (number), and how
 * many bytes of puts were written (offset). So a count that comes late or twice does no harm.
 */
public final class BulkDescriptor
{
    public static final int TYPE_ACK = 16;
    public static final int TYPE_FAIL = 17;
    public static final int TYPE_VALUE = 18;
    public static final int TYPE_PIECE = 19;

    public static final int FLAG_LAST = 1;
    /** The first word of a put without a counter. */
    public static final long NO_COUNTER = -1;

    public static final int TYPE_OFFSET = BatchDescriptor.HEADER_LENGTH;
    public static final int FLAGS_OFFSET = TYPE_OFFSET + Byte.BYTES;
    public static final int ZERO_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    public static final int LENGTH_OFFSET = ZERO_OFFSET + Short.BYTES;
    public static final int NUMBER_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    public static final int OWNER_OFFSET = NUMBER_OFFSET + Long.BYTES;
    public static final int ENTRY_OFFSET = OWNER_OFFSET + Long.BYTES;
    public static final int AT_OFFSET = ENTRY_OFFSET + Long.BYTES;
    public static final int FIRST_OFFSET = AT_OFFSET + Long.BYTES;
    public static final int SECOND_OFFSET = FIRST_OFFSET + Long.BYTES;
    public static final int HEADER_LENGTH = SECOND_OFFSET + Long.BYTES;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private BulkDescriptor()
    {
    }

    /** Whether bytes follow the header of a frame of this type. */
    static boolean hasBytes(final int type)
    {
        return type == BulkOperation.PUT || type == TYPE_PIECE;
    }

    static void put(final MutableDirectBuffer buffer, final BulkFrame frame)
    {
        buffer.putByte(TYPE_OFFSET, (byte)frame.type);
        buffer.putByte(FLAGS_OFFSET, (byte)(frame.isLast ? FLAG_LAST : 0));
        buffer.putShort(ZERO_OFFSET, (short)0, ORDER);
        buffer.putInt(LENGTH_OFFSET, frame.length, ORDER);
        buffer.putLong(NUMBER_OFFSET, frame.number, ORDER);
        buffer.putLong(OWNER_OFFSET, frame.owner, ORDER);
        buffer.putLong(ENTRY_OFFSET, frame.entry, ORDER);
        buffer.putLong(AT_OFFSET, frame.at, ORDER);
        buffer.putLong(FIRST_OFFSET, frame.first, ORDER);
        buffer.putLong(SECOND_OFFSET, frame.second, ORDER);
    }

    /**
     * Reads a frame; what it says is not checked but for its form.
     *
     * @param length of the whole message in bytes.
     * @return null, or why it is none.
     */
    static Drop get(final DirectBuffer buffer, final int offset, final int length, final BulkFrame frame)
    {
        frame.type = buffer.getByte(offset + TYPE_OFFSET);
        final int flags = buffer.getByte(offset + FLAGS_OFFSET);
        frame.isLast = flags == FLAG_LAST;
        frame.length = buffer.getInt(offset + LENGTH_OFFSET, ORDER);
        frame.number = buffer.getLong(offset + NUMBER_OFFSET, ORDER);
        frame.owner = buffer.getLong(offset + OWNER_OFFSET, ORDER);
        frame.entry = buffer.getLong(offset + ENTRY_OFFSET, ORDER);
        frame.at = buffer.getLong(offset + AT_OFFSET, ORDER);
        frame.first = buffer.getLong(offset + FIRST_OFFSET, ORDER);
        frame.second = buffer.getLong(offset + SECOND_OFFSET, ORDER);
        frame.bytes = buffer;
        frame.offset = offset + HEADER_LENGTH;
        if (!BulkOperation.isKind(frame.type) && (frame.type < TYPE_ACK || frame.type > TYPE_PIECE) ||
            buffer.getShort(offset + ZERO_OFFSET) != 0)
        {
            return Drop.FRAME_TYPE;
        }
        if ((flags & ~FLAG_LAST) != 0)
        {
            return Drop.FRAME_FLAGS;
        }
        final int follow = length - HEADER_LENGTH;
        return hasBytes(frame.type) ? frame.length == follow ? null : Drop.FRAME_LENGTH :
            follow == 0 && frame.length >= 0 ? null : Drop.FRAME_LENGTH;
    }
}
