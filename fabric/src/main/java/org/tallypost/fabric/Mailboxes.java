// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * What is under way to each process or waits to be retrieved, by arrival; what arrives at the same time goes by the order in
 * which it was sent. An item is a burst of data packets of one message, or one packet or notice of another kind.
 *
 * <p>An item is a row of eight longs, a line of the cache: of a million items each is written once and read once, long after.
 */
final class Mailboxes
{
    /** Packets of a message. */
    static final int DATA = 0;
    /** Credits; the value tells how many. */
    static final int CREDIT = 1;
    /** A compulsory request. */
    static final int REQUEST = 2;
    /** A compulsory response; the value tells how many credits come back. */
    static final int RESPONSE = 3;
    /** A message out of the memory of the node; the value is its length. */
    static final int SHARED = 4;
    /** Notice that bulk has arrived. */
    static final int BULK_HERE = 5;
    /** Notice that bulk has been fetched. */
    static final int BULK_GONE = 6;

    private static final int STRIDE = 8;
    private static final int ORDER = 0;
    private static final int SPACING = 1;
    private static final int POSTED = 2;
    /** The sender, and above it the kind. */
    private static final int SENDER = 3;
    /** The value, and above it credits that travel along. */
    private static final int VALUE = 4;
    /** Packets of a burst, and above them those that the sender still has of the message. */
    private static final int COUNT = 5;
    /** Length of the message that the last packet of a burst completes, or -1. */
    private static final int COMPLETES = 6;
    /** Of a free item: the next free one, or -1. */
    private static final int NEXT = 7;
    /** Children of an entry of a heap: they lie side by side. */
    private static final int FORK = 4;
    private static final int FORK_BITS = 2;

    private long[] cells = new long[64 * STRIDE];
    private int free = -1;
    private int used;
    private long sequence;

    private final long[][] keys;
    private final int[][] heaps;
    private final int[] sizes;

    Mailboxes(final int processes)
    {
        keys = new long[processes][FORK + 1];
        heaps = new int[processes][FORK + 1];
        sizes = new int[processes];
    }

    /** Puts an item in; the caller fills its other fields. */
    int add(final int to, final long arrivalPs)
    {
        final int item = allocate();
        cells[STRIDE * item + ORDER] = sequence++;
        final int at = sizes[to]++;
        if (at == keys[to].length)
        {
            keys[to] = Arrays.copyOf(keys[to], 2 * at);
            heaps[to] = Arrays.copyOf(heaps[to], 2 * at);
        }
        up(to, at, arrivalPs, item);
        return item;
    }

    void set(final int item, final int kind, final int sender, final int value)
    {
        cells[STRIDE * item + SENDER] = pair(sender, kind);
        cells[STRIDE * item + VALUE] = pair(value, 0);
    }

    /** Sets when the message of an item was posted. */
    void post(final int item, final long postedPs)
    {
        cells[STRIDE * item + POSTED] = postedPs;
    }

    /** Makes an item, all of which is set here, a burst of data packets. */
    void setData(
        final int item,
        final int sender,
        final int count,
        final int rest,
        final int completes,
        final int credits,
        final long spacingPs,
        final long postedPs)
    {
        final int at = STRIDE * item;
        cells[at + SPACING] = spacingPs;
        cells[at + POSTED] = postedPs;
        cells[at + SENDER] = pair(sender, DATA);
        cells[at + VALUE] = pair(0, credits);
        cells[at + COUNT] = pair(count, rest);
        cells[at + COMPLETES] = completes;
    }

    /** For a packet that waits elsewhere until it is at its mailbox. */
    void setValue(final int item, final int value)
    {
        final int at = STRIDE * item + VALUE;
        cells[at] = pair(value, high(at));
    }

    private static long pair(final int low, final int high)
    {
        return (long)high << Integer.SIZE | low & 0xffff_ffffL;
    }

    private int high(final int at)
    {
        return (int)(cells[at] >>> Integer.SIZE);
    }

    int from(final int item)
    {
        return (int)cells[STRIDE * item + SENDER];
    }

    int kind(final int item)
    {
        return high(STRIDE * item + SENDER);
    }

    int value(final int item)
    {
        return (int)cells[STRIDE * item + VALUE];
    }

    /** Credits that the last packet of a burst carries. */
    int piggybacked(final int item)
    {
        return high(STRIDE * item + VALUE);
    }

    int count(final int item)
    {
        return (int)cells[STRIDE * item + COUNT];
    }

    /** Packets of the message that the sender still has, behind a burst. */
    int rest(final int item)
    {
        return high(STRIDE * item + COUNT);
    }

    /** Length of the message that the last packet of a burst completes, or -1. */
    int completes(final int item)
    {
        return (int)cells[STRIDE * item + COMPLETES];
    }

    long spacing(final int item)
    {
        return cells[STRIDE * item + SPACING];
    }

    long posted(final int item)
    {
        return cells[STRIDE * item + POSTED];
    }

    /** When the first item, or the first packet that is left of it, arrives; {@link Long#MAX_VALUE} if there is none. */
    long headTime(final int process)
    {
        return sizes[process] == 0 ? Long.MAX_VALUE : keys[process][0];
    }

    int head(final int process)
    {
        return heaps[process][0];
    }

    /** Takes the first item out; its fields hold until the next one is put in. */
    void pop(final int process)
    {
        final int item = heaps[process][0];
        cells[STRIDE * item + NEXT] = free;
        free = item;
        final int last = --sizes[process];
        if (last > 0)
        {
            down(process, keys[process][last], heaps[process][last]);
        }
    }

    /** What is left of the first item, so many packets less, arrives later. */
    void delayHead(final int process, final int packets, final long arrivalPs)
    {
        final int item = heaps[process][0];
        final int at = STRIDE * item + COUNT;
        cells[at] = pair((int)cells[at] - packets, high(at));
        down(process, arrivalPs, item);
    }

    private void up(final int process, final int from, final long key, final int item)
    {
        final long[] times = keys[process];
        final int[] heap = heaps[process];
        int at = from;
        while (at > 0)
        {
            final int parent = (at - 1) >>> FORK_BITS;
            if (!isBefore(key, item, times[parent], heap[parent]))
            {
                break;
            }
            times[at] = times[parent];
            heap[at] = heap[parent];
            at = parent;
        }
        times[at] = key;
        heap[at] = item;
    }

    private void down(final int process, final long key, final int item)
    {
        final long[] times = keys[process];
        final int[] heap = heaps[process];
        final int size = sizes[process];
        int at = 0;
        int child = 1;
        while (child < size)
        {
            final int end = Math.min(child + FORK, size);
            int first = child;
            for (int other = child + 1; other < end; other++)
            {
                if (isBefore(times[other], heap[other], times[first], heap[first]))
                {
                    first = other;
                }
            }
            if (!isBefore(times[first], heap[first], key, item))
            {
                break;
            }
            times[at] = times[first];
            heap[at] = heap[first];
            at = first;
            child = FORK * at + 1;
        }
        times[at] = key;
        heap[at] = item;
    }

    private boolean isBefore(final long time, final int item, final long otherTime, final int otherItem)
    {
        return time < otherTime || time == otherTime && cells[STRIDE * item + ORDER] < cells[STRIDE * otherItem + ORDER];
    }

    private int allocate()
    {
        if (free >= 0)
        {
            final int item = free;
            free = (int)cells[STRIDE * item + NEXT];
            return item;
        }
        if (STRIDE * used == cells.length)
        {
            cells = Arrays.copyOf(cells, Math.multiplyExact(2, cells.length));
        }
        return used++;
    }
}
