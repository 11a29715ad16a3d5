// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.layout;

import org.tallypost.mailbox.lane.Lane;

/**
 * Layout of an express lane: a ring of its own, behind the mailbox's ring in the same file, for one sending thread at a
 * time. All numbers are little-endian.
 *
 * <pre>
 *  offset      length   field                       written by                      read by
 *  ----------------------------------------------------------------------------------------------------------
 *       0           8   read position, slots        consumer                        holder, when the lane seems full
 *       8           8   credits given, slots        consumer                        holder, when it has none left
 *      16           4   read of the slot there,     consumer                        any that asks for the backlog
 *                       bytes
 *      20         108   padding
 *     128           8   paid position, slots        holder, when it pays; consumer  consumer, at an audit
 *                                                   when it grants the lane
 *     136         120   padding
 *     256    L x   64   ring of L slots
 *     256 + 64 L  x 64   spare slots: a run that begins near the end of the ring goes on here
 * </pre>
 *
 * L is the number of lane slots, a power of two; Q = min({@link #MAX_RUN_SLOTS}, L / 2) the longest run. Slots, laps and
 * header words are those of {@link MailboxDescriptor}, but types are only {@link MailboxDescriptor#TYPE_ABORTED},
 * {@link MailboxDescriptor#TYPE_FIRST_USER}, and those of slots with short runs.
 *
 * <p>A claim that is <b>open</b> has a header of type {@link MailboxDescriptor#TYPE_CLAIMED} with the lap <i>before</i> that of
 * its position, until it is settled. So a consumer that looks for the next run finds none there, as where nothing was claimed,
 * and asks no more of a header than its lap; only one that has to know whether something is to come looks closer
 * ({@link #isOpen}).
 *
 * <p>Such a slot holds up to four <b>short runs</b>, one behind the other, each with a header word of its own at a multiple of 16
 * bytes. It tells the word that the layer above puts in front of its payload as well, so a run of up to 8 bytes takes 16, and one
 * of up to 56 a slot:
 *
 * <pre>
 *   63              48  47 46 45      40 39  36 35  32 31                                   0
 *  +------------------+---+--+----------+------+------+--------------------------------------+
 *  |       lap        | on| 0|  length  | type | flags|                 word                 |
 *  +------------------+---+--+----------+------+------+--------------------------------------+
 *    bits:  16            1   1      6        4      4                     32
 *
 *   slot:    0       8      16      24      32      40      48      56      64
 *            +-------+-------+-------+-------+-------+-------+-------+-------+
 *            | header|payload| header|payload|not yet|  of the lap before    |   two of 8 bytes, both with "on":
 *            +-------+-------+-------+-------+-------+-------+-------+-------+   the next one may begin at 32
 * </pre>
 *
 * Length is that of the payload behind the word, type {@link #TYPE_SHORT}. While "on" is set the consumer looks for the next
 * header behind this run, where there was a word of another lap before it was set, and otherwise at the next slot. Instead of a
 * further run a header of type {@link #TYPE_CLOSED} may follow: then it is also the next slot. The holder sets "on" if a second
 * run of that length would fit. A slot is read, and paid for again, when nothing goes into it any more.
 *
 * <p>Of a slot that is free, and of what is left of one with short runs, only the word where the next header may be is looked
 * at; the others say nothing. Two of them are written to move the line, not for what is in them: the consumer's 0 in the last
 * word of a slot that it has read, before it shows that (docs/design/lane-memory.md, Why a slot of a lane is written again), and
 * the holder's 0 behind the place of a header to come ({@link Lane#prefetchNext}, {@link Lane#prefetchRest}).
 *
 * <p>The paid position is the lane position up to which the holder has paid with credits that it took elsewhere; the credits
 * given, counted since the lane was granted, are those that came by the lane itself. What lies between the sum of both and the
 * end of the last run is what the holder has in hand. To the mailbox they are numbers: what a credit is worth is for the layer
 * above.
 */
public final class LaneDescriptor
{
    /** Most lanes of a mailbox. */
    public static final int MAX_LANES = 4;
    /** Longest run of a lane in slots: longer ones go by the ring, where one locked instruction weighs little. */
    public static final int MAX_RUN_SLOTS = 64;
    /** Smallest number of slots of a lane. */
    public static final int MIN_LANE_SLOTS = 8;
    /** Largest number of slots of a lane. */
    public static final int MAX_LANE_SLOTS = 1 << 16;

    /** Longest payload of a short run, behind its word, in bytes. */
    public static final int MAX_SHORT_LENGTH = MailboxDescriptor.SLOT_LENGTH - MailboxDescriptor.HEADER_LENGTH;
    /** Most short runs in a slot. */
    public static final int SHORT_RUNS = 4;
    /** Type of a short run. */
    static final int TYPE_SHORT = 15;
    /** Type of what tells the consumer that no further short run follows in this slot. */
    static final int TYPE_CLOSED = 14;
    /** Lap, type and the bit that is zero in the header of a short run. */
    public static final long SHORT_MASK = 0xFFFF_40F0_0000_0000L;
    /** These and the flags. */
    public static final long SHORT_KIND_MASK = 0xFFFF_40FF_0000_0000L;
    /** Set in the header of a short run: the next one will be behind it. */
    public static final long GOES_ON = 1L << 47;

