// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.benchmarks.compare;

import java.util.Arrays;

/**
 * A piece of work that concerns one core alone. It takes up to half as long again while somebody else computes on the other half
 * of that core, which on a rented machine shows nowhere else: lines travel as fast as before, and the thread keeps its core. For
 * one thread.
 */
final class CoreWork
{
    private static final int WORDS = 512;
    private static final int PASSES = 24;
    private static final int REPEATS = 9;
    private static final int STEP = 4;

    private final long[] words = new long[WORDS];
    private final long[] ns = new long[REPEATS];

    /**
     * Does it some times, a fraction of a millisecond in all.
     *
     * @return nanoseconds that it took, by the median: what an interrupt took is not counted.
     */
    double takeNs()
    {
        for (int i = 0; i < REPEATS; i++)
        {
            final long startNs = System.nanoTime();
            work();
            ns[i] = System.nanoTime() - startNs;
        }
        Arrays.sort(ns);
        return ns[REPEATS / 2];
    }

    /** Four chains that do not wait for each other, so that all of the core is in use, on lines that are always at hand. */
    private void work()
    {
        long a = words[0];
        long b = words[1];
        long c = words[2];
        long d = words[3];
        for (int pass = 0; pass < PASSES; pass++)
        {
            for (int i = 0; i < WORDS; i += STEP)
            {
                a += words[i] ^ b;
                b += words[i + 1] ^ a >>> 7;
                c ^= words[i + 2] + d;
                d += c >> 3;
                words[i + 3] = a + c;
            }
        }
        words[0] = a + b;
        words[2] = c + d;
    }
}
