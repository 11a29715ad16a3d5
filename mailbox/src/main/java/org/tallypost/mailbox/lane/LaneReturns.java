// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.LaneDescriptor;

/**
 * What the consumer of a lane gives back to its holder: slots that were read, a quarter of the lane at a time, and credits. All
 * of it lies in the line that the holder looks at when it knows of no room ({@link LaneDescriptor}). Freed slots are taken
 * ({@link #takeFreed}), the layer above books them, and then position and credits are published ({@link #publish}). For the
 * thread that polls; what it shows is untrusted to the holder as well, and {@link #repair} puts right what somebody else wrote
 * there.
 */
final class LaneReturns
{
    private static final int DUE_SHIFT = 2;

    private final UnsafeBuffer buffer;
    private final int readPositionOffset;
    private final int readWithinOffset;
    private final int givenOffset;
    private final int paidPositionOffset;
    /** Slots that may be read and not published. */
    private final int most;
    /** Read position that was published last. */
    private long shown;
    private int shownWithin;
    /** Position up to which freed slots were taken. */
    private long taken;
    /** Credits that went to the holder by the lane. */
    private long given;
    private long corruptCount;

    /**
     * Goes on where the mapping says.
     *
     * @param buffer     of the mailbox.
     * @param laneOffset of the lane in it.
     * @param laneSlots  slots of it.
     */
    LaneReturns(final UnsafeBuffer buffer, final int laneOffset, final int laneSlots)
    {
        this.buffer = buffer;
        readPositionOffset = laneOffset + LaneDescriptor.READ_POSITION_OFFSET;
        readWithinOffset = laneOffset + LaneDescriptor.READ_WITHIN_OFFSET;
        givenOffset = laneOffset + LaneDescriptor.GIVEN_OFFSET;
        paidPositionOffset = laneOffset + LaneDescriptor.PAID_POSITION_OFFSET;
        most = laneSlots >> DUE_SHIFT;
        shown = buffer.getLongAcquire(readPositionOffset);
        taken = shown;
    }

    /** The lane has a new holder, which was given nothing and has paid for nothing. */
    void begin(final long position)
    {
        // a holder that died had paid for more than it used
        buffer.putLongRelease(paidPositionOffset, position);
        given = 0;
        buffer.putLong(givenOffset, given);
        shownWithin = 0;
        buffer.putInt(readWithinOffset, 0);
        buffer.putLongRelease(readPositionOffset, position);
        shown = position;
        taken = position;
    }

    /** Read position that the holder may know. */
    long shown()
    {
        return shown;
    }

    /** Whether the holder may know that so much was read. */
    boolean isShown(final long position, final int within)
    {
        return shown == position && shownWithin == within;
    }

    /** Position of the consumer from which on it is time to publish it. */
    long due()
    {
        return shown + most;
    }

    /** Shows how much of the slot at the position was read, if that has changed. */
    void showWithin(final int within)
    {
        if (shownWithin != within)
        {
            shownWithin = within;
            buffer.putInt(readWithinOffset, within);
        }
    }

    /** A header was refused. Slots that are passed with it are nobody's: they are not freed. */
    void refuse(final int slots)
    {
        corruptCount++;
        taken += slots;
    }

    /** Headers refused, and times that what was shown was put right. */
    long corruptCount()
    {
        return corruptCount;
    }

    /**
     * Takes what was freed since the last time.
     *
     * @return its number of slots.
     */
    int takeFreed(final long position)
    {
        final int freed = (int)(position - taken);
        taken = position;
        return freed;
    }

    /**
     * Gives the holder credits, and shows it how far was read.
     *
     * @param credits slots that it may fill beyond those that it has paid for; 0 for none.
     * @return slots that were read since the last time.
     */
    int publish(final long position, final int within, final int credits)
    {
        if (credits > 0)
        {
            given += credits;
            // SYNC POINT lane-given
            buffer.putLongRelease(givenOffset, given);
        }
        showWithin(within);
        final int read = (int)(position - shown);
        if (read != 0)
        {
            shown = position;
            // SYNC POINT lane-read
            buffer.putLongRelease(readPositionOffset, position);
        }
        return read;
    }

    /** What was paid for or given beyond the consumer's position (acquire); what the mapping says if it is damaged. */
    long outstanding(final long position)
    {
        return buffer.getLongAcquire(paidPositionOffset) + given - position;
    }

    /**
     * Shows once more what was shown last if something else wrote there.
     *
     * @return true if so.
     */
    boolean repair()
    {
        if (buffer.getLongAcquire(readPositionOffset) == shown && buffer.getLongAcquire(givenOffset) == given &&
            buffer.getInt(readWithinOffset) == shownWithin)
        {
            return false;
        }
        corruptCount++;
        buffer.putInt(readWithinOffset, shownWithin);
        buffer.putLongRelease(givenOffset, given);
        buffer.putLongRelease(readPositionOffset, shown);
        return true;
    }
}
