// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** Where in the log of the publisher a relay was fed, for the next one to begin at one of these places. One thread. */
final class RelayPlace
{
    private static final int COUNT = 16;

    private final long[] places = new long[COUNT];
    private final long logLength;
    private long count;

    RelayPlace(final int logLength)
    {
        this.logLength = logLength;
    }

    /** A relay begins there. */
    void begin(final long position)
    {
        count = 0;
        onFed(position);
    }

    /** It was fed up to there, where a record begins. One place is kept for each sixteenth of the log, for a whole log. */
    void onFed(final long position)
    {
        if (count == 0 || position - places[index(count - 1)] >= logLength / COUNT)
        {
            places[index(count++)] = position;
        }
    }

    /** The first place from a position on that is not before another one; where the last relay is fed now if there is none. */
    long from(final long position, final long oldest, final long fed)
    {
        long from = position;
        for (long i = Math.max(0, count - COUNT); i < count && from < oldest; i++)
        {
            from = places[index(i)];
        }
        return from < oldest ? fed : from;
    }

    private static int index(final long number)
    {
        return (int)(number % COUNT);
    }
}
