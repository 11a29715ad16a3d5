// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

/**
 * When each process goes on: at most one time for each. A tree in which the lesser of two entries goes up, so that a change costs
 * one look for each level and no guess. An entry is a time and, below it, the process: equal times go by process, which makes the
 * order total.
 */
final class EventQueue
{
    private static final long NONE = Long.MAX_VALUE;

    private final int leaves;
    private final int bits;
    private final int mask;
    private final long latest;
    /** The root is 1, its children are 2 and 3, and so on; the leaves are last. */
    private final long[] tree;

    EventQueue(final int processes)
    {
        bits = Integer.SIZE - Integer.numberOfLeadingZeros(processes - 1);
        leaves = 1 << bits;
        mask = leaves - 1;
        latest = (NONE >>> bits) - 1;
        tree = new long[2 * leaves];
        Arrays.fill(tree, NONE);
    }

    boolean isEmpty()
    {
        return tree[1] == NONE;
    }

    /** The process that is first, which stays. */
    int first()
    {
        return (int)tree[1] & mask;
    }

    long time(final int process)
    {
        return tree[leaves + process] >>> bits;
    }

    boolean contains(final int process)
    {
        return tree[leaves + process] != NONE;
    }

    /** Puts a process in, or moves it to another time. */
    void put(final int process, final long time)
    {
        if (time > latest)
        {
            throw new IllegalStateException("time out of range: found " + time + " ps, expected at most " + latest);
        }
        change(process, time << bits | process);
    }

    void remove(final int process)
    {
        change(process, NONE);
    }

    private void change(final int process, final long entry)
    {
        int at = leaves + process;
        tree[at] = entry;
        while (at > 1)
        {
            final long least = Math.min(tree[at], tree[at ^ 1]);
            at >>>= 1;
            if (tree[at] == least)
            {
                return;
            }
            tree[at] = least;
        }
    }
}
