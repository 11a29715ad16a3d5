// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import org.tallypost.benchmarks.harness.Bootstrap;
import org.tallypost.benchmarks.harness.Pair;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.TeamSpread;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.benchmarks.harness.Turn;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.TextTable;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code tallypost bench adapters}: messages a second through each adapter, by turns with what it stands for. */
@Command(
    name = "adapters",
    description = "Sends messages of 64 bytes through each adapter, by turns with what programs with it use within a process, " +
        "all in this JVM. Says messages a second, and the ratio with its 95 %% interval.",
    mixinStandardHelpOptions = true)
public final class AdaptersCommand extends StudyOptions
{
    private static final int OWN = 0;
    private static final int OTHER = 1;
    private static final int MIN_MESSAGES = 100;
    private static final int MAX_MESSAGES = 1 << 30;
    private static final int MAX_TURNS = 1000;
    private static final int MAX_SECONDS = 86_400;
    private static final double MILLION = 1e6;

    @Option(names = "--adapters", paramLabel = "NAME", split = ",", defaultValue = "agrona,flow,blocking,rsocket",
        description = "Which of them; default ${DEFAULT-VALUE}.")
    private List<String> names;

    @Option(names = "--messages", paramLabel = "N", defaultValue = "400000",
        description = "Messages of a turn that count, behind half as many that do not; default ${DEFAULT-VALUE}.")
    private int messages;

    @Option(names = "--turns", paramLabel = "N", defaultValue = "11",
        description = "Turns of each side that count; default ${DEFAULT-VALUE}.")
    private int turns;

    @Option(names = "--warmup", paramLabel = "N", defaultValue = "5",
        description = "Turns of each side before those that count, while the JVM compiles; default ${DEFAULT-VALUE}.")
    private int warmups;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Of the draws for the intervals; default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "300s", converter = DurationConverter.class,
        description = "Longest time of a turn; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    private final ObjectMapper mapper = new ObjectMapper();
    private final ObjectNode root = mapper.createObjectNode();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        requireRange("--messages", messages, MIN_MESSAGES, MAX_MESSAGES);
        requireRange("--turns", turns, 1, MAX_TURNS);
        requireRange("--warmup", warmups, 0, MAX_TURNS);
        require(timeout.toSeconds() >= 1 && timeout.toSeconds() <= MAX_SECONDS, "--timeout",
            DurationConverter.text(timeout), "1s to 1440m");
        requireParent("--json", json);
        final List<AdapterKind> kinds = new ArrayList<>();
        names.forEach((name) -> kinds.add(kind(name)));
        final PrintWriter out = spec.commandLine().getOut();
        final TextTable table = new TextTable("adapter", "beside", "million/s", "beside it", "ratio", "95 % interval");
        try (TemporaryDirectory place = TemporaryDirectory.create(parent(), "tallypost-adapters-"))
        {
            for (final AdapterKind kind : kinds)
            {
                measure(kind, place.file(), table);
            }
        }
        catch (final TimeoutException | IllegalStateException ex)
        {
            spec.commandLine().getErr().println("adapters: " + ex.getMessage());
            return 1;
        }
        out.print(table);
        out.println("Messages of 64 bytes, " + turns + " turns of " + messages + ", seed " + seed + ".");
        out.flush();
        if (json != null)
        {
            root.put("messages", messages).put("turns", turns).put("warmup", warmups).put("seed", seed);
            root.set("environment", mapper.valueToTree(Environment.current(JvmRunner.flags())));
            JsonFile.write(json, root);
        }
        return 0;
    }

    private AdapterKind kind(final String name)
    {
        for (final AdapterKind kind : AdapterKind.values())
        {
            if (label(kind).equals(name))
            {
                return kind;
            }
        }
        require(false, "--adapters", name, "some of agrona, flow, blocking, rsocket");
        return null;
    }

    private static String label(final AdapterKind kind)
    {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    private void measure(final AdapterKind kind, final File place, final TextTable table)
        throws InterruptedException, TimeoutException
    {
        final List<Turn> all = new ArrayList<>();
        for (int cycle = -warmups; cycle < turns; cycle++)
        {
            for (int turn = 0; turn < 2; turn++)
            {
                // A B B A: each side is as often the first
                final int side = (cycle + warmups) % 2 == 0 ? turn : 1 - turn;
                final Arrivals arrivals = new Arrivals(messages / 2, messages);
                final File directory = new File(place, label(kind));
                final double rate = (side == OWN ? kind.own : kind.other).measure(arrivals, directory, (int)timeout.toSeconds());
                if (cycle >= 0)
                {
                    all.add(new Turn(2L * cycle + turn, cycle, side, 0, rate, false));
                }
            }
        }
        final double own = median(all, OWN);
        final double other = median(all, OTHER);
        final Ratio ratio = Bootstrap.ofBlocks(Pair.of(all, OWN, OTHER), TeamSpread.UNKNOWN, seed);
        table.add(label(kind), kind.reference, figure(own / MILLION), figure(other / MILLION),
            figure(ratio == null ? own / other : ratio.median()),
            ratio == null ? "-" : figure(ratio.low()) + " to " + figure(ratio.high()));
        final ObjectNode row = root.putObject(label(kind));
        row.put("reference", kind.reference).put("messagesPerS", own).put("referenceMessagesPerS", other);
        if (ratio != null)
        {
            row.put("ratio", ratio.median()).put("low", ratio.low()).put("high", ratio.high());
        }
    }

    private static double median(final List<Turn> all, final int side)
    {
        return Quartiles.of(
            all.stream().filter((turn) -> turn.contestant() == side).mapToDouble(Turn::figure).toArray()).median();
    }

    private static String figure(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
    }
}
