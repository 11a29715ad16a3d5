// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * Percentiles of times in nanoseconds, of many turns together.
 *
 * @param p50   half of the times are not above.
 * @param p90   90 % of them are not above.
 * @param p99   99 % of them are not above.
 * @param p999  99.9 % of them are not above.
 * @param max   none is above.
 * @param count of times.
 */
record Times(long p50, long p90, long p99, long p999, long max, long count)
{
    /** Longer times count as this one. */
    static final long MAX_NS = 100_000_000_000L;
    /** Significant digits. */
    static final int DIGITS = 3;

    /** Begins the word of a party that tells its times one by one, as ns:1,2,3. */
    private static final String ONE_BY_ONE = "ns:";

    /** A turn's times as a word without blanks. */
    static String encode(final Histogram histogram)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().withoutPadding().encodeToString(Arrays.copyOf(buffer.array(), length));
    }

    /**
     * Sums up turns.
     *
     * @param words of turns, as made by {@link #encode}, or as ns:1,2,3.
     * @return the percentiles; null if there is no turn.
     */
    static Times of(final List<String> words)
    {
        if (words.isEmpty())
        {
            return null;
        }
        final Histogram all = new Histogram(MAX_NS, DIGITS);
        try
        {
            for (final String word : words)
            {
                if (word.startsWith(ONE_BY_ONE))
                {
                    for (final String time : word.substring(ONE_BY_ONE.length()).split(","))
                    {
                        all.recordValue(Math.max(0, Math.min(MAX_NS, Long.parseLong(time))));
                    }
                    continue;
                }
                all.add(Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(word)), 0));
            }
        }
        catch (final DataFormatException | NumberFormatException ex)
        {
            throw new IllegalArgumentException("found a detail that has no times", ex);
        }
        return new Times(all.getValueAtPercentile(50), all.getValueAtPercentile(90), all.getValueAtPercentile(99),
            all.getValueAtPercentile(99.9), all.getMaxValue(), all.getTotalCount());
    }
}
