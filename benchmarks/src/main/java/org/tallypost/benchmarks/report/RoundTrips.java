// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;
import org.tallypost.benchmarks.process.FlowCounts;

/**
 * Distribution of the round trips that had time stamps of their own, in nanoseconds. A stamp costs some 20 ns, which times per
 * operation do not contain: those come from steps without stamps.
 *
 * @param count of round trips.
 * @param p50   half of them took at most this.
 * @param p99   99 % of them took at most this.
 * @param p999  99.9 % of them took at most this.
 * @param max   longest.
 */
public record RoundTrips(long count, long p50, long p99, long p999, long max)
{
    /**
     * Adds up what the workers recorded.
     *
     * @param counts of the workers for one flow control.
     * @return the distribution, or null if nothing was recorded.
     */
    static RoundTrips of(final List<FlowCounts> counts)
    {
        final Histogram sum = new Histogram(3);
        counts.stream().map(FlowCounts::roundTrips).filter(Objects::nonNull).forEach(encoded -> sum.add(decode(encoded)));
        return sum.getTotalCount() == 0 ? null : new RoundTrips(
            sum.getTotalCount(),
            sum.getValueAtPercentile(50),
            sum.getValueAtPercentile(99),
            sum.getValueAtPercentile(99.9),
            sum.getMaxValue());
    }

    private static Histogram decode(final byte[] encoded)
    {
        try
        {
            return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(encoded), 0);
        }
        catch (final DataFormatException ex)
        {
            throw new IllegalStateException("a worker left a histogram that cannot be read", ex);
        }
    }
}
