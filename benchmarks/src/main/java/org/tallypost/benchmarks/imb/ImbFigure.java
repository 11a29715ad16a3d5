// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.util.ArrayList;
import java.util.List;

import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.Turn;

/**
 * What one contestant needed for a repetition, in nanoseconds.
 *
 * @param average        of its turns: what counts, t_avg by the method of the Intel MPI Benchmarks; null if it had no turn.
 * @param tailNs         99th percentile of its turns' averages.
 * @param leastNs        median over turns of the rank that took least, t_min.
 * @param longestNs      median over turns of the rank that took longest, t_max.
 * @param turns          that it took.
 * @param disturbedShare of its turns, 0 to 1.
 * @param wrong          times that a rank did not have what it should behind a turn.
 * @param invalid        why it cannot be trusted, or null.
 */
record ImbFigure(
    Quartiles average, double tailNs, double leastNs, double longestNs, int turns, double disturbedShare, long wrong,
    String invalid)
{
    private static final double TAIL = 0.99;

    /**
     * Sums up the turns of a contestant.
     *
     * @param cell        that was measured.
     * @param number      of it.
     * @param contestant  number of the contestant.
     * @param outcome     of the session.
     * @return the figure.
     */
    static ImbFigure of(final ImbSpec.Cell cell, final int number, final int contestant, final Session.Outcome outcome)
    {
        final List<Turn> turns =
            outcome.turns().get(number).stream().filter((turn) -> turn.contestant() == contestant).toList();
        final List<long[]> sums = new ArrayList<>();
        outcome.details().stream().filter((detail) -> detail.cell() == number && detail.contestant() == contestant)
            .forEach((detail) -> sums.add(ImbMethod.Sum.parse(detail.text())));
        final long wrong = outcome.wrong()[number][contestant];
        final String failure = outcome.failures().get(contestant);
        final String invalid = wrong > 0 ? "wrong data: " + wrong + " times a rank did not have what it should" :
            failure != null ? failure : turns.isEmpty() ? "it had no turn" : null;
        return new ImbFigure(
            turns.isEmpty() ? null : Quartiles.of(turns.stream().mapToDouble(Turn::figure).toArray()), tail(turns),
            median(sums, 0, cell.repetitions()), median(sums, 1, cell.repetitions()), turns.size(),
            turns.isEmpty() ? 0 : turns.stream().filter(Turn::isDisturbed).count() / (double)turns.size(), wrong, invalid);
    }

    /** By the nearest rank: with fewer than 100 turns it is the longest one. */
    static double tail(final List<Turn> turns)
    {
        final double[] figures = turns.stream().mapToDouble(Turn::figure).sorted().toArray();
        return figures.length == 0 ? Double.NaN : figures[(int)Math.ceil(TAIL * figures.length) - 1];
    }

    private static double median(final List<long[]> sums, final int which, final int repetitions)
    {
        return sums.isEmpty() ? Double.NaN :
            Quartiles.of(sums.stream().mapToDouble((each) -> (double)each[which] / repetitions).toArray()).median();
    }
}
