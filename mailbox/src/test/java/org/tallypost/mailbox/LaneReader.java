// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** Reads a lane, and tells its handler what was freed, as of a run of the ring: the layer above in short. */
public final class LaneReader
{
    private LaneReader()
    {
    }

    /**
     * Polls, and publishes what was freed whenever that is due. No credits are given.
     *
     * @param poller  of the lane.
     * @param handler for the runs, and for what was freed.
     * @param limit   most runs.
     * @return number of runs.
     */
    public static int poll(final LanePoller poller, final PacketHandler handler, final int limit)
    {
        return goOn(poller, handler, poller.poll(handler, limit), limit);
    }

    /**
     * As {@link #poll}, with {@link LanePoller#pollBehind}.
     *
     * @param poller  of the lane.
     * @param handler for the runs, and for what was freed.
     * @param limit   most runs.
     * @return number of runs.
     */
    public static int pollBehind(final LanePoller poller, final PacketHandler handler, final int limit)
    {
        return goOn(poller, handler, poller.pollBehind(handler, limit), limit);
    }

    private static int goOn(final LanePoller poller, final PacketHandler handler, final int first, final int limit)
    {
        int count = first;
        while (poller.isDue())
        {
            settle(poller, handler);
            count += poller.goOn(handler, limit - count);
        }
        return count;
    }

    /**
     * Publishes what was freed, due or not.
     *
     * @param poller  of the lane.
     * @param handler for what was freed.
     */
    public static void settle(final LanePoller poller, final PacketHandler handler)
    {
        final int freed = poller.takeFreed();
        try
        {
            if (freed > 0)
            {
                handler.onFreed(MailboxDescriptor.TYPE_FIRST_USER, poller.source(), freed);
            }
        }
        finally
        {
            poller.publish(0);
        }
    }
}
