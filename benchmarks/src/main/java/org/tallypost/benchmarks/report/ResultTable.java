// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.endpoint.Flow;

/**
 * The results of a run as a table for people.
 */
public final class ResultTable
{
    private ResultTable()
    {
    }

    /**
     * Writes the table, the settings above it, and what there is to say below it.
     *
     * @param plan    of the run.
     * @param results of its flow controls.
     * @return several lines.
     */
    public static String format(final RunPlan plan, final List<FlowResult> results)
    {
        final TextTable table = new TextTable(titles(plan).toArray(new String[0]));
        results.forEach(result -> table.add(cells(plan, result).toArray(new String[0])));
        final StringBuilder text = new StringBuilder(settings(plan)).append(System.lineSeparator()).append(table);
        for (final FlowResult result : results)
        {
            if (result.isThesisAlltoall())
            {
                text.append(String.format(
                    Locale.ROOT,
                    "flow %s: %.2f times the thesis's %.1f ms (1,024 processes on 64 nodes, no flow control)%n",
                    Units.lower(result.flow()), result.thesisRatio(), FlowResult.THESIS_ALLTOALL_NS / 1e6));
            }
            for (final String network : result.network())
            {
                text.append("flow ").append(Units.lower(result.flow())).append(", ").append(network)
                    .append(System.lineSeparator());
            }
            if (!result.verified())
            {
                text.append("flow ").append(Units.lower(result.flow())).append(" NOT VERIFIED: ")
                    .append(result.mismatch() == null ? "messages are missing" : result.mismatch())
                    .append(System.lineSeparator());
            }
        }
        return text.toString();
    }

    private static String settings(final RunPlan plan)
    {
        return String.format(
            Locale.ROOT,
            "%s: %,d ranks in %,d processes%s, %,d active, %,d bytes, %,d slots per sender, %,d of them for credits, " +
            "carrier %s%s, %,d repeats",
            plan.workload().label(), plan.ranks(), plan.processes(), nodes(plan), plan.active(), plan.messageLength(),
            plan.slots(), plan.creditSlots(), Units.lower(plan.carrier()), plan.piggyback() ? " with piggybacking" : "",
            plan.repeats());
    }

    private static String nodes(final RunPlan plan)
    {
        final NodePlan nodes = plan.nodes();
        return nodes.count() == 1 ? "" : String.format(Locale.ROOT, " on %,d nodes %s%s", nodes.count(), nodes.place(),
            nodes.hasFaults() ? String.format(Locale.ROOT, " (loss %.1f%%, duplicates %.1f%%, reordering %.1f%%, seed %d)",
            100 * nodes.loss(), 100 * nodes.duplicates(), 100 * nodes.reordering(), nodes.seed()) : "");
    }

    private static List<String> titles(final RunPlan plan)
    {
        final String unit = switch (plan.workload())
        {
            case ALLTOALL -> "operation";
            case PINGPONG, MULTIPINGPONG -> "round trip";
            case RATE -> "message";
        };
        final List<String> titles = new ArrayList<>(List.of("flow", "active ranks", "time/" + unit + " min", "median", "max"));
        if (plan.workload().hasRoundTrips())
        {
            titles.addAll(List.of("p50", "p99", "p99.9"));
        }
        if (plan.workload() == WorkloadKind.RATE)
        {
            titles.add("messages/s");
        }
        titles.addAll(List.of(
            "overhead", "sends delayed", "credit packets", "credits stolen", "mailbox bytes", "verified"));
        return titles;
    }

    private static List<String> cells(final RunPlan plan, final FlowResult result)
    {
        final List<String> cells = new ArrayList<>(List.of(
            Units.lower(result.flow()),
            Units.count(plan.active()),
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
            Units.percent(result.delayedShare()),
            Units.count(result.creditPackets()),
            Units.count(result.creditsStolen()),
            Units.count(result.mailboxBytes()),
            result.verified() ? "yes" : "NO"));
        return cells;
    }
}
