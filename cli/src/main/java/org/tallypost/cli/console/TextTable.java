// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text: the first column to the left, all others to the right, two spaces between.
 */
public final class TextTable
{
    private final List<String[]> rows = new ArrayList<>();

    /**
     * Creates a table.
     *
     * @param titles of the columns.
     */
    public TextTable(final String... titles)
    {
        rows.add(titles);
    }

    /**
     * Adds a row.
     *
     * @param cells as many as there are titles.
     */
    public void add(final String... cells)
    {
        if (cells.length != rows.get(0).length)
        {
            throw new IllegalArgumentException("found " + cells.length + " cells, expected " + rows.get(0).length);
        }
        rows.add(cells);
    }

    /**
     * Width of the longest line.
     *
     * @return in characters.
     */
    public int width()
    {
        return toString().lines().mapToInt(String::length).max().orElse(0);
    }

    @Override
    public String toString()
    {
        final int columns = rows.get(0).length;
        final int[] widths = new int[columns];
        for (final String[] row : rows)
        {
            for (int i = 0; i < columns; i++)
            {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        final StringBuilder text = new StringBuilder();
        for (final String[] row : rows)
        {
            text.append(row[0]).append(" ".repeat(widths[0] - row[0].length()));
            for (int i = 1; i < columns; i++)
            {
                text.append(" ".repeat(2 + widths[i] - row[i].length())).append(row[i]);
            }
            text.append(System.lineSeparator());
        }
        return text.toString();
    }
}
