// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.lane.Lane;

/**
 * What the holder of a lane has sent by the ring, and whether that may be unread: the lane is for when everything before it is
 * read. For the holder.
 */
final class RingAhead
{
    private static final int LOOK_MASK = 7;
    private static final int LOST_LOOK_MASK = 0xFF;
    /** How long the end of the ring is waited for if it is near: a fraction of a microsecond. */
    private static final int NEAR_LOOKS = 128;
    private static final int NEAR_SLOTS = 32;

    private final Peer peer;
    private final Lane lane;
    /** End of the last run in the ring, and whether that may be unread. */
    private long end;
    private boolean isUnread;
    private boolean isDraining;
    /** End of the lane when that run was sent. */
    private long laneEnd;
    private int looks;

    RingAhead(final Peer peer, final Lane lane)
    {
        this.peer = peer;
        this.lane = lane;
    }

    /** A run has gone by the ring. */
    void sent(final long endOfRun)
    {
        end = endOfRun;
        laneEnd = lane.position();
        isUnread = true;
    }

    /**
     * Whether the last run in the ring may be unread. Looked at now and then, since the consumer writes that line with each
     * batch. If the consumer is about to come to it, that is waited for: a thread that goes on by the ring instead stays as far
     * ahead, and does not get back to the lane for long.
     */
    boolean isUnread()
    {
        return isUnread && look();
    }

    private boolean look()
    {
        if (isDraining || (++looks & LOOK_MASK) == 0)
        {
            long read = peer.mailbox.readPosition();
            for (int look = 0; read < end && end - read <= NEAR_SLOTS && look < NEAR_LOOKS; look++)
            {
                read = peer.mailbox.readPosition();
            }
            // nothing is read or to come beyond the write position: there one of them was damaged
            isUnread = read < end ?
                (++looks & LOST_LOOK_MASK) != 0 || peer.mailbox.writePosition() >= end :
                read > peer.mailbox.writePosition();
            isDraining &= isUnread;
        }
        return isUnread;
    }

    /** What a message gets while the ring is unread. Runs of a long one that go on coming there are not waited for. */
    long refusal()
    {
        return isDraining && !peer.hasOpenMessages() ? Endpoint.NO_CREDIT : LaneSender.BY_RING;
    }

    /** There are no credits for the ring. A thread that sends so much is better off in the lane: short messages wait for that. */
    void refused()
    {
        isDraining = isUnread;
    }

    /**
     * The lane seems full. If the receiver has read what was sent by the ring after all of it, it cannot be: a header was
     * damaged, and the receiver waits for it.
     */
    boolean isOutOfStep()
    {
        return lane.isOutOfStep() || lane.position() == laneEnd && peer.mailbox.readPosition() >= end && !lane.isRead();
    }
}
