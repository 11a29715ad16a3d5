// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.tallypost.mailbox.lane.LanePoller;

/**
 * What a consumer does with what it finds in its mailbox. Called on the polling thread, in the order of the ring.
 */
public interface PacketHandler extends LaneHandler
{
    /**
     * The slots of a run of the ring may be used again. Called after {@link #onPacket}, also if that threw, and for aborted
     * runs. What was freed in a lane is asked for instead: {@link LanePoller#takeFreed}.
     *
     * @param type   of the run.
     * @param source of the run.
     * @param slots  freed.
     */
    void onFreed(int type, int source, int slots);

    /**
     * Asked before a run of the ring that has one of the flags that {@link MailboxPoller#poll(PacketHandler, int, int)} was told:
     * what has to be delivered before it? The run stays where it is if as much was delivered as is allowed.
     *
     * @param source of the run.
     * @param most   packets to deliver, at least 1.
     * @return number of packets delivered; less than {@code most} if nothing has to be delivered before the run any more. The
     *         complement of that number, which is negative, if the run has to wait for what cannot be delivered yet.
     */
    default int onHeld(final int source, final int most)
    {
        return 0;
    }
}
