// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Sorts 16 bits in two passes: after a global histogram each key goes to its place by a request. */
final class RadixSort extends SortProgram
{
    private static final int PUT = 0;
    private static final int HISTOGRAM = 1;
    private static final int PLACES = 2;
    private static final int DIGIT_BITS = 8;
    private static final int DIGITS = 1 << DIGIT_BITS;
    private static final int KEY_OPERATIONS = 20;

    private int[] next;
    private final int[][] histograms;
    private int come;
    private int[] places = new int[DIGITS];
    private int placesCome;

    RadixSort(final LoggpRank rank, final int count)
    {
        super(rank, count, 2 * DIGIT_BITS);
        next = new int[count];
        histograms = new int[rank.size()][DIGITS];
        rank.onRequest(PUT, (source, index, key) -> next[index] = key, (a, value) ->
        {
        });
        rank.onBlock(HISTOGRAM, (source, first, buffer, offset, length) ->
        {
            for (int i = 0; i < DIGITS; i++)
            {
                histograms[source][i] = buffer.getInt(offset + i * Integer.BYTES, LITTLE_ENDIAN);
            }
            come++;
        });
        rank.onBlock(PLACES, (source, first, buffer, offset, length) ->
        {
            for (int i = 0; i < DIGITS; i++)
            {
                places[i] = buffer.getInt(offset + i * Integer.BYTES, LITTLE_ENDIAN);
            }
            placesCome++;
        });
    }

    @Override
    void run()
    {
        int[] from = keys.clone();
        for (int pass = 0; pass < 2; pass++)
        {
            final int shift = pass * DIGIT_BITS;
            final int[] histogram = new int[DIGITS];
            for (final int key : from)
            {
                histogram[key >> shift & DIGITS - 1]++;
            }
            rank.compute(count * KEY_OPERATIONS);
            findPlaces(histogram);
            for (final int key : from)
            {
                final int place = places[key >> shift & DIGITS - 1]++;
                rank.compute(KEY_OPERATIONS);
                if (place / count == rank.rank())
                {
                    next[place % count] = key;
                }
                else
                {
                    rank.request(place / count, PUT, place % count, key);
                }
            }
            barrier();
            from = next.clone();
            barrier();
        }
        sorted = from;
        sortedCount = count;
    }

    /** Where the keys of this rank go that have each digit: rank 0 adds up all histograms. */
    private void findPlaces(final int... histogram)
    {
        if (rank.rank() != 0)
        {
            final int before = placesCome;
            sendAll(0, HISTOGRAM, histogram);
            while (placesCome == before)
            {
                rank.poll();
            }
            return;
        }
        while (come < rank.size() - 1)
        {
            rank.poll();
        }
        come = 0;
        histograms[0] = histogram;
        final int[][] all = new int[rank.size()][DIGITS];
        int place = 0;
        for (int digit = 0; digit < DIGITS; digit++)
        {
            for (int i = 0; i < rank.size(); i++)
            {
                all[i][digit] = place;
                place += histograms[i][digit];
            }
        }
        rank.compute(DIGITS * rank.size());
        for (int dest = 1; dest < rank.size(); dest++)
        {
            sendAll(dest, PLACES, all[dest]);
        }
        places = all[0];
    }
}
