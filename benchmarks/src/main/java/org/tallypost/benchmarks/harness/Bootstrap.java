// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The median of ratios with an interval that says how far another session would differ. It is computed again and again from
 * blocks of cycles that are drawn with replacement, because the machine changes its pace. The interval is widened by what other
 * JVMs would change ({@link TeamSpread}): of teams there are too few to draw from.
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
     * The median and its interval, unless there are too few blocks: their interval would have next to no width, and look exact.
     *
     * @param pairs  of two contestants.
     * @param spread of the teams of all contestants.
     * @param seed   of the draws.
     * @return the ratio, or null with pairs in fewer than {@link Verdict#MIN_BLOCKS} blocks.
     */
    public static Ratio ofBlocks(final List<Pair> pairs, final TeamSpread spread, final long seed)
    {
        return Pair.blocks(pairs) < Verdict.MIN_BLOCKS ? null : of(pairs, spread, seed);
    }

    /**
     * Computes the median and its interval.
     *
     * @param pairs  of two contestants, at least one.
     * @param spread of the teams of all contestants.
     * @param seed   of the draws.
     * @return the same ratio for the same pairs, spread and seed.
     * @throws IllegalArgumentException if there is no pair.
     */
    public static Ratio of(final List<Pair> pairs, final TeamSpread spread, final long seed)
    {
        if (pairs.isEmpty())
        {
            throw new IllegalArgumentException("found no pairs, expected at least one");
        }
        final Pair[] sorted = pairs.toArray(new Pair[0]);
        Arrays.sort(sorted, Comparator.comparingDouble(Pair::ratio));
        final int[] blockNumbers = pairs.stream().mapToInt(Pair::block).distinct().sorted().toArray();
        final int[] blocks = Arrays.stream(sorted).mapToInt((pair) -> Arrays.binarySearch(blockNumbers, pair.block())).toArray();
        final SplittableRandom random = new SplittableRandom(seed);
        final double[] medians = new double[DRAWS];
        for (int draw = 0; draw < DRAWS; draw++)
        {
            medians[draw] = median(sorted, blocks, draw(random, blockNumbers.length));
        }
        Arrays.sort(medians);
        final int[] ones = new int[blockNumbers.length];
        Arrays.fill(ones, 1);
        final double whole = median(sorted, blocks, ones);
        final double jvms = spread.halfWidth(1 + pairs.stream().mapToInt(Pair::team).max().orElse(0),
            1 + pairs.stream().mapToInt(Pair::other).max().orElse(0));
        return new Ratio(
            whole, whole / Math.exp(both(whole / Math.min(whole, Quartiles.at(medians, LOW_SHARE)), jvms)),
            whole * Math.exp(both(Math.max(whole, Quartiles.at(medians, HIGH_SHARE)) / whole, jvms)));
    }

    /** Two independent causes of a difference: of the logarithm their squares add up. */
    private static double both(final double factor, final double halfWidth)
    {
        return Math.hypot(Math.log(factor), halfWidth);
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

    /** Of pairs that count so many times as their block was drawn. */
    private static double median(final Pair[] sorted, final int[] blocks, final int[] times)
    {
        long weight = 0;
        for (final int block : blocks)
        {
            weight += times[block];
        }
        long below = 0;
        double lower = Double.NaN;
        for (int i = 0; i < sorted.length; i++)
        {
            final long own = times[blocks[i]];
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
}
