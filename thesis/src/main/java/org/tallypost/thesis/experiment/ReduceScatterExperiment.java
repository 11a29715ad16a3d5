// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
 * Figures 7.9 and 7.11: a reduce-scatter in which half of the ranks wait for nothing, without flow control, with both protocols,
 * and with a bound for what dynamic gives one sender.
 */
public final class ReduceScatterExperiment implements Experiment
{
    /** As published at any scale: with fewer each rank has an item of 2 KB, and waits for it. */
    private static final int RANKS = 1024;
    private static final int CREDIT_SLOTS = 2;
    private static final int OPERATIONS = 100;
    private static final List<Integer> SIZES = List.of(64, 32, 16, 8);

    @Override
    public List<String> figures()
    {
        return List.of("7.9", "7.11");
    }

    private static Cell cell(final Rule rule, final int slots)
    {
        return Cell.of(PatternKind.REDUCE_SCATTER, RANKS).rule(rule, slots, CREDIT_SLOTS).withPiggyback().times(0, OPERATIONS, 1);
    }

    private static Cell without(final int operations)
    {
        return Cell.of(PatternKind.REDUCE_SCATTER, RANKS).times(0, operations, 1);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>(List.of(without(OPERATIONS / 2), without(OPERATIONS)));
        for (final int size : SIZES)
        {
            for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.CAPPED))
            {
                cells.add(cell(rule, size));
            }
        }
        return cells;
    }

    private static double us(final Results results, final Rule rule, final int slots)
    {
        return results.of(cell(rule, slots)).timeNs() / 1000;
    }

    private static double least(final Results results, final Rule rule)
    {
        return SIZES.stream().mapToDouble((size) -> us(results, rule, size)).min().orElseThrow();
    }

    private static String listed(final Results results, final Rule rule)
    {
        return rule.label() + " " + String.join(", ", SIZES.stream()
            .map((size) -> String.format(Locale.ROOT, "%d: %,.1f us", size, us(results, rule, size))).toList());
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judge(results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", RANKS);
        parameters.put("vector", Cell.LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("operations", OPERATIONS);
        final List<String> notes = List.of("A reduction to rank 0 in two halves over a binary tree, and from there an item to " +
            "each of the first half of the ranks, as Open MPI does where there are fewer items than ranks. The others wait for " +
            "nothing.");
        return List.of(
            new Sheet("7.9", "Figure 7.9: reduce-scatter", notes, parameters,
            List.of(plot("Reduce-scatter", results, List.of(Rule.STATIC, Rule.DYNAMIC)))),
            new Sheet("7.11", "Figure 7.11: reduce-scatter with at most 62 slots for a sender", notes, parameters,
            List.of(plot("Reduce-scatter, bounded", results, List.of(Rule.STATIC, Rule.DYNAMIC, Rule.CAPPED)))));
    }

    private static Plot plot(final String title, final Results results, final List<Rule> rules)
    {
        final List<Series> series = new ArrayList<>();
        rules.forEach((rule) -> series.add(Curves.series(rule.label(), SIZES, (size) -> us(results, rule, size))));
        return new Plot(title, Plot.Kind.BAR, "slots per process", "time of one operation, us", Curves.positions(SIZES), series);
    }

    private static void judge(final Results results, final Findings findings)
    {
        final int half = results.of(without(OPERATIONS / 2)).peakSlots();
        final int all = results.of(without(OPERATIONS)).peakSlots();
        findings.ordering("7.9-reduce-scatter-memory", all > half + half / 2,
            String.format(Locale.ROOT, "at most %,d packets wait after %d operations, %,d after %d", half, OPERATIONS / 2, all,
            OPERATIONS));
        final String fixed = listed(results, Rule.STATIC);
        final String dynamic = listed(results, Rule.DYNAMIC);
        findings.ordering("7.9-reduce-scatter-static", least(results, Rule.STATIC) < least(results, Rule.DYNAMIC),
            fixed + "; " + dynamic);
        findings.ordering("7.9-reduce-scatter-best", us(results, Rule.STATIC, 32) == least(results, Rule.STATIC), fixed);
        findings.ordering("7.11-bound", Curves.all(SIZES, (size) -> us(results, Rule.CAPPED, size) <
            us(results, Rule.DYNAMIC, size)), listed(results, Rule.CAPPED) + "; " + dynamic);
    }
}
