// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.Arrays;
import java.util.Locale;

/**
 * Times of two things measured in turns, and the ratio of their medians: on a machine that does other things too, both
 * meet the same disturbance, and a median does not see the batches during which the thread was off its processor.
 */
final class PairedTimes
{
    private static final int CAPACITY = 1 << 17;

    private final long[] first = new long[CAPACITY];
    private final long[] second = new long[CAPACITY];
    private int count;

    void record(final long firstNs, final long secondNs)
    {
        if (count < CAPACITY)
        {
            first[count] = firstNs;
            second[count] = secondNs;
            count++;
        }
    }

    /** Says the medians for each operation and their ratio, and forgets the times. */
    String report(final String firstName, final String secondName, final int operations)
    {
        final double one = median(first) / operations;
        final double other = median(second) / operations;
        final String text = String.format(Locale.ROOT, "%s %.2f ns, %s %.2f ns, ratio %.3f (medians of %,d batches each)",
            firstName, one, secondName, other, other / one, count);
        count = 0;
        return text;
    }

    private double median(final long[] times)
    {
        Arrays.sort(times, 0, count);
        return times[count / 2];
    }
}
