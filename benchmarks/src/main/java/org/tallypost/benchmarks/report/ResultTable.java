// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;

/**
 * The results of a run as a table for people.
 */
public final class ResultTable
{
    private static final int MAX_WIDTH = 100;
    /** The first column that is about credits. */
    private static final String DELAYED = "delayed";

    private ResultTable()
    {
    }

    /**
     * Writes the table of at most 100 columns (two tables if it takes more), the settings above it, and what there is to say
     * below it.
     *
     * @param plan    of the run.
     * @param results of its flow controls.
     * @return several lines.
     */
    public static String format(final RunPlan plan, final List<FlowResult> results)
    {
        final int keys = keys(plan).size();
        final TextTable table = table(plan, results, keys, Integer.MAX_VALUE);
        final StringBuilder text = new StringBuilder(settings(plan)).append(System.lineSeparator());
        if (table.width() <= MAX_WIDTH)
        {
            text.append(table);
        }
        else
        {
            final int credits = titles(plan).indexOf(DELAYED);
            text.append(table(plan, results, keys, credits)).append(System.lineSeparator())
                .append(table(plan, results, credits, Integer.MAX_VALUE));
        }
        for (final FlowResult result : results)
        {
            if (result.isThesisAlltoall())
            {
                text.append(String.format(
                    Locale.ROOT,
                    "%s: %.2f times the thesis's %.1f ms (1,024 processes on 64 nodes, no flow control)%n",
                    result.wayText(), result.thesisRatio(), FlowResult.THESIS_ALLTOALL_NS / 1e6));
            }
            for (final String network : result.network())
            {
                text.append(result.wayText()).append(", ").append(network)
                    .append(System.lineSeparator());
            }
            if (!result.verified())
            {
                text.append(result.wayText()).append(" NOT VERIFIED: ")
                    .append(result.mismatch() == null ? "messages are missing" : result.mismatch())
                    .append(System.lineSeparator());
            }
        }
        return text.toString();
    }

    /** The columns that say what a row is of, and those of a range. */
    private static TextTable table(
        final RunPlan plan, final List<FlowResult> results, final int from, final int to)
    {
        final int keys = keys(plan).size();
        final TextTable table = new TextTable(range(titles(plan), keys, from, to));
        results.forEach((result) -> table.add(range(cells(plan, result), keys, from, to)));
        return table;
    }

    private static String[] range(final List<String> cells, final int keys, final int from, final int to)
    {
        final List<String> chosen = new ArrayList<>(cells.subList(0, keys));
        chosen.addAll(cells.subList(from, Math.min(to, cells.size())));
        return chosen.toArray(new String[0]);
    }

    private static String settings(final RunPlan plan)
    {
        return String.format(
            Locale.ROOT,
            "%s: %,d ranks in %,d processes%s, %,d active, %,d bytes%s%n%,d slots per sender%s, credit return %s%s, %,d repeats",
            plan.workload().label(), plan.ranks(), plan.processes(), nodes(plan), plan.active(), plan.messageLength(),
            paths(plan), plan.slots(),
            isByPackets(plan) ? String.format(Locale.ROOT, " (%,d of them for credits)", plan.creditSlots()) : "",
            Units.lower(plan.creditReturn()), plan.piggyback() ? " with piggybacking" : "", plan.repeats());
    }

    /** Whether credits travel in packets, which take slots; otherwise they are written into memory that both sides map. */
    private static boolean isByPackets(final RunPlan plan)
    {
        return plan.creditReturn() == CreditReturn.PACKET || plan.nodes().count() > 1;
    }

    /** The path, if there is one that has no column of its own and is not that of most workloads; what is compared. */
    private static String paths(final RunPlan plan)
    {
        final MessagePath only = plan.paths().size() == 1 ? plan.paths().get(0) : MessagePath.RUNS;
        return (only == MessagePath.RUNS ? "" : ", path " + only.label()) + (plan.isAllChecked() ? ", all bytes checked" : "");
    }

    private static String nodes(final RunPlan plan)
    {
        final NodePlan nodes = plan.nodes();
        return nodes.count() == 1 ? "" : String.format(Locale.ROOT, " on %,d nodes %s%s", nodes.count(), nodes.place(),
            nodes.hasFaults() ? String.format(Locale.ROOT, " (loss %.1f%%, duplicates %.1f%%, reordering %.1f%%, seed %d)",
            100 * nodes.loss(), 100 * nodes.duplicates(), 100 * nodes.reordering(), nodes.seed()) : "");
    }

    /** Titles of the columns that say what a row is of. */
    private static List<String> keys(final RunPlan plan)
    {
        return plan.paths().size() > 1 ? List.of("path", "flow") : List.of("flow");
    }

    private static List<String> titles(final RunPlan plan)
    {
        final List<String> titles = new ArrayList<>(keys(plan));
        titles.addAll(List.of("min", "median", "max"));
        if (plan.workload().hasRoundTrips())
        {
            titles.addAll(List.of("rtt p50", "rtt p99", "rtt p99.9"));
        }
        if (plan.workload() == WorkloadKind.RATE)
        {
            titles.add("messages/s");
        }
        titles.addAll(List.of("overhead", "intact", DELAYED, isByPackets(plan) ? "credit packets" : "credit returns", "stolen",
            "mailbox"));
        return titles;
    }

    private static List<String> cells(final RunPlan plan, final FlowResult result)
    {
        final List<String> cells = new ArrayList<>(plan.paths().size() > 1 ? List.of(result.path().label()) : List.of());
        cells.addAll(List.of(
            Units.lower(result.flow()),
            Units.time(result.timeNs().min()),
            Units.time(result.timeNs().median()),
            Units.time(result.timeNs().max())));
        if (plan.workload().hasRoundTrips())
        {
            cells.add(Units.time(result.roundTrips().p50()));
            cells.add(Units.time(result.roundTrips().p99()));
            cells.add(Units.time(result.roundTrips().p999()));
        }
        if (plan.workload() == WorkloadKind.RATE)
        {
            cells.add(Units.count(Math.round(result.ratePerSecond())));
        }
        final boolean isReference = result.flow() == Flow.NONE;
        cells.addAll(List.of(
            isReference ? "reference" : result.overhead() == null ? "-" : Units.signedPercent(result.overhead()),
            result.verified() ? "yes" : "NO",
            Units.percent(result.delayedShare()),
            Units.count(result.creditPackets()),
            Units.count(result.creditsStolen()),
            Units.bytes(result.mailboxBytes())));
        return cells;
    }
}
