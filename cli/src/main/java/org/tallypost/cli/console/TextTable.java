// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import java.util.ArrayList;
import java.util.List;

/**
 * A table of text: the first column to the left, all others to the right, two spaces between. One that is wider than 100 columns
 * is written in parts, one below the other, each with the columns that say what a row is of.
 */
public final class TextTable
{
    /** What a terminal shows without breaking lines. */
    public static final int MOST_WIDTH = 100;

    private static final int GAP = 2;

    private final List<String[]> rows = new ArrayList<>();
    private final int keys;

    /**
     * Creates a table in which the first column says what a row is of.
     *
     * @param titles of the columns.
     */
    public TextTable(final String... titles)
    {
        this(1, titles);
    }

    /**
     * Creates a table.
     *
     * @param keys   how many columns say what a row is of, at least one: each part of a wide table has them.
     * @param titles of the columns.
     */
    public TextTable(final int keys, final String... titles)
    {
        this.keys = keys;
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
     * Width of the table in one part.
     *
     * @return in characters.
     */
    public int width()
    {
        return width(widths(), 0, rows.get(0).length);
    }

    private static int width(final int[] widths, final int from, final int to)
    {
        int width = 0;
        for (int i = from; i < to; i++)
        {
            width += widths[i] + (i == from ? 0 : GAP);
        }
        return width;
    }

    private int[] widths()
    {
        final int[] widths = new int[rows.get(0).length];
        for (final String[] row : rows)
        {
            for (int i = 0; i < widths.length; i++)
            {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return widths;
    }

    @Override
    public String toString()
    {
        final int[] widths = widths();
        final int columns = widths.length;
        final StringBuilder text = new StringBuilder();
        if (width() <= MOST_WIDTH)
        {
            write(text, widths, 0, columns);
            return text.toString();
        }
        final int room = MOST_WIDTH - width(widths, 0, keys);
        for (int from = keys; from < columns;)
        {
            int to = from + 1;
            while (to < columns && width(widths, from, to + 1) + GAP <= room)
            {
                to++;
            }
            text.append(from == keys ? "" : System.lineSeparator());
            write(text, widths, from, to);
            from = to;
        }
        return text.toString();
    }

    /** Columns of a range, behind those that say what a row is of. */
    private void write(final StringBuilder text, final int[] widths, final int from, final int to)
    {
        for (final String[] row : rows)
        {
            text.append(row[0]).append(" ".repeat(widths[0] - row[0].length()));
            for (int i = 1; i < to; i++)
            {
                if (i < keys || i >= from)
                {
                    text.append(" ".repeat(GAP + widths[i] - row[i].length())).append(row[i]);
                }
            }
            text.append(System.lineSeparator());
        }
    }
}
