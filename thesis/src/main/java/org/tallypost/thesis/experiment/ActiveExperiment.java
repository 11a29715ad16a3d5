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
 * Figures 5.9 and 6.5: an alltoall of some of the processes while the others wait, with fixed quotas and with quotas that
 * follow activity.
 */
public final class ActiveExperiment implements Experiment
{
    static final int CREDIT_SLOTS = 2;
    /** The thesis has 150 of all 1,024 processes. */
    private static final int MOST_TIMES = 100;
    private static final int ALL_TIMES = 8;
    private static final double ACCEPTABLE = 5;
    private static final double LITTLE = 5;
    private static final List<Integer> STATIC_SIZES = List.of(8, 16, 30, 32, 48, 52, 55, 57, 60, 64);
    /** Section 5.3 calls receive buffers of fewer slots per process low. */
    private static final int LOW = 30;
    /** Among them a half, a quarter and an eighth of 55. */
    private static final List<Integer> SIZES = List.of(4, 6, 8, 13, 14, 16, 27, 28, 30, 32, 48, 57, 64);
    private static final List<Integer> DYNAMIC_SIZES = List.of(4, 6, 8, 13, 14, 16, 27, 28, 30, 32, 64);
    private static final List<Integer> OWN_SIZES = List.of(8, 32);
    private static final List<Integer> IN_TURN_SIZES = List.of(8, 32);

    @Override
    public List<String> figures()
    {
        return List.of("5.9", "6.5");
    }

    private static List<Integer> parts(final Scale scale)
    {
        return List.of(scale.alltoallRanks(), scale.alltoallRanks() / 2, scale.alltoallRanks() / 4, scale.alltoallRanks() / 8);
    }

    private static List<Integer> sizes(final Scale scale, final int active, final Rule rule)
    {
        final List<Integer> sizes = rule == Rule.STATIC ? SIZES : rule == Rule.DYNAMIC ? DYNAMIC_SIZES : OWN_SIZES;
        return active > scale.alltoallRanks() / 4 ? Curves.from(sizes, 8) : sizes;
    }

    /** All messages posted at once. From the first alltoall on, as a program would time a number of them. */
    static Cell cell(final Scale scale, final int active, final Rule rule, final int slots)
    {
        final int times = rule == Rule.STATIC ? BalancedExperiment.alltoalls(CREDIT_SLOTS, slots) :
            Math.min(MOST_TIMES, ALL_TIMES * (scale.alltoallRanks() / active));
        return Cell.of(PatternKind.ALLTOALL, scale.alltoallRanks()).active(active).rule(rule, slots, CREDIT_SLOTS)
            .times(0, times, 1);
    }

