// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

/**
 * Counts what was dropped, by reason. One thread counts; what another one reads may be a little old.
 */
public final class Drops
{
    private static final Drop[] REASONS = Drop.values();

    private final long[] counts = new long[REASONS.length];

    public void add(final Drop reason)
    {
        add(reason, 1);
    }

    public void add(final Drop reason, final int count)
    {
        counts[reason.ordinal()] += count;
    }

    public long count(final Drop reason)
    {
        return counts[reason.ordinal()];
    }

    public long total()
    {
        long sum = 0;
        for (final long count : counts)
        {
            sum += count;
        }
        return sum;
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("drops=").append(total());
        for (final Drop reason : REASONS)
        {
            if (counts[reason.ordinal()] > 0)
            {
                text.append(", ").append(reason).append('=').append(counts[reason.ordinal()]);
            }
        }
        return text.toString();
    }
}
