// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * All published facts of a source, in the order of their figures. They lie in a file like {@code facts.json}, beside the meaning
 * of the words they use.
 */
public final class FactTable
{
    private final Map<String, Fact> facts = new LinkedHashMap<>();
    private final Map<String, String> words;

    private record Content(Map<String, String> words, List<Fact> facts)
    {
    }

    private FactTable(final Content content)
    {
        words = Collections.unmodifiableMap(content.words());
        for (final Fact fact : content.facts())
        {
            if (facts.put(fact.id(), fact) != null)
            {
                throw new IllegalStateException("fact listed twice: " + fact.id());
            }
        }
    }

    /**
     * Reads the table of a source.
     *
     * @param source of the facts.
     * @return all facts.
     */
    public static FactTable load(final Source source)
    {
        try (InputStream stream = FactTable.class.getResourceAsStream(source.facts()))
        {
            return new FactTable(new ObjectMapper().readValue(stream, Content.class));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * One fact.
     *
     * @param id of it.
     * @return the fact.
     */
    public Fact fact(final String id)
    {
        final Fact fact = facts.get(id);
        if (fact == null)
        {
            throw new IllegalArgumentException("no such fact: " + id);
        }
        return fact;
    }

    /**
     * All facts.
     *
     * @return in the order of the figures.
     */
    public Collection<Fact> facts()
    {
        return Collections.unmodifiableCollection(facts.values());
    }

    /**
     * The facts of a figure.
     *
     * @param figure as the command line names it.
     * @return its facts.
     */
    public List<Fact> of(final String figure)
    {
        return facts.values().stream().filter((fact) -> fact.figure().equals(figure)).toList();
    }

    /**
     * What words like 'a little' are taken to mean.
     *
     * @return words and their meaning.
     */
    public Map<String, String> words()
    {
        return words;
    }
}
