// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One figure or table of the sources, done again.
 *
 * @param figure     as the command line names it.
 * @param title      with what is shown.
 * @param notes      about conditions, and where they differ from the published ones.
 * @param parameters of its runs.
 * @param plots      at least one.
 */
public record Sheet(String figure, String title, List<String> notes, Map<String, Object> parameters, List<Plot> plots)
{
    /** As a reader looks for them, whichever was done first: by chapter and number, what has none before. */
    static final Comparator<Sheet> IN_ORDER = Comparator.comparingInt(Sheet::place);

    /**
     * Keeps the order of the parameters.
     *
     * @param figure     as the command line names it.
     * @param title      with what is shown.
     * @param notes      about conditions.
     * @param parameters in the order in which they are shown.
     * @param plots      at least one.
     */
    public Sheet
    {
        parameters = new LinkedHashMap<>(parameters);
        if (plots.isEmpty())
        {
            throw new IllegalArgumentException("figure without a plot: " + figure);
        }
    }

    /** A table stands behind the figure that has its number. */
    private int place()
    {
        final int dot = figure.indexOf('.');
        if (dot < 0)
        {
            return 0;
        }
        final String chapter = figure.substring(figure.lastIndexOf('-', dot) + 1, dot);
        return (Integer.parseInt(chapter) * 100 + Integer.parseInt(figure.substring(dot + 1))) * 2 +
            (figure.startsWith("table") ? 1 : 0);
    }
}
