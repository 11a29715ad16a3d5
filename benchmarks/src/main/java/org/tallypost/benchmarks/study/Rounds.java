// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.Collection;

/**
 * How long rounds go on.
 *
 * @param count      of rounds that are run if there is time.
 * @param extra      rounds at most beyond these, while a figure has too few.
 * @param hasEnd     whether there is an end of the time.
 * @param deadlineNs as {@link System#nanoTime} has it, after which no round begins.
 */
record Rounds(int count, int extra, boolean hasEnd, long deadlineNs)
{
    /** Whether a round begins. The first one always does. */
    boolean goOn(final int round, final Collection<Series> series)
    {
        if (round > 0 && hasEnd && System.nanoTime() - deadlineNs >= 0)
        {
            return false;
        }
        return round < count || round < count + extra && StudyRow.isLacking(series);
    }

    /** For the progress: what round it is. */
    String title(final int round)
    {
        return round < count ? "round " + (round + 1) + " of " + count : "extra round " + (round - count + 1);
    }
}
