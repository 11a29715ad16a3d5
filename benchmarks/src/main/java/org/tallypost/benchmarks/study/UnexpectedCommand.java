// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.benchmarks.compare.MpiUnexpected;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost bench unexpected}: how much memory messages take that nobody receives.
 * <p>
 * Exit codes: 0; 1 if the memory was more than the formula and 5 %, messages were not in order, or a process has failed.
 */
@Command(
    name = "unexpected",
    description = "Sends messages that nobody receives, from processes of their own, and holds the receiver's memory against " +
        "what the windows of its senders allow. Then receives all of them and checks their order. Beside it Open MPI, if it is " +
        "installed.",
    mixinStandardHelpOptions = true)
public final class UnexpectedCommand extends StudyOptions
{
    private static final double TOLERANCE = 1.05;
    private static final double MEBIBYTE = 1 << 20;
    private static final int SPARE_MEBIBYTES = 64;
    private static final int MAX_SENDERS = 64;
    private static final int MIN_WINDOW = 4096;
    private static final int MAX_WINDOW = 1 << 30;
    private static final int MIN_ANNOUNCEMENTS = 16;
    private static final int MAX_ANNOUNCEMENTS = 1 << 16;
    private static final int MIN_LENGTH = 8;
    private static final int MAX_LENGTH = 65_536;
    private static final long MAX_MESSAGES = 1L << 40;
    private static final long MAX_TIMEOUT_MS = 86_400_000;
    private static final double NS_PER_S = 1e9;

    @Option(names = "--messages", paramLabel = "N", defaultValue = "10000000",
        description = "Messages of all senders together; default ${DEFAULT-VALUE}.")
    private long messages;

    @Option(names = "--senders", paramLabel = "N", defaultValue = "3",
        description = "Senders, each in a process of its own; default ${DEFAULT-VALUE}.")
    private int senders;

    @Option(names = "--length", paramLabel = "BYTES", defaultValue = "8",
        description = "Length of a message; those of more than 2048 are announced; default ${DEFAULT-VALUE}.")
    private int length;

    @Option(names = "--window", paramLabel = "BYTES", defaultValue = "67108864",
        description = "Eager window of each sender: large, so that the memory of a JVM itself is little beside it; default " +
            "${DEFAULT-VALUE}.")
    private int window;

    @Option(names = "--announcements", paramLabel = "N", defaultValue = "1024",
        description = "Announcements of each sender; default ${DEFAULT-VALUE}.")
    private int announcements;

