// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * What is under way to each process or waits to be retrieved, by arrival; what arrives at the same time goes by the order in
 * which it was sent. An item is a burst of data packets of one message, or one packet or notice of another kind.
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

    long[] spacing = new long[64];
    long[] posted = new long[64];
    int[] from = new int[64];
    int[] kind = new int[64];
    int[] count = new int[64];
    int[] value = new int[64];
    int[] piggybacked = new int[64];
    /** Packets of the message that the sender still has, behind a burst. */
    int[] rest = new int[64];
    /** Length of the message that the last packet of a burst completes, or -1. */
    int[] completes = new int[64];
    private long[] order = new long[64];
    private int[] nextFree = new int[64];
    private int free = -1;
    private int used;
    private long sequence;

    private final long[][] keys;
    private final int[][] heaps;
    private final int[] sizes;

    Mailboxes(final int processes)
    {
        keys = new long[processes][4];
        heaps = new int[processes][4];
        sizes = new int[processes];
    }

    /** Puts an item in; the caller fills its other fields. */
    int add(final int to, final long arrivalPs)
    {
        final int item = allocate();
        order[item] = sequence++;
        final int at = sizes[to]++;
        if (at == keys[to].length)
        {
            keys[to] = Arrays.copyOf(keys[to], 2 * at);
            heaps[to] = Arrays.copyOf(heaps[to], 2 * at);
        }
        up(to, at, arrivalPs, item);
        return item;
    }

    void set(final int item, final int newKind, final int sender, final int newValue)
    {
        kind[item] = newKind;
        from[item] = sender;
        value[item] = newValue;
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
        nextFree[item] = free;
        free = item;
        final int last = --sizes[process];
        if (last > 0)
        {
            down(process, keys[process][last], heaps[process][last]);
        }
    }

    /** What is left of the first item arrives later. */
    void delayHead(final int process, final long arrivalPs)
    {
        down(process, arrivalPs, heaps[process][0]);
    }

    private void up(final int process, final int from, final long key, final int item)
    {
        final long[] times = keys[process];
        final int[] heap = heaps[process];
        int at = from;
        while (at > 0)
        {
            final int parent = (at - 1) >>> 1;
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
        while (2 * at + 1 < size)
        {
            int child = 2 * at + 1;
            if (child + 1 < size && isBefore(times[child + 1], heap[child + 1], times[child], heap[child]))
            {
                child++;
            }
            if (!isBefore(times[child], heap[child], key, item))
            {
                break;
            }
            times[at] = times[child];
            heap[at] = heap[child];
            at = child;
        }
        times[at] = key;
        heap[at] = item;
    }

    private boolean isBefore(final long time, final int item, final long otherTime, final int otherItem)
    {
        return time < otherTime || time == otherTime && order[item] < order[otherItem];
    }

    private int allocate()
    {
        if (free >= 0)
        {
            final int item = free;
            free = nextFree[item];
            return item;
        }
        if (used == order.length)
        {
            final int length = 2 * used;
            spacing = Arrays.copyOf(spacing, length);
            posted = Arrays.copyOf(posted, length);
            from = Arrays.copyOf(from, length);
            kind = Arrays.copyOf(kind, length);
            count = Arrays.copyOf(count, length);
            value = Arrays.copyOf(value, length);
            piggybacked = Arrays.copyOf(piggybacked, length);
            completes = Arrays.copyOf(completes, length);
            rest = Arrays.copyOf(rest, length);
            order = Arrays.copyOf(order, length);
            nextFree = Arrays.copyOf(nextFree, length);
        }
        return used++;
    }
}
