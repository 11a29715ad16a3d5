// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.internal.matching;

import java.util.Arrays;

/**
 * Receives that wait for a message. Each is a number that the caller gives, and lies in one bin of the family of its pattern, in
 * the order of posting. A message looks at the bins that can have a receive for it, and takes the one that was posted first.
 * As long as no receive leaves source or tag open, that is one bin. Arrays of numbers; allocates only to grow. One thread.
 */
public final class PostedReceives
{
    /** Stands for no receive. */
    public static final int NONE = -1;

    private final int[] firsts = new int[Bins.FAMILIES * Bins.BINS];
    private final int[] lasts = new int[Bins.FAMILIES * Bins.BINS];
    /** Receives of each family. */
    private final int[] counts = new int[Bins.FAMILIES];
    /** Receives of all families but the exact one. */
    private int openCount;
    private long nextSequence;

    private int[] contexts;
    private int[] sources;
    private int[] tags;
    private int[] nexts;
    private int[] previouses;
    /** In which bin each lies. */
    private int[] bins;
    private long[] sequences;

    /**
     * No receives.
     *
     * @param capacity numbers from 0 to this, exclusive, at the beginning.
     */
    public PostedReceives(final int capacity)
    {
        Arrays.fill(firsts, NONE);
        Arrays.fill(lasts, NONE);
        contexts = new int[capacity];
        sources = new int[capacity];
        tags = new int[capacity];
        nexts = new int[capacity];
        previouses = new int[capacity];
        bins = new int[capacity];
        sequences = new long[capacity];
    }

    /**
     * More numbers.
     *
     * @param capacity numbers from 0 to this, exclusive.
     */
    public void grow(final int capacity)
    {
        if (capacity > contexts.length)
        {
            contexts = Arrays.copyOf(contexts, capacity);
            sources = Arrays.copyOf(sources, capacity);
            tags = Arrays.copyOf(tags, capacity);
            nexts = Arrays.copyOf(nexts, capacity);
            previouses = Arrays.copyOf(previouses, capacity);
            bins = Arrays.copyOf(bins, capacity);
            sequences = Arrays.copyOf(sequences, capacity);
        }
    }

    /**
     * Puts a receive behind all that are there.
     *
     * @param index   of the receive, not posted now.
     * @param context at least 0.
     * @param source  at least 0, or {@link Bins#ANY}.
     * @param tag     at least 0, or {@link Bins#ANY}.
     */
    public void post(final int index, final int context, final int source, final int tag)
    {
        final int family = Bins.family(source, tag);
        final int bin = Bins.bin(family, context, source, tag);
        contexts[index] = context;
        sources[index] = source;
        tags[index] = tag;
        bins[index] = bin;
        sequences[index] = nextSequence++;
        final int last = lasts[bin];
        nexts[index] = NONE;
        previouses[index] = last;
        if (last == NONE)
        {
            firsts[bin] = index;
        }
        else
        {
            nexts[last] = index;
        }
        lasts[bin] = index;
        counts[family]++;
        openCount += family == 0 ? 0 : 1;
    }

    /**
     * Takes out the receive for a message.
     *
     * @param context of the message.
     * @param source  of the message.
     * @param tag     of the message.
     * @return the first that was posted of those that match; {@link #NONE} if there is none.
     */
    public int match(final int context, final int source, final int tag)
    {
        int found = counts[0] == 0 ? NONE : first(0, context, source, tag);
        if (openCount > 0)
        {
            for (int family = 1; family < Bins.FAMILIES; family++)
            {
                found = counts[family] == 0 ? found : earlier(found, first(family, context, source, tag));
            }
        }
        if (found != NONE)
        {
            remove(found);
        }
        return found;
    }

    private int earlier(final int one, final int other)
    {
        return one == NONE || other != NONE && sequences[other] < sequences[one] ? other : one;
    }

    private int first(final int family, final int context, final int source, final int tag)
    {
        int index = firsts[Bins.bin(family, context, source, tag)];
        while (index != NONE && !isFor(index, family, context, source, tag))
        {
            index = nexts[index];
        }
        return index;
    }

    private boolean isFor(final int index, final int family, final int context, final int source, final int tag)
    {
        return contexts[index] == context && ((family & Bins.ANY_SOURCE) != 0 || sources[index] == source) &&
            ((family & Bins.ANY_TAG) != 0 || tags[index] == tag);
    }

    /**
     * Takes a receive out.
     *
     * @param index that is posted.
     */
    public void remove(final int index)
    {
        final int bin = bins[index];
        final int family = bin / Bins.BINS;
        final int next = nexts[index];
        final int previous = previouses[index];
        if (previous == NONE)
        {
            firsts[bin] = next;
        }
        else
        {
            nexts[previous] = next;
        }
        if (next == NONE)
        {
            lasts[bin] = previous;
        }
        else
        {
            previouses[next] = previous;
        }
        counts[family]--;
        openCount -= family == 0 ? 0 : 1;
    }

    /**
     * How many are posted.
     *
     * @return at least 0.
     */
    public int size()
    {
        return counts[0] + openCount;
    }
}
