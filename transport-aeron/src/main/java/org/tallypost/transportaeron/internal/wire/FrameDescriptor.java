// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Layout of a frame: one packet or one word of control on its way between two nodes. Little-endian, at a multiple of 8
 * within its batch.
 *
 * <pre>
 *  offset 0, header
 *   63  61 60 59                40 39                20 19  16 15  12 11            0
 *  +------+--+--------------------+--------------------+------+------+---------------+
 *  | zero |hi|  destination rank  |    source rank     | flags| type |    length     |
 *  +------+--+--------------------+--------------------+------+------+---------------+
 *     3     1          20                   20             4      4         12
 *
 *  offset 8, word
 *   63                  48 47                  32 31                               0
 *  +----------------------+----------------------+----------------------------------+
 *  |  destination epoch   |     source epoch     |              value               |
 *  +----------------------+----------------------+----------------------------------+
 *             16                     16                          32
 *
 *  offset 16: length bytes, then zeros up to the next multiple of 8
 * </pre>
 *
 * <pre>
 *  type      flags         value                                     source, destination
 *  ------------------------------------------------------------------------------------------------------------
 *  DATA      first, last   tag, or offset within the message         sender, receiver
 *  NUDGE     0             slots that it takes in the mailbox        sender, receiver
 *  GRANT     0             slots granted since the pair was opened   receiver, sender
 *  RECEIPT   0             messages received since then              receiver, sender
 *  REQUEST   0             requests made since then                  receiver, sender
 *  RESPONSE  0             slots given back since then               sender, receiver
 *  NUDGED    0             nudges read by the receiver since then    receiver, sender
 *  MEMBER    state         epoch of the source rank                  the rank, 0
 *  BEAT      streams       sequence of the last batch received       0, 0
 * </pre>
 *
 * The bit "hi" is set in frames of a pair of high rings: of all types but MEMBER and BEAT, and only in a group with priorities.
 *
 * <p>Behind a DATA frame, or another NEXT frame, whole messages of the same pair and epochs need no more than this: one, or
 * several that have tag and length in common and are not empty.
 *
 * <pre>
 *  offset 0, header of a NEXT frame
 *   63                               32 31    24 23        16 15  12 11            0
 *  +----------------------------------+--------+------------+------+---------------+
 *  |               tag                |  zero  |   count    | type |    length     |
 *  +----------------------------------+--------+------------+------+---------------+
 *                   32                    8          8          4         12
 *
 *  offset 8: count times length bytes, each with zeros up to the next multiple of 8
 * </pre>
 *
 * Counts are absolute and compared modulo 2^32, so that one that is lost, late or repeated does no harm. The epochs are the
 * low bits of the ranks' epochs: enough to tell an incarnation from those with packets that can still be under way. A message of
 * 48 bytes is a frame of 64, takes 56 behind another of its pair, and 48 if tag and length are those of a NEXT frame before it;
 * and no run takes more bytes here than in a mailbox.
 */
public final class FrameDescriptor
{
    /** A run of a message, as it lies in a mailbox behind its first word. */
    public static final int TYPE_DATA = 1;
    /** A run without a message that makes the receiver return credits. */
    public static final int TYPE_NUDGE = 2;
    /** Cumulative slots granted. */
    public static final int TYPE_GRANT = 3;
    /** Cumulative messages received. */
    public static final int TYPE_RECEIPT = 4;
    /** A compulsory request. */
    public static final int TYPE_REQUEST = 5;
    /** Cumulative slots given back. */
    public static final int TYPE_RESPONSE = 6;
    /** Cumulative nudges read. */
    public static final int TYPE_NUDGED = 7;
    /** A rank was opened, closed, or is gone. */
    public static final int TYPE_MEMBER = 8;
    /** The node is alive. */
    public static final int TYPE_BEAT = 9;

    /** Whole messages of the pair of the frame before. */
    static final int TYPE_NEXT = 10;

    /** Of a BEAT frame: the node that sends it receives the other node's bulk stream. */
    public static final int FLAG_BULK = 1;
    /** Of a BEAT frame: the node that sends it receives the other node's stream of messages of high priority. */
    public static final int FLAG_HIGH = 2;
    static final int BEAT_FLAGS_MASK = FLAG_BULK | FLAG_HIGH;

    /** States of a rank that a MEMBER frame may tell. */
    public static final int STATE_OPEN = 1;
    public static final int STATE_CLOSED = 2;
    static final int STATE_GONE = 3;

    /** First and last run of a message. */
    static final int DATA_FLAGS_MASK = 3;
    /** Of a data frame: a message in one run. */
    public static final int FLAGS_WHOLE = DATA_FLAGS_MASK;
    /** Of a data frame: the last run of its message. */
    public static final int FLAG_LAST = 2;

    static final int HEADER_OFFSET = 0;
    static final int WORD_OFFSET = HEADER_OFFSET + Long.BYTES;
    public static final int HEADER_LENGTH = WORD_OFFSET + Long.BYTES;
    static final int ALIGNMENT = Long.BYTES;
    static final int NEXT_HEADER_LENGTH = Long.BYTES;
    /** Most messages of a NEXT frame. */
    static final int MAX_NEXT = 0xFF;
    /** One message more, in the header of a NEXT frame. */
    static final long NEXT_ONE = 1L << 16;

    /** Length of the word that precedes a data run's payload in a mailbox; its tag travels as the frame's value. */
    static final int RUN_WORD_LENGTH = Long.BYTES;
    /** Longest run's payload without that word, in bytes. */
    public static final int MAX_LENGTH =
        MailboxDescriptor.payloadLength(MailboxDescriptor.slots(Endpoint.MAX_RUN_LENGTH + RUN_WORD_LENGTH)) - RUN_WORD_LENGTH;
    /** Slots of the longest run. */
    public static final int MAX_SLOTS = MailboxDescriptor.slots(MAX_LENGTH + RUN_WORD_LENGTH);
    /** Length of the longest frame in bytes. */
    static final int MAX_FRAME_LENGTH = frameLength(MAX_LENGTH);

