// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;

import org.junit.jupiter.api.Test;

class FactTableTest
{
    private final FactTable table = FactTable.load(Source.PROTOCOL);

    @Test
    void shouldHoldEveryFigureAndTableThatIsReproduced()
    {
        final List<String> figures = table.facts().stream().map(Fact::figure).distinct().toList();
        assertEquals(List.of("reference", "table-5.1", "5.3", "5.4", "5.5", "5.6", "table-5.2", "5.8", "5.9", "6.5", "6.4",
            "7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "7.12", "7.10", "7.9", "7.11",
            "table-7.1", "conference-1", "conference-2"), figures);
        assertTrue(table.facts().size() >= 100, "facts: " + table.facts().size());
    }

    @Test
    void shouldSayOfEveryFactWhereItStandsAndWhatWouldShowIt()
    {
        for (final Fact fact : table.facts())
        {
            assertTrue(fact.source().matches("(thesis, section [0-9a-z.]+, p\\. [0-9i]+|conference paper, section [IVX.A-D]+)"),
                fact.id() + ": " + fact.source());
            assertFalse(fact.claim().isBlank() || fact.expected().isBlank() || fact.conditions().isBlank(), fact.id());
            assertEquals(fact.value() != null, fact.tolerance() != null, fact.id() + ": a value and a tolerance, or neither");
        }
    }

    @Test
    void shouldJudgeNumbersByToleranceAndBounds()
    {
        final Fact share = fact(50.0, "5%", null, null);
        assertTrue(share.admits(47.5));
        assertTrue(share.admits(52.5));
        assertFalse(share.admits(47.4));
        assertFalse(share.admits(Double.NaN));
        assertTrue(fact(37.0, "1", null, null).admits(38));
        assertFalse(fact(37.0, "1", null, null).admits(39));
        assertTrue(fact(null, null, 55.0, 60.0).admits(55));
        assertFalse(fact(null, null, 55.0, 60.0).admits(61));
        assertFalse(fact(null, null, 55.0, 60.0).admits(54));
        assertFalse(fact(null, null, null, null).isNumber());
    }

    @Test
    void shouldJudgeEachFactOnceAndKeepThoseNotJudged()
    {
        final Findings findings = new Findings(table);
        findings.number("reference-pingpong-1", 51, "51 us");
        findings.ordering("5.3-far", false, "7% against 9%");
        assertThrows(IllegalStateException.class, () -> findings.ordering("5.3-far", true, "again"));
        assertThrows(IllegalArgumentException.class, () -> findings.number("5.3-large", 1, "an ordering"));
        assertThrows(IllegalArgumentException.class, () -> findings.ordering("9.9", true, "not published"));
        assertEquals(true, findings.of("reference").get(0).agrees());
        assertEquals(false, findings.of("5.3").get(0).agrees());
        assertNull(findings.of("5.3").get(1).agrees());
        assertEquals(table.of("5.3").size(), findings.of("5.3").size());
    }

    private static Fact fact(final Double value, final String tolerance, final Double atLeast, final Double atMost)
    {
        return new Fact("id", "figure", "claim", "source", "expected", "conditions", value, tolerance, atLeast, atMost);
    }
}
