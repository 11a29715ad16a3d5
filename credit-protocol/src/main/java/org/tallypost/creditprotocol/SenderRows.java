// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * What the {@link DynamicLedger} knows of each sender.
 *
 * <pre>
 *  one sender's state: a row of ints, so that a packet touches one or two cache lines, and most packets the first three only
 *
 *   0 retrieved        slots freed since credits last went back; k for a sender that is gone, which leaves it no credits
 *   1 next             at how many retrieved slots there is something to decide: the lesser of oldest threshold and monitor
 *   2 sum              sum of its thresholds
 *   3 monitor          at how many retrieved slots its next monitoring point is
 *   4 monitorAt        slots from the last monitoring point to the next: all it had been given then (section 6.4)
 *   5 head             index of the oldest threshold in the FIFO below
 *   6 intended         quota that it should have soon
 *   7 share            threshold of that quota, equation 5.1: a division each time it is needed would be felt
 *   8 flags            1 blocked: a compulsory request is out; 2 gone; 4 back, and waiting for its first credits
 *   9 piggybacked      credits returned in data packets since the last crossing; {@link PiggybackPolicy#THESIS} only
 *  10 ... 10+k         FIFO of k+1 thresholds, one for each credit packet that may be unread
 * </pre>
 *
 * Credits that it holds, that are under way, or that its unread packets cost are sum - 1 - retrieved (invariant 2).
 */
final class SenderRows
{
    static final int RETRIEVED = 0;
    static final int NEXT = 1;
    static final int SUM = 2;
    static final int MONITOR = 3;
    static final int MONITOR_AT = 4;
    static final int HEAD = 5;
    static final int INTENDED = 6;
    static final int SHARE = 7;
    static final int FLAGS = 8;
    static final int PIGGYBACKED = 9;
    static final int BLOCKED = 1;
    static final int GONE = 2;
    static final int WAITING = 4;

    private static final int FIFO = 10;

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
                ", expected (creditSlots + 11) x senders at most " + (Integer.MAX_VALUE - 8));
        }
        cells = new int[stride * senders];
    }

    /** A sender with its k static slots, that has sent nothing yet; its intended quota stays. */
    void start(final int at)
    {
        final int thresholds = creditSlots + 1;
        cells[at + SUM] = thresholds;
        cells[at + HEAD] = 0;
        cells[at + FLAGS] = 0;
        cells[at + PIGGYBACKED] = 0;
        for (int i = 0; i < thresholds; i++)
        {
            cells[at + FIFO + i] = 1;
        }
        cells[at + RETRIEVED] = 0;
        monitored(at);
        aim(at);
    }

    /** A sender that is gone: like one at its start, but without credits. */
    void end(final int at)
    {
        start(at);
        cells[at + RETRIEVED] = creditSlots;
        cells[at + FLAGS] = GONE;
        monitored(at);
    }

    void intend(final int at, final int quota)
    {
        cells[at + INTENDED] = quota;
        cells[at + SHARE] = Ledger.threshold(quota, creditSlots);
    }

    /** Credits that it holds, that are under way, or that its unread packets cost. */
    int current(final int at)
    {
        return cells[at + SUM] - 1 - cells[at + RETRIEVED];
    }

    int sinceMonitor(final int at)
    {
        return cells[at + MONITOR_AT] - (cells[at + MONITOR] - cells[at + RETRIEVED]);
    }

    /** A monitoring point: the next one comes when all that it has been given by now is used up. */
    void monitored(final int at)
    {
        cells[at + MONITOR_AT] = cells[at + SUM];
        monitorAfter(at, cells[at + SUM]);
    }

    /** How many slots there are to the next monitoring point; none, or less, if it is due. */
    void monitorAfter(final int at, final int slots)
    {
        cells[at + MONITOR] = cells[at + RETRIEVED] + slots;
    }

    /** Has to follow whatever changes the oldest threshold or the monitoring point, or takes slots off those retrieved. */
    void aim(final int at)
    {
        cells[at + NEXT] = Math.min(oldest(at), cells[at + MONITOR]);
    }

    /** Slots that were freed are made good by credits, or by thresholds. */
    void settle(final int at, final int slots)
    {
        cells[at + RETRIEVED] -= slots;
        cells[at + MONITOR] -= slots;
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

    /** Appends a threshold where the oldest one was, and returns that. {@link #settle} has to follow. */
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

    /** That sums and marks are what they are made of, and nothing is less than it can be; credits follow by invariant 2. */
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
        final int current = current(at);
        if (current < 0 || cells[at + RETRIEVED] < 0 || isSet(at, GONE) && current != 0)
        {
            Ledger.violated("2, ledger: currentCredits, retrieved=" + cells[at + RETRIEVED], sender, current, 0);
        }
        final int next = Math.min(oldest(at), cells[at + MONITOR]);
        if (cells[at + NEXT] != next)
        {
            Ledger.violated("next decision", sender, cells[at + NEXT], next);
        }
        if (cells[at + INTENDED] < creditSlots)
        {
            Ledger.violated("4, intendedQuota at least k", sender, cells[at + INTENDED], creditSlots);
        }
        final int share = Ledger.threshold(cells[at + INTENDED], creditSlots);
        if (cells[at + SHARE] != share)
        {
            Ledger.violated("threshold of the intended quota", sender, cells[at + SHARE], share);
        }
    }
}
