// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * What the {@link DynamicLedger} knows of each sender.
 *
 * <pre>
 *  one sender's state: a row of ints, so that a packet touches one or two cache lines
 *
 *   0 retrieved        slots freed since credits last went back
 *   1 current          credits that it holds, that are under way, or that its unread packets cost
 *   2 sum              sum of its thresholds
 *   3 head             index of the oldest threshold in the FIFO below
 *   4 sinceMonitor     slots freed since its last monitoring point
 *   5 monitorAt        sum of its thresholds as it was then: all it had been given (section 6.4)
 *   6 intended         quota that it should have soon
 *   7 flags            1 blocked: a compulsory request is out; 2 gone; 4 back, and waiting for its first credits
 *   8 piggybacked      credits returned in data packets since the last crossing; {@link PiggybackPolicy#THESIS} only
 *   9 ... 9+k          FIFO of k+1 thresholds, one for each credit packet that may be unread
 * </pre>
 */
final class SenderRows
{
    static final int RETRIEVED = 0;
    static final int CURRENT = 1;
    static final int SUM = 2;
    static final int HEAD = 3;
    static final int SINCE_MONITOR = 4;
    static final int MONITOR_AT = 5;
    static final int INTENDED = 6;
    static final int FLAGS = 7;
    static final int PIGGYBACKED = 8;
    static final int BLOCKED = 1;
    static final int GONE = 2;
    static final int WAITING = 4;

    private static final int FIFO = 9;

    /** All rows; the methods below take the index at which a row begins. */
    final int[] cells;
    final int stride;
    private final int creditSlots;

    SenderRows(final int senders, final int creditSlots)
    {
        this.creditSlots = creditSlots;
        stride = FIFO + creditSlots + 1;
        if ((long)stride * senders > Integer.MAX_VALUE - 8)
        {
            throw new IllegalArgumentException("state out of range: found senders=" + senders + ", creditSlots=" + creditSlots +
                ", expected (creditSlots + 10) x senders at most " + (Integer.MAX_VALUE - 8));
        }
        cells = new int[stride * senders];
    }

    /** A sender with its k static slots, that has sent nothing yet; its intended quota stays. */
    void start(final int at)
    {
        final int thresholds = creditSlots + 1;
        cells[at + RETRIEVED] = 0;
        cells[at + CURRENT] = creditSlots;
        cells[at + SUM] = thresholds;
        cells[at + HEAD] = 0;
        cells[at + SINCE_MONITOR] = 0;
        cells[at + MONITOR_AT] = thresholds;
        cells[at + FLAGS] = 0;
        cells[at + PIGGYBACKED] = 0;
        for (int i = 0; i < thresholds; i++)
        {
            cells[at + FIFO + i] = 1;
        }
    }

    boolean isSet(final int at, final int flag)
    {
        return (cells[at + FLAGS] & flag) != 0;
    }

    /** The current threshold, which is the oldest one. */
    int oldest(final int at)
    {
        return cells[at + FIFO + cells[at + HEAD]];
    }

    boolean isReached(final int at)
    {
        return cells[at + RETRIEVED] >= oldest(at);
    }

    /** Appends a threshold where the oldest one was, and returns that. */
    int replaceOldest(final int at, final int threshold)
    {
        final int head = cells[at + HEAD];
        final int oldest = cells[at + FIFO + head];
        cells[at + FIFO + head] = threshold;
        cells[at + HEAD] = head == creditSlots ? 0 : head + 1;
        cells[at + SUM] += threshold - oldest;
        return oldest;
    }

    void raiseOldest(final int at, final int slots)
    {
        cells[at + FIFO + cells[at + HEAD]] += slots;
        cells[at + SUM] += slots;
    }

    void raiseNewest(final int at, final int slots)
    {
        final int newest = cells[at + HEAD] == 0 ? creditSlots : cells[at + HEAD] - 1;
        cells[at + FIFO + newest] += slots;
        cells[at + SUM] += slots;
    }

    /** Thresholds that counted on credits which came back unused come down, oldest first, none below 1. */
    void lower(final int at, final int credits)
    {
        cells[at + SUM] -= credits;
        int left = credits;
        int index = cells[at + HEAD];
        while (left > 0)
        {
            final int cut = Math.min(left, cells[at + FIFO + index] - 1);
            cells[at + FIFO + index] -= cut;
            left -= cut;
            index = index == creditSlots ? 0 : index + 1;
        }
    }

    /** The threshold of an index; 0 is the oldest one. */
    int threshold(final int at, final int index)
    {
        return cells[at + FIFO + (cells[at + HEAD] + index) % (creditSlots + 1)];
    }

    /** Invariant 2, that the sum of thresholds is their sum, and that nothing is less than it can be. */
    void check(final int at, final int sender)
    {
        long sum = 0;
        for (int i = 0; i <= creditSlots; i++)
        {
            if (cells[at + FIFO + i] < 1)
            {
                Ledger.violated("threshold at least 1", sender, cells[at + FIFO + i], 1);
            }
            sum += cells[at + FIFO + i];
        }
        if (sum != cells[at + SUM])
        {
            Ledger.violated("sum of thresholds", sender, cells[at + SUM], sum);
        }
        final int current = cells[at + CURRENT];
        final int retrieved = cells[at + RETRIEVED];
        if (current < 0 || retrieved < 0 || current != (isSet(at, GONE) ? 0 : sum - 1 - retrieved))
        {
            Ledger.violated("2, ledger: currentCredits, retrieved=" + retrieved, sender, current, sum - 1 - retrieved);
        }
    }
}
