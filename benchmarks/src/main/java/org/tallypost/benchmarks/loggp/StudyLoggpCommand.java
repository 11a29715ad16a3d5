// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost study loggp}: which of a network's four parameters do programs feel?
 */
@Command(
    name = "loggp",
    description = "Runs five programs with active messages and slows them down by each parameter of LogGP: live on threads of " +
        "this machine, and on simulated ranks. Prints how many times as long each takes, how well a line fits, and what " +
        "the model T0 + 2 m o says; and whether L is hidden until the window fills.",
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
        "0:All results were right, and all statements hold.",
        "1:A program has a wrong result.",
        "2:The command line was not understood.",
        "3:A statement does not hold.",
        "4:None fails, but one could not be judged: live ranks had no processor." },
    mixinStandardHelpOptions = true)
public final class StudyLoggpCommand implements Callable<Integer>
{
    private static final long[] TIMES_NS = { 5_000, 10_000, 20_000, 50_000, 100_000 };
    private static final long[] BYTE_TIMES_PS = { 10_000, 20_000, 50_000, 110_000 };
    private static final int MAX_RANKS = 64;
    private static final int MIN_SIZE = 32;
    private static final int MAX_SIZE = 100_000;
    private static final int MAX_ROUNDS = 1_000;
    private static final int WARM_UP = 30;
    private static final LoggpTimes WARM_UP_TIMES = new LoggpTimes(100, 100, 1_000, 1_000);
    private static final double NS_IN_US = 1_000;
    private static final double BYTE_UNIT = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--app", split = ",", paramLabel = "NAME",
        description = "Programs: radix, sample, em3d, connect, integer; default all.")
    private List<String> names = List.of();

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "2",
        description = "Live ranks; 0 for none; default ${DEFAULT-VALUE}. More ranks than cores measure the scheduler.")
    private int ranks;

    @Option(names = "--simulated", paramLabel = "N", defaultValue = "32",
        description = "Simulated ranks; 0 for none; default ${DEFAULT-VALUE}.")
    private int simulated;

    @Option(names = "--size", paramLabel = "N", defaultValue = "200",
        description = "Keys, nodes or vertices of a simulated rank; default ${DEFAULT-VALUE}.")
    private int size;

    @Option(names = "--live-size", paramLabel = "N", defaultValue = "2000",
        description = "Keys, nodes or vertices of a live rank, 16 times as many keys for integer; default ${DEFAULT-VALUE}.")
    private int liveSize;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "3",
        description = "Undisturbed live runs at each setting, of which the median counts; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--attempts", paramLabel = "N", defaultValue = "" + LoggpStudy.Live.ATTEMPTS,
        description = "Live runs for each one that counts, at most, if ranks had no processor; default ${DEFAULT-VALUE}.")
    private int attempts;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything to this file as well.")
    private File json;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for the mapped files; default /dev/shm, or the system's place for temporary files.")
    private File directory;

    private final ObjectMapper mapper = new ObjectMapper();

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        require(ranks == 0 || ranks > 1 && ranks <= MAX_RANKS, "--ranks", ranks, "0, or 2 to " + MAX_RANKS);
        require(simulated == 0 || simulated > 1 && simulated <= MAX_RANKS, "--simulated", simulated, "0, or 2 to " + MAX_RANKS);
        require(liveSize >= MIN_SIZE && liveSize <= MAX_SIZE, "--live-size", liveSize, MIN_SIZE + " to " + MAX_SIZE);
        require(size >= MIN_SIZE && size <= MAX_SIZE, "--size", size, MIN_SIZE + " to " + MAX_SIZE);
        require(rounds >= 1 && rounds <= MAX_ROUNDS, "--rounds", rounds, "1 to " + MAX_ROUNDS);
        require(attempts >= 1 && attempts <= MAX_ROUNDS, "--attempts", attempts, "1 to " + MAX_ROUNDS);
        require(json == null || json.getAbsoluteFile().getParentFile().isDirectory(), "--json", json, "a file in a directory");
        final List<LoggpApp> apps = apps();
        final PrintWriter out = spec.commandLine().getOut();
        final var document = mapper.createObjectNode();
        final ArrayNode rows = document.putArray("rows");
        final LoggpStatements statements = new LoggpStatements();
        boolean isRight = true;
        for (final LoggpApp app : apps)
        {
            isRight &= study(app, parent, out, rows, statements);
        }
        new LatencyStudy(parent, ranks > 0, simulated > 0, rounds, attempts).run(out, statements);
        statements.print(document.putArray("statements"));
        out.print(statements);
        if (ranks > Runtime.getRuntime().availableProcessors())
        {
            out.println("More live ranks than cores: their figures show the scheduler.");
        }
        out.flush();
        if (json != null)
        {
            mapper.writerWithDefaultPrettyPrinter().writeValue(json, document);
        }
        return isRight ? statements.exitCode() : 1;
    }

    private void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
        }
    }

    private List<LoggpApp> apps()
    {
        final List<LoggpApp> apps = new ArrayList<>();
        for (final LoggpApp app : LoggpApp.values())
        {
            if (names.isEmpty() || names.contains(app.label()))
            {
                apps.add(app);
            }
        }
        require(apps.size() == (names.isEmpty() ? LoggpApp.values().length : names.size()), "--app", names,
            "radix, sample, em3d, connect, integer, each once");
        return apps;
    }

    /** A program at all settings. */
    private boolean study(
        final LoggpApp app, final File parent, final PrintWriter out, final ArrayNode rows, final LoggpStatements statements)
        throws IOException, InterruptedException
    {
        out.println(app.label() + ": " + app.text());
        try (LoggpStudy.Live live =
            ranks == 0 ? null : new LoggpStudy.Live(parent, app::on, ranks, app.liveSize(liveSize), attempts))
        {
            if (live != null)
            {
                live.warmUp(WARM_UP_TIMES, WARM_UP);
            }
            final RunTime liveBase = live == null ? null : live.run(LoggpTimes.NONE, rounds);
            final RunTime simulatedBase =
                simulated == 0 ? null : LoggpStudy.simulate(app, simulated, size, LoggpStudy.MACHINE);
            boolean isRight = (liveBase == null || liveBase.isRight()) && (simulatedBase == null || simulatedBase.isRight());
            out.println("  without knobs: " + base("live", ranks, liveBase) + base("simulated", simulated, simulatedBase));
            final TextTable table = new TextTable("  knob", "value", "live", "model", "simulated", "model");
            final StringBuilder fits = new StringBuilder();
            for (final Knob knob : Knob.values())
            {
                final LoggpFits fit = new LoggpFits(app, knob);
                for (final long value : knob == Knob.BYTE_GAP ? BYTE_TIMES_PS : TIMES_NS)
                {
                    final LoggpStudy.Turns turns = live == null ? null :
                        live.turns(LoggpTimes.NONE, LoggpTimes.of(knob, value), rounds);
                    final RunTime simulatedTime = simulated == 0 ? null :
                        LoggpStudy.simulate(app, simulated, size, LoggpStudy.MACHINE.with(knob, value));
                    final LoggpStudy.Turns simulatedTurns =
                        simulatedTime == null ? null : new LoggpStudy.Turns(simulatedBase, simulatedTime);
                    isRight &= (turns == null || turns.isRight()) && (simulatedTime == null || simulatedTime.isRight());
                    fit.add(value, turns, simulatedTurns);
                    final double slowdown = turns == null ? Double.NaN : turns.slowdown();
                    table.add("  " + LoggpRow.name(knob), text(knob, value), text(turns, slowdown), model(knob, value, turns),
                        text(ratio(simulatedTime, simulatedBase)), model(knob, value, simulatedTurns));
                    rows.addObject().put("app", app.label()).put("knob", knob.name()).put("value", value)
                        .put("live", slowdown).put("simulated", ratio(simulatedTime, simulatedBase));
                }
                fits.append(fit.text());
                fit.state(statements);
            }
            out.print(table);
            out.println("  r2 of a line through the times:" + fits);
            out.println(isRight ? "  all results right" : "  A RESULT IS WRONG");
            out.flush();
            return isRight;
        }
    }

    private static String base(final String what, final int count, final RunTime time)
    {
        return time == null ? "" : String.format(Locale.ROOT, "%s, %d ranks: %.1f us, m = %.0f; ", what, count,
            time.ns() / NS_IN_US, time.messages());
    }

    private static double ratio(final RunTime time, final RunTime base)
    {
        return time == null ? Double.NaN : time.ns() / base.ns();
    }

    private static String model(final Knob knob, final long value, final LoggpStudy.Turns turns)
    {
        return turns == null || knob != Knob.OVERHEAD ? "" : text(turns.modelNs(value) / turns.without().ns());
    }

    private static String text(final Knob knob, final long value)
    {
        return knob == Knob.BYTE_GAP ? String.format(Locale.ROOT, "%.0f us/100B", value / BYTE_UNIT) :
            String.format(Locale.ROOT, "%.0f us", value / NS_IN_US);
    }

    private static String text(final LoggpStudy.Turns turns, final double ratio)
    {
        return turns == null || turns.isThere() ? text(ratio) : text(ratio) + " INVALID";
    }

    private static String text(final double ratio)
    {
        return Double.isNaN(ratio) ? "" : String.format(Locale.ROOT, "%.2f", ratio);
    }
}
