// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.tallypost.mailbox.LaneDescriptor.MAX_LANES;

import org.agrona.UnsafeApi;

/**
 * Where nothing was to be read when a lane's turn began, in other lanes and in the ring: a sender that is heard of seldom should
 * not have to wait until a busy one's turn is over. The turn ends early when something comes there. Who had something unread
 * already is not watched: his turn comes. <b>For the thread that polls the mailbox.</b>
 */
public final class TurnWatch
{
    private static final int NO_LAP = -1;

    /** The first two at hand: in most turns there are no more. */
    private long firstAddress;
    private long secondAddress;
    private int firstLap;
    private int secondLap;
    private final long[] addresses = new long[MAX_LANES];
    private final int[] laps = new int[MAX_LANES];
    private int count;
    private boolean isCut;

    /** Nothing is watched. */
    public void clear()
    {
        count = 0;
        isCut = false;
    }

    /**
     * Adds the place of a header to come.
     *
     * @param address of it, in a mapping that stays.
     * @param lap     that it will have.
     */
    void add(final long address, final int lap)
    {
        addresses[count] = address;
        laps[count] = lap;
        if (count == 0)
        {
            firstAddress = address;
            firstLap = lap;
            secondAddress = address;
            secondLap = NO_LAP;
        }
        else if (count == 1)
        {
            secondAddress = address;
            secondLap = lap;
        }
        count++;
    }

    boolean isEmpty()
    {
        return count == 0;
    }

    /** Whether something has come at a place that is watched; a hint, the one whose place it is looks properly. Not if empty. */
    boolean isDue()
    {
        if (isAt(firstAddress, firstLap) || isAt(secondAddress, secondLap) || count > 2 && isFurtherDue())
        {
            isCut = true;
            return true;
        }
        return false;
    }

    private boolean isFurtherDue()
    {
        for (int i = 2; i < count; i++)
        {
            if (isAt(addresses[i], laps[i]))
            {
                return true;
            }
        }
        return false;
    }

    private static boolean isAt(final long address, final int lap)
    {
        // opaque, so that it is looked at each time
        return MailboxDescriptor.lap(UnsafeApi.getLongOpaque(null, address)) == lap;
    }

    /**
     * Whether the turn was ended early.
     *
     * @return true if so.
     */
    public boolean isCut()
    {
        return isCut;
    }
}
