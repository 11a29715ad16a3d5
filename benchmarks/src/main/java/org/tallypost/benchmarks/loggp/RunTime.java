// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

/**
 * How long a program ran.
 *
 * @param ns       from the first rank's start to the last one's end.
 * @param messages the most that a rank has sent and received, divided by two: each takes the overhead o once at the rank. This is
 *                 the m of the model T0 + 2 m o.
 * @param isRight  whether the result was right at all ranks.
 * @param share    of the time for which each rank had a processor, at least.
 */
record RunTime(double ns, double messages, boolean isRight, double share)
{
    /** Of ranks that were there all the time, as simulated ones are. */
    RunTime(final double ns, final double messages, final boolean isRight)
    {
        this(ns, messages, isRight, 1);
    }

    /** Whether the time is that of the ranks, and not of a machine that had other work. */
    boolean isThere()
    {
        return share >= ProcessorShare.LEAST;
    }
}
