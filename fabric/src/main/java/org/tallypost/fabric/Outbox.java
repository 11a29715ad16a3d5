// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * Messages that processes have posted and not sent whole: a list for each pair, and for each process the peers to which it
 * can go on sending because credits have come, in the order in which they came.
 */
final class Outbox
{
    private final Pairs pairs;
    private final int[] cells;
    private final int[][] ready;
    private final int[] readyHead;
    private final int[] readyCount;

    int[] left = new int[64];
    int[] length = new int[64];
    boolean[] delayed = new boolean[64];
    long[] posted = new long[64];
    private int[] next = new int[64];
    private int free = -1;
    private int used;

    Outbox(final int processes, final Pairs pairs)
    {
        this.pairs = pairs;
        cells = pairs.cells;
        ready = new int[processes][4];
        readyHead = new int[processes];
        readyCount = new int[processes];
    }

    /** The oldest message of a pair, or -1. */
    int head(final int from, final int to)
    {
        return cells[pairs.row(from, to) + Pairs.HEAD] - 1;
    }

    /** Puts a message last. */
    int add(final int from, final int to, final int packets, final int messageLength, final long nowPs)
    {
        final int message = allocate();
        left[message] = packets;
        length[message] = messageLength;
        delayed[message] = false;
        posted[message] = nowPs;
        next[message] = -1;
        final int row = pairs.row(from, to);
        if (cells[row + Pairs.HEAD] == 0)
        {
            cells[row + Pairs.HEAD] = message + 1;
        }
        else
        {
            next[cells[row + Pairs.TAIL] - 1] = message;
        }
        cells[row + Pairs.TAIL] = message + 1;
        return message;
    }

    /** Takes the oldest message of a pair out. */
    void removeHead(final int from, final int to)
    {
        final int row = pairs.row(from, to);
        final int message = cells[row + Pairs.HEAD] - 1;
        cells[row + Pairs.HEAD] = next[message] + 1;
        next[message] = free;
        free = message;
    }

    /** Lists a peer to which a process can go on sending; once is enough. */
    void listReady(final int from, final int to)
    {
        final int row = pairs.row(from, to);
        if (cells[row + Pairs.LISTED] != 0)
        {
            return;
        }
        cells[row + Pairs.LISTED] = 1;
        final int length = ready[from].length;
        if (readyCount[from] == length)
        {
            final int[] longer = new int[2 * length];
            for (int i = 0; i < length; i++)
            {
                longer[i] = ready[from][(readyHead[from] + i) & (length - 1)];
            }
            ready[from] = longer;
            readyHead[from] = 0;
        }
        ready[from][(readyHead[from] + readyCount[from]++) & (ready[from].length - 1)] = to;
    }

    /** Takes the peer that was listed first; -1 if there is none. */
    int pollReady(final int from)
    {
        if (readyCount[from] == 0)
        {
            return -1;
        }
        final int to = ready[from][readyHead[from]];
        readyHead[from] = (readyHead[from] + 1) & (ready[from].length - 1);
        readyCount[from]--;
        cells[pairs.row(from, to) + Pairs.LISTED] = 0;
        return to;
    }

    private int allocate()
    {
        if (free >= 0)
        {
            final int message = free;
            free = next[message];
            return message;
        }
        if (used == left.length)
        {
            left = Arrays.copyOf(left, 2 * used);
            length = Arrays.copyOf(length, 2 * used);
            delayed = Arrays.copyOf(delayed, 2 * used);
            posted = Arrays.copyOf(posted, 2 * used);
            next = Arrays.copyOf(next, 2 * used);
        }
        return used++;
    }
}
