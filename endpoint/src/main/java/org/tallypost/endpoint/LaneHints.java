// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Whether it is worth while to ask for lines of a lane ahead. For the thread that holds the lane, in memory of its own: what
 * the polling thread writes at each poll it looks at only now and then.
 */
final class LaneHints
{
    private static final int SELDOM_MASK = 0x3F;

    private final LinesAhead ahead;
    private boolean isPolling;
    private int longMessages;
    /** End of the lane when something came of its receiver last, and how often since nothing went back in between. */
    private long arrivalEnd;
    private int unanswered;

    LaneHints(final LinesAhead ahead)
    {
        this.ahead = ahead;
    }

    /** A long message went by the lane. */
    void sentLong(final LaneSender by)
    {
        // at the first one as well: who sends before it polls for the first time may be the one that polls
        if ((longMessages++ & SELDOM_MASK) == 0)
        {
            isPolling = ahead.isForCurrent();
        }
        if (isPolling)
        {
            ahead.sent(by);
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
