// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.layout;

/**
 * Layout of a mailbox file, and the code of a slot's header word. All numbers are little-endian.
 *
 * <pre>
 *  offset      length   field                       written by                      read by
 *  ----------------------------------------------------------------------------------------------------------
 *       0           8   magic                       creator                         everybody, at attach
 *       8           4   layout version              creator, last (release)         everybody, at attach
 *      12           4   mailbox id                  creator                         everybody, at attach
 *      16           8   file length, bytes          creator                         everybody, at attach
 *      24           4   ring slots (2^n)            creator                         everybody, at attach
 *      28           4   max run slots               creator                         everybody, at attach
 *      32           4   max sources                 creator                         everybody, at attach
 *      36           4   incarnation                 creator                         everybody, at attach
 *      40           4   lanes                       creator                         everybody, at attach
 *      44           4   lane slots (2^n)            creator                         everybody, at attach
 *      48          16   unused, zero
 *      64           4   armed                       consumer before it parks    producers, after they published
 *      68          60   padding
 *     128           8   write position, slots       every producer (getAndAdd)      consumer when idle
 *     136         120   padding
 *     256           8   read position, slots        consumer, once a batch          producers when refused
 *     264         120   padding
 *     384   S x   128   source lines                the layer above                 the layer above
 *     384 + 128 S       padding to a multiple of 4,096
 *       R    N x   64   ring of N slots
 *  R + 64N  (M-1) x 64  spare slots: a run that begins near the end of the ring goes on here
 *                       padding to a multiple of 128
 *       E   lanes       express lanes, see {@link LaneDescriptor}
 * </pre>
 *
 * S is the number of sources, N the number of ring slots, M the longest run in slots, R the ring's offset.
 * Lines that different threads write lie 128 bytes apart, because of the adjacent-line prefetcher. The armed word is
 * written only where a thread sleeps: see docs/design/waiting.md.
 *
 * <p>A slot is 64 bytes: one header word and 56 bytes of payload. A run of n slots has one header word, that of its
 * first slot, and 64n - 8 bytes of contiguous payload:
 *
 * <pre>
 *   63              48 47      40 39  36 35  32 31          20 19                  0
 *  +------------------+----------+------+------+--------------+---------------------+
 *  |       lap        |   open   | type | flags|    length    |       source        |
 *  +------------------+----------+------+------+--------------+---------------------+
 *         16               8        4      4     12, of payload         20
 * </pre>
 *
 * The eight bits are zero, and all set in a claim that is open ({@link #TYPE_CLAIMED}).
 *
 * The lap of a position is the number of times that the ring was gone round, plus one, modulo 2^16. A header is new
 * for the consumer if it carries the lap of the position at which the consumer stands. Every ring slot's first word
 * carries, before it is written, the lap before: either it was a header, or the consumer stamped it (type 0) when it
 * freed the run that lay over it. So a word of payload is never taken for a header, and nothing has to be zeroed.
 */
public final class MailboxDescriptor
{
    /** Length of a slot, and of a cache line, in bytes. */
    public static final int SLOT_LENGTH = 64;
    /** Shift that turns slots into bytes. */
    public static final int SLOT_SHIFT = 6;
    /** Length of the header word of a run in bytes. */
    public static final int HEADER_LENGTH = 8;
    /** Distance of lines with different writers in bytes: two cache lines. */
    public static final int LINE_LENGTH = 128;

    /** Largest number of sources: 2^20. */
    public static final int MAX_SOURCES = 1 << 20;
    /** Largest number of ring slots: 2^24. */
    public static final int MAX_RING_SLOTS = 1 << 24;
    /** Smallest number of ring slots. */
    public static final int MIN_RING_SLOTS = 4;
    /** Longest run in slots: its payload length has to fit 12 bits. */
    public static final int MAX_RUN_SLOTS = 64;

    /** "TALLYBOX" as bytes. */
    public static final long MAGIC = 0x584F42594C4C4154L;
    /** Version of this layout. */
    public static final int VERSION = 5;

