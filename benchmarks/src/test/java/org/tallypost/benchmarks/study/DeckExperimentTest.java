// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.tallypost.deck.SizeClass;
import org.tallypost.thesis.Fact;
import org.tallypost.thesis.FactTable;
import org.tallypost.thesis.Finding;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Source;

/** What the page about DECK-GM says is what a run shows. */
class DeckExperimentTest
{
    private static final FactTable TABLE = FactTable.load(Source.DECK);
    private static final Findings FINDINGS = new Findings(TABLE);

    @BeforeAll
    static void run()
    {
        final DeckExperiment experiment = new DeckExperiment();
        assertEquals(List.of(), experiment.cells(Scale.FULL));
        assertEquals(1, experiment.evaluate(Scale.FULL, null, FINDINGS).size());
    }

    @Test
    void shouldJudgeEveryFactAndNameWhatDisagrees()
    {
        final Set<String> differing = new TreeSet<>();
        for (final Finding finding : FINDINGS.of(DeckExperiment.FIGURE))
        {
            assertNotNull(finding.agrees(), finding.fact().id());
            if (!finding.agrees())
            {
                differing.add(finding.fact().id());
            }
        }
        assertEquals(Set.of("crossover", "small-limit", "table-2-16", "table-2-17", "table-2-18", "table-2-19", "table-2-20"),
            differing, "docs/thesis/deck.md says so");
    }

    @Test
    void shouldSayOfEveryFactWhereItStandsAndWhatWouldShowIt()
    {
        for (final Fact fact : TABLE.facts())
        {
            assertEquals(DeckExperiment.FIGURE, fact.figure());
            assertTrue(fact.source().matches("sections? [0-9.]+( and [0-9.]+)?(, (figure|table) [0-9])?"),
                fact.id() + ": " + fact.source());
            assertFalse(fact.claim().isBlank() || fact.expected().isBlank() || fact.conditions().isBlank(), fact.id());
            assertEquals(fact.value() != null, fact.tolerance() != null, fact.id() + ": a value and a tolerance, or neither");
        }
    }

    /** The cause of the wrong rows: the source doubles the row above, and loses 8 bytes for each size below the limit. */
    @Test
    void shouldFindEachWrongRowTwiceTheRowAbove()
    {
        for (int limit = DeckExperiment.FIRST_LIMIT + 1; limit <= SizeClass.MAX; limit++)
        {
            final double doubled = 2 * DeckExperiment.published(limit - 1).value();
            final boolean isRight = DeckExperiment.published(limit).admits(DeckExperiment.poolKibibytes(limit));
            assertEquals(!isRight, Math.abs(DeckExperiment.published(limit).value() - doubled) < 0.03, "limit " + limit);
            final int sizes = limit - SizeClass.MIN;
            assertEquals(10 * 8L * sizes, SizeClass.poolLength(limit, 10) - 2 * SizeClass.poolLength(limit - 1, 10));
        }
    }
}
