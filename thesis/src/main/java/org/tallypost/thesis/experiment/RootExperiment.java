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
import org.tallypost.thesis.Sheet;

/**
 * Figure 7.10: a scatterv with a root that changes after more and more repetitions; and the two collectives it is compared with.
 */
public final class RootExperiment implements Experiment
{
    private static final int CREDIT_SLOTS = 2;
    private static final int LONGEST = 50;
    private static final double BAD = 15;
    private static final List<Integer> STAYS = List.of(1, 5, 20, LONGEST);
    private static final List<Integer> SIZES = List.of(16, 32);

    @Override
    public List<String> figures()
    {
        return List.of("7.10");
    }

    private static Cell cell(final Scale scale, final int stay, final Rule rule, final int slots)
    {
        return Cell.of(PatternKind.SCATTERV, scale.ranks()).rule(rule, slots, CREDIT_SLOTS).times(0, 2 * LONGEST, stay);
    }

    private static Cell other(final Scale scale, final PatternKind pattern)
    {
        return Cell.of(pattern, scale.ranks()).rule(Rule.DYNAMIC, 16, CREDIT_SLOTS).times(0, 2 * LONGEST, 1);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final int stay : STAYS)
        {
            cells.add(cell(scale, stay, Rule.STATIC, SIZES.get(0)).reference());
            for (final int size : SIZES)
            {
                cells.add(cell(scale, stay, Rule.STATIC, size));
                cells.add(cell(scale, stay, Rule.DYNAMIC, size));
            }
        }
        cells.add(other(scale, PatternKind.SCATTER).reference());
        cells.add(other(scale, PatternKind.GATHERV).reference());
        cells.add(other(scale, PatternKind.GATHERV));
        return cells;
    }

    private static double us(final Results results, final Cell cell)
    {
        return results.of(cell).timeNs() / 1000;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judge(scale, results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", scale.ranks());
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("operations", 2 * LONGEST);
        final List<Plot> plots = new ArrayList<>();
        for (final int size : SIZES)
        {
            plots.add(new Plot("Scatterv, " + size + " slots per process", Plot.Kind.LINE, "repetitions with the same root",
                "time of one operation, us", Curves.positions(STAYS), List.of(
                Curves.series("no flow control", STAYS, (stay) -> us(results, cell(scale, stay, Rule.STATIC, size).reference())),
                Curves.series("static", STAYS, (stay) -> us(results, cell(scale, stay, Rule.STATIC, size))),
                Curves.series("dynamic", STAYS, (stay) -> us(results, cell(scale, stay, Rule.DYNAMIC, size))))));
        }
        return List.of(new Sheet("7.10", "Figure 7.10: scatterv with a root that stays",
            List.of("The root sends to one process after another, and goes on as soon as its last message is on its way."),
            parameters, plots));
    }

    private static String times(final Results results, final Cell once, final Cell longest)
    {
        return String.format(Locale.ROOT, "%,.1f us at 1 repetition, %,.1f at %d", us(results, once), us(results, longest),
            LONGEST);
    }

    private static void judge(final Scale scale, final Results results, final Findings findings)
    {
        final double fixed = results.overhead(cell(scale, 1, Rule.STATIC, 32));
        final double dynamic = results.overhead(cell(scale, 1, Rule.DYNAMIC, 32));
        findings.ordering("7.10-original", fixed > BAD && dynamic > BAD,
            Curves.percent(dynamic) + " dynamic, " + Curves.percent(fixed) + " static");
        final double first = results.overhead(cell(scale, 1, Rule.DYNAMIC, 16));
        final double last = results.overhead(cell(scale, LONGEST, Rule.DYNAMIC, 16));
        findings.ordering("7.10-dynamic", last < first && last < BAD,
            Curves.percent(first) + " at 1 repetition, " + Curves.percent(last) + " at " + LONGEST);
        final Cell once = cell(scale, 1, Rule.STATIC, 16);
        final Cell longest = cell(scale, LONGEST, Rule.STATIC, 16);
        findings.ordering("7.10-reference", us(results, longest.reference()) > us(results, once.reference()),
            times(results, once.reference(), longest.reference()));
        findings.ordering("7.10-static", us(results, longest) > us(results, once), times(results, once, longest));
        final Cell scatter = other(scale, PatternKind.SCATTER).reference();
        findings.ordering("7.10-scatter", us(results, scatter) < us(results, once.reference()),
            String.format(Locale.ROOT, "%,.1f us scatter, %,.1f us scatterv", us(results, scatter),
            us(results, once.reference())));
        final Cell gatherv = other(scale, PatternKind.GATHERV);
        findings.ordering("7.9-gatherv", us(results, gatherv) < us(results, gatherv.reference()),
            String.format(Locale.ROOT, "%,.1f us dynamic, %,.1f us without flow control", us(results, gatherv),
            us(results, gatherv.reference())));
    }
}
