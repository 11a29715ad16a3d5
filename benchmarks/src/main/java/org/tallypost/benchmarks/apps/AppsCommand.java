// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.apps;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;

import org.agrona.IoUtil;
import org.tallypost.benchmarks.compare.NativeProgram;
import org.tallypost.benchmarks.harness.Bootstrap;
import org.tallypost.benchmarks.harness.Pair;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.ShutdownHooks;
import org.tallypost.benchmarks.harness.TeamSpread;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.cli.console.TextTable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost bench apps}: whole programs for MPI, on all sides by turns.
 * <p>
 * Exit codes: 0; 1 if a program has failed, or its result was not that of one process.
 */
@Command(
    name = "apps",
    description = "Runs a heat stencil, an integer sort and conjugate gradients on Tallypost, on MPJ Express in its multicore " +
        "mode, and their twins in C on Open MPI, by turns, and checks each result. What is missing on this machine is said.",
    mixinStandardHelpOptions = true)
public final class AppsCommand implements Callable<Integer>
{
    private static final int MAX_RANKS = 64;
    private static final int MAX_LAUNCHES = 1_000;
    private static final int MAX_ROUNDS = 10_000;
    private static final int MS_PER_S = 1_000;
    private static final double US_PER_S = 1e6;
    private static final int MAX_TIMEOUT_MS = 86_400_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--programs", paramLabel = "NAME", split = ",", defaultValue = "heat,sort,cg",
        description = "Of heat, sort, cg, and with 2 ranks round trips pingpong-8, -64, -512, -2k, -1m and streams stream-8, " +
            "-64k, -1m; default ${DEFAULT-VALUE}.")
    private List<String> programs;

    @Option(names = "--sides", paramLabel = "NAME", split = ",", defaultValue = "tallypost,tallypost-openmpi,mpj,openmpi",
        description = "Default ${DEFAULT-VALUE}.")
    private List<String> sides;

    @Option(names = "--ranks", paramLabel = "N", split = ",", defaultValue = "1,2,4",
        description = "Numbers of ranks; default ${DEFAULT-VALUE}.")
    private int[] ranks;

    @Option(names = "--launches", paramLabel = "N", defaultValue = "3",
        description = "Times that each side is started; default ${DEFAULT-VALUE}.")
    private int launches;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "201",
        description = "Rounds of each start; the later half counts; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = {"--warmup-time", "--warm-up"}, paramLabel = "TIME", defaultValue = "2s", converter = DurationConverter.class,
        description = "Of pingpong and stream: messages before the rounds, with pauses in which JVMs compile; default " +
            "${DEFAULT-VALUE}.")
    private Duration warmUp;

    @Option(names = "--mpj", paramLabel = "DIR", defaultValue = "/usr/share/mpj",
        description = "Where MPJ Express is; default ${DEFAULT-VALUE}.")
    private File mpj;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Longest time of a start; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(names = "--seed", paramLabel = "N", description = "Of the order of turns; default: a new one, which is printed.")
    private Long seed;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for files; default /dev/shm, or the system's place for temporary files.")
    private File parent;

    private boolean isGood = true;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        check();
        final List<App> apps = programs.stream().map((name) -> named("--programs", App.values(), name)).distinct().toList();
        final List<Side> asked = sides.stream().map((name) -> named("--sides", Side.values(), name)).distinct().toList();
        final File place = Files.createTempDirectory(parent.toPath(), "tallypost-apps-").toFile();
        final Thread hook = new Thread(() ->
        {
            // they write there
            NativeProgram.endAll();
            IoUtil.delete(place, true);
        });
        ShutdownHooks.add(hook);
        try
        {
            final PrintWriter out = spec.commandLine().getOut();
            final Launchers launchers = new Launchers(place, mpj, (int)timeout.toMillis());
            final List<Side> present = present(asked, launchers, out);
            final long chosen = seed == null ? new Random().nextLong() : seed;
            out.printf("%d starts of each side, in random order; seed %d.%n", launches, chosen);
            final Random random = new Random(chosen);
            for (final App app : apps)
            {
                for (final int count : app.messages() > 0 ? new int[] { 2 } : ranks)
                {
                    measure(launchers, app, count, present, random, out);
                    out.flush();
                }
            }
        }
        finally
        {
            ShutdownHooks.remove(hook);
            IoUtil.delete(place, true);
        }
        return isGood ? 0 : 1;
    }

    private <T extends Enum<T>> T named(final String option, final T[] values, final String name)
    {
        return Arrays.stream(values).filter((each) -> label(each).equalsIgnoreCase(name)).findFirst().orElseThrow(() ->
            new OptionException(spec.commandLine(), option + ": found '" + name + "', expected one of " +
                Arrays.stream(values).map(AppsCommand::label).toList()));
    }

    /** As it is written in options and files. */
    static String label(final Enum<?> each)
    {
        return each.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private List<Side> present(final List<Side> asked, final Launchers launchers, final PrintWriter out)
    {
        final List<Side> present = new ArrayList<>();
        for (final Side side : asked)
        {
            final String why = launchers.whyNot(side);
            if (why == null)
            {
                present.add(side);
            }
            else
            {
                out.println("Without " + side.title() + ": " + why);
            }
        }
        return present;
    }

    private void measure(
        final Launchers launchers, final App app, final int count, final List<Side> present, final Random random,
        final PrintWriter out) throws IOException, InterruptedException
    {
        final Map<Side, Launch[]> all = new EnumMap<>(Side.class);
        final List<Side> order = new ArrayList<>(present);
        if (app.openMpi() == null)
        {
            order.remove(Side.TALLYPOST_OPENMPI);
        }
        order.forEach((side) -> all.put(side, new Launch[launches]));
        for (int cycle = 0; cycle < launches; cycle++)
        {
            Collections.shuffle(order, random);
            for (final Side side : order)
            {
                all.get(side)[cycle] = launchers.run(side, app, count, rounds, (int)warmUp.toMillis());
            }
        }
        final double factor = app.messages() > 0 ? US_PER_S / app.messages() : MS_PER_S;
        final TextTable table = new TextTable(app.program() + " " + String.join(" ", app.arguments()) + ", ranks: " + count,
            app.messages() > 0 ? "us each" : "ms", "95 %", "of Tallypost's time", "95 %");
        all.forEach((side, own) -> row(table, side, own, all.get(Side.TALLYPOST), factor));
        out.println();
        out.print(table);
    }

    private void row(
        final TextTable table, final Side side, final Launch[] own, final Launch[] subject, final double factor)
    {
        final Optional<String> failure =
            Arrays.stream(own).map(Launch::failure).filter((each) -> each != null).findFirst();
        if (failure.isPresent())
        {
            isGood = false;
            table.add(side.title(), "FAILED", "", "", "");
            spec.commandLine().getErr().println("apps: " + side.title() + ": " + failure.get());
            return;
        }
        final Ratio time = median(own, null);
        final boolean isCompared = side != Side.TALLYPOST && subject != null &&
            Arrays.stream(subject).allMatch((each) -> each.failure() == null);
        final Ratio ratio = isCompared ? median(own, subject) : null;
        table.add(side.title(), text(time.median() * factor), interval(time, factor),
            ratio == null ? "" : text(ratio.median()), ratio == null ? "" : interval(ratio, 1));
    }

    /** Each cycle is a block: what was measured in one cycle is compared. */
    private static Ratio median(final Launch[] own, final Launch[] subject)
    {
        final List<Pair> pairs = new ArrayList<>();
        for (int i = 0; i < own.length; i++)
        {
            pairs.add(new Pair(i, 0, 0, own[i].seconds() / (subject == null ? 1 : subject[i].seconds())));
        }
        return Bootstrap.of(pairs, TeamSpread.UNKNOWN, 1);
    }

    private static String interval(final Ratio ratio, final double factor)
    {
        return text(ratio.low() * factor) + " to " + text(ratio.high() * factor);
    }

    private static String text(final double figure)
    {
        return String.format(Locale.ROOT, "%.2f", figure);
    }

    private void check()
    {
        parent = parent == null ? WorkDirectory.defaultParent() : parent;
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        for (final int count : ranks)
        {
            require(count >= 1 && count <= MAX_RANKS, "--ranks", count, "1 to " + MAX_RANKS);
        }
        require(launches >= 1 && launches <= MAX_LAUNCHES, "--launches", launches, "1 to " + MAX_LAUNCHES);
        require(rounds >= 1 && rounds <= MAX_ROUNDS, "--rounds", rounds, "1 to " + MAX_ROUNDS);
        require(warmUp.toMillis() <= MAX_TIMEOUT_MS, "--warmup-time", DurationConverter.text(warmUp), "at most 1440m");
        require(timeout.toMillis() <= MAX_TIMEOUT_MS, "--timeout", DurationConverter.text(timeout), "at most 1440m");
    }

    private void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
        }
    }
}
