// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

import org.tallypost.thesis.Cell;
import org.tallypost.thesis.CellResult;
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
 * Figure 7.4: how many credits rank 0 has to send to each other one while the pattern changes, in seven phases.
 */
public final class PhasesExperiment implements Experiment
{
    private static final int SLOTS = 30;
    private static final int CREDIT_SLOTS = 2;
    private static final int PHASES = 7;
    /** As published: what a receiver keeps back when a barrier comes follows from how many there were before. */
    private static final int STAY = 100;
    private static final double EVEN = 1.0 / 3;

    @Override
    public List<String> figures()
    {
        return List.of("7.4");
    }

    private static Cell cell(final Scale scale, final Rule rule)
    {
        return Cell.of(PatternKind.PHASES, scale.alltoallRanks()).rule(rule, SLOTS, CREDIT_SLOTS).times(0, 1, STAY);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        return List.of(cell(scale, Rule.DYNAMIC));
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final Cell cell = cell(scale, Rule.DYNAMIC);
        final List<CellResult.Sample> samples = results.of(cell).samples();
        judge(findings, samples, cell.stay());
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", scale.alltoallRanks());
        parameters.put("active in the phases", "all, a quarter, a half, all, a half, a quarter, all");
        parameters.put("alltoalls in a phase", cell.stay());
        parameters.put("slots for each process", SLOTS);
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("message", Cell.LENGTH + " bytes");
        return List.of(new Sheet("7.4", "Figure 7.4: credits that follow a changing pattern",
            List.of("The last point of a phase is after the linear barrier that ends it. Credits at hand, on their way, or of " +
            "packets that are not retrieved yet. Judged are those that rank 0 has to send to others."), parameters,
            List.of(plot("Median of the credits that rank 0 has for others", samples, CellResult.Sample::ofIt,
            CellResult.Group::median), plot("Greatest", samples, CellResult.Sample::ofIt, CellResult.Group::most),
            plot("Least", samples, CellResult.Sample::ofIt, CellResult.Group::least),
            plot("Median of the credits that others have for rank 0", samples, CellResult.Sample::toIt,
            CellResult.Group::median))));
    }

    private static Plot plot(
        final String title,
        final List<CellResult.Sample> samples,
        final Function<CellResult.Sample, List<CellResult.Group>> groups,
        final ToDoubleFunction<CellResult.Group> value)
    {
        final List<Series> series = new ArrayList<>();
        final String[] names = { "with the first quarter", "with the second quarter", "with the second half" };
        for (int i = 0; i < names.length; i++)
        {
            final int group = i;
            series.add(new Series(names[i], samples.stream()
                .map((sample) -> value.applyAsDouble(groups.apply(sample).get(group))).toList()));
        }
        return new Plot(title, Plot.Kind.LINE, "alltoalls", "credits", samples.stream()
            .map((sample) -> sample.iteration() == Math.rint(sample.iteration()) ? String.valueOf((long)sample.iteration()) :
            "barrier").toList(), series);
    }

    /** Median credits after the last alltoall of a phase, from 1, before its barrier. */
    private static int[] medians(final List<CellResult.Sample> samples, final int phase, final int stay)
    {
        return find(samples, phase * stay).ofIt().stream().mapToInt(CellResult.Group::median).toArray();
    }

    private static CellResult.Sample find(final List<CellResult.Sample> samples, final double iteration)
    {
        return samples.stream().filter((sample) -> sample.iteration() == iteration).findFirst().orElseThrow();
    }

    private static boolean areEven(final int a, final int b)
    {
        return Math.abs(a - b) <= EVEN * Math.max(a, b);
    }

    private static void judge(final Findings findings, final List<CellResult.Sample> samples, final int stay)
    {
        final int[][] ends = new int[PHASES + 1][];
        final StringBuilder text = new StringBuilder("medians at the ends of the phases:");
        for (int phase = 1; phase <= PHASES; phase++)
        {
            ends[phase] = medians(samples, phase, stay);
            text.append(phase == 1 ? " " : ", ").append(ends[phase][0]).append('/').append(ends[phase][1]).append('/')
                .append(ends[phase][2]);
        }
        findings.ordering("7.4-gather", ends[2][0] > ends[1][0] && ends[2][1] < ends[1][1] && ends[2][2] < ends[1][2],
            text.toString());
        findings.ordering("7.4-half", areEven(ends[3][0], ends[3][1]) && ends[3][2] < Math.min(ends[3][0], ends[3][1]),
            text.toString());
        boolean areEven = true;
        for (final int phase : new int[]{ 4, 7 })
        {
            areEven &= areEven(ends[phase][0], ends[phase][1]) && areEven(ends[phase][0], ends[phase][2]) &&
                areEven(ends[phase][1], ends[phase][2]);
        }
        findings.ordering("7.4-even", areEven, text.toString());
        findings.ordering("7.4-paper", ends[2][0] > Math.max(ends[2][1], ends[2][2]) && ends[6][0] > Math.max(ends[6][1],
            ends[6][2]) && Math.min(ends[3][0], ends[3][1]) > ends[3][2] && Math.min(ends[5][0], ends[5][1]) > ends[5][2],
            text.toString());
        final double before = find(samples, 2 * stay).ofIt().get(2).mean();
        final double after = find(samples, 2 * stay + 0.5).ofIt().get(2).mean();
        findings.ordering("7.4-barrier", after > before,
            String.format(Locale.ROOT, "mean %.2f before the barrier, %.2f after it", before, after));
    }
}
