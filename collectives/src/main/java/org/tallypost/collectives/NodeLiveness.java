// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.endpoint.RankState;

/** Whether another node of a team is there still: by what it says, what sends to it find, and the state of its leader's rank. */
final class NodeLiveness
{
    private int incarnation;
    private boolean hasLeft;
    private boolean isLost;
    private long emptyPolls = -1;
    private int looks;

    /** It has said hello, as one that was not there before or again. */
    void meet(final int theirIncarnation, final boolean isAnother)
    {
        incarnation = theirIncarnation;
        hasLeft &= !isAnother;
        isLost &= !isAnother;
    }

    /** Its last message of the team has come. */
    void leave()
    {
        hasLeft = true;
    }

    boolean hasLeft()
    {
        return hasLeft;
    }

    /** A send has found that its rank is gone. */
    void lose()
    {
        isLost = true;
    }

    /** Whether it does nothing any more: it has left, or its leader, of which this is the state, is not there as it was. */
    boolean isGone(final long state)
    {
        return hasLeft || isLost || RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != incarnation;
    }

    /**
     * It is gone. Whether nothing of it may come any more: what was there then was polled, or it was looked at again and again.
     */
    boolean isOver(final long emptyPollCount, final int mostLooks)
    {
        if (emptyPolls < 0)
        {
            emptyPolls = emptyPollCount;
        }
        return emptyPollCount > emptyPolls || ++looks > mostLooks;
    }
}