    @Option(names = "--mpi-messages", paramLabel = "N", defaultValue = "1000000",
        description = "Messages over Open MPI, which keeps all of them, 0 for none; it is ended if its receiver has more than " +
            "4 GiB; default ${DEFAULT-VALUE}.")
    private long mpiMessages;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "1800s", converter = DurationConverter.class,
        description = "Longest time of a part; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    private boolean isGood = true;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        check();
        try (TemporaryDirectory place = TemporaryDirectory.create(parent(), "tallypost-unexpected-"))
        {
            final UnexpectedSpec asked =
                new UnexpectedSpec(new File(place.file(), "node"), senders, messages, length, window, announcements);
            final JvmRunner.Outcome<List<UnexpectedResult>> outcome = measure(asked, place.file());
            final PrintWriter out = spec.commandLine().getOut();
            if (outcome.failure() != null)
            {
                spec.commandLine().getErr().println("unexpected: " + outcome.failure());
                return 1;
            }
            report(asked, outcome.value(), out);
            out.flush();
            final MpiUnexpected mpi = mpi(place.file(), out);
            writeJson(asked, outcome.value(), mpi);
            out.flush();
        }
        return isGood ? 0 : 1;
    }

    private JvmRunner.Outcome<List<UnexpectedResult>> measure(final UnexpectedSpec asked, final File place)
        throws IOException, InterruptedException
    {
        final long direct = asked.formula() + (long)asked.sends() * asked.stride();
        // the second compiler takes more memory than the tolerance leaves, at a time of its own
        final List<String> further = List.of("-XX:TieredStopAtLevel=1",
            "-XX:MaxDirectMemorySize=" + ((direct >> 20) + SPARE_MEBIBYTES) + "m");
        try (JvmRunner runner = new JvmRunner(place))
        {
            return runner.run(UnexpectedRank.class, senders + 1, further,
                (directory) ->
                {
                    UnexpectedRank.prepare(directory, asked);
                    return null;
                },
                (directory) ->
                {
                    final List<UnexpectedResult> results = new ArrayList<>();
                    for (int rank = 0; rank <= senders; rank++)
                    {
                        results.add(UnexpectedRank.read(directory, rank));
                    }
                    return results;
                }, (int)timeout.toMillis());
        }
    }

    private void report(final UnexpectedSpec asked, final List<UnexpectedResult> results, final PrintWriter out)
    {
        final UnexpectedResult receiver = results.get(0);
        final List<UnexpectedResult> others = results.subList(1, results.size());
        out.printf(Locale.ROOT, "%,d messages of %,d bytes of %d senders to a rank that receives none; of each sender a window " +
            "of %,d bytes and %,d announcements.%n", messages, length, senders, window, announcements);
        out.printf(Locale.ROOT, "%,d came, %,d did not: at that time %,d sends were done, %,d were under way, and the senders " +
            "started no more.%n", receiver.counted(), messages - receiver.counted(),
            others.stream().mapToLong(UnexpectedResult::counted).sum(),
            others.stream().mapToLong(UnexpectedResult::bytes).sum());
        out.println("The JVMs compile with the first compiler alone, so that the memory of the second is not measured.");
        final TextTable table = new TextTable("memory of the receiver", "MiB", "of the formula", "within 5 %");
        table.add("formula: n x (window + 64 x announcements)", mebibytes(asked.formula()), "1.000", "");
        row(table, "messages without a receive", receiver.bytes(), asked.formula());
        row(table, "taken by the messenger for them", receiver.taken(), asked.formula());
        final ProcessMemory before = receiver.before();
        final ProcessMemory full = receiver.full();
        row(table, "heap, direct and mapped memory: growth",
            full.heap() + full.buffers() - before.heap() - before.buffers(), asked.formula());
        if (full.rss() >= 0)
        {
            row(table, "resident memory: growth", full.rss() - before.rss(), asked.formula());
            row(table, "resident memory: most, to the end", receiver.after().peak() - before.rss(), asked.formula());
        }
        out.print(table);
        out.printf(Locale.ROOT, "A sender has grown by %s MiB at most.%n", mebibytes(others.stream()
            .mapToLong((each) -> each.after().peak() - each.before().rss()).max().orElse(0)));
        isGood &= receiver.wrong() == 0;
        out.printf(Locale.ROOT, "Then all were received in %.1f s: %s.%n", receiver.nanos() / NS_PER_S,
            receiver.wrong() == 0 ? "in order, as they were sent" : receiver.wrong() + " NOT IN ORDER OR NOT AS THEY WERE SENT");
    }

    private void row(final TextTable table, final String name, final long bytes, final long formula)
    {
        final boolean isWithin = bytes <= formula * TOLERANCE;
        isGood &= isWithin;
        table.add(name, mebibytes(bytes), String.format(Locale.ROOT, "%.3f", (double)bytes / formula), isWithin ? "yes" : "NO");
    }

    private static String mebibytes(final long bytes)
    {
        return String.format(Locale.ROOT, "%,.1f", bytes / MEBIBYTE);
    }

    /** Null if it is not measured. */
    private MpiUnexpected mpi(final File place, final PrintWriter out) throws IOException, InterruptedException
    {
        final String whyNot = mpiMessages == 0 ? "--mpi-messages 0" : length > Endpoint.MAX_RUN_LENGTH ?
            "messages of more than 2,048 bytes may wait for their receives there" : MpiUnexpected.whyNot();
        if (whyNot != null)
        {
            out.println("Without Open MPI: " + whyNot);
            return null;
        }
        final long each = Math.max(1, Math.min(mpiMessages, messages) / senders);
        final MpiUnexpected mpi = MpiUnexpected.measure(place, senders, each, length, timeout.toMillis());
        if (mpi.failure() != null)
        {
            out.println("Open MPI: " + mpi.failure());
            isGood = false;
            return mpi;
        }
        final long count = each * senders;
        final double perMessage = (double)(mpi.full() - mpi.before()) / count;
        out.printf(Locale.ROOT, "Open MPI: %,d messages without a receive, no sender waited for one; resident memory has grown " +
            "by %s MiB, %,.0f bytes for a message (%,d would take %,.1f GiB); received %s.%n", count,
            mebibytes(mpi.full() - mpi.before()), perMessage, messages, perMessage * messages / MEBIBYTE / 1024,
            mpi.wrong() == 0 ? "in order" : "with " + mpi.wrong() + " NOT IN ORDER");
        isGood &= mpi.wrong() == 0;
        return mpi;
    }

    private void writeJson(final UnexpectedSpec asked, final List<UnexpectedResult> results, final MpiUnexpected mpi)
        throws IOException
    {
        if (json != null)
        {
            final ObjectMapper mapper = new ObjectMapper();
            final ObjectNode root = mapper.createObjectNode();
            root.put("messages", messages).put("senders", senders).put("length", length).put("window", window)
                .put("announcements", announcements).put("formula", asked.formula()).put("good", isGood);
            root.set("ranks", mapper.valueToTree(results));
            root.set("openMpi", mapper.valueToTree(mpi));
            root.set("environment", mapper.valueToTree(Environment.current(JvmRunner.flags())));
            JsonFile.write(json, root);
        }
    }

    private void check()
    {
        requireRange("--senders", senders, 1, MAX_SENDERS);
        require(messages >= senders && messages <= MAX_MESSAGES, "--messages", messages, senders + " to " + MAX_MESSAGES);
        requireRange("--length", length, MIN_LENGTH, MAX_LENGTH);
        requireRange("--window", window, MIN_WINDOW, MAX_WINDOW);
        requireRange("--announcements", announcements, MIN_ANNOUNCEMENTS, MAX_ANNOUNCEMENTS);
        require((long)announcements * length <= MAX_WINDOW, "--announcements times --length", (long)announcements * length,
            "at most " + MAX_WINDOW + " bytes, which a sender keeps");
        require(mpiMessages >= 0, "--mpi-messages", mpiMessages, "at least 0");
        require(timeout.toMillis() <= MAX_TIMEOUT_MS, "--timeout", DurationConverter.text(timeout), "at most 1440m");
        requireParent("--json", json);
    }
}
