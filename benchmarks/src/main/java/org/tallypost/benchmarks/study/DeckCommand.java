// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.TextTable;
import org.tallypost.deck.SizeClass;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import org.tallypost.thesis.Fact;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost bench deck}: what mail boxes cost, and the published memory of one.
 * <p>
 * Exit codes: 0; 1 if a row is outside of its bounds, or a process has failed.
 */
@Command(
    name = "deck",
    description = "Prints the memory of a mail box by its limit beside the published table, and measures mail boxes of two " +
        "processes by turns with matched messages: round trips, a retrieve by the length of its message, and the handshake.",
    mixinStandardHelpOptions = true)
public final class DeckCommand extends StudyOptions
{
    private static final double MOST_TRIP = 1.3;
    private static final double RETRIEVE_TOLERANCE = 0.2;
    private static final double HANDSHAKE_TOLERANCE = 0.25;
    private static final int MAX_TURNS = 100_000;
    private static final int LEAST_TURNS = 5;
    private static final long MAX_TIMEOUT_MS = 86_400_000;
    private static final int MAX_RUN_MS = 3_600_000;

    @Option(names = "--turns", paramLabel = "N", defaultValue = "60",
        description = "Turns of each way; default ${DEFAULT-VALUE}.")
    private int turns;

    @Option(names = "--trips", paramLabel = "N", defaultValue = "5000",
        description = "Round trips of short messages in a turn, of long ones a tenth; default ${DEFAULT-VALUE}.")
    private int trips;

    @Option(names = {"--warmup", "--warmups"}, paramLabel = "N", defaultValue = "10",
        description = "Turns before that are not counted; default ${DEFAULT-VALUE}.")
    private int warmups;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Longest wait for a message; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    private boolean isGood = true;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        requireRange("--turns", turns, LEAST_TURNS, MAX_TURNS);
        requireRange("--trips", trips, 1, Integer.MAX_VALUE);
        requireRange("--warmup", warmups, 0, MAX_TURNS);
        require(timeout.toMillis() <= MAX_TIMEOUT_MS, "--timeout", DurationConverter.text(timeout), "at most 1440m");
        requireParent("--json", json);
        final PrintWriter out = spec.commandLine().getOut();
        printMemory(out);
        try (TemporaryDirectory place = TemporaryDirectory.create(parent(), "tallypost-deck-");
            JvmRunner runner = new JvmRunner(place.file()))
        {
            final DeckSpec asked = new DeckSpec(turns, trips, warmups, (int)timeout.toMillis());
            final JvmRunner.Outcome<DeckTurns> outcome = runner.run(DeckRank.class, 2, List.of(), (directory) ->
            {
                DeckRank.prepare(directory, asked);
                return null;
            }, DeckRank::read, MAX_RUN_MS);
            if (outcome.failure() != null)
            {
                spec.commandLine().getErr().println("deck: " + outcome.failure());
                return 1;
            }
            report(outcome.value(), out);
            out.flush();
            writeJson(asked, outcome.value());
        }
        return isGood ? 0 : 1;
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, "%,.2f", value);
    }

    private static void printMemory(final PrintWriter out)
    {
        out.println("Memory of a mail box in units of 1,024 bytes, 10 buffers of each class from 3 to the limit:");
        final TextTable table = new TextTable("limit", "published", "10 x sum of 2^s - 8", "");
        for (int limit = DeckExperiment.FIRST_LIMIT; limit <= SizeClass.MAX; limit++)
        {
            final Fact published = DeckExperiment.published(limit);
            final double computed = DeckExperiment.poolKibibytes(limit);
            table.add(Integer.toString(limit), number(published.value()), number(computed), published.admits(computed) ?
                "agrees" : "WRONG in the source: twice the row above");
        }
        out.print(table);
    }

    private void report(final DeckTurns measured, final PrintWriter out)
    {
        out.printf(Locale.ROOT, "%nTwo processes, %,d turns of each way, %,d round trips of short messages in a turn: medians " +
            "with 95 %% intervals.%n", turns, trips);
        final TextTable times = new TextTable("what", "ns", "from", "to");
        time(times, "round trip, 8 bytes, matched messages", measured.matched());
        time(times, "round trip, one long, mail boxes", measured.deck());
        time(times, "round trip, one long, with a handshake each way", measured.large());
        time(times, "retrieve and clear, one long", measured.retrievedShort());
        time(times, "retrieve and clear, one long, behind copies", measured.retrievedBehindCopies());
        time(times, "retrieve and clear, 128 KiB", measured.retrievedLong());
        out.print(times);
        final TextTable ratios = new TextTable("ratio by turns", "median", "from", "to", "bounds", "within");
        ratio(ratios, "round trip of a mail box to that of matched messages",
            DeckTurns.ratios(measured.deck(), measured.matched()), 0, MOST_TRIP);
        ratio(ratios, "retrieve of 128 KiB to that of one long",
            DeckTurns.ratios(measured.retrievedLong(), measured.retrievedShort()), 1 - RETRIEVE_TOLERANCE,
            1 + RETRIEVE_TOLERANCE);
        ratio(ratios, "retrieve of 128 KiB to one behind copies",
            DeckTurns.ratios(measured.retrievedLong(), measured.retrievedBehindCopies()), 1 - RETRIEVE_TOLERANCE,
            1 + RETRIEVE_TOLERANCE);
        ratio(ratios, "handshake to two ways of a short message", measured.handshakes(), 1 - HANDSHAKE_TOLERANCE,
            1 + HANDSHAKE_TOLERANCE);
        out.print(ratios);
    }

    private static void time(final TextTable table, final String name, final double... figures)
    {
        final double[] interval = DeckTurns.interval(figures);
        table.add(name, number(interval[0]), number(interval[1]), number(interval[2]));
    }

    private void ratio(final TextTable table, final String name, final double[] figures, final double least, final double most)
    {
        final double[] interval = DeckTurns.interval(figures);
        final boolean isWithin = interval[0] >= least && interval[0] <= most;
        isGood &= isWithin;
        table.add(name, number(interval[0]), number(interval[1]), number(interval[2]), number(least) + " to " + number(most),
            isWithin ? "yes" : "NO");
    }

    private void writeJson(final DeckSpec asked, final DeckTurns measured) throws IOException
    {
        if (json != null)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode root = mapper.createObjectNode();
            root.put("good", isGood);
            root.set("asked", mapper.valueToTree(asked));
            root.set("turns", mapper.valueToTree(measured));
            root.set("environment", mapper.valueToTree(Environment.current(JvmRunner.flags())));
            JsonFile.write(json, root);
        }
    }
}
