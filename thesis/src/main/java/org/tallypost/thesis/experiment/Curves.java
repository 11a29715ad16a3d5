// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import org.tallypost.thesis.Series;

/**
 * What can be said of values over sizes of buffers.
 */
final class Curves
{
    private static final double STEADY_POINTS = 1;

    private Curves()
    {
    }

    /** Sizes from one to another, both included. */
    static List<Integer> range(final int from, final int to, final int step)
    {
        return IntStream.iterate(from, (size) -> size <= to, (size) -> size + step).boxed().toList();
    }

    static List<String> positions(final List<Integer> sizes)
    {
        return sizes.stream().map(String::valueOf).toList();
    }

    static Series series(final String label, final List<Integer> sizes, final IntToDoubleFunction value)
    {
        final List<Double> values = new ArrayList<>();
        sizes.forEach((size) -> values.add(value.applyAsDouble(size)));
        return new Series(label, values);
    }

    static double mean(final List<Integer> sizes, final IntToDoubleFunction value)
    {
        return sizes.stream().mapToDouble((size) -> value.applyAsDouble(size)).average().orElse(Double.NaN);
    }

    /** Least size from which on the value stays below a bound, or -1. */
    static int firstBelow(final List<Integer> sizes, final IntToDoubleFunction value, final double bound)
    {
        int found = -1;
        for (final int size : sizes)
        {
            final boolean isBelow = value.applyAsDouble(size) < bound;
            found = !isBelow ? -1 : found < 0 ? size : found;
        }
        return found;
    }

    /** Least size from which on the value stays within a point of the one at the greatest size. */
    static int steadyFrom(final List<Integer> sizes, final IntToDoubleFunction value)
    {
        final double last = value.applyAsDouble(sizes.get(sizes.size() - 1));
        return firstBelow(sizes, (size) -> Math.abs(value.applyAsDouble(size) - last), STEADY_POINTS);
    }

    /** Size before which the value falls most, of sizes from one on. */
    static int steepest(final List<Integer> sizes, final int from, final IntToDoubleFunction value)
    {
        int found = -1;
        double most = 0;
        for (int i = 1; i < sizes.size(); i++)
        {
            final double fall = (value.applyAsDouble(sizes.get(i - 1)) - value.applyAsDouble(sizes.get(i))) /
                (sizes.get(i) - sizes.get(i - 1));
            if (sizes.get(i) >= from && fall > most)
            {
                most = fall;
                found = sizes.get(i);
            }
        }
        return found;
    }

    /** Least size from one on at which the value falls, by the slot, at least half as much as at the steepest place. */
    static int fallBegins(final List<Integer> sizes, final int from, final IntToDoubleFunction value)
    {
        final int steepest = steepest(sizes, from, value);
        final int at = sizes.indexOf(steepest);
        if (at < 1)
        {
            return -1;
        }
        final double most = fall(sizes, at, value);
        for (int i = 1; i < sizes.size(); i++)
        {
            if (sizes.get(i) >= from && fall(sizes, i, value) >= most / 2)
            {
                return sizes.get(i);
            }
        }
        return -1;
    }

    private static double fall(final List<Integer> sizes, final int index, final IntToDoubleFunction value)
    {
        return (value.applyAsDouble(sizes.get(index - 1)) - value.applyAsDouble(sizes.get(index))) /
            (sizes.get(index) - sizes.get(index - 1));
    }

    /** Rank correlation of two functions of the sizes, from -1 to 1; 0 where one of them does not change. */
    static double correlation(final List<Integer> sizes, final IntToDoubleFunction one, final IntToDoubleFunction other)
    {
        final double[] a = ranks(sizes, one);
        final double[] b = ranks(sizes, other);
        final double middle = (sizes.size() - 1) / 2.0;
        double ab = 0;
        double aa = 0;
        double bb = 0;
        for (int i = 0; i < a.length; i++)
        {
            ab += (a[i] - middle) * (b[i] - middle);
            aa += (a[i] - middle) * (a[i] - middle);
            bb += (b[i] - middle) * (b[i] - middle);
        }
        return aa == 0 || bb == 0 ? 0 : ab / Math.sqrt(aa * bb);
    }

    private static double[] ranks(final List<Integer> sizes, final IntToDoubleFunction value)
    {
        return sizes.stream().mapToDouble((size) ->
        {
            final double mine = value.applyAsDouble(size);
            final long less = sizes.stream().filter((other) -> value.applyAsDouble(other) < mine).count();
            final long same = sizes.stream().filter((other) -> value.applyAsDouble(other) == mine).count();
            return less + (same - 1) / 2.0;
        }).toArray();
    }

    static boolean all(final List<Integer> sizes, final IntPredicate holds)
    {
        return sizes.stream().allMatch((size) -> holds.test(size));
    }

    static List<Integer> below(final List<Integer> sizes, final int bound)
    {
        return sizes.stream().filter((size) -> size < bound).toList();
    }

    static List<Integer> from(final List<Integer> sizes, final int bound)
    {
        return sizes.stream().filter((size) -> size >= bound).toList();
    }

    static String percent(final double value)
    {
        return String.format(Locale.ROOT, "%.1f%%", value);
    }

    /** Values at sizes, for people: {@code 8: 3.1%, 16: 2.0%}. */
    static String listed(final List<Integer> sizes, final IntToDoubleFunction value)
    {
        return String.join(", ", sizes.stream().map((size) -> size + ": " + percent(value.applyAsDouble(size))).toList());
    }

    static String size(final int found)
    {
        return found < 0 ? "none" : found + " slots";
    }
}
