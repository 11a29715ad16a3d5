// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

/**
 * Layout of an express lane: a ring of its own, behind the mailbox's ring in the same file, for one sending thread at a
 * time. All numbers are little-endian.
 *
 * <pre>
 *  offset      length   field                       written by                      read by
 *  ----------------------------------------------------------------------------------------------------------
 *       0           8   read position, slots        consumer                        holder, when the lane seems full
 *       8           8   credits given, slots        consumer                        holder, when it has none left
 *      16         112   padding
 *     128           8   paid position, slots        holder, when it pays; consumer  consumer, at an audit
 *                                                   when it grants the lane
 *     136         120   padding
 *     256    L x   64   ring of L slots
 *     256 + 64 L  x 64   spare slots: a run that begins near the end of the ring goes on here
 * </pre>
 *
 * L is the number of lane slots, a power of two; Q = min({@link #MAX_RUN_SLOTS}, L / 2) the longest run. Slots, laps and
 * header words are those of {@link MailboxDescriptor}, but types are only {@link MailboxDescriptor#TYPE_ABORTED} and
 * {@link MailboxDescriptor#TYPE_FIRST_USER}.
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

    /** Offset of the read position. */
    static final int READ_POSITION_OFFSET = 0;
    /** Offset of the credits that the consumer gave, in the line that tells the holder what was read. */
    static final int GIVEN_OFFSET = READ_POSITION_OFFSET + Long.BYTES;
    /** Offset of the position up to which the holder has paid. */
    static final int PAID_POSITION_OFFSET = READ_POSITION_OFFSET + MailboxDescriptor.LINE_LENGTH;
    /** Offset of the ring. */
    static final int SLOTS_OFFSET = PAID_POSITION_OFFSET + MailboxDescriptor.LINE_LENGTH;

    private LaneDescriptor()
    {
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
    static int length(final int laneSlots)
    {
        return SLOTS_OFFSET + (laneSlots + runSlots(laneSlots)) * MailboxDescriptor.SLOT_LENGTH;
    }
}