    /** Offset of the magic number. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the layout version: zero until the file is complete. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the mailbox id. */
    public static final int ID_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** Offset of the file length. */
    public static final int FILE_LENGTH_OFFSET = ID_OFFSET + Integer.BYTES;
    /** Offset of the number of ring slots. */
    public static final int RING_SLOTS_OFFSET = FILE_LENGTH_OFFSET + Long.BYTES;
    /** Offset of the longest run in slots. */
    public static final int RUN_SLOTS_OFFSET = RING_SLOTS_OFFSET + Integer.BYTES;
    /** Offset of the number of sources. */
    public static final int SOURCES_OFFSET = RUN_SLOTS_OFFSET + Integer.BYTES;
    /** Offset of the incarnation. */
    public static final int INCARNATION_OFFSET = SOURCES_OFFSET + Integer.BYTES;
    /** Offset of the armed word: 0, {@link #ARMED} or {@link #ARMED_WITHIN_PROCESS}. */
    public static final int ARMED_OFFSET = SLOT_LENGTH;
    /** Offset of the number of lanes. */
    public static final int LANES_OFFSET = INCARNATION_OFFSET + Integer.BYTES;
    /** Offset of the number of lane slots. */
    public static final int LANE_SLOTS_OFFSET = LANES_OFFSET + Integer.BYTES;
    /** Offset of the write position. */
    public static final int WRITE_POSITION_OFFSET = LINE_LENGTH;
    /** Offset of the read position. */
    public static final int READ_POSITION_OFFSET = WRITE_POSITION_OFFSET + LINE_LENGTH;
    /** Offset of the first source line. */
    public static final int SOURCE_LINES_OFFSET = READ_POSITION_OFFSET + LINE_LENGTH;

    /** Armed: the sender that publishes next has to wake the consumer. */
    public static final int ARMED = 1;
    /** Armed, but only the consumer's own process can wake it. */
    public static final int ARMED_WITHIN_PROCESS = 2;

    /** Type of a word that the consumer stamped: nothing was published here in this lap. */
    public static final int TYPE_STAMP = 0;
    /**
     * Type of a claimed run that will be committed or aborted later. The consumer waits for it, so it also sets the eight
     * bits that are zero in all others: no damage to a few bits turns another header into one that is waited for.
     */
    public static final int TYPE_CLAIMED = 0xFF1;
    /** Type of an aborted run: freed, not delivered. */
    public static final int TYPE_ABORTED = 2;
    /** First type that the layer above may use. */
    public static final int TYPE_FIRST_USER = 3;
    /** Last type that the layer above may use. */
    public static final int TYPE_LAST = 15;

    private static final int PAGE_LENGTH = 4096;
    /** Bits of a lap in a header: laps repeat after 65,536 of them. */
    public static final int LAP_BITS = 16;
    private static final int LAP_SHIFT = 48;
    private static final int LAP_MASK = (1 << LAP_BITS) - 1;
    private static final int TYPE_SHIFT = 36;
    private static final int FLAGS_SHIFT = 32;
    private static final int FLAGS_MASK = 0xF;
    private static final int LENGTH_SHIFT = 20;
    private static final int LENGTH_MASK = 0xFFF;
    private static final int SOURCE_MASK = MAX_SOURCES - 1;

    private MailboxDescriptor()
    {
    }

    /**
     * Offset of the line that belongs to a source.
     *
     * @param source from 0 to the number of sources, exclusive.
     * @return the offset in bytes.
     */
    public static int sourceLineOffset(final int source)
    {
        return SOURCE_LINES_OFFSET + source * LINE_LENGTH;
    }

    /**
     * Offset of the ring.
     *
     * @param sources number of sources.
     * @return the offset in bytes, a multiple of 4,096.
     */
    public static int ringOffset(final int sources)
    {
        return align(SOURCE_LINES_OFFSET + sources * LINE_LENGTH);
    }

    /**
     * Offset of the first express lane.
     *
     * @param sources   number of sources.
     * @param ringSlots slots of the ring.
     * @param runSlots  longest run in slots.
     * @return the offset in bytes, a multiple of 128.
     */
    public static long lanesOffset(final int sources, final int ringSlots, final int runSlots)
    {
        return (ringOffset(sources) + ((long)ringSlots + runSlots - 1) * SLOT_LENGTH + LINE_LENGTH - 1) & -LINE_LENGTH;
    }

    /**
     * Length of a mailbox file.
     *
     * @param sources   number of sources.
     * @param ringSlots slots of the ring.
     * @param runSlots  longest run in slots.
     * @param lanes     number of express lanes.
     * @param laneSlots slots of each.
     * @return the length in bytes, a multiple of 4,096.
     */
    public static long fileLength(
        final int sources, final int ringSlots, final int runSlots, final int lanes, final int laneSlots)
    {
        final long lanesLength = lanes == 0 ? 0 : (long)lanes * LaneDescriptor.length(laneSlots);
        return (lanesOffset(sources, ringSlots, runSlots) + lanesLength + PAGE_LENGTH - 1) & -PAGE_LENGTH;
    }

