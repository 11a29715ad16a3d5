// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

import org.tallypost.thesis.Cell;
import org.tallypost.thesis.CellResult;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.PatternKind;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Rule;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Sheet;


/**
 * Figures 7.1 and 7.2: how much of the overhead is the protocol's own computing, and how much is waiting and traffic.
 */
public final class PartsExperiment implements Experiment
{
    private static final int CREDIT_SLOTS = 2;
    private static final int PAIR_RANKS = 32;
    private static final int SMALL = 16;
    /** With fewer slots there is no dynamic region, and both protocols are one. */
    private static final int DYNAMIC_FROM = 8;
    private static final double ALIKE = 5;
    private static final List<Integer> SIZES = List.of(8, 16, 64);
    private static final List<Integer> PAIR_SIZES = List.of(4, 8, 12, 16, 24, 32, 40, 48, 57, 64);

    @Override
    public List<String> figures()
    {
        return List.of("7.1", "7.2");
    }

    /** As figure 6.5: section 7.1 says that it is the run of that figure in which all are active. */
    private static Cell alltoall(final Scale scale, final Rule rule, final int slots)
    {
        return ActiveExperiment.cell(scale, scale.alltoallRanks(), rule, slots);
    }

    private static Cell pingPong(final Rule rule, final int slots)
    {
        return Cell.of(PatternKind.MULTI_PINGPONG, PAIR_RANKS).hops(1).rule(rule, slots, CREDIT_SLOTS).times(800, 200, 1);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC))
        {
            cells.add(pingPong(rule, SIZES.get(0)).reference());
            for (final int size : SIZES)
            {
                cells.add(alltoall(scale, rule, size));
                cells.add(alltoall(scale, rule, size).reference());
                cells.add(alltoall(scale, rule, size).withoutComputing());
            }
            for (final int size : PAIR_SIZES)
            {
                cells.add(pingPong(rule, size));
                cells.add(pingPong(rule, size).withoutComputing());
            }
        }
        return cells;
    }

    /** Overhead that vanishes where computing takes no time. */
    private static IntToDoubleFunction computing(final Results results, final IntFunction<Cell> cell)
    {
        return (size) -> results.overhead(cell.apply(size)) - results.overhead(cell.apply(size).withoutComputing());
    }

    private static IntToDoubleFunction waiting(final Results results, final IntFunction<Cell> cell)
    {
        return (size) -> results.overhead(cell.apply(size).withoutComputing());
    }

    private static IntToDoubleFunction total(final Results results, final IntFunction<Cell> cell)
    {
        return (size) -> results.overhead(cell.apply(size));
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judgeAlltoall(scale, results, findings);
        judgePingPong(results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", scale.alltoallRanks() + " in the alltoall, 16 + 16 in the multi-pingpong");
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("repetitions", "alltoall as figure 6.5; multi-pingpong 200 after 800");
        final List<String> notes = List.of("Computing is the difference to a run in which neither the protocol nor the " +
            "writing of its packets takes time: the thesis counts both.");
        return List.of(
            new Sheet("7.1", "Figure 7.1: parts of the overhead, static", notes, parameters,
            List.of(plot("Alltoall, static", SIZES, results, (size) -> alltoall(scale, Rule.STATIC, size)),
            plot("Multi-pingpong, static", PAIR_SIZES, results, (size) -> pingPong(Rule.STATIC, size)))),
            new Sheet("7.2", "Figure 7.2: parts of the overhead, dynamic", notes, parameters,
            List.of(plot("Alltoall, dynamic", SIZES, results, (size) -> alltoall(scale, Rule.DYNAMIC, size)),
            plot("Multi-pingpong, dynamic", PAIR_SIZES, results, (size) -> pingPong(Rule.DYNAMIC, size)))));
    }

    private static Plot plot(
        final String title, final List<Integer> sizes, final Results results, final IntFunction<Cell> cell)
    {
        return new Plot(title, Plot.Kind.STACKED, "slots per process", "overhead, percent", Curves.positions(sizes), List.of(
            Curves.series("waiting and traffic", sizes, waiting(results, cell)),
            Curves.series("computing", sizes, computing(results, cell))));
    }

    private static void judgeAlltoall(final Scale scale, final Results results, final Findings findings)
    {
        final IntFunction<Cell> fixedCell = (size) -> alltoall(scale, Rule.STATIC, size);
        final IntFunction<Cell> dynamicCell = (size) -> alltoall(scale, Rule.DYNAMIC, size);
        final IntToDoubleFunction fixed = total(results, fixedCell);
        final IntToDoubleFunction dynamic = total(results, dynamicCell);
        final String totals = "dynamic " + Curves.listed(SIZES, dynamic) + "; static " + Curves.listed(SIZES, fixed);
        findings.ordering("7.1-alltoall-total", Curves.all(Curves.from(SIZES, SMALL), (size) ->
            Math.abs(dynamic.applyAsDouble(size) - fixed.applyAsDouble(size)) <= ALIKE), totals);
        findings.ordering("7.1-small", Curves.all(Curves.below(SIZES, SMALL), (size) ->
            dynamic.applyAsDouble(size) >= fixed.applyAsDouble(size) &&
            dynamic.applyAsDouble(size) <= fixed.applyAsDouble(size) + ALIKE), totals);
        findings.ordering("7.1-paper-mean", Curves.mean(SIZES, dynamic) > Curves.mean(SIZES, fixed),
            "mean " + Curves.percent(Curves.mean(SIZES, dynamic)) + " dynamic, " + Curves.percent(Curves.mean(SIZES, fixed)) +
            " static");
        final IntToDoubleFunction fixedPart = computing(results, fixedCell);
        final IntToDoubleFunction dynamicPart = computing(results, dynamicCell);
        findings.ordering("7.1-alltoall-computing", Curves.all(SIZES, (size) ->
            Math.abs(dynamicPart.applyAsDouble(size) - fixedPart.applyAsDouble(size)) <= ALIKE),
            "dynamic " + Curves.listed(SIZES, dynamicPart) + "; static " + Curves.listed(SIZES, fixedPart));
    }

    private static void judgePingPong(final Results results, final Findings findings)
    {
        final IntFunction<Cell> fixedCell = (size) -> pingPong(Rule.STATIC, size);
        final IntFunction<Cell> dynamicCell = (size) -> pingPong(Rule.DYNAMIC, size);
        final List<Integer> sizes = Curves.from(PAIR_SIZES, DYNAMIC_FROM);
        final double fixed = Curves.mean(sizes, total(results, fixedCell));
        final double dynamic = Curves.mean(sizes, total(results, dynamicCell));
        findings.ordering("7.2-pingpong-total", dynamic <= fixed / 2,
            "mean " + Curves.percent(dynamic) + " dynamic, " + Curves.percent(fixed) + " static");
        final double fixedPart = Curves.mean(sizes, computing(results, fixedCell));
        final double dynamicPart = Curves.mean(sizes, computing(results, dynamicCell));
        findings.ordering("7.2-pingpong-computing", dynamicPart < fixedPart,
            "mean " + Curves.percent(dynamicPart) + " dynamic, " + Curves.percent(fixedPart) + " static");
        final double fixedPackets = Curves.mean(sizes, (size) -> results.of(fixedCell.apply(size)).creditPackets());
        final double dynamicPackets = Curves.mean(sizes, (size) -> results.of(dynamicCell.apply(size)).creditPackets());
        findings.ordering("7.2-pingpong-packets", dynamicPackets <= fixedPackets / 2,
            String.format(Locale.ROOT, "mean %.0f dynamic, %.0f static", dynamicPackets, fixedPackets));
        final int slots = 32;
        final CellResult last = results.of(dynamicCell.apply(slots));
        // all senders but one are left with their static slots; no rank sends to itself
        final int most = (PAIR_RANKS - 1) * (slots - CREDIT_SLOTS) - (PAIR_RANKS - 2) * CREDIT_SLOTS;
        findings.ordering("7.2-pingpong-mailbox", last.greatestQuota() == most,
            "with 32 slots a quota of " + last.greatestQuota() + ", where " + most + " are possible");
    }
}
