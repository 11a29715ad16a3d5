// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.compare.CompareTable;
import org.tallypost.benchmarks.compare.JvmForkRunner;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.report.Environment;
import org.tallypost.benchmarks.report.JsonReport;
import org.tallypost.benchmarks.report.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost study turns}.
 * <p>
 * Exit codes: 0, 1 if a message did not arrive as it was sent or nothing could be measured, 2 for options that cannot be.
 */
@Command(
    name = "turns",
    description = "Ratios that a machine which changes its pace does not spoil: transports between the same two threads of one " +
        "JVM, each for some milliseconds by turns (A B B A), hundreds of times.",
    mixinStandardHelpOptions = true)
final class TurnsCommand extends StudyOptions
{
    private static final int MAX_LENGTH = 2048;
    private static final int MAX_SLOTS = 1 << 20;
    private static final int MAX_SECONDS = 3600;
    private static final int SLOT_LENGTH = 64;
    private static final int MAX_WINDOW_MS = 1000;
    private static final int START_MS = 180_000;
    private static final double MILLION = 1e6;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "rate",
        description = "rtt (round trips) or rate (messages per second); default ${DEFAULT-VALUE}.")
    private String mode;

    @Option(names = "--length", paramLabel = "BYTES", defaultValue = "48",
        description = "Length of a message, a multiple of 8 up to 2,048; default ${DEFAULT-VALUE}.")
    private int length;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "1024",
        description = "Slots of 64 bytes in the receiving buffer: a power of two from 64 on; default ${DEFAULT-VALUE}.")
    private int slots;

    @Option(names = "--transports", paramLabel = "NAME", split = ",", defaultValue = "tallypost-none,tallypost-dynamic",
        description = "Two or more, the first of which the others are compared with: tallypost-none, tallypost-static, " +
            "tallypost-dynamic, agrona-many-to-one, aeron-ipc; default ${DEFAULT-VALUE}.")
    private List<String> transports;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "10",
        description = "Seconds of all turns; the first third is for the compiler and does not count; default ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(names = "--window-ms", paramLabel = "N", defaultValue = "3",
        description = "Milliseconds of a turn; default ${DEFAULT-VALUE}.")
    private int windowMs;

    @Option(names = "--corrupt", hidden = true, description = "Damage a message of the last one, to see that it is found.")
    private boolean corrupt;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        check();
        final File parent = parent();
        final TurnsSpec turns = new TurnsSpec(mode.equals("rtt") ? Mode.RTT : Mode.RATE, length, slots,
            transports.stream().map(TurnsCommand::contender).toList(), TimeUnit.MILLISECONDS.toNanos(windowMs),
            TimeUnit.SECONDS.toNanos(seconds), corrupt);
        final JvmForkRunner.Outcome<TurnsResult> outcome;
        try (JvmForkRunner runner = new JvmForkRunner(parent))
        {
            outcome = runner.run(TurnsFork.class, (place) ->
            {
                TurnsFork.writeSpec(place, turns);
                return null;
            }, TurnsFork::readResult, (int)TimeUnit.SECONDS.toMillis(seconds) * 2 + START_MS);
        }
        if (outcome.failure() != null)
        {
            spec.commandLine().getErr().println(outcome.failure());
            return 1;
        }
        report(turns, outcome.value());
        return outcome.value().wrong() == 0 ? 0 : 1;
    }

    private static Contender contender(final String name)
    {
        return Arrays.stream(Contender.values()).filter((each) -> each.label().equals(name)).findFirst().orElse(null);
    }

    private void report(final TurnsSpec turns, final TurnsResult result) throws IOException
    {
        final Environment environment = Environment.current(JvmForkRunner.flags());
        final boolean isRate = turns.mode() == Mode.RATE;
        final ObjectMapper mapper = new ObjectMapper();
        final ObjectNode root = mapper.createObjectNode();
        final TextTable table = new TextTable("transport", isRate ? "M/s: q1" : "ns: q1", "median", "q3", "to the first: q1",
            "median", "q3", "rounds");
        for (int i = 0; i < turns.contenders().size(); i++)
        {
            final double[] figures = result.figures(i);
            final double[] ratios = result.ratios(i);
            table.add(turns.contenders().get(i).label(), figure(figures, 0.25, isRate), figure(figures, 0.5, isRate),
                figure(figures, 0.75, isRate), ratio(ratios, 0.25), ratio(ratios, 0.5), ratio(ratios, 0.75),
                Integer.toString(result.rounds().size()));
            root.withArray("/rows").addObject().put("transport", turns.contenders().get(i).label())
                .put("figureQ1", TurnsResult.quantile(figures, 0.25)).put("figure", TurnsResult.quantile(figures, 0.5))
                .put("figureQ3", TurnsResult.quantile(figures, 0.75)).put("ratioQ1", TurnsResult.quantile(ratios, 0.25))
                .put("ratio", TurnsResult.quantile(ratios, 0.5)).put("ratioQ3", TurnsResult.quantile(ratios, 0.75));
        }
        root.put("mode", turns.mode().label()).put("length", length).put("slots", slots).put("windowMs", windowMs)
            .put("seconds", seconds).put("rounds", result.rounds().size()).put("wrong", result.wrong());
        root.set("environment", mapper.valueToTree(environment));
        if (json != null)
        {
            JsonReport.write(json, root);
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.println(String.format(Locale.ROOT, "%s, %,d bytes, %,d slots, two threads of one JVM, turns of %d ms",
            turns.mode().label(), length, slots, windowMs));
        out.print(table);
        out.println(result.wrong() == 0 ? "every message arrived as it was sent" :
            result.wrong() + " messages did not arrive as they were sent");
        out.print(CompareTable.environment(environment));
        out.flush();
    }

    private static String figure(final double[] values, final double share, final boolean isRate)
    {
        final double value = TurnsResult.quantile(values, share);
        return isRate ? String.format(Locale.ROOT, "%.2f", value / MILLION) : String.format(Locale.ROOT, "%.1f", value);
    }

    private static String ratio(final double[] values, final double share)
    {
        return String.format(Locale.ROOT, "%.3f", TurnsResult.quantile(values, share));
    }

    private void check()
    {
        require(List.of("rtt", "rate").contains(mode), "--mode", "'" + mode + "'", "rtt, rate");
        require(length >= 8 && length <= MAX_LENGTH && length % 8 == 0, "--length", length,
            "a multiple of 8 up to " + MAX_LENGTH);
        require(slots >= 64 && slots <= MAX_SLOTS && Integer.bitCount(slots) == 1, "--slots", slots,
            "a power of two from 64 to " + MAX_SLOTS);
        require(transports.size() >= 2, "--transports", transports, "two or more");
        transports.forEach((name) -> require(contender(name) != null, "--transports", "'" + name + "'",
            Arrays.stream(Contender.values()).map(Contender::label).collect(Collectors.joining(", "))));
        for (final String name : transports)
        {
            final String whyNot = contender(name).whyNot(slots * SLOT_LENGTH, 1, length);
            require(whyNot == null, "--slots", slots + " for " + name, "more: " + whyNot);
        }
        requireRange("--seconds", seconds, 1, MAX_SECONDS);
        requireRange("--window-ms", windowMs, 1, MAX_WINDOW_MS);
        requireParent("--json", json);
    }
}
