// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.PatternKind;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Rule;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;

/**
 * Figures 1 and 2 of the conference paper: alltoalls of two, four and eight groups at the same time. The thesis has one group,
 * and lets the others wait.
 */
public final class SimultaneousExperiment implements Experiment
{
    private static final double ACCEPTABLE = 5;
    private static final int MOST_TIMES = 24;
    private static final List<Integer> GROUPS = List.of(2, 4, 8);
    private static final List<String> NAMES = List.of("512", "256", "128");
    private static final List<Integer> IN_TURN_SIZES = List.of(48, 52, 55, 57, 60);
    private static final List<Integer> SIZES = List.of(16, 28, 32, 48, 57);
    private static final List<Integer> DYNAMIC_SIZES = List.of(6, 8, 13, 14, 16, 27, 28, 32);

    @Override
    public List<String> figures()
    {
        return List.of("conference-1", "conference-2");
    }

    private static Cell cell(final Scale scale, final int groups, final Rule rule, final int slots)
    {
        return cell(scale, groups, rule, slots, PatternKind.SIMULTANEOUS);
    }

    private static Cell inTurn(final Scale scale, final int groups, final int slots)
    {
        return cell(scale, groups, Rule.STATIC, slots, PatternKind.SIMULTANEOUS_IN_TURN);
    }

    private static Cell cell(
        final Scale scale, final int groups, final Rule rule, final int slots, final PatternKind pattern)
    {
        final Cell alone = ActiveExperiment.cell(scale, scale.alltoallRanks() / groups, rule, slots);
        return Cell.of(pattern, alone.ranks()).active(alone.active()).rule(rule, slots, alone.creditSlots())
            .times(0, Math.min(MOST_TIMES, alone.iterations()), 1);
    }

    private static List<Integer> sizes(final Rule rule)
    {
        return rule == Rule.STATIC ? SIZES : DYNAMIC_SIZES;
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final int groups : GROUPS)
        {
            for (final int size : IN_TURN_SIZES)
            {
                cells.add(inTurn(scale, groups, size).reference());
                cells.add(inTurn(scale, groups, size));
            }
            for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC))
            {
                for (final int size : sizes(rule))
                {
                    cells.add(cell(scale, groups, rule, size).reference());
                    cells.add(cell(scale, groups, rule, size));
                }
            }
        }
        return cells;
    }

    private static int needed(final Scale scale, final Results results, final int groups)
    {
        return Curves.firstBelow(DYNAMIC_SIZES, overhead(scale, results, groups, Rule.DYNAMIC), ACCEPTABLE);
    }

    private static IntToDoubleFunction overhead(
        final Scale scale, final Results results, final int groups, final Rule rule)
    {
        return (size) -> results.overhead(cell(scale, groups, rule, size));
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        for (int i = 0; i < GROUPS.size(); i++)
        {
            final int groups = GROUPS.get(i);
            final IntToDoubleFunction inTurn = (size) -> results.overhead(inTurn(scale, groups, size));
            final int first = Curves.firstBelow(IN_TURN_SIZES, inTurn, ACCEPTABLE);
            findings.number("conference-1-" + NAMES.get(i), first, "below 5% from " + Curves.size(first) + "; " +
                Curves.listed(IN_TURN_SIZES, inTurn));
            final int dynamic = needed(scale, results, groups);
            findings.ordering("conference-2-" + NAMES.get(i), dynamic > 0 && first > 0 && dynamic <= first / groups,
                Curves.size(dynamic) + " dynamic, " + Curves.size(first) + " static in figure 1; dynamic " +
                Curves.listed(DYNAMIC_SIZES, overhead(scale, results, groups, Rule.DYNAMIC)));
        }
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", scale.alltoallRanks());
        parameters.put("groups", GROUPS);
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("credit slots", ActiveExperiment.CREDIT_SLOTS);
        parameters.put("alltoalls", "as figures 5.9 and 6.5, at most " + MOST_TIMES);
        final List<String> notes = List.of("Each group of ranks does alltoalls of its own, all at the same time. " +
            "Figure 1 with one message after the other, figure 2 and what it is held against with all posted at once.");
        return List.of(
            new Sheet("conference-1", "Figure 1 of the conference paper: static protocol, groups at once", notes, parameters,
            List.of(inTurn(scale, results), plot(scale, results, Rule.STATIC))),
            new Sheet("conference-2", "Figure 2 of the conference paper: dynamic protocol, groups at once", notes, parameters,
            List.of(plot(scale, results, Rule.DYNAMIC))));
    }

    private static Plot inTurn(final Scale scale, final Results results)
    {
        final List<Series> series = new ArrayList<>();
        for (final int groups : GROUPS)
        {
            series.add(Curves.series(groups + " groups of " + scale.alltoallRanks() / groups, IN_TURN_SIZES,
                (size) -> results.overhead(inTurn(scale, groups, size))));
        }
        return new Plot("static protocol, one message after the other", Plot.Kind.LINE, "slots per process", "overhead, percent",
            Curves.positions(IN_TURN_SIZES), series);
    }

    private static Plot plot(final Scale scale, final Results results, final Rule rule)
    {
        final List<Series> series = new ArrayList<>();
        for (final int groups : GROUPS)
        {
            series.add(Curves.series(groups + " groups of " + scale.alltoallRanks() / groups, sizes(rule),
                overhead(scale, results, groups, rule)));
        }
        return new Plot(rule.label() + " protocol", Plot.Kind.LINE, "slots per process", "overhead, percent",
            Curves.positions(sizes(rule)), series);
    }
}
