// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * Tells senders that rest from those that are merely slower than others. Time is counted in rounds. A round ends when one
 * sender has used two of the longest messages announced lately, two quotas of its own and 64 slots: by then all senders that
 * take turns had theirs. A sender rests if nothing of it came in a whole round. One that wants credits, and has sent nothing
 * since it said so, does not rest for many rounds: it may look for them only now and then.
 *
 * <p>Rounds are as long as what the busiest sender does, not as the mailbox: how soon a rest is seen does not depend on the
 * number of senders that rest.
 */
final class IdleWatch
{
    /** Slots that a sender sends in a round at least. */
    private static final int ROUND_SLOTS = 64;
    /** Rounds begun since a sender was seen, after which it rests: it was missing in all of the one before this. */
    private static final int REST_ROUNDS = 2;
    /** Rounds for which a sender that wants credits may leave them unused. */
    private static final int WANTED_ROUNDS = 1_024;
    /** A sender's row: the round in which it was last seen, the slots that it used in that round, and when it wanted credits. */
    private static final int SEEN = 0;
    private static final int USED = 1;
    private static final int WANTED = 2;
    private static final int STRIDE = 3;

    private final int[] rows;
    private final int longestPossible;
    /** Wraps round; only differences count. */
    private int round;
    /** Slots of the longest message announced in this round and in the last one. */
    private int longest;
    private int longestLast;

    IdleWatch(final int senders, final int dataRegion)
    {
        rows = new int[STRIDE * senders];
        longestPossible = dataRegion;
        for (int sender = 0; sender < senders; sender++)
        {
            rows[sender * STRIDE + WANTED] = -WANTED_ROUNDS;
        }
    }

    void onWanted(final int sender)
    {
        rows[sender * STRIDE + WANTED] = round;
    }

    /** What the sender wanted it wants no more: it has been served, or is gone. */
    void onServed(final int sender)
    {
        rows[sender * STRIDE + WANTED] = round - WANTED_ROUNDS;
    }

    void onFreed(final int sender, final int slots)
    {
        final int at = sender * STRIDE;
        if (rows[at + SEEN] != round)
        {
            rows[at + SEEN] = round;
            rows[at + USED] = 0;
        }
        rows[at + USED] += slots;
        onServed(sender);
    }

    /** Slots of a message, by what its sender says: more than the data region is not believed. */
    void onAnnounced(final int slots)
    {
        longest = Math.max(longest, Math.min(slots, longestPossible));
    }

    /** A sender that was just seen has used what it was given: the round may be over. */
    void onMonitored(final int sender, final int quota)
    {
        final int at = sender * STRIDE;
        if (rows[at + USED] >= Math.max(ROUND_SLOTS, 2L * Math.max(quota, Math.max(longest, longestLast))))
        {
            round++;
            longestLast = longest;
            longest = 0;
            rows[at + SEEN] = round;
            rows[at + USED] = 0;
        }
    }

    boolean isIdle(final int sender)
    {
        final int at = sender * STRIDE;
        return Integer.compareUnsigned(round - rows[at + SEEN], REST_ROUNDS) >= 0 &&
            Integer.compareUnsigned(round - rows[at + WANTED], WANTED_ROUNDS) >= 0;
    }

    long stateBytes()
    {
        return (long)rows.length * Integer.BYTES;
    }
}
