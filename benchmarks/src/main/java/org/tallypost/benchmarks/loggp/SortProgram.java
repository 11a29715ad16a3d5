// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.Arrays;

/** What the sorts have in common: keys that are drawn again for each run, and the check of the order over all ranks. */
abstract class SortProgram extends LoggpProgram
{
    private static final int FIRST_KEY = 9;

    final int count;
    final int[] keys;
    /** Keys of this rank after the run. */
    int[] sorted = new int[0];
    int sortedCount;
    private long sent;
    private int nextFirst = Integer.MAX_VALUE;

    SortProgram(final LoggpRank rank, final int count, final int keyBits)
    {
        super(rank);
        this.count = count;
        keys = new int[count];
        for (int i = 0; i < count; i++)
        {
            keys[i] = chance(7, (long)rank.rank() * count + i) & (1 << keyBits) - 1;
            sent += keys[i] * 3L + 1;
        }
        rank.onRequest(FIRST_KEY, (source, a, b) -> nextFirst = a, (a, value) ->
        {
        });
    }

    @Override
    final boolean isRight()
    {
        final int[] own = Arrays.copyOf(sorted, sortedCount);
        long found = 0;
        boolean isOrdered = true;
        for (int i = 0; i < own.length; i++)
        {
            found += own[i] * 3L + 1;
            isOrdered &= i == 0 || own[i - 1] <= own[i];
        }
        nextFirst = Integer.MAX_VALUE;
        barrier();
        if (rank.rank() > 0)
        {
            rank.request(rank.rank() - 1, FIRST_KEY, own.length == 0 ? Integer.MAX_VALUE : own[0], 0);
        }
        barrier();
        isOrdered &= own.length == 0 || own[own.length - 1] <= nextFirst;
        return sum(isOrdered ? 0 : 1) == 0 & sum(found - sent) == 0;
    }

    final void addSorted(final int key)
    {
        if (sortedCount == sorted.length)
        {
            sorted = Arrays.copyOf(sorted, Math.max(count, 2 * sortedCount));
        }
        sorted[sortedCount++] = key;
    }
}
