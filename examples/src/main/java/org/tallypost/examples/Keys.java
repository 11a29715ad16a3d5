// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

/**
 * Keys to be sorted: 31 bits, spread evenly, each made from its place alone.
 */
public final class Keys
{
    private static final int BITS = 31;
    private static final int DIGIT = 8;
    private static final int DIGITS = 4;

    private Keys()
    {
    }

    /**
     * Makes the keys of a share.
     *
     * @param share of all keys.
     * @return the keys.
     */
    public static int[] make(final Share share)
    {
        final int[] keys = new int[share.count()];
        for (int i = 0; i < keys.length; i++)
        {
            long mixed = (share.first() + i + 1) * 0x9E3779B97F4A7C15L;
            mixed = (mixed ^ mixed >>> 30) * 0xBF58476D1CE4E5B9L;
            mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
            keys[i] = (int)((mixed ^ mixed >>> 31) & Integer.MAX_VALUE);
        }
        return keys;
    }

    /**
     * The rank that a key belongs to: ranks have equal ranges of keys.
     *
     * @param key   of a rank.
     * @param ranks of all.
     * @return the rank.
     */
    public static int rank(final int key, final int ranks)
    {
        return (int)((long)key * ranks >>> BITS);
    }

    /**
     * Puts keys in the order of their ranks.
     *
     * @param keys   in any order.
     * @param sorted gets them.
     * @param counts gets the number of keys of each rank.
     */
    public static void distribute(final int[] keys, final int[] sorted, final int[] counts)
    {
        java.util.Arrays.fill(counts, 0);
        for (final int key : keys)
        {
            counts[rank(key, counts.length)]++;
        }
        final int[] next = starts(counts);
        for (final int key : keys)
        {
            sorted[next[rank(key, counts.length)]++] = key;
        }
    }

    /**
     * Where each part starts if they follow each other.
     *
     * @param counts of the parts.
     * @return their starts.
     */
    public static int[] starts(final int[] counts)
    {
        final int[] starts = new int[counts.length];
        for (int i = 1; i < counts.length; i++)
        {
            starts[i] = starts[i - 1] + counts[i - 1];
        }
        return starts;
    }

    /**
     * Sorts by digits of eight bits, the lowest first.
     *
     * @param keys  to be sorted.
     * @param spare as many.
     * @param count of the keys.
     */
    public static void sort(final int[] keys, final int[] spare, final int count)
    {
        int[] from = keys;
        int[] to = spare;
        for (int digit = 0; digit < DIGITS; digit++)
        {
            final int shift = digit * DIGIT;
            final int[] counts = new int[1 << DIGIT];
            for (int i = 0; i < count; i++)
            {
                counts[from[i] >>> shift & (1 << DIGIT) - 1]++;
            }
            final int[] next = starts(counts);
            for (int i = 0; i < count; i++)
            {
                to[next[from[i] >>> shift & (1 << DIGIT) - 1]++] = from[i];
            }
            final int[] other = from;
            from = to;
            to = other;
        }
    }
}
