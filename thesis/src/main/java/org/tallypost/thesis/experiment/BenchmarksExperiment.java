// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
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
 * Figures 7.5 to 7.8 and 7.12: the patterns of the Intel MPI benchmarks with less and less memory.
 */
public final class BenchmarksExperiment implements Experiment
{
    private static final int CREDIT_SLOTS = 2;
    private static final double GIB = 1024.0 * 1024 * 1024;
    private static final int SLOT_LENGTH = 64;
    private static final double ACCEPTABLE = 3;
    private static final int ITERATIONS = 100;
    private static final double ALIKE = 5;
    private static final int LEAST = 8;
    private static final List<Integer> SIZES = List.of(64, 32, 16, LEAST);
    private static final List<String> FIGURES = List.of("7.5", "7.6", "7.7", "7.8");
    private static final List<PatternKind> LOCALIZED = List.of(PatternKind.MULTI_PINGPONG, PatternKind.PINGPING,
        PatternKind.SENDRECV, PatternKind.EXCHANGE, PatternKind.BCAST, PatternKind.REDUCE, PatternKind.ALLREDUCE,
        PatternKind.BARRIER);
    private static final List<PatternKind> BALANCED = List.of(PatternKind.ALLTOALL, PatternKind.PAIRWISE);
    private static final List<PatternKind> BULK = List.of(PatternKind.ALLGATHER, PatternKind.ALLGATHERV, PatternKind.GATHER,
        PatternKind.SCATTER);

    @Override
    public List<String> figures()
    {
        return List.of("7.5", "7.6", "7.7", "7.8", "7.12");
    }

    private static List<PatternKind> patterns()
    {
        final List<PatternKind> patterns = new ArrayList<>(LOCALIZED);
        patterns.addAll(BALANCED);
        patterns.addAll(BULK);
        return patterns;
    }

    /** Section 7.4 has 1,024 processes in all figures; here in the one about which the paper gives numbers, 7.8. */
    private static int ranks(final Scale scale, final int slots)
    {
        return slots == LEAST ? scale.pick(scale.ranks(), scale.alltoallRanks()) : scale.alltoallRanks();
    }

