// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All random numbers have fixed seeds: what holds once holds always. */
@Tag("once")
class StatisticsTest
{
    private static final int RUNS = 20;
    private static final int CYCLES_OF_A_BLOCK = 4;
    private static final int CYCLES = 400;
    private static final int TEAMS = 3;
    private static final double TURN_NOISE = 0.05;
    private static final double LUCK = 0.004;

    /**
     * Four contestants with three teams each on a machine that changes its pace by a factor of 3 every few seconds and drifts
     * meanwhile, takes a tenth of the turns up to twice their time away, and compiles one JVM a little better than another.
     */
    private static List<Turn> session(final long seed, final double luckOfJvms, final double... means)
    {
        final Random random = new Random(seed);
        final double[] luck = new double[means.length * TEAMS];
        for (int i = 0; i < luck.length; i++)
        {
            luck[i] = Math.exp(luckOfJvms * random.nextGaussian());
        }
        final TurnOrder order = new TurnOrder(seed,
            IntStream.range(0, TEAMS).toArray(), IntStream.range(TEAMS, luck.length).toArray());
        final List<Turn> turns = new ArrayList<>();
        double pace = 1;
        boolean isFar = false;
        for (int cycle = 0; cycle < CYCLES; cycle++)
        {
            for (final int seat : order.next())
            {
                pace *= Math.exp(0.01 * random.nextGaussian());
                isFar ^= random.nextInt(300) == 0;
                final boolean isDisturbed = random.nextInt(10) == 0;
                final double figure = means[seat / TEAMS] * luck[seat] * pace * (isFar ? 3 : 1) *
                    Math.exp(TURN_NOISE * random.nextGaussian()) * (isDisturbed ? 1 + 2 * random.nextDouble() : 1);
                turns.add(
                    new Turn(turns.size(), cycle / CYCLES_OF_A_BLOCK, seat / TEAMS, seat % TEAMS, figure, isDisturbed));
            }
        }
        return turns;
    }

    private static List<List<Pair>> pairs(final List<Turn> turns)
    {
        return List.of(Pair.of(turns, 0, 1), Pair.of(turns, 0, 2), Pair.of(turns, 0, 3));
    }

    private static int count(final double luck, final double mean, final Verdict expected)
    {
        int count = 0;
        for (int seed = 0; seed < RUNS; seed++)
        {
            final List<List<Pair>> pairs = pairs(session(seed, luck, mean, 1, 2, 0.5));
            assertTrue(pairs.get(0).size() >= Verdict.MIN_PAIRS);
            count += Verdict.of(Bootstrap.of(pairs.get(0), TeamSpread.of(pairs), seed), false) == expected ? 1 : 0;
        }
        return count;
    }

    private static int count(final double mean, final Verdict expected)
    {
        return count(LUCK, mean, expected);
    }

    @Test
    void shouldCallAContestantWorseThatIsFivePercentSlower()
    {
        assertTrue(count(1.05, Verdict.WORSE) >= 19);
    }

    @Test
    void shouldCallAContestantBetterThatIsFivePercentFaster()
    {
        assertTrue(count(1 / 1.05, Verdict.BETTER) >= 19);
    }

    @Test
    void shouldFindNoDifferenceToATwin()
    {
        assertTrue(count(1, Verdict.NO_DIFFERENCE) >= 19);
    }

