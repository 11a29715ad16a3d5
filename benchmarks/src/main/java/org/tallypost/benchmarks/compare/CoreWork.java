// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.benchmarks.compare;

import java.util.Arrays;

/**
 * A piece of work that concerns one core alone. It takes up to half as long again while the two parties compute on the halves of
 * one core, and for tenths of a second on a rented machine, where somebody else seems to have the other half; that shows nowhere
 * else: lines travel as fast as before, and the thread keeps its core. For one thread.
 */
final class CoreWork
{
    private static final int WORDS = 512;
    private static final int PASSES = 24;
    private static final int REPEATS = 9;
    private static final int STEP = 4;
    /** Compiled by then, or soon after: the first probe that counts is some hundred calls later. */
    private static final int WARMUPS = 300;

    private final long[] words = new long[WORDS];
    private final long[] ns = new long[REPEATS];

    CoreWork()
    {
        for (int i = 0; i < WARMUPS; i++)
        {
            work();
        }
    }

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
                a += words[i] ^ a >>> 7;
                b += words[i + 1] ^ b >>> 9;
                c += words[i + 2] ^ c >>> 11;
                d += words[i + 3] ^ d >>> 13;
                words[i] = d;
            }
        }
        words[0] = a;
        words[1] = b;
        words[2] = c;
        words[3] = d;
    }
}