    private static Cell cell(final Scale scale, final PatternKind pattern, final Rule rule, final int slots)
    {
        final int ranks = ranks(scale, slots);
        final Cell cell = Cell.of(pattern, ranks).rule(rule, slots, CREDIT_SLOTS).withPiggyback();
        return switch (pattern)
        {
            case ALLTOALL -> ActiveExperiment.cell(scale, scale.alltoallRanks(), rule, slots).ranks(ranks);
            case PAIRWISE, ALLGATHERV -> cell.times(2, 4, 1);
            default -> cell.times(ITERATIONS, ITERATIONS, 1);
        };
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final PatternKind pattern : patterns())
        {
            for (final int size : SIZES)
            {
                for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.OWN))
                {
                    cells.add(cell(scale, pattern, rule, size).reference());
                    cells.add(cell(scale, pattern, rule, size));
                }
            }
        }
        return cells;
    }

    private static double mean(
        final Scale scale, final Results results, final List<PatternKind> patterns, final Rule rule, final int size)
    {
        return patterns.stream().mapToDouble((pattern) -> results.overhead(cell(scale, pattern, rule, size)))
            .average().orElseThrow();
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judge(scale, results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", scale.alltoallRanks() + ", with " + LEAST + " slots " + ranks(scale, LEAST));
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("repetitions", "alltoall as figures 5.9 and 6.5, pairwise and allgatherv 4 after 2, the others " +
            ITERATIONS + " after as many; roots change each time");
        final List<String> notes = List.of("Localized: " + labels(LOCALIZED) + ". Balanced: " + labels(BALANCED) +
            ". Bulk: " + labels(BULK) + ". A barrier after each operation that has a root, and after each alltoall. " +
            "Broadcast and reduction in two halves over a binary tree, pairwise exchange and allgatherv as Open MPI, which the " +
            "thesis names, does them with 2 KB; what is longer than 2 KB goes as bulk. Credits in data packets, where these " +
            "have room: messages of 2 KB have none.");
        final List<Sheet> sheets = new ArrayList<>();
        for (int i = 0; i < SIZES.size(); i++)
        {
            sheets.add(new Sheet(FIGURES.get(i), "Figure " + FIGURES.get(i) + ": the benchmarks with " + SIZES.get(i) +
                " slots per process", notes, parameters, List.of(plot(scale, results, LOCALIZED, "Localized", SIZES.get(i)),
                plot(scale, results, BALANCED, "Balanced", SIZES.get(i)), plot(scale, results, BULK, "Bulk", SIZES.get(i)))));
        }
        final List<Series> means = new ArrayList<>();
        for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.OWN))
        {
            means.add(Curves.series(rule.label(), SIZES, (size) -> mean(scale, results, patterns(), rule, size)));
        }
        sheets.add(new Sheet("7.12", "Figure 7.12: average overhead of all benchmarks", notes, parameters,
            List.of(new Plot("Average overhead", Plot.Kind.BAR, "slots per process", "overhead, percent",
            Curves.positions(SIZES), means))));
        return sheets;
    }

    private static String labels(final List<PatternKind> patterns)
    {
        return String.join(", ", patterns.stream().map(PatternKind::label).toList());
    }

    private static Plot plot(
        final Scale scale, final Results results, final List<PatternKind> patterns, final String title, final int size)
    {
        final List<String> positions = new ArrayList<>(patterns.stream().map(PatternKind::label).toList());
        positions.add("average");
        final List<Series> series = new ArrayList<>();
        for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.OWN))
        {
            final List<Double> values = new ArrayList<>();
            patterns.forEach((pattern) -> values.add(results.overhead(cell(scale, pattern, rule, size))));
            values.add(mean(scale, results, patterns, rule, size));
            series.add(new Series(rule.label(), values));
        }
        return new Plot(title, Plot.Kind.BAR, "", "overhead, percent", positions, series);
    }

    private static void judge(final Scale scale, final Results results, final Findings findings)
    {
        final long published = Scale.FULL.ranks();
        for (int i = 0; i < SIZES.size(); i++)
        {
            final double bytes = published * published * SIZES.get(i) * SLOT_LENGTH / GIB;
            findings.number(FIGURES.get(i) + "-bytes", bytes, bytes + " GB");
        }
        final List<PatternKind> all = patterns();
        final String fixed = "static " + Curves.listed(SIZES, (size) -> mean(scale, results, all, Rule.STATIC, size));
        final String dynamic = "dynamic " + Curves.listed(SIZES, (size) -> mean(scale, results, all, Rule.DYNAMIC, size));
        final String both = dynamic + "; " + fixed;
        final double fixedMost = mean(scale, results, all, Rule.STATIC, 64);
        final double dynamicSixteen = mean(scale, results, all, Rule.DYNAMIC, 16);
        findings.ordering("7.12-static-64", fixedMost <= ACCEPTABLE &&
            mean(scale, results, all, Rule.STATIC, 32) > ACCEPTABLE, fixed);
        findings.ordering("7.12-dynamic-16", dynamicSixteen <= ACCEPTABLE, dynamic);
        findings.ordering("7.12-quarter", dynamicSixteen <= Math.max(fixedMost, ACCEPTABLE), both);
        findings.ordering("7.12-better", Curves.all(SIZES, (size) ->
            mean(scale, results, all, Rule.DYNAMIC, size) <= mean(scale, results, all, Rule.STATIC, size)), both);
        findings.number("7.8-dynamic", mean(scale, results, all, Rule.DYNAMIC, LEAST), dynamic);
        findings.number("7.8-static", mean(scale, results, all, Rule.STATIC, LEAST), fixed);
        findings.ordering("7.5-rma", Curves.all(SIZES, (size) ->
            Math.abs(mean(scale, results, BULK, Rule.STATIC, size)) <= ALIKE &&
            Math.abs(mean(scale, results, BULK, Rule.DYNAMIC, size)) <= ALIKE),
            "dynamic " + Curves.listed(SIZES, (size) -> mean(scale, results, BULK, Rule.DYNAMIC, size)) + "; static " +
            Curves.listed(SIZES, (size) -> mean(scale, results, BULK, Rule.STATIC, size)));
    }
}