    /**
     * Slots of a run.
     *
     * @param length of the payload in bytes.
     * @return number of slots, at least 1.
     */
    public static int slots(final int length)
    {
        return (length + HEADER_LENGTH + SLOT_LENGTH - 1) >>> SLOT_SHIFT;
    }

    /**
     * Longest payload of a run.
     *
     * @param slots of the run.
     * @return length in bytes.
     */
    public static int payloadLength(final int slots)
    {
        return (slots << SLOT_SHIFT) - HEADER_LENGTH;
    }

    /**
     * A header word.
     *
     * @param lap    of the run's position.
     * @param type   of the run, 0 to 15, or {@link #TYPE_CLAIMED}.
     * @param flags  of the run, 0 to 15.
     * @param length of the payload in bytes.
     * @param source of the run.
     * @return the word.
     */
    public static long header(final int lap, final int type, final int flags, final int length, final int source)
    {
        return lapBits(lap) | ((long)type << TYPE_SHIFT) | ((long)flags << FLAGS_SHIFT) |
            ((long)length << LENGTH_SHIFT) | source;
    }

    /**
     * Lap of a position.
     *
     * @param position in slots.
     * @param ringShift logarithm of the number of ring slots.
     * @return 0 to 65,535; the first lap is 1, so that a file of zeros holds nothing.
     */
    public static int lap(final long position, final int ringShift)
    {
        return (int)((position >>> ringShift) + 1) & LAP_MASK;
    }

    /**
     * Lap of a header word.
     *
     * @param header word.
     * @return its lap.
     */
    public static int lap(final long header)
    {
        return (int)(header >>> LAP_SHIFT);
    }

    /**
     * A distance between positions without whole cycles of laps, after which headers are the same.
     *
     * @param distance  in slots, of either sign.
     * @param ringSlots of the ring.
     * @return from 0, below the slots of a cycle.
     */
    public static long withinCycle(final long distance, final int ringSlots)
    {
        return distance & ((long)ringSlots << LAP_BITS) - 1;
    }

    /**
     * A header word's lap, and nothing else of it.
     *
     * @param lap to be in it.
     * @return the bits of the header.
     */
    public static long lapBits(final int lap)
    {
        return (long)lap << LAP_SHIFT;
    }

    /** Lap, type and flags of a header word: what a reader can hold to those it expects in one comparison. */
    static long kind(final long header)
    {
        return header >>> FLAGS_SHIFT;
    }

    /** What {@link #kind(long)} says of a lap, a type and flags. */
    static long kind(final int lap, final int type, final int flags)
    {
        return kind(header(lap, type, flags, 0, 0));
    }

    static int flagsOfKind(final long kind)
    {
        return (int)kind & FLAGS_MASK;
    }

    /**
     * Type of a header word, together with the eight bits above it.
     *
     * @param header word.
     * @return 0 to 15 or {@link #TYPE_CLAIMED} in a header that is well formed, something else in others.
     */
    public static int type(final long header)
    {
        return (int)(header >>> TYPE_SHIFT) & 0xFFF;
    }

    /**
     * Flags of a header word.
     *
     * @param header word.
     * @return 0 to 15.
     */
    public static int flags(final long header)
    {
        return (int)(header >>> FLAGS_SHIFT) & FLAGS_MASK;
    }

    /**
     * Flags where a header word has them, and nothing else of it.
     *
     * @param flags to be in it.
     * @return the bits of the header.
     */
    public static long flagsBits(final int flags)
    {
        return (long)(flags & FLAGS_MASK) << FLAGS_SHIFT;
    }

    /**
     * Payload length of a header word.
     *
     * @param header word.
     * @return length in bytes.
     */
    public static int length(final long header)
    {
        return (int)(header >>> LENGTH_SHIFT) & LENGTH_MASK;
    }

    /**
     * Source of a header word.
     *
     * @param header word.
     * @return the source.
     */
    public static int source(final long header)
    {
        return (int)header & SOURCE_MASK;
    }

    private static int align(final int offset)
    {
        return (offset + PAGE_LENGTH - 1) & -PAGE_LENGTH;
    }
}
