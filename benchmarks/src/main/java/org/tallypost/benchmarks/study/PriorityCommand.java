// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.HdrHistogram.Histogram;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.Priority;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tallypost bench priority}: how long a message takes beside a flood that backs up, with and without priorities. */
@Command(
    name = "priority",
    description = "Sends single messages beside a flood that its receiver cannot keep up with: with high priority, with low " +
        "priority, and alone. Then the rate of low priority in a group with and without high rings. Two threads of this process.",
    mixinStandardHelpOptions = true)
public final class PriorityCommand extends StudyOptions
{
    private static final double PERCENT_50 = 50;
    private static final double PERCENT_99 = 99;
    private static final double PERCENT_999 = 99.9;
    private static final int MAX_COUNT = 1 << 30;
    private static final int MAX_ROUNDS = 1000;
    private static final int MAX_SLOTS = 4096;
    private static final int MAX_LIMIT = 86_400;

    @Option(names = "--probes", paramLabel = "N", defaultValue = "20000",
        description = "Single messages of each way in a round; default ${DEFAULT-VALUE}.")
    private int probes;

    @Option(names = "--messages", paramLabel = "N", defaultValue = "1000000",
        description = "Messages of low priority in a round of the rate; default ${DEFAULT-VALUE}.")
    private int messages;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "5",
        description = "Rounds; the ways take turns in each; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--work", paramLabel = "NS", defaultValue = "1000",
        description = "What the receiver does with a message of the flood, in nanoseconds; default ${DEFAULT-VALUE}.")
    private int workNs;

    @Option(names = "--limit", paramLabel = "S", defaultValue = "60",
        description = "Most seconds for one way of a round: probes that came by then count, and a rate fails; default " +
            "${DEFAULT-VALUE}.")
    private int limit;

    @Option(names = "--high-slots", paramLabel = "N", defaultValue = "8",
        description = "Slots of the high ring for each sender; default ${DEFAULT-VALUE}.")
    private int highSlots;

    @Option(names = "--between-nodes",
        description = "The two threads are on two nodes, which reach each other by loopback; each does the work of its node's " +
            "transport itself.")
    private boolean isBetweenNodes;

    private final Histogram alone = new Histogram(3);
    private final Histogram low = new Histogram(3);
    private final Histogram high = new Histogram(3);

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        requireRange("--probes", probes, 1, MAX_COUNT);
        requireRange("--messages", messages, 1, MAX_COUNT);
        requireRange("--rounds", rounds, 1, MAX_ROUNDS);
        requireRange("--work", workNs, 0, MAX_COUNT);
        requireRange("--limit", limit, 1, MAX_LIMIT);
        requireRange("--high-slots", highSlots, 2, MAX_SLOTS);
        requireParent("--json", json);
        try (TemporaryDirectory place = TemporaryDirectory.create(parent(), "tallypost-priority-"))
        {
            measure(place.file());
        }
        return 0;
    }

    private void measure(final File place) throws IOException, InterruptedException
    {
        final double[] without = new double[rounds];
        final double[] with = new double[rounds];
        final double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++)
        {
            alone.add(trial(place, highSlots).latency(false, Priority.HIGH, probes, workNs));
            low.add(trial(place, 0).latency(true, Priority.LOW, probes, workNs));
            high.add(trial(place, highSlots).latency(true, Priority.HIGH, probes, workNs));
            final boolean isFirst = (round & 1) == 0;
            final double one = trial(place, isFirst ? 0 : highSlots).rate(messages);
            final double other = trial(place, isFirst ? highSlots : 0).rate(messages);
            without[round] = isFirst ? one : other;
            with[round] = isFirst ? other : one;
            ratios[round] = with[round] / without[round];
        }
        final PrintWriter out = spec.commandLine().getOut();
        final TextTable table = new TextTable("one way of " + PriorityTrial.LENGTH + " bytes, ns", "50 %", "99 %", "99.9 %",
            "99.9 % of alone");
        row(table, "high priority, alone", alone);
        row(table, "low priority beside a flood", low);
        row(table, "high priority beside a flood", high);
        out.print(table);
        final long all = (long)rounds * probes;
        final long fewest = Math.min(alone.getTotalCount(), Math.min(low.getTotalCount(), high.getTotalCount()));
        if (fewest < all)
        {
            out.printf(Locale.ROOT, "Not all probes came within %d s: of %,d alone %,d, low %,d, high %,d. The machine is " +
                "busy, or --limit is too short.%n", limit, all, alone.getTotalCount(), low.getTotalCount(), high.getTotalCount());
        }
        out.printf(Locale.ROOT, "At 99.9 %% low takes %.1f times as long as high beside the flood.%n",
            (double)low.getValueAtPercentile(PERCENT_999) / high.getValueAtPercentile(PERCENT_999));
        out.printf(Locale.ROOT, "Low priority, median of %d rounds: %,.0f messages/s without high rings, %,.0f with; ratio by " +
            "turns %.3f.%n", rounds, Quartiles.of(without).median(), Quartiles.of(with).median(), Quartiles.of(ratios).median());
        out.flush();
        if (json != null)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode root = mapper.createObjectNode();
            root.put("probes", probes).put("messages", messages).put("rounds", rounds).put("workNs", workNs)
                .put("highSlots", highSlots).put("isBetweenNodes", isBetweenNodes).put("ratio", Quartiles.of(ratios).median());
            root.set("alone", percentiles(mapper, alone));
            root.set("low", percentiles(mapper, low));
            root.set("high", percentiles(mapper, high));
            root.set("environment", mapper.valueToTree(Environment.current(JvmRunner.flags())));
            JsonFile.write(json, root);
        }
    }

    private PriorityTrial trial(final File place, final int slots)
    {
        return new PriorityTrial(place, slots, isBetweenNodes, limit);
    }

    private void row(final TextTable table, final String name, final Histogram of)
    {
        table.add(name, number(of.getValueAtPercentile(PERCENT_50)), number(of.getValueAtPercentile(PERCENT_99)),
            number(of.getValueAtPercentile(PERCENT_999)), String.format(Locale.ROOT, "%.2f",
                (double)of.getValueAtPercentile(PERCENT_999) / alone.getValueAtPercentile(PERCENT_999)));
    }

    private static String number(final long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static ObjectNode percentiles(final ObjectMapper mapper, final Histogram of)
    {
        return mapper.createObjectNode().put("count", of.getTotalCount()).put("p50", of.getValueAtPercentile(PERCENT_50))
            .put("p99", of.getValueAtPercentile(PERCENT_99)).put("p999", of.getValueAtPercentile(PERCENT_999));
    }
}
