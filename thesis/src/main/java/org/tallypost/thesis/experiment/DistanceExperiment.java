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
 * Figures 5.3 and 5.4: the static protocol in a multi-pingpong over a short and a long way.
 */
public final class DistanceExperiment implements Experiment
{
    private static final int NEAR = 1;
    private static final int FAR = 14;
    private static final int RANKS = 32;
    private static final int WARMUPS = 4;
    private static final int ITERATIONS = 96;
    private static final int FEW = 30;
    private static final int MANY = 40;
    private static final double ALIKE = 5;
    private static final int LAST = 64;

    /** The reference over a distance. */
    static Cell cell(final int hops)
    {
        return Cell.of(PatternKind.MULTI_PINGPONG, RANKS).hops(hops).times(WARMUPS, ITERATIONS, 1);
    }

    static Cell cell(final int hops, final int creditSlots, final int slots)
    {
        return cell(hops).rule(Rule.STATIC, slots, creditSlots);
    }

    static List<Integer> sizes()
    {
        final List<Integer> sizes = new ArrayList<>(Curves.range(10, 34, 2));
        sizes.addAll(Curves.range(36, LAST, 1));
        return sizes;
    }

    @Override
    public List<String> figures()
    {
        return List.of("5.3", "5.4");
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final int hops : new int[]{ NEAR, FAR })
        {
            cells.add(cell(hops));
            for (int creditSlots = 1; creditSlots <= 5; creditSlots++)
            {
                for (final int size : sizes())
                {
                    cells.add(cell(hops, creditSlots, size));
                }
            }
        }
        return cells;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judgeOverhead(results, findings);
        judgeDelays(results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", "16 + 16, on two nodes of a mesh of 8x8");
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("round trips", ITERATIONS + " after " + WARMUPS);
        final List<String> notes = List.of("Static protocol; one line for each number of credit slots.");
        return List.of(
            new Sheet("5.3", "Figure 5.3: overhead of the static protocol in the multi-pingpong", notes, parameters,
            List.of(overheads(results, NEAR), overheads(results, FAR))),
            new Sheet("5.4", "Figure 5.4: delayed sends in the multi-pingpong", notes, parameters,
            List.of(delays(results, NEAR), delays(results, FAR))));
    }

    private static IntToDoubleFunction overhead(final Results results, final int hops, final int creditSlots)
    {
        return (size) -> results.overhead(cell(hops, creditSlots, size));
    }

    private static IntToDoubleFunction delay(final Results results, final int hops, final int creditSlots)
    {
        return (size) -> results.of(cell(hops, creditSlots, size)).delayedPercent();
    }

    private static double overheadOf(final Results results, final int creditSlots)
    {
        return (Curves.mean(sizes(), overhead(results, NEAR, creditSlots)) +
            Curves.mean(sizes(), overhead(results, FAR, creditSlots))) / 2;
    }

    private static double delayOf(final Results results, final int creditSlots)
    {
        return (Curves.mean(sizes(), delay(results, NEAR, creditSlots)) +
            Curves.mean(sizes(), delay(results, FAR, creditSlots))) / 2;
    }

