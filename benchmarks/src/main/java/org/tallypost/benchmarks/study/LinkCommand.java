// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.IoUtil;
import org.tallypost.benchmarks.compare.Spread;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.TextTable;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost study link}.
 * <p>
 * Exit codes: 0, 1 if a message did not arrive once and in order, 2 for options that cannot be.
 */
@Command(
    name = "link",
    description = "Whether one receiver that stops polling holds up others behind the same link between two nodes.",
    mixinStandardHelpOptions = true)
final class LinkCommand extends StudyOptions
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final double MILLION = 1e6;

    @Option(names = "--receivers", paramLabel = "N", defaultValue = "16",
        description = "Receivers on the other node, the one that stops included; default ${DEFAULT-VALUE}.")
    private int receivers;

    @Option(names = "--slots", paramLabel = "N", defaultValue = "16",
        description = "Slots per sender in a mailbox; default ${DEFAULT-VALUE}.")
    private int slots;

    @Option(names = "--length", paramLabel = "BYTES", defaultValue = "48",
        description = "Length of messages; default ${DEFAULT-VALUE}.")
    private int length;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "8",
        description = "Rounds of four runs, without, stopped, stopped, without, of each; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--duration-ms", paramLabel = "N", defaultValue = "200",
        description = "Milliseconds of a run; default ${DEFAULT-VALUE}.")
    private int durationMs;

    @Option(names = "--warmup-ms", paramLabel = "N", defaultValue = "100",
        description = "Milliseconds before the one stops, and again before it counts; default ${DEFAULT-VALUE}.")
    private int warmupMs;

    /** A round: runs in the order without, stopped, stopped, without. */
    private record Round(LinkTrial.Result first, LinkTrial.Result second, LinkTrial.Result third, LinkTrial.Result fourth)
    {
        double without()
        {
            return (first.ratePerSecond() + fourth.ratePerSecond()) / 2;
        }

        double stopped()
        {
            return (second.ratePerSecond() + third.ratePerSecond()) / 2;
        }

        long wrong()
        {
            return first.wrong() + second.wrong() + third.wrong() + fourth.wrong();
        }
    }

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        requireRange("--receivers", receivers, 2, 1024);
        requireRange("--slots", slots, 4, 4096);
        requireRange("--length", length, Long.BYTES, Math.min(Endpoint.MAX_RUN_LENGTH, 64 * (slots - 3)));
        requireRange("--rounds", rounds, 1, 10_000);
        requireRange("--duration-ms", durationMs, 1, 60_000);
        requireRange("--warmup-ms", warmupMs, 1, 60_000);
        requireParent("--json", json);
        final PrintWriter err = spec.commandLine().getErr();
        final Map<SharedLink.Kind, List<Round>> all = new EnumMap<>(SharedLink.Kind.class);
        final WorkDirectory work = WorkDirectory.create(parent());
        try
        {
            // one more round, not counted: the JVM compiles
            for (int i = 0; i <= rounds; i++)
            {
                err.println(i == 0 ? "link: warm-up" : "link: round " + i + " of " + rounds);
                err.flush();
                for (final SharedLink.Kind kind : SharedLink.Kind.values())
                {
                    final Round round = new Round(run(kind, false, work), run(kind, true, work), run(kind, true, work),
                        run(kind, false, work));
                    final List<Round> own = all.computeIfAbsent(kind, (key) -> new ArrayList<>());
                    if (i > 0)
                    {
                        own.add(round);
                    }
                }
            }
        }
        finally
        {
            work.delete();
        }
        final Environment environment = Environment.current(JvmRunner.flags());
        if (json != null)
        {
            JsonFile.write(json, tree(all, environment));
        }
        print(all);
        return all.values().stream().flatMap(List::stream).allMatch((round) -> round.wrong() == 0) ? 0 : 1;
    }

    private LinkTrial.Result run(final SharedLink.Kind kind, final boolean isStopped, final WorkDirectory work)
        throws InterruptedException
    {
        final File own = new File(work.directory(), kind.label());
        IoUtil.ensureDirectoryExists(own, "link");
        try (SharedLink link = kind.open(receivers, slots, own))
        {
            return new LinkTrial(link, receivers, isStopped, length)
                .run(TimeUnit.MILLISECONDS.toNanos(warmupMs), TimeUnit.MILLISECONDS.toNanos(durationMs));
        }
        finally
        {
            IoUtil.delete(own, true);
        }
    }

    private void print(final Map<SharedLink.Kind, List<Round>> all)
    {
        final PrintWriter out = spec.commandLine().getOut();
        out.printf(Locale.ROOT, "%d receivers behind one link, %d bytes, %d slots per sender; messages of the other %d per " +
            "second, without the last one and after it has stopped polling for good; %d rounds of without, stopped, stopped, " +
            "without, each run on new nodes (loopback, a thread on each side)%n",
            receivers, length, slots, receivers - 1, rounds);
        final TextTable table = new TextTable(
            "transport", "without: M/s", "stopped: M/s", "stopped/without", "min", "max", "unread", "wrong");
        all.forEach((kind, list) ->
        {
            final Spread ratio = Spread.of(list.stream().mapToDouble((round) -> round.stopped() / round.without()).toArray());
            table.add(kind.label(),
                number(Spread.of(list.stream().mapToDouble(Round::without).toArray()).median() / MILLION),
                number(Spread.of(list.stream().mapToDouble(Round::stopped).toArray()).median() / MILLION),
                number(ratio.median()), number(ratio.min()), number(ratio.max()),
                Long.toString(list.stream().mapToLong((round) -> Math.max(round.second().unread(), round.third().unread()))
                    .max().orElse(0)),
                Long.toString(list.stream().mapToLong(Round::wrong).sum()));
        });
        out.print(table);
        out.flush();
    }

    private static String number(final double value)
    {
        return String.format(Locale.ROOT, "%.3f", value);
    }

    private ObjectNode tree(final Map<SharedLink.Kind, List<Round>> all, final Environment environment)
    {
        final ObjectNode root = MAPPER.createObjectNode();
        root.put("study", "link");
        root.put("receivers", receivers);
        root.put("slots", slots);
        root.put("length", length);
        root.put("durationMs", durationMs);
        root.put("warmupMs", warmupMs);
        final ArrayNode rows = root.putArray("rows");
        all.forEach((kind, list) ->
        {
            final ObjectNode row = rows.addObject().put("transport", kind.label());
            row.set("rounds", MAPPER.valueToTree(list));
        });
        root.set("environment", MAPPER.valueToTree(environment));
        return root;
    }
}