    /** One message after the other, as chapter 5 describes it for the static protocol. */
    static Cell inTurn(final Scale scale, final int active, final Rule rule, final int slots)
    {
        final Cell cell = cell(scale, active, rule, slots);
        return Cell.of(PatternKind.ALLTOALL_IN_TURN, cell.ranks()).active(active).rule(rule, slots, CREDIT_SLOTS)
            .times(0, cell.iterations(), 1);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.OWN))
        {
            IN_TURN_SIZES.forEach((size) -> cells.add(inTurn(scale, scale.alltoallRanks(), rule, size).reference()));
            IN_TURN_SIZES.forEach((size) -> cells.add(inTurn(scale, scale.alltoallRanks(), rule, size)));
        }
        for (final int active : parts(scale))
        {
            for (final int size : STATIC_SIZES)
            {
                cells.add(inTurn(scale, active, Rule.STATIC, size).reference());
                cells.add(inTurn(scale, active, Rule.STATIC, size));
            }
            for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.OWN))
            {
                for (final int size : sizes(scale, active, rule))
                {
                    cells.add(cell(scale, active, rule, size).reference());
                    cells.add(cell(scale, active, rule, size));
                }
            }
        }
        return cells;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judgeStatic(scale, results, findings);
        judgeDynamic(scale, results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", scale.alltoallRanks());
        parameters.put("active", parts(scale));
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("alltoalls", "static: as many as the threshold has slots; dynamic: " + ALL_TIMES +
            " of all, more of a part, at most " + MOST_TIMES);
        return List.of(
            new Sheet("5.9", "Figure 5.9: static protocol, some of the processes active",
            List.of("The first ranks are active, node by node. One message after the other, as chapter 5 describes it; beside " +
            "it all messages of an alltoall posted at once."), parameters,
            List.of(inTurnByPart(scale, results), plot(scale, results, Rule.STATIC))),
            new Sheet("6.5", "Figure 6.5: dynamic protocol, some of the processes active",
            List.of("All messages of an alltoall are posted at once, and each goes as far as its credits take it, for the " +
            "static protocol that it is held against as well. Beside the published protocol, this project's own; and both " +
            "where a message has to be on its way before the next one is posted."), parameters,
            List.of(plot(scale, results, Rule.DYNAMIC), plot(scale, results, Rule.OWN), inTurn(scale, results))));
    }

    private static Plot inTurnByPart(final Scale scale, final Results results)
    {
        final List<Series> series = new ArrayList<>();
        for (final int active : parts(scale))
        {
            series.add(Curves.series(active + " of " + scale.alltoallRanks() + " active", STATIC_SIZES, (size) ->
                results.overhead(inTurn(scale, active, Rule.STATIC, size))));
        }
        return new Plot("static protocol, one message after the other", Plot.Kind.LINE, "slots per process", "overhead, percent",
            Curves.positions(STATIC_SIZES), series);
    }

    private static Plot inTurn(final Scale scale, final Results results)
    {
        final List<Series> series = new ArrayList<>();
        for (final Rule rule : List.of(Rule.STATIC, Rule.DYNAMIC, Rule.OWN))
        {
            series.add(Curves.series(rule.label(), IN_TURN_SIZES, (size) ->
                results.overhead(inTurn(scale, scale.alltoallRanks(), rule, size))));
        }
        return new Plot("All active, one message after the other", Plot.Kind.BAR, "slots per process", "overhead, percent",
            Curves.positions(IN_TURN_SIZES), series);
    }

    private static IntToDoubleFunction overhead(
        final Scale scale, final Results results, final int active, final Rule rule)
    {
        return (size) -> results.overhead(cell(scale, active, rule, size));
    }

    private static IntToDoubleFunction overheadInTurn(final Scale scale, final Results results, final int active)
    {
        return (size) -> results.overhead(inTurn(scale, active, Rule.STATIC, size));
    }

    private static int needed(final Scale scale, final Results results, final int active)
    {
        return Curves.firstBelow(
            sizes(scale, active, Rule.DYNAMIC), overhead(scale, results, active, Rule.DYNAMIC), ACCEPTABLE);
    }

    /** What static needs in figure 5.9, figure 1 of the paper, with which the paper compares. */
    private static int neededInTurn(final Scale scale, final Results results, final int active)
    {
        return Curves.firstBelow(STATIC_SIZES, overheadInTurn(scale, results, active), ACCEPTABLE);
    }

    private static void judgeStatic(final Scale scale, final Results results, final Findings findings)
    {
        final int[] published = { 1024, 512, 256, 128 };
        final StringBuilder text = new StringBuilder();
        int most = 0;
        for (int i = 0; i < published.length; i++)
        {
            final int active = parts(scale).get(i);
            final IntToDoubleFunction overhead = overheadInTurn(scale, results, active);
            final int found = neededInTurn(scale, results, active);
            findings.number("5.9-" + published[i], found, "below 5% from " + Curves.size(found) + " with " + active +
                " active; " + Curves.listed(List.of(30, 48, 52, 55, 57, 64), overhead));
            most = found < 0 ? Integer.MAX_VALUE : Math.max(most, found);
            text.append(i == 0 ? "" : ", ").append(Curves.size(found));
        }
        findings.number("5.9-58", most, text.toString());
        final double waste = 100.0 * (scale.alltoallRanks() - scale.alltoallRanks() / 8) / scale.alltoallRanks();
        findings.number("5.9-waste", waste, Curves.percent(waste));
    }

    private static void judgeDynamic(final Scale scale, final Results results, final Findings findings)
    {
        final String[] shares = { "half", "quarter", "eighth" };
        final int[] published = { 512, 256, 128 };
        for (int i = 0; i < published.length; i++)
        {
            final int active = parts(scale).get(i + 1);
            final IntToDoubleFunction dynamic = overhead(scale, results, active, Rule.DYNAMIC);
            final IntToDoubleFunction fixed = overhead(scale, results, active, Rule.STATIC);
            final List<Integer> small = Curves.from(Curves.below(sizes(scale, active, Rule.DYNAMIC), 48), 6);
            final int few = needed(scale, results, active);
            final int many = neededInTurn(scale, results, active);
            findings.ordering("6.5-" + published[i], few > 0 && few < LOW && Curves.all(small, (size) ->
                dynamic.applyAsDouble(size) < fixed.applyAsDouble(size)), active + " active, below 5% from " +
                Curves.size(few) + "; dynamic " + Curves.listed(List.of(8, 16, 30), dynamic) + "; static " +
                Curves.listed(List.of(8, 16, 30), fixed));
            findings.ordering("6.5-" + shares[i], few > 0 && many > 0 && few <= Math.max(4, many >> i + 1),
                Curves.size(few) + " dynamic, " + Curves.size(many) + " static in figure 5.9, " + active + " active");
        }
        final double thirty = results.overhead(cell(scale, scale.alltoallRanks() / 2, Rule.DYNAMIC, 30));
        findings.ordering("6.5-thirty", thirty < ACCEPTABLE, Curves.percent(thirty));
        final List<Integer> sizes = sizes(scale, scale.alltoallRanks(), Rule.DYNAMIC);
        final IntToDoubleFunction dynamic = overhead(scale, results, scale.alltoallRanks(), Rule.DYNAMIC);
        final IntToDoubleFunction fixed = overhead(scale, results, scale.alltoallRanks(), Rule.STATIC);
        final double more = Curves.mean(sizes, dynamic) - Curves.mean(sizes, fixed);
        findings.ordering("6.5-balanced", more >= 0 && more <= LITTLE, "mean " + Curves.percent(Curves.mean(sizes, dynamic)) +
            " dynamic, " + Curves.percent(Curves.mean(sizes, fixed)) + " static");
        final double least = overhead(scale, results, scale.alltoallRanks() / 4, Rule.DYNAMIC).applyAsDouble(4);
        final double leastFixed = overhead(scale, results, scale.alltoallRanks() / 4, Rule.STATIC).applyAsDouble(4);
        findings.ordering("6.5-no-dynamic-region", Math.abs(least - leastFixed) <= 1,
            "at 4 slots " + Curves.percent(least) + " dynamic, " + Curves.percent(leastFixed) + " static");
    }

    private static Plot plot(final Scale scale, final Results results, final Rule rule)
    {
        final List<Series> series = new ArrayList<>();
        for (final int active : parts(scale))
        {
            final List<Integer> sizes = sizes(scale, active, rule);
            series.add(Curves.series(active + " of " + scale.alltoallRanks() + " active", SIZES, (size) ->
                sizes.contains(size) ? results.overhead(cell(scale, active, rule, size)) : Double.NaN));
        }
        return new Plot(rule == Rule.OWN ? "This project's own rule" : rule.label() + " protocol", Plot.Kind.LINE,
            "slots per process", "overhead, percent", Curves.positions(SIZES), series);
    }
}