    /** Offset of the read position. */
    public static final int READ_POSITION_OFFSET = 0;
    /** Offset of the credits that the consumer gave, in the line that tells the holder what was read. */
    public static final int GIVEN_OFFSET = READ_POSITION_OFFSET + Long.BYTES;
    /** Offset of the bytes that were read of the slot at the read position, when the consumer found nothing more. */
    public static final int READ_WITHIN_OFFSET = GIVEN_OFFSET + Long.BYTES;
    /** Offset of the position up to which the holder has paid. */
    public static final int PAID_POSITION_OFFSET = READ_POSITION_OFFSET + MailboxDescriptor.LINE_LENGTH;
    /** Offset of the ring. */
    public static final int SLOTS_OFFSET = PAID_POSITION_OFFSET + MailboxDescriptor.LINE_LENGTH;

    private static final int SHORT_LENGTH_SHIFT = 40;
    private static final int SHORT_LENGTH_MASK = 0x3F;
    private static final int TYPE_SHIFT = 36;
    /** Place of the flags in the header of a short run. */
    public static final int FLAGS_SHIFT = 32;
    private static final int TYPE_MASK = 0xF;
    private static final long WORD_MASK = 0xFFFF_FFFFL;
    /** Short runs begin at quarters of a slot. */
    public static final int QUARTER_SHIFT = 4;
    private static final int SHORT_ALIGNMENT = 1 << QUARTER_SHIFT;

    private LaneDescriptor()
    {
    }

    /**
     * What the header of a short run says besides lap and length.
     *
     * @param flags 0 to 15.
     * @param word  handed to the consumer as the first four bytes of the payload.
     * @return for {@link Lane#publishShort}.
     */
    public static long shortHeader(final int flags, final int word)
    {
        return (long)TYPE_SHORT << TYPE_SHIFT | (long)flags << FLAGS_SHIFT | word & WORD_MASK;
    }

    /**
     * Length of the payload in the header of a short run.
     *
     * @param length in bytes, 0 to 63.
     * @return the bits of the header.
     */
    public static long lengthBits(final int length)
    {
        return (long)length << SHORT_LENGTH_SHIFT;
    }

    /**
     * Length of the payload behind the word.
     *
     * @param header of a short run.
     * @return 0 to 63, in bytes.
     */
    public static int shortLength(final long header)
    {
        return (int)(header >>> SHORT_LENGTH_SHIFT) & SHORT_LENGTH_MASK;
    }

    /**
     * What a short run takes of its slot.
     *
     * @param length of its payload in bytes.
     * @return the length in bytes.
     */
    public static int shortRunLength(final int length)
    {
        return length + MailboxDescriptor.HEADER_LENGTH + SHORT_ALIGNMENT - 1 & -SHORT_ALIGNMENT;
    }

    /**
     * Lap and type of a short run.
     *
     * @param lapBits of the lap.
     * @return the bits of the header.
     */
    public static long shortKind(final long lapBits)
    {
        return lapBits | (long)TYPE_SHORT << TYPE_SHIFT;
    }

    /**
     * The header that closes a slot.
     *
     * @param lapBits of the lap.
     * @return the header.
     */
    public static long closed(final long lapBits)
    {
        return lapBits | (long)TYPE_CLOSED << TYPE_SHIFT;
    }

    /**
     * The header of a claim that is open.
     *
     * @param lapBefore the lap before that of its position.
     * @param length    of the payload in bytes; it decides how many slots the run has.
     * @param source    of the run.
     * @return the header.
     */
    public static long open(final int lapBefore, final int length, final int source)
    {
        return MailboxDescriptor.header(lapBefore, MailboxDescriptor.TYPE_CLAIMED, 0, length, source);
    }

    /**
     * Whether a header is that of a claim that is open.
     *
     * @param header    whatever it says.
     * @param lapBefore the lap before that of its position.
     * @return true if so.
     */
    public static boolean isOpen(final long header, final int lapBefore)
    {
        return MailboxDescriptor.lap(header) == lapBefore && MailboxDescriptor.type(header) == MailboxDescriptor.TYPE_CLAIMED;
    }

    /**
     * Slots that begin with a header of the lap at which they are read.
     *
     * @param header whatever it says.
     * @return their number, at least 1.
     */
    public static int slots(final long header)
    {
        final int type = (int)(header >>> TYPE_SHIFT) & TYPE_MASK;
        return type == TYPE_SHORT || type == TYPE_CLOSED ? 1 : MailboxDescriptor.slots(MailboxDescriptor.length(header));
    }

    /**
     * Bytes that were read of a slot, as the mapping says it.
     *
     * @param found in the mapping.
     * @return less than the bytes of a slot.
     */
    public static int within(final int found)
    {
        return found & MailboxDescriptor.SLOT_LENGTH - SHORT_ALIGNMENT;
    }

    /**
     * A word that is no header of this lap.
     *
     * @param lapBits of the lap.
     * @return the word.
     */
    public static long notYet(final long lapBits)
    {
        return ~lapBits;
    }

    /**
     * Longest run of a lane.
     *
     * @param laneSlots slots of the lane.
     * @return in slots.
     */
    public static int runSlots(final int laneSlots)
    {
        return Math.min(MAX_RUN_SLOTS, laneSlots >> 1);
    }

    /**
     * Length of a lane.
     *
     * @param laneSlots slots of the lane.
     * @return in bytes, a multiple of 128.
     */
    public static int length(final int laneSlots)
    {
        return SLOTS_OFFSET + (laneSlots + runSlots(laneSlots)) * MailboxDescriptor.SLOT_LENGTH;
    }
}
