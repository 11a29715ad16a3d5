// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

import org.tallypost.benchmarks.report.Environment;
import org.tallypost.benchmarks.report.TextTable;

/**
 * The comparison as text: a table for each group, what is invalid in it and why, and the environment.
 */
public final class CompareTable
{
    private static final double MILLION = 1e6;

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
        notes.forEach((note) -> text.append(note).append(System.lineSeparator()));
        return text.append(environment(environment)).toString();
    }

    private static void appendGroup(
        final StringBuilder text, final Group group, final List<Row> rows, final Settings settings)
    {
        final boolean isTime = group.mode() != Mode.RATE;
        final String states = rows.stream().map(Row::state).filter((state) -> state != null).distinct()
            .map(MachineState::label).collect(Collectors.joining(", "));
        text.append(group.title()).append(", ").append(settings.scope().label()).append(threads(settings)).append(", ")
            .append(settings.slots()).append(" slots, ").append(isTime ? "ns (less is better)" : "M/s (more is better)")
            .append(states.isEmpty() ? "" : ", machine " + states).append(probes(group, rows)).append(System.lineSeparator());
        final TextTable table = isTime ?
            new TextTable("transport", "min", "median", "max", "p50", "p99", "p99.9", "x raw", "x best peer", "rounds", "") :
            new TextTable("transport", "min", "median", "max", "x raw", "x best peer", "rounds", "");
        for (final Row row : rows)
        {
            final List<String> cells = new ArrayList<>(List.of(row.transport()));
            final Spread figure = row.figure();
            cells.add(figure == null ? "-" : figure(group, figure.min()));
            cells.add(figure == null ? "-" : figure(group, figure.median()));
            cells.add(figure == null ? "-" : figure(group, figure.max()));
            if (isTime)
            {
                cells.add(number("%.0f", row.p50Ns()));
                cells.add(number("%.0f", row.p99Ns()));
                cells.add(number("%.0f", row.p999Ns()));
            }
            cells.add(number("%.2f", row.ratioToRaw()));
            cells.add(number("%.2f", row.ratioToBestPeer()));
            cells.add(row.rounds() + "/" + row.roundsRun());
            cells.add((row.invalid() == null ? "" : "INVALID") +
                (row.oversubscribed() ? (row.invalid() == null ? "" : ", ") + "oversubscribed" : ""));
            table.add(cells.toArray(new String[0]));
        }
        text.append(table);
        if (rows.stream().anyMatch(Row::oversubscribed))
        {
            text.append("oversubscribed: more threads than cores; who waits yields, and the scheduler is measured as well")
                .append(System.lineSeparator());
        }
        rows.stream().filter((row) -> row.invalid() != null).forEach((row) ->
            text.append("INVALID ").append(row.transport()).append(": ").append(row.invalid())
            .append(System.lineSeparator()));
        text.append(System.lineSeparator());
    }

    /** Between nodes the figures depend on who does the driver's work. */
    private static String threads(final Settings settings)
    {
        return settings.scope() != Scope.NETWORK ? "" :
            settings.spec(settings.groups().get(0), TransportKind.TALLYPOST_ENDPOINT)
            .isDriverInvoked(Runtime.getRuntime().availableProcessors()) ? " (1 thread a node)" : " (2 threads a node)";
    }

    /** What the raw probe saw in the rounds kept: whoever sets states wants to know. */
    private static String probes(final Group group, final List<Row> rows)
    {
        final double[] probes = rows.stream().flatMap((row) -> row.samples().stream())
            .filter((sample) -> sample.state() != null).mapToDouble((sample) -> sample.run().probe()).toArray();
        return probes.length == 0 ? "" : ", raw probe " + figure(group, Spread.of(probes).median());
    }

    private static String figure(final Group group, final double value)
    {
        return group.mode() != Mode.RATE ?
            number("%.1f", value) : number("%.2f", value / MILLION);
    }

    private static String number(final String format, final Double value)
    {
        return value == null || !Double.isFinite(value) ? "-" : String.format(Locale.ROOT, format, value);
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