    private static void judgeOverhead(final Results results, final Findings findings)
    {
        final IntToDoubleFunction near = overhead(results, NEAR, 2);
        final IntToDoubleFunction far = overhead(results, FAR, 2);
        final List<Integer> few = Curves.below(sizes(), FEW);
        findings.ordering("5.3-far", Curves.all(few, (size) -> far.applyAsDouble(size) > near.applyAsDouble(size)),
            "mean below 30 slots, 2 credit slots: " + Curves.percent(Curves.mean(few, near)) + " over 1 hop, " +
            Curves.percent(Curves.mean(few, far)) + " over 14");
        final List<Integer> many = Curves.from(sizes(), MANY);
        findings.ordering("5.3-large",
            Curves.all(many, (size) -> Math.abs(far.applyAsDouble(size) - near.applyAsDouble(size)) <= ALIKE),
            "mean from 40 slots on, 2 credit slots: " + Curves.percent(Curves.mean(many, near)) + " over 1 hop, " +
            Curves.percent(Curves.mean(many, far)) + " over 14");
        final List<Integer> numbers = Curves.range(1, 5, 1);
        final String listed = Curves.listed(numbers, (number) -> overheadOf(results, number));
        final int best = numbers.get(least(numbers, (number) -> overheadOf(results, number)));
        findings.ordering("5.3-one-credit-slot", best == 1, listed);
        findings.ordering("5.3-two-credit-slots", overheadOf(results, 2) - overheadOf(results, 1) <= ALIKE, listed);
        findings.ordering("5.4-waits-are-cheap",
            least(numbers, (number) -> overheadOf(results, number)) != least(numbers, (number) -> delayOf(results, number)),
            "overhead " + listed + "; delayed " + Curves.listed(numbers, (number) -> delayOf(results, number)));
    }

    private static int least(final List<Integer> numbers, final IntToDoubleFunction value)
    {
        int found = 0;
        for (int i = 1; i < numbers.size(); i++)
        {
            found = value.applyAsDouble(numbers.get(i)) < value.applyAsDouble(numbers.get(found)) ? i : found;
        }
        return found;
    }

    private static void judgeDelays(final Results results, final Findings findings)
    {
        final IntToDoubleFunction near = delay(results, NEAR, 2);
        final IntToDoubleFunction far = delay(results, FAR, 2);
        findings.ordering("5.4-distance", Curves.mean(sizes(), far) > Curves.mean(sizes(), near),
            "mean: " + Curves.percent(Curves.mean(sizes(), near)) + " over 1 hop, " +
            Curves.percent(Curves.mean(sizes(), far)) + " over 14");
        final int nearEnd = noDelayFrom(results, NEAR, 2);
        final int farEnd = noDelayFrom(results, FAR, 2);
        findings.ordering("5.4-break-even", nearEnd == farEnd && nearEnd > 0,
            "2 credit slots: " + Curves.size(nearEnd) + " over 1 hop, " + Curves.size(farEnd) + " over 14");
        boolean isFalling = true;
        for (int creditSlots = 2; creditSlots <= 5; creditSlots++)
        {
            isFalling &= delayOf(results, creditSlots) <= delayOf(results, creditSlots - 1);
        }
        findings.ordering("5.4-credit-slots", isFalling,
            Curves.listed(Curves.range(1, 5, 1), (number) -> delayOf(results, number)));
    }

    /** Least size from which on nothing is delayed. */
    static int noDelayFrom(final Results results, final int hops, final int creditSlots)
    {
        return Curves.firstBelow(sizes(), delay(results, hops, creditSlots), Double.MIN_VALUE);
    }

    private static Plot overheads(final Results results, final int hops)
    {
        final List<Series> series = new ArrayList<>();
        for (int creditSlots = 1; creditSlots <= 5; creditSlots++)
        {
            series.add(Curves.series(name(creditSlots), sizes(), overhead(results, hops, creditSlots)));
        }
        return new Plot(way(hops), Plot.Kind.LINE, "slots per process", "overhead, percent", Curves.positions(sizes()), series);
    }

    private static Plot delays(final Results results, final int hops)
    {
        final List<Series> series = new ArrayList<>();
        for (int creditSlots = 1; creditSlots <= 5; creditSlots++)
        {
            series.add(Curves.series(name(creditSlots), sizes(), delay(results, hops, creditSlots)));
        }
        return new Plot(way(hops), Plot.Kind.LINE, "slots per process", "delayed sends, percent", Curves.positions(sizes()),
            series);
    }

    static String name(final int creditSlots)
    {
        return creditSlots + (creditSlots == 1 ? " credit slot" : " credit slots");
    }

    private static String way(final int hops)
    {
        return hops + (hops == 1 ? " hop" : " hops");
    }
}
