// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.mailbox.lane.LanePoller;

/**
 * Asks for the cache lines of the next message before there is one. A store waits until the receiver's copy of its line is gone.
 * The handler's work, or a poll that finds nothing, hides that wait (docs/design/lanes.md). For the thread that polls, and only
 * if it is also the one that sends.
 */
public final class LinesAhead
{
    private static final int SELDOM_MASK = 0x3F;

    private final PollingThread polling;
    /** The lane by which the polling thread has sent a long message, and not been idle since. */
    private LaneSender sent;

    public LinesAhead(final PollingThread polling)
    {
        this.polling = polling;
    }

    /** A poll has delivered nothing. */
    public void idle()
    {
        final LaneSender by = sent;
        if (by != null)
        {
            sent = null;
            by.prefetchRest();
        }
    }

    /**
     * How much the calling thread has sent by its lane to a receiver since it was asked the last time.
     *
     * @param dest  the receiver, or {@link LanePoller#NOBODY}.
     * @param peers of all ranks; null where nothing was ever sent.
     * @return quarters of a slot; 0 without a lane, and anything above for the first time by another one.
     */
    public long sentTo(final int dest, final Peer[] peers)
    {
        final LaneSender by = dest == LanePoller.NOBODY ? null : laneOfCaller(peers[dest]);
        if (by == null)
        {
            return 0;
        }
        final long before = peers[dest].answered;
        peers[dest].answered = by.positionQuarters();
        return Math.abs(peers[dest].answered - before);
    }

    /**
     * A message has come, after a while without any: its sender may get an answer at once.
     *
     * @param peer that sent it; null if nothing was ever sent there.
     */
    public void arrived(final Peer peer)
    {
        final LaneSender by = laneOfCaller(peer);
        if (by != null)
        {
            by.prefetchNext();
        }
    }

    private static LaneSender laneOfCaller(final Peer peer)
    {
        return peer == null || peer.laneThread != Thread.currentThread() ? null : peer.lane;
    }

    /** What the holder of one lane knows: it looks only now and then at what the polling thread writes at each poll. */
    static final class OfLane
    {
        private final LinesAhead all;
        private boolean isPolling;
        private int longMessages;
        /** End of the lane when something came of its receiver last, and how often since nothing went back in between. */
        private long arrivalEnd;
        private int unanswered;

        OfLane(final LinesAhead all)
        {
            this.all = all;
        }

        /** A long message went by the lane. */
        void sentLong(final LaneSender by)
        {
            // at the first one as well: a thread that sends before its first poll may be the one that polls
            if ((longMessages++ & SELDOM_MASK) == 0)
            {
                isPolling = all.polling.isCurrent();
            }
            if (isPolling)
            {
                all.sent = by;
            }
        }

        /**
         * Something has come of the lane's receiver.
         *
         * @param end of the lane, in any unit.
         * @return whether something was sent since the last time; true once in 64 times if nothing was.
         */
        boolean isAnswerLikely(final long end)
        {
            unanswered = end == arrivalEnd ? unanswered + 1 : 0;
            arrivalEnd = end;
            return (unanswered & SELDOM_MASK) == 0;
        }
    }
}
