// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/**
 * Requests of this rank that have no answer yet: to which rank they went, which listener waits, and until when. Those that are
 * overdue are looked for about each millisecond, and less often if there are very many. One thread.
 */
final class PendingRequests
{
    private static final long LEAST_PERIOD_NS = 1_000_000;
    /** For each request: some tenth of the time goes into looks at most. */
    private static final long PERIOD_NS = 20;

    /** What becomes of a request that ends. */
    interface End
    {
        void on(AnswerListener listener, long correlation);
    }

    private final AnswerListener[] listeners;
    private final int[] ranks;
    private final long[] correlations;
    private final long[] deadlinesNs;
    /** Indexes in use, then free ones. */
    private final int[] indexes;
    /** Of each index the place in that list. */
    private final int[] places;
    private int count;
    private long nextLookNs;

    PendingRequests(final int most, final long nowNs)
    {
        listeners = new AnswerListener[most];
        ranks = new int[most];
        correlations = new long[most];
        deadlinesNs = new long[most];
        indexes = new int[most];
        places = new int[most];
        for (int i = 0; i < most; i++)
        {
            correlations[i] = i;
            indexes[i] = i;
            places[i] = i;
        }
        nextLookNs = nowNs;
    }

    boolean isFull()
    {
        return count == indexes.length;
    }

    int count()
    {
        return count;
    }

    /** The correlation of the next request, which {@link #add} may take. */
    long next()
    {
        return correlations[indexes[count]] + MessageDescriptor.MAX_REQUESTS & Long.MAX_VALUE;
    }

    /** The request with the correlation that {@link #next} has told is out. */
    void add(final int rank, final AnswerListener listener, final long deadlineNs)
    {
        final long correlation = next();
        final int index = indexes[count++];
        correlations[index] = correlation;
        listeners[index] = listener;
        ranks[index] = rank;
        deadlinesNs[index] = deadlineNs;
    }

    /** The listener of a request to a rank, which is over now; null if there is no such request. */
    AnswerListener take(final int rank, final long correlation)
    {
        final int index = MessageDescriptor.index(correlation);
        final boolean isPending = index < listeners.length && listeners[index] != null && correlations[index] == correlation &&
            ranks[index] == rank;
        return isPending ? free(index) : null;
    }

    private AnswerListener free(final int index)
    {
        final AnswerListener listener = listeners[index];
        listeners[index] = null;
        final int place = places[index];
        final int last = indexes[--count];
        indexes[place] = last;
        places[last] = place;
        indexes[count] = index;
        places[index] = count;
        return listener;
    }

    /** Ends all requests to a rank, or all for a negative number. */
    void endAll(final int rank, final End end)
    {
        for (int place = count - 1; place >= 0; place--)
        {
            // an end may begin new requests, which are behind, and end others
            final int index = indexes[place];
            if (place < count && (rank < 0 || ranks[index] == rank))
            {
                end.on(free(index), correlations[index]);
            }
        }
    }

    /** Ends those that are overdue; returns how many. */
    int expire(final long nowNs, final End end)
    {
        if (count == 0 || nowNs - nextLookNs < 0)
        {
            return 0;
        }
        nextLookNs = nowNs + Math.max(LEAST_PERIOD_NS, count * PERIOD_NS);
        int ended = 0;
        for (int place = count - 1; place >= 0; place--)
        {
            final int index = indexes[place];
            // an end may end others
            if (place < count && deadlinesNs[index] - nowNs <= 0)
            {
                ended++;
                end.on(free(index), correlations[index]);
            }
        }
        return ended;
    }
}
