// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.Verdict;
import org.tallypost.cli.console.TextTable;
import org.tallypost.report.Environment;

/**
 * The comparison as text: a table for each group, what is invalid in it and why, and the environment.
 */
public final class CompareTable
{
    private static final double MILLION = 1e6;
    private static final double BILLION = 1e9;
    private static final double PER_CENT = 100;

    private CompareTable()
    {
    }

    static String format(
        final List<Row> rows, final Settings settings, final Environment environment, final List<String> notes)
    {
        final StringBuilder text = new StringBuilder();
        for (final Group group : settings.groups())
        {
            final List<Row> members = rows.stream().filter((row) -> row.group().equals(group)).toList();
            if (!members.isEmpty())
            {
                appendGroup(text, group, members, settings);
            }
        }
        text.append("ratios are medians over pairs of adjacent turns with 95 % intervals, seed ").append(settings.seed())
            .append("; a disturbed turn lost more than 2 % of its time to the scheduler or the host")
            .append(System.lineSeparator());
        notes.forEach((note) -> text.append(note).append(System.lineSeparator()));
        return text.append(environment(environment)).toString();
    }

    private static void appendGroup(
        final StringBuilder text, final Group group, final List<Row> rows, final Settings settings)
    {
        final String subject = settings.contestants().get(settings.subject()).label();
        text.append(group.title()).append(", ").append(settings.scope().label()).append(threads(settings)).append(", ")
            .append(settings.slots(group)).append(" slots, ")
            .append(group.mode() == Mode.BANDWIDTH ? "GB/s (more is better)" :
            group.isMoreBetter() ? "M/s (more is better)" : "ns (less is better)")
            .append(group.mode() == Mode.LOAD ? ", 99th percentile of each turn" : "")
            .append(settings.busy() == 0 ? "" : ", beside " + settings.busy() + " busy threads")
            .append("; ratio: ").append(subject).append(" against it")
            .append(System.lineSeparator());
        final TextTable table = new TextTable("transport", "q1", "median", "q3", "disturbed", "turns",
            "ratio", "low", "high", "verdict", "pairs");
        for (final Row row : rows)
        {
            if (row.against() == null)
            {
                table.add(cells(group, row, held(rows, row.transport()), subject).toArray(new String[0]));
            }
        }
        text.append(table);
        rows.stream().filter((row) -> row.jvmSpread() > 0).findFirst().ifPresent((row) -> text.append(String.format(Locale.ROOT,
            "JVMs of one transport differ by %.1f %% (standard deviation), which the intervals hold%n",
            PER_CENT * row.jvmSpread())));
        if (group.hasTimes())
        {
            text.append(times(rows));
        }
        // what a row repeats of one of its two transports is told there
        rows.stream().filter((row) -> row.invalid() != null).filter((row) -> row.against() == null ||
            rows.stream().noneMatch((other) -> other.against() == null && other.invalid() != null &&
            row.invalid().endsWith(other.invalid()))).forEach((row) ->
            text.append("INVALID ").append(row.transport()).append(row.against() == null ? "" : " against " + row.against())
            .append(": ").append(row.invalid()).append(System.lineSeparator()));
        text.append(System.lineSeparator());
    }

    private static List<String> cells(final Group group, final Row row, final Row held, final String subject)
    {
        final List<String> cells = new ArrayList<>(List.of(row.transport()));
        final Quartiles figure = row.figure();
        cells.add(figure == null ? "-" : figure(group, figure.q1()));
        cells.add(figure == null ? "-" : figure(group, figure.median()));
        cells.add(figure == null ? "-" : figure(group, figure.q3()));
        cells.add(String.format(Locale.ROOT, "%.0f %%", PER_CENT * row.disturbedShare()));
        cells.add(Integer.toString(row.turns()));
        final Ratio ratio = held == null ? null : held.ratio();
        cells.add(ratio == null ? "-" : number("%.3f", ratio.median()));
        cells.add(ratio == null ? "-" : number("%.3f", ratio.low()));
        cells.add(ratio == null ? "-" : number("%.3f", ratio.high()));
        cells.add(held != null ? held.verdict().label() : row.invalid() != null ? Verdict.INVALID.label() :
            row.transport().equals(subject) ? "-" : "");
        cells.add(held == null ? "-" : Integer.toString(held.pairs()));
        return cells;
    }

    /** Of all turns together. */
    private static TextTable times(final List<Row> rows)
    {
        final TextTable table = new TextTable("ns", "50 %", "90 %", "99 %", "99.9 %", "max", "times");
        for (final Row row : rows)
        {
            final Times times = row.times();
            if (row.against() == null && times != null)
            {
                table.add(row.transport(), count(times.p50()), count(times.p90()), count(times.p99()), count(times.p999()),
                    count(times.max()), count(times.count()));
            }
        }
        return table;
    }

    private static String count(final long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static Row held(final List<Row> rows, final String transport)
    {
        return rows.stream().filter((row) -> transport.equals(row.against())).findFirst().orElse(null);
    }

    /** Between nodes the figures depend on which thread does the driver's work. */
    private static String threads(final Settings settings)
    {
        return settings.scope() != Scope.NETWORK ? "" :
            settings.spec(settings.groups().get(0), new Contestant(TransportKind.TALLYPOST_ENDPOINT))
            .isDriverInvoked(Runtime.getRuntime().availableProcessors()) ? " (1 thread a node)" : " (2 threads a node)";
    }

    private static String figure(final Group group, final double value)
    {
        return group.mode() == Mode.BANDWIDTH ? number("%.2f", value / BILLION) :
            group.isMoreBetter() ? number("%.2f", value / MILLION) : number("%.1f", value);
    }

    private static String number(final String format, final double value)
    {
        return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "-";
    }

    /**
     * The environment as text.
     *
     * @param environment that was measured in.
     * @return some lines.
     */
    public static String environment(final Environment environment)
    {
        return environment.processor() + ", " + environment.cores() + " cores; " + environment.kernel() + "; " +
            environment.jvm() + System.lineSeparator() +
            "flags: " + String.join(" ", environment.flags()) + System.lineSeparator() +
            "versions: " + environment.versions().entrySet().stream()
            .map((version) -> version.getKey() + " " + version.getValue()).collect(Collectors.joining(", ")) +
            System.lineSeparator();
    }
}
