// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.Arrays;

/** Draws splitters from samples of all ranks, sends each key to its rank by a request, and sorts there. */
final class SampleSort extends SortProgram
{
    private static final int KEY = 0;
    private static final int SAMPLES = 1;
    private static final int SPLITTERS = 2;
    private static final int KEY_BITS = 24;
    private static final int SAMPLE_COUNT = 16;
    private static final int KEY_OPERATIONS = 30;

    private final int[] samples;
    private final int[] splitters;
    private int come;
    private boolean hasSplitters;

    SampleSort(final LoggpRank rank, final int count)
    {
        super(rank, count, KEY_BITS);
        samples = new int[SAMPLE_COUNT * rank.size()];
        splitters = new int[rank.size() - 1];
        rank.onRequest(KEY, (source, key, b) ->
        {
            addSorted(key);
            return 0;
        }, (a, value) ->
        {
        });
        rank.onBlock(SAMPLES, (source, first, buffer, offset, length) ->
        {
            for (int i = 0; i < SAMPLE_COUNT; i++)
            {
                samples[source * SAMPLE_COUNT + i] = buffer.getInt(offset + i * Integer.BYTES, LITTLE_ENDIAN);
            }
            come++;
        });
        rank.onBlock(SPLITTERS, (source, first, buffer, offset, length) ->
        {
            for (int i = 0; i < splitters.length; i++)
            {
                splitters[i] = buffer.getInt(offset + i * Integer.BYTES, LITTLE_ENDIAN);
            }
            hasSplitters = true;
        });
    }

    @Override
    void run()
    {
        sortedCount = 0;
        hasSplitters = false;
        barrier();
        findSplitters(Arrays.copyOf(keys, SAMPLE_COUNT));
        for (final int key : keys)
        {
            final int found = Arrays.binarySearch(splitters, key);
            final int dest = found >= 0 ? found : -found - 1;
            rank.compute(KEY_OPERATIONS);
            if (dest == rank.rank())
            {
                addSorted(key);
            }
            else
            {
                rank.request(dest, KEY, key, 0);
            }
        }
        barrier();
        Arrays.sort(sorted, 0, sortedCount);
        rank.compute(sortedCount * KEY_OPERATIONS);
    }

    private void findSplitters(final int... own)
    {
        if (rank.rank() != 0)
        {
            sendAll(0, SAMPLES, own);
            while (!hasSplitters)
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
        System.arraycopy(own, 0, samples, 0, SAMPLE_COUNT);
        Arrays.sort(samples);
        rank.compute(samples.length * KEY_OPERATIONS);
        for (int i = 0; i < splitters.length; i++)
        {
            splitters[i] = samples[(i + 1) * SAMPLE_COUNT];
        }
        for (int dest = 1; dest < rank.size(); dest++)
        {
            sendAll(dest, SPLITTERS, splitters);
        }
    }
}
