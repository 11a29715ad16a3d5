// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

/**
 * How long rounds go on.
 *
 * @param count      of rounds that are run if there is time.
 * @param hasEnd     whether there is an end of the time.
 * @param deadlineNs as {@link System#nanoTime} has it, after which no round begins.
 */
record Rounds(int count, boolean hasEnd, long deadlineNs)
{
    /** Whether a round begins. The first one always does. */
    boolean goOn(final int round)
    {
        return round == 0 || round < count && (!hasEnd || System.nanoTime() - deadlineNs < 0);
    }

    /** For the progress: what round it is. */
    String title(final int round)
    {
        return "round " + (round + 1) + " of " + count;
    }
}
