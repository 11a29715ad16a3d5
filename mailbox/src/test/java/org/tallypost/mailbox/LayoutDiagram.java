// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The rows "offset length field" of the diagram in a descriptor's source file. */
public final class LayoutDiagram
{
    private static final Pattern ROW = Pattern.compile("^ \\*\\s+(\\d+)\\s+(\\d+)\\s{3}(\\S.*)$");

    private final List<Row> rows = new ArrayList<>();

    private LayoutDiagram()
    {
    }

    public static LayoutDiagram read(final Class<?> descriptor) throws IOException
    {
        final Path source = Path.of("src/main/java", descriptor.getName().replace('.', '/') + ".java");
        final LayoutDiagram diagram = new LayoutDiagram();
        for (final String line : Files.readAllLines(source))
        {
            final Matcher matcher = ROW.matcher(line);
            if (matcher.matches())
            {
                diagram.rows.add(new Row(
                    Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), matcher.group(3).trim()));
            }
        }
        return diagram;
    }

    public List<Row> rows()
    {
        return rows;
    }

    /** Rows from one field to another, both included. */
    public List<Row> rows(final String from, final String to)
    {
        return rows.subList(rows.indexOf(row(from)), rows.indexOf(row(to)) + 1);
    }

    public Row row(final String field)
    {
        return rows.stream().filter((row) -> row.field.startsWith(field)).findFirst()
            .orElseThrow(() -> new AssertionError("no row for field " + field + " in the diagram: " + rows));
    }

    /** A field of the layout. */
    public static final class Row
    {
        public final int offset;
        public final int length;
        final String field;

        Row(final int offset, final int length, final String field)
        {
            this.offset = offset;
            this.length = length;
            this.field = field;
        }

        @Override
        public String toString()
        {
            return offset + "+" + length + " " + field;
        }
    }
}