    static final int RANK_MASK = MailboxDescriptor.MAX_SOURCES - 1;
    public static final int EPOCH_MASK = 0xFFFF;
    private static final int LENGTH_MASK = 0xFFF;
    private static final int NIBBLE_MASK = 0xF;
    private static final int TYPE_SHIFT = 12;
    private static final int FLAGS_SHIFT = 16;
    private static final int SOURCE_SHIFT = 20;
    private static final int DEST_SHIFT = 40;
    /** Of a header: the frame is of a pair of high rings. */
    public static final long HIGH = 1L << 60;
    private static final int ZERO_SHIFT = 61;
    private static final long PAIR_MASK = -1L << SOURCE_SHIFT | (long)NIBBLE_MASK << TYPE_SHIFT;
    private static final int COUNT_SHIFT = 16;
    private static final int NEXT_ZERO_SHIFT = 24;
    private static final int TAG_SHIFT = 32;
    private static final int SOURCE_EPOCH_SHIFT = 32;
    private static final int DEST_EPOCH_SHIFT = 48;

    private FrameDescriptor()
    {
    }

    public static long header(final int type, final int flags, final int source, final int dest, final int length)
    {
        return route(source, dest) | kind(type, flags, length);
    }

    /** The part of a header that is the same for all frames of a pair. */
    public static long route(final int source, final int dest)
    {
        return ((long)dest << DEST_SHIFT) | ((long)source << SOURCE_SHIFT);
    }

    /** The other part. */
    public static long kind(final int type, final int flags, final int length)
    {
        return (flags << FLAGS_SHIFT) | (type << TYPE_SHIFT) | length;
    }

    public static long word(final int value, final int sourceEpoch, final int destEpoch)
    {
        return ((long)(destEpoch & EPOCH_MASK) << DEST_EPOCH_SHIFT) |
            ((long)(sourceEpoch & EPOCH_MASK) << SOURCE_EPOCH_SHIFT) | (value & 0xFFFF_FFFFL);
    }

    static int length(final long header)
    {
        return (int)header & LENGTH_MASK;
    }

    static int type(final long header)
    {
        return (int)(header >>> TYPE_SHIFT) & NIBBLE_MASK;
    }

    static int flags(final long header)
    {
        return (int)(header >>> FLAGS_SHIFT) & NIBBLE_MASK;
    }

    static int source(final long header)
    {
        return (int)(header >>> SOURCE_SHIFT) & RANK_MASK;
    }

    static int dest(final long header)
    {
        return (int)(header >>> DEST_SHIFT) & RANK_MASK;
    }

    /** Whether two headers have type, source and destination in common. */
    static boolean isOfSamePair(final long header, final long other)
    {
        return ((header ^ other) & PAIR_MASK) == 0;
    }

    /** Whether two second words have both epochs in common. */
    static boolean isOfSameEpochs(final long word, final long other)
    {
        return (word ^ other) >>> SOURCE_EPOCH_SHIFT == 0;
    }

    /** Whether this is a message in one run. */
    static boolean isWhole(final long header)
    {
        return type(header) == TYPE_DATA && flags(header) == FLAGS_WHOLE;
    }

    /** Whether two headers have everything in common but their lengths. */
    static boolean isOfSameKind(final long header, final long other)
    {
        return ((header ^ other) & ~(long)LENGTH_MASK) == 0;
    }

    /** Header of a NEXT frame with one message. */
    static long next(final int length, final int tag)
    {
        return (long)tag << TAG_SHIFT | NEXT_ONE | TYPE_NEXT << TYPE_SHIFT | length;
    }

    static int nextCount(final long header)
    {
        return (int)(header >>> COUNT_SHIFT) & MAX_NEXT;
    }

    static int nextTag(final long header)
    {
        return (int)(header >>> TAG_SHIFT);
    }

    static int nextZero(final long header)
    {
        return (int)header >>> NEXT_ZERO_SHIFT;
    }

    /** Bytes of a message within a NEXT frame, padding included. */
    public static int paddedLength(final int length)
    {
        return length + ALIGNMENT - 1 & -ALIGNMENT;
    }

    /** Length of a NEXT frame, as its header says. */
    static int nextFrameLength(final long header)
    {
        return NEXT_HEADER_LENGTH + nextCount(header) * paddedLength(length(header));
    }

    static boolean isHigh(final long header)
    {
        return (header & HIGH) != 0;
    }

    static int zero(final long header)
    {
        return (int)(header >>> ZERO_SHIFT);
    }

    static int value(final long word)
    {
        return (int)word;
    }

    static int sourceEpoch(final long word)
    {
        return (int)(word >>> SOURCE_EPOCH_SHIFT) & EPOCH_MASK;
    }

    static int destEpoch(final long word)
    {
        return (int)(word >>> DEST_EPOCH_SHIFT) & EPOCH_MASK;
    }

    /** Length of a frame with so many bytes behind its header, padding included. */
    public static int frameLength(final int length)
    {
        return (HEADER_LENGTH + length + ALIGNMENT - 1) & -ALIGNMENT;
    }

    /** Slots that a data or nudge frame takes in a mailbox: a nudge says so itself. */
    public static int slots(final int type, final int value, final int length)
    {
        return type == TYPE_NUDGE ? value : MailboxDescriptor.slots(length + RUN_WORD_LENGTH);
    }
}
