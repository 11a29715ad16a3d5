// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Arrays;

/** Sends the keys of each rank in blocks, and sorts there by counting: few long messages instead of many short ones. */
final class IntegerSort extends SortProgram
{
    private static final int KEYS = 0;
    private static final int KEY_BITS = 16;
    private static final int KEY_OPERATIONS = 10;

    private final int[][] out;
    private final int[] outCounts;

    IntegerSort(final LoggpRank rank, final int count)
    {
        super(rank, count, KEY_BITS);
        out = new int[rank.size()][count];
        outCounts = new int[rank.size()];
        rank.onBlock(KEYS, (source, first, buffer, offset, length) ->
        {
            for (int at = 0; at < length; at += Integer.BYTES)
            {
                addSorted(buffer.getInt(offset + at, LITTLE_ENDIAN));
            }
        });
    }

    @Override
    void run()
    {
        sortedCount = 0;
        Arrays.fill(outCounts, 0);
        barrier();
        for (final int key : keys)
        {
            final int dest = (int)((long)key * rank.size() >> KEY_BITS);
            out[dest][outCounts[dest]++] = key;
        }
        rank.compute(count * KEY_OPERATIONS);
        for (int i = 1; i < rank.size(); i++)
        {
            final int dest = (rank.rank() + i) % rank.size();
            sendAll(dest, KEYS, Arrays.copyOf(out[dest], outCounts[dest]));
        }
        for (int i = 0; i < outCounts[rank.rank()]; i++)
        {
            addSorted(out[rank.rank()][i]);
        }
        barrier();
        final int[] counts = new int[1 << KEY_BITS];
        for (int i = 0; i < sortedCount; i++)
        {
            counts[sorted[i]]++;
        }
        int next = 0;
        for (int key = 0; key < counts.length; key++)
        {
            for (int i = 0; i < counts[key]; i++)
            {
                sorted[next++] = key;
            }
        }
        rank.compute(sortedCount * KEY_OPERATIONS);
    }
}
