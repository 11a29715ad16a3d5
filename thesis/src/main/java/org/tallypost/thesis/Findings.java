// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Gathers what an experiment finds about its facts. Each is judged once.
 */
public final class Findings
{
    private final FactTable table;
    private final Map<String, Finding> found = new LinkedHashMap<>();

    /**
     * Gathers nothing yet.
     *
     * @param table of all facts.
     */
    public Findings(final FactTable table)
    {
        this.table = table;
    }

    /**
     * A number was found. Whether it agrees follows from the fact alone.
     *
     * @param id    of the fact.
     * @param value found, in the unit of the fact.
     * @param text  for people: the value with its unit.
     */
    public void number(final String id, final double value, final String text)
    {
        final Fact fact = table.fact(id);
        if (!fact.isNumber())
        {
            throw new IllegalArgumentException("fact without a number: " + id);
        }
        put(new Finding(fact, text, fact.admits(value)));
    }

    /**
     * An ordering was judged.
     *
     * @param id     of the fact.
     * @param agrees whether it is as expected.
     * @param text   the numbers that show it.
     */
    public void ordering(final String id, final boolean agrees, final String text)
    {
        put(new Finding(table.fact(id), text, agrees));
    }

    /**
     * A fact could not be judged.
     *
     * @param id  of the fact.
     * @param why for people.
     */
    public void unseen(final String id, final String why)
    {
        put(new Finding(table.fact(id), why, null));
    }

    private void put(final Finding finding)
    {
        if (found.putIfAbsent(finding.fact().id(), finding) != null)
        {
            throw new IllegalStateException("fact judged twice: " + finding.fact().id());
        }
    }

    /**
     * The findings about the facts of a figure; those not judged are there as well.
     *
     * @param figure of the facts.
     * @return in the order of the table.
     */
    public List<Finding> of(final String figure)
    {
        return table.of(figure).stream()
            .map((fact) -> found.getOrDefault(fact.id(), new Finding(fact, "not run", null)))
            .toList();
    }
}
