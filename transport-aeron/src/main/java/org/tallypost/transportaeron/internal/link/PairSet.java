// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import java.util.Arrays;

/**
 * A set of numbers below a limit, with a count. For one thread.
 */
final class PairSet
{
    private final long[] words;
    private int size;

    PairSet(final int limit)
    {
        words = new long[(limit + Long.SIZE - 1) / Long.SIZE];
    }

    void add(final int number)
    {
        final int word = number / Long.SIZE;
        final long bit = 1L << number;
        if ((words[word] & bit) == 0)
        {
            words[word] |= bit;
            size++;
        }
    }

    void remove(final int number)
    {
        final int word = number / Long.SIZE;
        final long bit = 1L << number;
        if ((words[word] & bit) != 0)
        {
            words[word] &= ~bit;
            size--;
        }
    }

    boolean contains(final int number)
    {
        return (words[number / Long.SIZE] & 1L << number) != 0;
    }

    /** The smallest member that is not smaller than a number, -1 if there is none. */
    int next(final int from)
    {
        if (size == 0)
        {
            return -1;
        }
        int word = from / Long.SIZE;
        long bits = word < words.length ? words[word] & -1L << from : 0;
        while (bits == 0)
        {
            if (++word >= words.length)
            {
                return -1;
            }
            bits = words[word];
        }
        return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
    }

    boolean isEmpty()
    {
        return size == 0;
    }

    void clear()
    {
        Arrays.fill(words, 0);
        size = 0;
    }
}
