// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;

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
 * Exit codes: 0; 1 if a row is outside of its bounds, or a process has failed; 4 if the rows could not be judged.
 */
@Command(
    name = "deck",
    description = "Prints the memory of a mail box by its limit beside the published table, and measures mail boxes of two " +
        "processes by turns with matched messages: round trips, a retrieve by the length of its message, and the handshake.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:All ratios are within their bounds.",
        "1:One is outside of its bounds, or a process has failed.",
        "2:The command line was not understood.",
        "4:The ratios could not be judged: the processes had no processor."},
    mixinStandardHelpOptions = true)
public final class DeckCommand extends StudyOptions
{
    private static final int MAX_TURNS = 100_000;
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

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        requireRange("--turns", turns, DeckReport.LEAST_TURNS, MAX_TURNS);
        requireRange("--trips", trips, 1, Integer.MAX_VALUE);
        requireRange("--warmup", warmups, 0, MAX_TURNS);
        require(timeout.toMillis() <= MAX_TIMEOUT_MS, "--timeout", DurationConverter.text(timeout), "at most 1440m");
        requireParent("--json", json);
        final PrintWriter out = spec.commandLine().getOut();
        printMemory(out);
        out.printf("%nTwo processes take %,d turns of each way: seconds on an idle machine, minutes beside other work; fewer " +
            "by --turns, shorter ones by --trips.%n", turns);
        out.flush();
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
            final DeckReport report = new DeckReport(outcome.value(), trips);
            out.print(report.text());
            out.flush();
            writeJson(asked, report);
            return report.exitCode();
        }
    }

    private static void printMemory(final PrintWriter out)
    {
        out.println("Memory of a mail box in units of 1,024 bytes, 10 buffers of each class from 3 to the limit:");
        final TextTable table = new TextTable("limit", "published", "10 x sum of 2^s - 8", "");
        for (int limit = DeckExperiment.FIRST_LIMIT; limit <= SizeClass.MAX; limit++)
        {
            final Fact published = DeckExperiment.published(limit);
            final double computed = DeckExperiment.poolKibibytes(limit);
            table.add(Integer.toString(limit), DeckReport.number(published.value()), DeckReport.number(computed),
                published.admits(computed) ? "agrees" : "WRONG in the source: twice the row above");
        }
        out.print(table);
    }

    private void writeJson(final DeckSpec asked, final DeckReport report) throws IOException
    {
        if (json != null)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode root = mapper.createObjectNode();
            root.put("good", report.exitCode() == 0);
            root.put("invalid", report.invalid());
            root.set("asked", mapper.valueToTree(asked));
            root.set("turns", mapper.valueToTree(report.measured()));
            root.set("environment", mapper.valueToTree(Environment.current(JvmRunner.flags())));
            JsonFile.write(json, root);
        }
    }
}
