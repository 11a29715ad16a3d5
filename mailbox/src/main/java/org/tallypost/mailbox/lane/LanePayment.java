// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.LaneDescriptor;

/**
 * Up to which position the holder of a lane has paid: with credits taken elsewhere, or given by the lane. For the holder.
 */
final class LanePayment
{
    private final UnsafeBuffer buffer;
    private final int givenOffset;
    private final int paidPositionOffset;
    /** More than that is not given at once. */
    private final long most;
    private long end;
    /** Of what is paid for, given by the lane. */
    private long given;

    /**
     * Nothing is paid for yet.
     *
     * @param buffer     of the mailbox.
     * @param laneOffset of the lane in it.
     * @param slots      of the lane.
     * @param position   of the holder.
     */
    LanePayment(final UnsafeBuffer buffer, final int laneOffset, final int slots, final long position)
    {
        this.buffer = buffer;
        givenOffset = laneOffset + LaneDescriptor.GIVEN_OFFSET;
        paidPositionOffset = laneOffset + LaneDescriptor.PAID_POSITION_OFFSET;
        most = (long)slots << 1;
        show(position);
    }

    /** End of what is paid for. */
    long end()
    {
        return end;
    }

    /** Takes what the consumer has given by the lane since the last look; false if there is nothing. */
    boolean takeGiven()
    {
        // SYNC POINT lane-given: what is given was read, and booked, before
        final long now = buffer.getLongAcquire(givenOffset);
        final long more = now - given;
        // no honest consumer gives more than two lanes hold, nor takes back what it gave
        if (more <= 0 || more > most)
        {
            return false;
        }
        if (buffer.getLongAcquire(paidPositionOffset) != end - given)
        {
            // something else wrote there: as long as credits come by the lane it is not written otherwise
            show(end);
        }
        given = now;
        end += more;
        return true;
    }

    /** Says that all up to a position is paid for. */
    void show(final long paid)
    {
        // the consumer knows what it has given, and this line seldom changes
        buffer.putLongRelease(paidPositionOffset, paid - given);
        // behind it, with no call in between: an Error, as for want of stack, leaves both as they were or changes both
        end = paid;
    }
}
