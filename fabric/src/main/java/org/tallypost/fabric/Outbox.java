// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * Messages that processes have posted and not sent whole: a list for each pair, and for each process the peers to which it
 * can go on sending because credits have come, in the order in which they came. A message is a row of four longs.
 */
final class Outbox
{
    private static final int STRIDE = 4;
    /** Packets that are left, and above them the length of the message. */
    private static final int LEFT = 0;
    private static final int POSTED = 1;
    /** The next message of the pair, or the next free one; -1 for none. */
    private static final int NEXT = 2;
    private static final int DELAYED = 3;

    private final Pairs pairs;
    private final int[] cells;
    private final int[][] ready;
    private final int[] readyHead;
    private final int[] readyCount;

    private long[] messages = new long[64 * STRIDE];
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
        messages[STRIDE * message + LEFT] = (long)messageLength << Integer.SIZE | packets;
        messages[STRIDE * message + POSTED] = nowPs;
        messages[STRIDE * message + NEXT] = -1;
        messages[STRIDE * message + DELAYED] = 0;
        final int row = pairs.row(from, to);
        if (cells[row + Pairs.HEAD] == 0)
        {
            cells[row + Pairs.HEAD] = message + 1;
        }
        else
        {
            messages[STRIDE * (cells[row + Pairs.TAIL] - 1) + NEXT] = message;
        }
        cells[row + Pairs.TAIL] = message + 1;
        return message;
    }

    /** Takes the oldest message of a pair out. */
    void removeHead(final int from, final int to)
    {
        final int row = pairs.row(from, to);
        final int message = cells[row + Pairs.HEAD] - 1;
        cells[row + Pairs.HEAD] = next(message) + 1;
        messages[STRIDE * message + NEXT] = free;
        free = message;
    }

    private int next(final int message)
    {
        return (int)messages[STRIDE * message + NEXT];
    }

    /** Packets that are not sent yet. */
    int left(final int message)
    {
        return (int)messages[STRIDE * message + LEFT];
    }

    int length(final int message)
    {
        return (int)(messages[STRIDE * message + LEFT] >>> Integer.SIZE);
    }

    long posted(final int message)
    {
        return messages[STRIDE * message + POSTED];
    }

    /** Packets are sent, no more than are left. */
    void send(final int message, final int count)
    {
        messages[STRIDE * message + LEFT] -= count;
    }

    /** A message has to wait for credits; false if it had to before. */
    boolean delay(final int message)
    {
        final boolean isFirst = messages[STRIDE * message + DELAYED] == 0;
        messages[STRIDE * message + DELAYED] = 1;
        return isFirst;
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
            free = next(message);
            return message;
        }
        if (STRIDE * used == messages.length)
        {
            messages = Arrays.copyOf(messages, Math.multiplyExact(2, messages.length));
        }
        return used++;
    }
}
