// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.tallypost.benchmarks.harness.Bootstrap;
import org.tallypost.benchmarks.harness.Pair;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.TeamSpread;
import org.tallypost.benchmarks.harness.Turn;
import org.tallypost.benchmarks.harness.Verdict;

/**
 * An operation with a length, by Tallypost and by Open MPI.
 *
 * @param cell      that was measured.
 * @param tallypost its figure.
 * @param openMpi   its figure; null if it took no part.
 * @param ratio     of Tallypost's turns to adjacent ones of Open MPI; null if there is none.
 * @param verdict   of the ratio; null if there is none.
 * @param pairs     of adjacent turns.
 * @param raw       of Tallypost's turns to those in which the same team moved nothing but lines, or bytes of the same length, in
 *                  the same cycles; null if there are none.
 * @param invalid   why figure or ratio cannot be trusted, or null.
 */
record ImbRow(
    ImbSpec.Cell cell, ImbFigure tallypost, ImbFigure openMpi, Ratio ratio, Verdict verdict, int pairs, Ratio raw,
    String invalid)
{
    /** Number of Tallypost among the contestants. */
    static final int TALLYPOST = 0;
    /** Number of Open MPI among the contestants. */
    static final int OPEN_MPI = 1;

    /**
     * Makes the rows of all cells.
     *
     * @param spec     that was measured.
     * @param hasMpi   whether Open MPI took part.
     * @param outcome  of the session.
     * @param seed     of the intervals.
     * @return the rows in the order of the cells.
     */
    static List<ImbRow> rows(final ImbSpec spec, final boolean hasMpi, final Session.Outcome outcome, final long seed)
    {
        final List<ImbRow> rows = new ArrayList<>();
        for (int number = 0; number < spec.cells().size(); number++)
        {
            final ImbSpec.Cell cell = spec.cells().get(number);
            final ImbFigure own = ImbFigure.of(cell, number, TALLYPOST, outcome);
            final ImbFigure other = hasMpi ? ImbFigure.of(cell, number, OPEN_MPI, outcome) : null;
            final List<Pair> pairs = Pair.of(outcome.turns().get(number), TALLYPOST, OPEN_MPI);
            rows.add(row(cell, own, other, pairs, raw(spec, number, outcome, seed), seed));
        }
        return rows;
    }

    private static Ratio raw(final ImbSpec spec, final int number, final Session.Outcome outcome, final long seed)
    {
        final ImbSpec.Cell cell = spec.cells().get(number);
        for (int i = 0; i < spec.cells().size(); i++)
        {
            final ImbSpec.Cell other = spec.cells().get(i);
            if (other.call() == cell.call().raw(cell.length()) &&
                (other.call().isWithoutLength() || other.length() == cell.length()))
            {
                return Bootstrap.ofBlocks(
                    pairsInCycles(outcome.turns().get(number), outcome.turns().get(i)), TeamSpread.UNKNOWN, seed);
            }
        }
        return null;
    }

    /** Turns of each team in two cells, each with the next one in the other cell. */
    private static List<Pair> pairsInCycles(
        final List<Turn> turns, final List<Turn> rawTurns)
    {
        final Map<Integer, TreeMap<Long, Turn>> rawOf = new TreeMap<>();
        rawTurns.stream().filter((turn) -> turn.contestant() == TALLYPOST)
            .forEach((turn) -> rawOf.computeIfAbsent(turn.team(), (team) -> new TreeMap<>()).put(turn.number(), turn));
        final List<Pair> pairs = new ArrayList<>();
        for (final Turn turn : turns)
        {
            final TreeMap<Long, Turn> ofTeam = turn.contestant() == TALLYPOST ? rawOf.get(turn.team()) : null;
            final Map.Entry<Long, Turn> next = ofTeam == null ? null : ofTeam.ceilingEntry(turn.number());
            if (next != null && next.getValue().block() == turn.block())
            {
                pairs.add(new Pair(turn.block(), turn.team(), turn.team(), turn.figure() / next.getValue().figure()));
            }
        }
        return pairs;
    }

    private static ImbRow row(
        final ImbSpec.Cell cell, final ImbFigure own, final ImbFigure other, final List<Pair> pairs, final Ratio raw,
        final long seed)
    {
        final String invalid = own.invalid() != null ? "tallypost: " + own.invalid() : other == null ? null :
            other.invalid() != null ? "open-mpi: " + other.invalid() : Verdict.whyTooFew(pairs);
        final Ratio ratio = Bootstrap.ofBlocks(pairs, TeamSpread.of(List.of(pairs)), seed);
        final Verdict verdict = other == null ? null : invalid != null ? Verdict.INVALID : Verdict.of(ratio, false);
        return new ImbRow(cell, own, other, ratio, verdict, pairs.size(), raw, invalid);
    }

    /** Whether the figure of Tallypost can be trusted. */
    boolean isValid()
    {
        return tallypost.invalid() == null;
    }

    /** Times that a rank did not have what it should, of both contestants. */
    long wrong()
    {
        return tallypost.wrong() + (openMpi == null ? 0 : openMpi.wrong());
    }

    /**
     * The geometric mean of the ratios of one length.
     *
     * @param length     in bytes.
     * @param ratio      the mean of the medians.
     * @param operations that have a ratio that is valid.
     */
    record Mean(int length, double ratio, int operations)
    {
    }

    /** For each length, without what is raw; a length without a valid ratio is left out. */
    static List<Mean> means(final List<ImbRow> rows)
    {
        final Map<Integer, List<Double>> logarithms = new TreeMap<>();
        rows.stream().filter((row) -> row.ratio != null && row.invalid == null && !row.cell.call().isRaw()).forEach((row) ->
            logarithms.computeIfAbsent(row.cell.length(), (length) -> new ArrayList<>()).add(Math.log(row.ratio.median())));
        return logarithms.entrySet().stream().map((entry) -> new Mean(entry.getKey(),
            Math.exp(entry.getValue().stream().mapToDouble((value) -> value).average().orElseThrow()),
            entry.getValue().size())).toList();
    }
}
