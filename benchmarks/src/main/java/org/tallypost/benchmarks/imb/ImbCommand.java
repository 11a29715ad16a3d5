// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

import org.tallypost.benchmarks.compare.JvmFlags;
import org.tallypost.benchmarks.compare.MpiProgram;
import org.tallypost.benchmarks.compare.ProgressLines;
import org.tallypost.benchmarks.harness.Control;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost bench imb}: messages and collectives beside those of Open MPI.
 * <p>
 * Exit codes: 0 also if some rows are invalid, 1 if a rank did not have what it should or no row is valid, 2 for options that
 * cannot be.
 */
@Command(
    name = "imb",
    description = "The operations of the Intel MPI Benchmarks, ranks in processes of their own, by turns with Open MPI if " +
        "mpirun and mpicc are on the PATH.",
    mixinStandardHelpOptions = true)
public final class ImbCommand implements Callable<Integer>
{
    private static final int MAX_LENGTH = 1 << 24;
    /** Longest one if none are given: as in the Intel MPI Benchmarks. */
    private static final int MAX_USUAL_LENGTH = 1 << 22;
    private static final int MAX_SECONDS = 100_000;
    private static final int SECONDS = 2;
    private static final int SECONDS_OVERSUBSCRIBED = 10;
    private static final int TEAMS = 3;
    private static final int TEAMS_OVERSUBSCRIBED = 1;
    private static final int MAX_TEAMS = 16;
    private static final int MAX_TIMEOUT_MS = 3_600_000;
    /** Of a rank's memory, in and out each. */
    private static final int MAX_BUFFER_LENGTH = 1 << 28;

    @Spec
    private CommandSpec spec;

    @Option(names = {"--ranks", "--np"}, paramLabel = "N", defaultValue = "2", description = "Ranks; default ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--operation", paramLabel = "NAME", split = ",",
        description = "Operations, as allreduce; default all that the method has, without raw_lines and raw_pingpong.")
    private List<String> operations;

    @Option(names = "--length", paramLabel = "BYTES", split = ",",
        description = "Lengths, 0 to 16 MiB; those that are no multiple of 4 are not for reductions; default 0, 1, 2, 4, ... " +
            "4 MiB.")
    private List<Integer> lengths;

    @Option(names = "--method", paramLabel = "METHOD", defaultValue = "imb",
        description = "imb: the mean over ranks counts. thesis: of each repetition the longest time of all members, for " +
            "barrier their mean, for gather and reduce the root's; has pingpong and the collectives; default ${DEFAULT-VALUE}.")
    private String method;

    @Option(names = "--memory", paramLabel = "MEMORY", defaultValue = "private",
        description = "Where Tallypost's ranks have what they send. private: in memory of their own processes, as those of " +
            "Open MPI. team: in memory that the team has allocated, from which others read it by one copy; default " +
            "${DEFAULT-VALUE}.")
    private String memory;

    @Option(names = "--repetitions", paramLabel = "N",
        description = "Most repetitions of a turn; fewer where all together would be more than 40 MiB; default 1000, for " +
            "thesis 16.")
    private Integer repetitions;

    @Option(names = "--alone", description = "Leave Open MPI out.")
    private boolean isAlone;

    @Option(names = "--seconds", paramLabel = "N",
        description = "Seconds for each operation and length; 0 for as few turns as can be; default 2, with more ranks than " +
            "processors 10.")
    private Integer seconds;

    @Option(names = "--teams", paramLabel = "N",
        description = "Teams of processes of each contestant: with several, intervals show how JVMs differ; default 3, with " +
            "more ranks than processors 1.")
    private Integer teams;

    @Option(names = "--seed", paramLabel = "N",
        description = "Seed of the order of turns and of the intervals; another each time by default, printed.")
    private Long seed;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Silence after which a contestant is given up; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything to this file as well.")
    private Path json;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for the mapped files; default /dev/shm, or the system's place for temporary files.")
    private File directory;

