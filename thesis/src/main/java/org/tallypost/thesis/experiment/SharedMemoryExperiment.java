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
import org.tallypost.thesis.Sheet;

/**
 * Figure 7.3: an alltoall in which messages within a node go through shared memory and need no slots.
 */
public final class SharedMemoryExperiment implements Experiment
{
    private static final int CREDIT_SLOTS = 2;
    private static final int NODE_RANKS = 16;
    private static final double ALIKE = 5;
    private static final List<Integer> RANKS = List.of(32, 64, 128, 256);
    private static final List<String> NAMES = List.of("50", "25", "12.5", "6.25");
    private static final List<Integer> SIZES = List.of(8, 16, 32, 48);
    private static final int MESSAGES = 256;

    @Override
    public List<String> figures()
    {
        return List.of("7.3");
    }

    private static Cell cell(final int ranks, final Rule rule, final int slots)
    {
        final int times = Math.max(1, MESSAGES / ranks);
        return Cell.of(PatternKind.ALLTOALL, ranks).rule(rule, slots, CREDIT_SLOTS).withSharedMemory()
            .times(2 * times, 4 * times, 1);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final int ranks : RANKS)
        {
            cells.add(cell(ranks, Rule.STATIC, SIZES.get(0)).reference());
            for (final int size : SIZES)
            {
                cells.add(cell(ranks, Rule.STATIC, size));
                cells.add(cell(ranks, Rule.DYNAMIC, size));
            }
        }
        return cells;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final List<Plot> plots = new ArrayList<>();
        final StringBuilder shares = new StringBuilder();
        for (int i = 0; i < RANKS.size(); i++)
        {
            final int ranks = RANKS.get(i);
            final IntToDoubleFunction fixed = (size) -> results.overhead(cell(ranks, Rule.STATIC, size));
            final IntToDoubleFunction dynamic = (size) -> results.overhead(cell(ranks, Rule.DYNAMIC, size));
            final double fixedMean = Curves.mean(SIZES, fixed);
            final double dynamicMean = Curves.mean(SIZES, dynamic);
            findings.ordering("7.3-" + NAMES.get(i),
                i < 2 ? dynamicMean < fixedMean : Math.abs(dynamicMean - fixedMean) <= ALIKE,
                "mean " + Curves.percent(dynamicMean) + " dynamic, " + Curves.percent(fixedMean) + " static; dynamic " +
                Curves.listed(List.of(8, 16, 32, 48), dynamic) + "; static " + Curves.listed(List.of(8, 16, 32, 48), fixed));
            shares.append(i == 0 ? "" : " ").append(100.0 * NODE_RANKS / ranks);
            plots.add(new Plot(NAMES.get(i) + "% of destinations in the same node, " + ranks + " processes", Plot.Kind.LINE,
                "slots per process", "overhead, percent", Curves.positions(SIZES),
                List.of(Curves.series("static", SIZES, fixed), Curves.series("dynamic", SIZES, dynamic))));
        }
        findings.ordering("7.3-shares", shares.toString().equals("50.0 25.0 12.5 6.25"), shares + "%");
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", RANKS);
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("alltoalls", 4 * MESSAGES + " divided by the processes, after half as many");
        return List.of(new Sheet("7.3", "Figure 7.3: destinations reached through shared memory",
            List.of("Processes of a node copy messages to each other; only the rest needs slots."), parameters, plots));
    }
}