    /** As far apart as JVMs are at a rate of messages of 48 bytes. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.07})
    void shouldFindNoDifferenceToATwinWhoseJvmsDiffer(final double luck)
    {
        final int found = count(luck, 1, Verdict.NO_DIFFERENCE);
        assertTrue(found >= 19, "found " + found);
    }

    @Test
    void shouldFindWhatIsFarSlowerAlsoIfJvmsDiffer()
    {
        assertTrue(count(0.02, 1.15, Verdict.WORSE) >= 19);
        assertTrue(count(0.07, 1.5, Verdict.WORSE) >= 19);
    }

    @Test
    void shouldEstimateHowFarJvmsAreApart()
    {
        double sum = 0;
        for (int seed = 0; seed < 200; seed++)
        {
            final TeamSpread spread = TeamSpread.of(pairs(session(seed, 0.07, 1, 1, 2, 0.5)));
            assertEquals(4 * (TEAMS - 1), spread.degrees());
            sum += spread.variance();
        }
        assertEquals(0.07, Math.sqrt(sum / 200), 0.007);
        assertEquals(TeamSpread.UNKNOWN, TeamSpread.of(List.of(List.of(), List.of(new Pair(0, 0, 0, 1), new Pair(0, 1, 0, 1)))));
        final List<Pair> missing = List.of(new Pair(0, 0, 0, 1), new Pair(0, 1, 1, 1), new Pair(0, 0, 1, 1));
        assertEquals(TeamSpread.UNKNOWN, TeamSpread.of(List.of(missing)));
        final List<Pair> others = new ArrayList<>(missing);
        others.addAll(List.of(new Pair(0, 2, 0, Math.exp(0.2)), new Pair(0, 2, 1, Math.exp(0.2))));
        // team 1 never met team 0 of the other: of the other two one is at 1 and one at e to the 0.2
        assertEquals(0.01, TeamSpread.of(List.of(others)).variance(), 1e-9);
        assertEquals(2, TeamSpread.of(List.of(others)).degrees());
    }

    @Test
    void shouldWidenTheIntervalByStudentsDistribution()
    {
        assertEquals(0, TeamSpread.UNKNOWN.halfWidth(1, 1));
        assertEquals(2.776 * 0.1, new TeamSpread(0.01, 4).halfWidth(2, 2), 1e-9);
        assertEquals(2.042 * 0.1 * Math.sqrt(0.5), new TeamSpread(0.01, 30).halfWidth(4, 4), 1e-9);
        assertEquals(1.960 * 0.1 * Math.sqrt(0.5), new TeamSpread(0.01, 31).halfWidth(4, 4), 1e-9);
        final List<Pair> same = List.of(new Pair(0, 0, 0, 2), new Pair(0, 1, 1, 2));
        final Ratio ratio = Bootstrap.of(same, new TeamSpread(0.01, 4), 1);
        assertEquals(2, ratio.median());
        assertEquals(2 * Math.exp(0.2776), ratio.high(), 1e-9);
        assertEquals(2 / Math.exp(0.2776), ratio.low(), 1e-9);
    }

    @Test
    void shouldGiveNoIntervalOfFewBlocks()
    {
        final List<Pair> all = IntStream.range(0, 24).mapToObj((i) -> new Pair(i / 4, 0, 0, 1 + i)).toList();
        assertNull(Verdict.whyTooFew(all.subList(0, 20)));
        assertTrue(Verdict.whyTooFew(all.subList(0, 19)).startsWith("too few pairs: found 19 pairs of turns in 5 blocks"));
        final List<Pair> one = all.stream().map((pair) -> new Pair(0, 0, 0, pair.ratio())).toList();
        final String why = Verdict.whyTooFew(one);
        assertTrue(why.startsWith("too few blocks: found 24 pairs of turns in 1 block, expected at least 20 in 5"), why);
        assertNull(Bootstrap.ofBlocks(one, TeamSpread.UNKNOWN, 1));
        assertNull(Bootstrap.ofBlocks(List.of(), TeamSpread.UNKNOWN, 1));
        assertEquals(Bootstrap.of(all, TeamSpread.UNKNOWN, 1), Bootstrap.ofBlocks(all, TeamSpread.UNKNOWN, 1));
    }

    @Test
    void shouldRepeatTheSameIntervalForTheSameSeed()
    {
        final List<Pair> pairs = Pair.of(session(5, LUCK, 1.1, 1), 0, 1);
        final TeamSpread spread = TeamSpread.of(List.of(pairs));
        assertEquals(Bootstrap.of(pairs, spread, 3), Bootstrap.of(pairs, spread, 3));
        final Ratio one = Bootstrap.of(List.of(new Pair(0, 0, 0, 1.5)), spread, 1);
        assertEquals(1.5, one.median());
        assertEquals(new Ratio(1.5, 1.5, 1.5), Bootstrap.of(List.of(new Pair(0, 0, 0, 1.5)), TeamSpread.UNKNOWN, 1));
        assertThrows(IllegalArgumentException.class, () -> Bootstrap.of(List.of(), spread, 1));
    }

    @Test
    void shouldPairAdjacentTurnsInEitherOrderAndNoOthers()
    {
        final List<Turn> turns = List.of(
            new Turn(0, 0, 0, 0, 10, false),
            new Turn(1, 0, 1, 1, 20, false),
            new Turn(2, 0, 0, 1, 30, true),
            new Turn(3, 1, 2, 0, 5, false),
            new Turn(4, 1, 1, 0, 40, false),
            // the turn with number 5 failed
            new Turn(6, 2, 0, 0, 10, false));
        assertEquals(
            List.of(new Pair(0, 0, 1, 0.5), new Pair(0, 1, 1, 1.5)), Pair.of(turns, 0, 1));
        assertEquals(List.of(new Pair(0, 1, 0, 2), new Pair(0, 1, 1, 2.0 / 3)), Pair.of(turns, 1, 0));
        assertEquals(List.of(new Pair(1, 0, 0, 8)), Pair.of(turns, 1, 2));
        assertEquals(List.of(), Pair.of(turns, 0, 3));
    }

    @Test
    void shouldJudgeByTheInterval()
    {
        assertEquals(Verdict.NO_DIFFERENCE, Verdict.of(new Ratio(0.9, 0.7, 1), true));
        assertEquals(Verdict.NO_DIFFERENCE, Verdict.of(new Ratio(1.015, 1.01, 1.02), true));
        assertEquals(Verdict.BETTER, Verdict.of(new Ratio(1.015, 1.01, 1.021), true));
        assertEquals(Verdict.WORSE, Verdict.of(new Ratio(1.015, 1.01, 1.021), false));
        assertEquals(Verdict.WORSE, Verdict.of(new Ratio(0.95, 0.94, 0.96), true));
        assertEquals(Verdict.BETTER, Verdict.of(new Ratio(0.95, 0.94, 0.96), false));
    }

    @Test
    void shouldSumUpFigures()
    {
        assertEquals(new Quartiles(2, 3, 4), Quartiles.of(5, 1, 3, 2, 4));
        assertEquals(new Quartiles(1.75, 2.5, 3.25), Quartiles.of(1, 2, 3, 4));
        assertEquals(new Quartiles(7, 7, 7), Quartiles.of(7));
        assertThrows(IllegalArgumentException.class, Quartiles::of);
    }
}
