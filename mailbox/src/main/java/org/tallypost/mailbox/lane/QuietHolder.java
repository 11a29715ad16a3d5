// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

/**
 * Whether the holder of a lane sends now and then: the last poll that found something found few runs, and nothing behind them.
 * One that has much to send, and does not get to it for a while, is not quiet. For one thread.
 */
final class QuietHolder
{
    /** Runs in a poll, at most, of one that sends now and then. */
    private static final int FEW = 2;

    private boolean isQuiet;
    /** Whether the last poll delivered one run and did not look behind it. */
    private boolean isAlone;

    /**
     * A poll has found something.
     *
     * @param count of runs.
     * @param limit most that it may deliver.
     * @param seen  runs that are known to be behind them.
     */
    void note(final int count, final int limit, final int seen)
    {
        // of few that were all that a poll may deliver it is not known whether there is more
        isQuiet = count <= FEW && seen == 0 && (count < limit || isQuiet);
        isAlone = false;
    }

    /** A poll has delivered one run and has not looked behind it: the next poll shows what is there. */
    void noteAlone()
    {
        isAlone = true;
    }

    /** A poll has found nothing. */
    void noteNothing()
    {
        isQuiet |= isAlone;
        isAlone = false;
    }

    boolean isQuiet()
    {
        return isQuiet;
    }

    /** Somebody else has the lane now. */
    void reset()
    {
        isQuiet = false;
        isAlone = false;
    }
}