    @Option(names = "--corrupt", hidden = true, description = "Send what should not be sent, to see that it is found.")
    private boolean isCorrupt;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        final int processors = Runtime.getRuntime().availableProcessors();
        seconds = seconds == null ? usualSeconds(ranks, processors) : seconds;
        teams = teams == null ? usualTeams(ranks, processors) : teams;
        checkRanges(parent);
        final ImbSpec what = new ImbSpec(cells(), ranks, method(), memory(), (int)timeout.toMillis(), isCorrupt);
        checkCells(what);
        final long order = seed == null ? ThreadLocalRandom.current().nextLong(Integer.MAX_VALUE) : seed;
        final List<String> notes = new ArrayList<>();
        final String path = System.getenv("PATH");
        final String whyNot = isAlone ? "--alone" : MpiProgram.whyNot(path);
        if (whyNot != null)
        {
            notes.add("without Open MPI: " + whyNot);
        }
        if (ranks > processors)
        {
            notes.add(oversubscribed(ranks, processors));
        }
        final PrintWriter err = spec.commandLine().getErr();
        err.println("imb: " + what.cells().size() + " x " + seconds + " s, " + teams + " teams of " + ranks +
            " ranks for each contestant, seed " + order);
        err.flush();
        final double loadBefore = load();
        final Session.Outcome outcome = new ImbRun(what, teams, seconds, order, whyNot == null ? path : null)
            .run(parent, new ProgressLines("imb", err));
        notes.add(String.format(Locale.ROOT, "load of the machine: %.1f before, %.1f at the end, on %d cores", loadBefore, load(),
            processors));
        notes.add("ratios are medians over pairs of adjacent turns with 95 % intervals, seed " + order +
            "; a disturbed turn lost more than 2 % of its time to the scheduler or the host");
        return report(new ImbReport(ImbRow.rows(what, whyNot == null, outcome, order), what, notes,
            Environment.current(JvmFlags.flags())), order);
    }

    /** A turn of ranks that share processors is longer, and a ratio needs as many of them. */
    static int usualSeconds(final int ranks, final int processors)
    {
        return ranks > processors ? SECONDS_OVERSUBSCRIBED : SECONDS;
    }

    /** Each team has its turns, so a pair of turns takes longer with more of them. */
    static int usualTeams(final int ranks, final int processors)
    {
        return ranks > processors ? TEAMS_OVERSUBSCRIBED : TEAMS;
    }

    static String oversubscribed(final int ranks, final int processors)
    {
        return "oversubscribed: " + ranks + " ranks on " + processors + (processors == 1 ? " processor" : " processors") +
            ", so times have what changes of threads cost";
    }

    private static double load()
    {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private int report(final ImbReport report, final long order) throws IOException
    {
        if (json != null)
        {
            final Map<String, Object> settings = new LinkedHashMap<>();
            settings.put("ranks", ranks);
            settings.put("processors", Runtime.getRuntime().availableProcessors());
            settings.put("method", report.spec().method().label());
            settings.put("memory", report.spec().memory().label());
            settings.put("teams", teams);
            settings.put("seconds", seconds);
            settings.put("seed", order);
            JsonFile.write(json, report.tree(settings));
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.print(report.text());
        out.flush();
        final boolean isValid = report.rows().stream().anyMatch(ImbRow::isValid);
        if (!isValid)
        {
            final PrintWriter err = spec.commandLine().getErr();
            err.println("imb: none of " + report.rows().size() + " rows is valid");
            err.flush();
        }
        return isValid && report.rows().stream().allMatch((row) -> row.wrong() == 0) ? 0 : 1;
    }

    private void checkRanges(final File parent)
    {
        requireRange("--ranks", ranks, 2, Control.MAX_PARTIES);
        if (lengths != null)
        {
            lengths.forEach((length) -> requireRange("--length", length, 0, MAX_LENGTH));
        }
        if (repetitions != null)
        {
            requireRange("--repetitions", repetitions, 1, ImbCall.MAX_REPETITIONS);
        }
        requireRange("--seconds", seconds, 0, MAX_SECONDS);
        requireRange("--teams", teams, 1, MAX_TEAMS);
        require(timeout.toMillis() >= 100 && timeout.toMillis() <= MAX_TIMEOUT_MS, "--timeout", DurationConverter.text(timeout),
            "100ms to 60m");
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        final Path place = json == null ? null : json.toAbsolutePath().getParent();
        require(place == null || Files.isDirectory(place), "--json", json, "a file in an existing directory");
    }

    private ImbMethod method()
    {
        return Arrays.stream(ImbMethod.values()).filter((each) -> each.label().equalsIgnoreCase(method)).findFirst()
            .orElseThrow(() -> exception("--method", "'" + method + "'", "imb or thesis"));
    }

    private ImbMemory memory()
    {
        return Arrays.stream(ImbMemory.values()).filter((each) -> each.label().equalsIgnoreCase(memory)).findFirst()
            .orElseThrow(() -> exception("--memory", "'" + memory + "'", "private or team"));
    }

    private ImbCall operation(final String name)
    {
        try
        {
            return ImbCall.of(name);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new OptionException(spec.commandLine(), "--operation: " + ex.getMessage());
        }
    }

    private List<ImbSpec.Cell> cells()
    {
        final ImbMethod used = method();
        final List<ImbCall> calls = operations == null ?
            Arrays.stream(ImbCall.values()).filter((call) -> used.has(call) && !call.isRaw()).toList() :
            operations.stream().map(this::operation).distinct().toList();
        calls.forEach((call) -> require(used.has(call), "--operation", call.label(),
            "pingpong or a collective for --method " + used.label()));
        calls.forEach((call) -> require(!call.isRaw() || ranks == 2, "--operation", call.label() + " for " + ranks + " ranks",
            "two ranks for what is raw"));
        final List<Integer> all = lengths != null ? lengths.stream().distinct().toList() :
            IntStream.concat(IntStream.of(0), IntStream.iterate(1, (each) -> each <= MAX_USUAL_LENGTH, (each) -> 2 * each))
            .boxed().toList();
        final List<ImbSpec.Cell> cells = new ArrayList<>();
        for (final ImbCall call : calls)
        {
            for (final int length : call.isWithoutLength() ? List.of(0) : all)
            {
                if (call.hasLength(length))
                {
                    cells.add(new ImbSpec.Cell(
                        call, length, call.repetitions(length, repetitions == null ? used.repetitions() : repetitions)));
                }
            }
        }
        return cells;
    }

    private void checkCells(final ImbSpec what)
    {
        require(!what.cells().isEmpty(), "--length", lengths, "a multiple of 4 for reductions");
        for (final ImbSpec.Cell cell : what.cells())
        {
            require((long)ranks * cell.length() <= MAX_BUFFER_LENGTH, "--length", cell.length() + " for " + ranks + " ranks",
                "at most " + MAX_BUFFER_LENGTH + " bytes of all ranks together");
        }
    }

    private void requireRange(final String name, final int value, final int least, final int most)
    {
        require(value >= least && value <= most, name, value, least + " to " + most);
    }

    private void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw exception(name, found, expected);
        }
    }

    private OptionException exception(final String name, final Object found, final String expected)
    {
        return new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
    }
}
