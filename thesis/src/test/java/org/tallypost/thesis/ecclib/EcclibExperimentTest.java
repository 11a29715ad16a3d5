// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.thesis.Fact;
import org.tallypost.thesis.FactTable;
import org.tallypost.thesis.Finding;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;
import org.tallypost.thesis.Source;

/** What the page about ECCLib says is what a run shows. */
@Tag("once")
class EcclibExperimentTest
{
    private static final FactTable TABLE = FactTable.load(Source.ECCLIB);
    private static final Findings FINDINGS = new Findings(TABLE);

    private static Sheet sheet;

    @BeforeAll
    static void run()
    {
        final EcclibExperiment experiment = new EcclibExperiment(1);
        assertEquals(List.of(), experiment.cells(Scale.FULL));
        sheet = experiment.evaluate(Scale.FULL, null, FINDINGS).get(0);
        for (final Finding finding : FINDINGS.of(EcclibExperiment.FIGURE))
        {
            System.out.println(finding.fact().id() + "|" + finding.agrees() + "|" + finding.simulated());
        }
        for (final Plot plot : sheet.plots())
        {
            System.out.println(plot.title() + " (" + plot.yTitle() + "): " + plot.positions());
            for (final Series series : plot.series())
            {
                System.out.println("  " + series.label() + ": " + series.values().stream().map((value) ->
                    String.format("%.2f", value)).toList());
            }
        }
    }

    @Test
    void shouldJudgeEveryFactAndNameWhatDisagrees()
    {
        final Set<String> differing = new TreeSet<>();
        for (final Finding finding : FINDINGS.of(EcclibExperiment.FIGURE))
        {
            assertEquals(finding.fact().id().equals("incast"), finding.agrees() == null, finding.fact().id());
            if (Boolean.FALSE.equals(finding.agrees()))
            {
                differing.add(finding.fact().id());
            }
        }
        assertEquals(Set.of("butterfly", "crossing", "double-10", "gather-starts", "scatter-10-2", "scatter-10-3", "sweep-100",
            "table-8.3-default", "table-8.3-direct", "volume-roughly"), differing, "docs/thesis/ecclib.md says so");
    }

    @Test
    void shouldSayOfEveryFactWhereItStandsAndWhatWouldShowIt()
    {
        for (final Fact fact : TABLE.facts())
        {
            assertEquals(EcclibExperiment.FIGURE, fact.figure());
            assertTrue(fact.source().matches("sections? [0-9.]+( and [0-9.]+)?(, (equations?|figures?|tables?) .*)?"),
                fact.id() + ": " + fact.source());
            assertFalse(fact.claim().isBlank() || fact.expected().isBlank() || fact.conditions().isBlank(), fact.id());
            assertEquals(fact.value() != null, fact.tolerance() != null, fact.id() + ": a value and a tolerance, or neither");
        }
    }

    /** The headline: a broadcast has one rate for all numbers of receivers, and messages share it. */
    @Test
    void shouldShowThatTheRateDoesNotDependOnTheReceivers()
    {
        for (final Plot plot : sheet.plots().subList(0, 2))
        {
            final List<Double> rudp = plot.series().get(0).values();
            final List<Double> linear = plot.series().get(1).values();
            for (int i = 1; i < rudp.size(); i++)
            {
                assertEquals(1, rudp.get(i) / rudp.get(0), 0.1, plot.title());
                assertEquals(1.0 / (i + 1), linear.get(i) / linear.get(0), 0.02, plot.title());
            }
        }
    }
}
