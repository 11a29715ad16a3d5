// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The median of ratios with an interval that says how far another session would differ: it is computed again and again from
 * blocks of cycles and from teams that are drawn with replacement. Blocks are drawn because the machine changes its pace,
 * teams because one JVM compiles the same code better than another.
 */
public final class Bootstrap
{
    private static final int DRAWS = 2_000;
    private static final double LOW_SHARE = 0.025;
    private static final double HIGH_SHARE = 0.975;

    private Bootstrap()
    {
    }

    /**
     * Computes the median and its interval.
     *
     * @param pairs of two contestants, at least one.
     * @param seed  of the draws.
     * @return the same ratio for the same pairs and seed.
     * @throws IllegalArgumentException if there is no pair.
     */
    public static Ratio of(final List<Pair> pairs, final long seed)
    {
        if (pairs.isEmpty())
        {
            throw new IllegalArgumentException("found no pairs, expected at least one");
        }
        final Pair[] sorted = pairs.toArray(new Pair[0]);
        Arrays.sort(sorted, Comparator.comparingDouble(Pair::ratio));
        final int[] blockNumbers = pairs.stream().mapToInt(Pair::block).distinct().sorted().toArray();
        final int[] blocks = Arrays.stream(sorted).mapToInt((pair) -> Arrays.binarySearch(blockNumbers, pair.block())).toArray();
        final int teams = 1 + pairs.stream().mapToInt(Pair::team).max().orElse(0);
        final int others = 1 + pairs.stream().mapToInt(Pair::other).max().orElse(0);
        final SplittableRandom random = new SplittableRandom(seed);
        final double[] medians = new double[DRAWS];
        int count = 0;
        for (int draw = 0; draw < DRAWS; draw++)
        {
            final double median = median(sorted, blocks,
                draw(random, blockNumbers.length), draw(random, teams), draw(random, others));
            if (!Double.isNaN(median))
            {
                medians[count++] = median;
            }
        }
        final double whole = median(sorted, blocks, ones(blockNumbers.length), ones(teams), ones(others));
        if (count == 0)
        {
            return new Ratio(whole, whole, whole);
        }
        final double[] found = Arrays.copyOf(medians, count);
        Arrays.sort(found);
        return new Ratio(
            whole, Math.min(whole, Quartiles.at(found, LOW_SHARE)), Math.max(whole, Quartiles.at(found, HIGH_SHARE)));
    }

    /** How often each of so many is drawn when as many are drawn. */
    private static int[] draw(final SplittableRandom random, final int count)
    {
        final int[] times = new int[count];
        for (int i = 0; i < count; i++)
        {
            times[random.nextInt(count)]++;
        }
        return times;
    }

    private static int[] ones(final int count)
    {
        final int[] times = new int[count];
        Arrays.fill(times, 1);
        return times;
    }

    /** Of pairs that count so many times as their block and their teams were drawn; not a number if none was. */
    private static double median(
        final Pair[] sorted, final int[] blocks, final int[] blockTimes, final int[] teamTimes, final int[] otherTimes)
    {
        long weight = 0;
        for (int i = 0; i < sorted.length; i++)
        {
            weight += weight(sorted[i], blocks[i], blockTimes, teamTimes, otherTimes);
        }
        if (weight == 0)
        {
            return Double.NaN;
        }
        long below = 0;
        double lower = Double.NaN;
        for (int i = 0; i < sorted.length; i++)
        {
            final long own = weight(sorted[i], blocks[i], blockTimes, teamTimes, otherTimes);
            below += own;
            if (own > 0 && !Double.isNaN(lower))
            {
                return (lower + sorted[i].ratio()) / 2;
            }
            if (2 * below > weight)
            {
                return sorted[i].ratio();
            }
            if (2 * below == weight)
            {
                lower = sorted[i].ratio();
            }
        }
        return lower;
    }

    private static long weight(
        final Pair pair, final int block, final int[] blockTimes, final int[] teamTimes, final int[] otherTimes)
    {
        return (long)blockTimes[block] * teamTimes[pair.team()] * otherTimes[pair.other()];
    }
}
