// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.tallypost.benchmarks.compare.CompareTable;
import org.tallypost.benchmarks.compare.Spread;
import org.tallypost.cli.console.TextTable;
import org.tallypost.report.Environment;

/**
 * A study as text: how it was made, a table for each group, what is invalid in it and why, and the environment.
 */
final class StudyTable
{
    private static final double MILLION = 1e6;

    private StudyTable()
    {
    }

    static String format(
        final List<StudyRow> rows, final List<String> method, final Environment environment)
    {
        final StringBuilder text = new StringBuilder();
        method.forEach((line) -> text.append(line).append(System.lineSeparator()));
        final Map<String, List<StudyRow>> groups = rows.stream()
            .collect(Collectors.groupingBy((row) -> row.series().entry.group(), LinkedHashMap::new, Collectors.toList()));
        groups.forEach((title, members) -> appendGroup(text.append(System.lineSeparator()), title, members));
        return text.append(System.lineSeparator()).append(CompareTable.environment(environment)).toString();
    }

    private static void appendGroup(final StringBuilder text, final String title, final List<StudyRow> rows)
    {
        final Series.Entry entry = rows.get(0).series().entry;
        text.append(title).append(System.lineSeparator()).append(entry.phase() != Phase.RATE ? quiet(rows) : figures(rows));
        rows.forEach((row) -> appendRemarks(text, row));
    }

    private static TextTable figures(final List<StudyRow> rows)
    {
        final TextTable table = new TextTable(2, "transport", "buffer bytes", "file bytes", "slots/sender",
            "M/s: min", "median", "max", "ratio: min", "median", "max", "to", "rounds", "");
        for (final StudyRow row : rows)
        {
            table.add(row.series().entry.transport(), count(row.series().bufferBytes()), count(row.series().fileBytes()),
                count(row.series().slotsPerSender()),
                number(row.figure(), Spread::min, MILLION, 2),
                number(row.figure(), Spread::median, MILLION, 2),
                number(row.figure(), Spread::max, MILLION, 2),
                number(row.ratio(), Spread::min, 1, 3),
                number(row.ratio(), Spread::median, 1, 3),
                number(row.ratio(), Spread::max, 1, 3),
                row.series().reference() == null ? "" : StudyReport.ratioTo(row.series()),
                row.rounds() + "/" + row.samples().size(), mark(row));
        }
        return table;
    }

    private static TextTable quiet(final List<StudyRow> rows)
    {
        final TextTable table = new TextTable(4, "transport", "buffer bytes", "slots/sender", "phase", "ns: p50", "p99", "p99.9",
            "x alone: p99", "min", "max", "p99.9", "M/s", "rounds", "");
        for (final StudyRow row : rows)
        {
            table.add(row.series().entry.transport(), count(row.series().bufferBytes()),
                count(row.series().slotsPerSender()), row.series().entry.phase().label(),
                number(row.p50Ns(), Spread::median, 1, 0),
                number(row.p99Ns(), Spread::median, 1, 0),
                number(row.p999Ns(), Spread::median, 1, 0),
                number(row.ratio(), Spread::median, 1, 2),
                number(row.ratio(), Spread::min, 1, 2),
                number(row.ratio(), Spread::max, 1, 2),
                number(row.ratio999(), Spread::median, 1, 2),
                number(row.figure(), Spread::median, MILLION, 2),
                row.rounds() + "/" + row.samples().size(), mark(row));
        }
        return table;
    }

    private static String mark(final StudyRow row)
    {
        return row.series().notPossible() != null ? "not possible" : row.invalid() != null ? "INVALID" : "";
    }

    private static void appendRemarks(final StringBuilder text, final StudyRow row)
    {
        final Series series = row.series();
        if (series.notPossible() != null && (series.reference() == null || series.entry.phase() == Phase.RATE))
        {
            text.append("not possible, ").append(series.entry.transport()).append(": ").append(series.notPossible())
                .append(System.lineSeparator());
        }
        if (row.invalid() != null)
        {
            text.append("INVALID ").append(series.entry.transport())
                .append(series.entry.phase() == Phase.RATE ? "" : ", " + series.entry.phase().label())
                .append(": ").append(row.invalid()).append(System.lineSeparator());
        }
    }

    private static String count(final long value)
    {
        return value == 0 ? "-" : String.format(Locale.ROOT, "%,d", value);
    }

    private static String number(
        final Spread spread, final ToDoubleFunction<Spread> value, final double scale, final int digits)
    {
        return spread == null ? "-" : number(value.applyAsDouble(spread), scale, digits);
    }

    private static String number(final double value, final double scale, final int digits)
    {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,." + digits + "f", value / scale) : "-";
    }
}
