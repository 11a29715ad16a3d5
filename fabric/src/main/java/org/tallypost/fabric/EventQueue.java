// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * When each process goes on: at most one time for each. A binary heap with the place of each process, so that a time can be
 * brought forward. Equal times go by process, which makes the order total.
 */
final class EventQueue
{
    private final long[] times;
    private final int[] heap;
    private final int[] place;
    private int size;

    EventQueue(final int processes)
    {
        times = new long[processes];
        heap = new int[processes];
        place = new int[processes];
        Arrays.fill(place, -1);
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    /** The process that is first, which stays. */
    int first()
    {
        return heap[0];
    }

    long time(final int process)
    {
        return times[process];
    }

    boolean contains(final int process)
    {
        return place[process] >= 0;
    }

    /** Puts a process in, or moves it to another time. */
    void put(final int process, final long time)
    {
        final long before = times[process];
        times[process] = time;
        if (place[process] < 0)
        {
            place[process] = size;
            heap[size] = process;
            up(size++);
        }
        else if (time < before)
        {
            up(place[process]);
        }
        else
        {
            down(place[process]);
        }
    }

    void remove(final int process)
    {
        final int at = place[process];
        place[process] = -1;
        size--;
        if (at != size)
        {
            heap[at] = heap[size];
            place[heap[at]] = at;
            up(at);
            down(place[heap[at]]);
        }
    }

    private void up(final int from)
    {
        int at = from;
        final int process = heap[at];
        while (at > 0 && isBefore(process, heap[(at - 1) >>> 1]))
        {
            final int parent = (at - 1) >>> 1;
            set(at, heap[parent]);
            at = parent;
        }
        set(at, process);
    }

    private void down(final int from)
    {
        int at = from;
        final int process = heap[at];
        while (2 * at + 1 < size)
        {
            int child = 2 * at + 1;
            if (child + 1 < size && isBefore(heap[child + 1], heap[child]))
            {
                child++;
            }
            if (!isBefore(heap[child], process))
            {
                break;
            }
            set(at, heap[child]);
            at = child;
        }
        set(at, process);
    }

    private void set(final int at, final int process)
    {
        heap[at] = process;
        place[process] = at;
    }

    private boolean isBefore(final int one, final int other)
    {
        return times[one] < times[other] || times[one] == times[other] && one < other;
    }
}
