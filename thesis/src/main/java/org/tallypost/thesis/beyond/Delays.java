// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import java.util.Arrays;

import org.tallypost.fabric.FabricObserver;

/** How long the quiet sender's messages took while the flood went on. */
final class Delays implements FabricObserver
{
    private static final double PERCENT = 100;

    private final long[] delays;
    private int count;
    private int floodLeft;

    Delays(final int most, final int floodMessages)
    {
        delays = new long[most];
        floodLeft = floodMessages;
    }

    @Override
    public void onMessage(final int from, final int to, final long postedPs, final long donePs)
    {
        if (from == Flood.FLOODER)
        {
            floodLeft--;
        }
        else if (floodLeft > 0)
        {
            delays[count++] = donePs - postedPs;
        }
    }

    /** A percentile in picoseconds. */
    double percentile(final double percent)
    {
        if (count == 0)
        {
            throw new IllegalStateException("the quiet sender had the receiver to itself");
        }
        final long[] sorted = Arrays.copyOf(delays, count);
        Arrays.sort(sorted);
        return sorted[(int)Math.min(count - 1L, Math.round(Math.ceil(count * percent / PERCENT)) - 1)];
    }
}
