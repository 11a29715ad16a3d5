// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Comparator;
import java.util.List;
import java.util.function.IntToDoubleFunction;

/**
 * By how much the measured times of operations differ from what a model says. Between two lengths it goes evenly from one to the
 * other, both by their logarithms; outside it is that of the nearest length. Of the numbers of members the nearest one counts.
 */
final class MeasuredTimes
{
    private static final Comparator<MeasuredTime> ORDER = Comparator.comparing(MeasuredTime::kind)
        .thenComparing(MeasuredTime::members).thenComparing(MeasuredTime::length).thenComparing(MeasuredTime::algorithm);

    private final List<MeasuredTime> times;

    MeasuredTimes(final List<MeasuredTime> times)
    {
        this.times = times.stream().sorted(ORDER).toList();
    }

    List<MeasuredTime> all()
    {
        return times;
    }

    /** A scan without the member itself moves the same data as one with it. */
    private static Kind measured(final Kind kind)
    {
        return kind == Kind.EXCLUSIVE_SCAN ? Kind.SCAN : kind;
    }

    /** Of the numbers of members for which an operation was measured, the one nearest to some number; 0 if there is none. */
    int nearestMembers(final Kind kind, final int members)
    {
        int nearest = 0;
        for (final MeasuredTime time : times)
        {
            if (time.kind() == measured(kind) && (nearest == 0 || distance(time.members(), members) < distance(nearest, members)))
            {
                nearest = time.members();
            }
        }
        return nearest;
    }

    private static double distance(final int members, final int others)
    {
        return Math.abs(Math.log((double)members / others));
    }

    /**
     * How many times as long an operation took as by the model.
     *
     * @param members as {@link #nearestMembers} says.
     * @param model   the time of a length by the model, for that number of members, in nanoseconds.
     * @return 1 if there are no times of the algorithm.
     */
    double ratio(
        final Kind kind, final Algorithm algorithm, final int members, final double length, final IntToDoubleFunction model)
    {
        MeasuredTime below = null;
        MeasuredTime above = null;
        for (final MeasuredTime time : times)
        {
            if (time.kind() == measured(kind) && time.algorithm() == algorithm && time.members() == members)
            {
                if (time.length() <= length && (below == null || time.length() > below.length()))
                {
                    below = time;
                }
                if (time.length() >= length && (above == null || time.length() < above.length()))
                {
                    above = time;
                }
            }
        }
        if (below == null && above == null)
        {
            return 1;
        }
        if (below == null || above == null || below.length() == above.length())
        {
            return ratio(below == null ? above : below, model);
        }
        final double part = Math.log(length / below.length()) / Math.log((double)above.length() / below.length());
        return Math.pow(ratio(below, model), 1 - part) * Math.pow(ratio(above, model), part);
    }

    private static double ratio(final MeasuredTime time, final IntToDoubleFunction model)
    {
        return time.nanos() / model.applyAsDouble(time.length());
    }
}
