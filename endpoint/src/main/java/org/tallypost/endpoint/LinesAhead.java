// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.tallypost.mailbox.LanePoller;

/**
 * Asks for the cache lines of the next message before there is one. A store waits until the receiver's copy of its line is gone;
 * during what the thread does anyway in between, the handler's work or waiting, that costs nobody anything (docs/lanes.md). For
 * the thread that polls, and only if it is also the one that sends.
 */
final class LinesAhead
{
    private final PollingThread polling;
    /** Of the polling thread: by which it has sent a long message, and not been idle since. */
    private LaneSender sent;

    LinesAhead(final PollingThread polling)
    {
        this.polling = polling;
    }

    /** Whether the calling thread polls: another one's lines are written at each poll, so it does not ask often. */
    boolean isForCurrent()
    {
        return polling.isCurrent();
    }

    /** A long message has gone by a lane of the thread that polls. */
    void sent(final LaneSender by)
    {
        sent = by;
    }

    /** A poll has delivered nothing. */
    void idle()
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
    long sentTo(final int dest, final Peer[] peers)
    {
        final Peer peer = dest == LanePoller.NOBODY ? null : peers[dest];
        final LaneSender by = peer == null || peer.laneThread != Thread.currentThread() ? null : peer.lane;
        if (by == null)
        {
            return 0;
        }
        final long before = peer.answered;
        peer.answered = by.positionQuarters();
        return Math.abs(peer.answered - before);
    }

    /**
     * A message has come, after a while without any: its sender may get an answer at once.
     *
     * @param peer that sent it; null if nothing was ever sent there.
     */
    void arrived(final Peer peer)
    {
        if (peer != null && peer.laneThread == Thread.currentThread())
        {
            final LaneSender by = peer.lane;
            if (by != null)
            {
                by.prefetchNext();
            }
        }
    }
}
