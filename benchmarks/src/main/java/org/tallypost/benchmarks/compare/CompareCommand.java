// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.agrona.BitUtil;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.benchmarks.report.Environment;
import org.tallypost.benchmarks.report.JsonReport;
import org.tallypost.benchmarks.report.OptionException;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost compare}: our transports beside their peers.
 * <p>
 * Exit codes: 0 also if some figures are invalid, 1 if a message did not arrive as it was sent or no figure is valid, 2 for
 * options that cannot be.
 */
@Command(
    name = "compare",
    description = "Measures mailbox and endpoint beside other transports, each in processes of its own, in turns. Each figure " +
        "lies between two probes of the raw machine, and counts only if both saw the same state of it.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer>
{
    private static final int DEFAULT_SLOTS = 1024;
    /** Of Aeron's frames, and the length of their header. */
    private static final int MTU_UNIT = 32;
    private static final int MIN_MTU = 1024;
    private static final int MAX_MTU = 65_504;
    private static final int NETWORK_SLOTS = 4096;
    private static final int WARMUP = 6;
    private static final int NETWORK_WARMUP = 60;

    @Spec
    private CommandSpec spec;

    @Option(names = "--scope", paramLabel = "SCOPE", defaultValue = "processes",
        description = "threads (of one JVM), processes, or network (two nodes on this machine's loopback, one producer); " +
            "default ${DEFAULT-VALUE}.")
    private String scope;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = "all",
        description = "rtt (round trips), rate (messages per second), alltoall (of the endpoint, beside Open MPI's), or all, " +
            "which is rtt and rate; default ${DEFAULT-VALUE}.")
    private String mode;

    @Option(names = "--length", paramLabel = "BYTES", split = ",",
        description = "Lengths of messages, multiples of 8 up to 2,048; default 8,48,2048, for alltoall 2048, for network " +
            "48,2048.")
    private List<Integer> lengths;

    @Option(names = "--producers", paramLabel = "N", split = ",", defaultValue = "1",
        description = "Numbers of producers, for rate; default ${DEFAULT-VALUE}.")
    private List<Integer> producers;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "1",
        description = "Messages that a producer of our endpoint offers at once, for rate; the others have no such call for " +
            "several messages of their own and send one by one; default ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "" + NetworkTurns.MTU_LENGTH,
        description = "Longest datagram between nodes, of ours and of Aeron's alike, a multiple of 32 that holds the longest " +
            "message and 32 more; default ${DEFAULT-VALUE}. 1408 for a network whose MTU is 1,500.")
    private int mtu;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "8",
        description = "Ranks of an alltoall, each in a process of its own; default ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--slots", paramLabel = "N",
        description = "Slots of 64 bytes in the receiving buffer, the same memory for all: a power of two; default 1024, for " +
            "network 4096. Aeron's terms are never shorter than 64 KiB, between nodes 256 KiB.")
    private Integer slots;

    @Option(names = "--transports", paramLabel = "NAME", split = ",",
        description = "Which ones take part; default all.")
    private List<String> transports;

    @Option(names = "--native",
        description = "Measure Open MPI and UCX as well, with mpirun, mpicc and ucx_perftest from the PATH.")
    private boolean isNative;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "9",
        description = "Rounds, at least 5; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--extra-rounds", paramLabel = "N", defaultValue = "9",
        description = "Further rounds at most for transports of which fewer than 5 were kept; default ${DEFAULT-VALUE}.")
    private int extraRounds;

    @Option(names = "--max-seconds", paramLabel = "N", defaultValue = "0",
        description = "Begin no further round after so many seconds, and report what there is; default 0: no limit.")
    private int maxSeconds;

    @Option(names = "--duration", paramLabel = "MS", defaultValue = "40",
        description = "Milliseconds of a run; default ${DEFAULT-VALUE}.")
    private int duration;

    @Option(names = "--warmup", paramLabel = "N",
        description = "Runs at least that are discarded at the beginning of each fork, until the JVMs have nothing to compile; " +
            "default " + WARMUP + ", or " + NETWORK_WARMUP + " for network, whose spinning threads leave the compiler no core.")
    private Integer warmup;

    @Option(names = "--attempts", paramLabel = "N", defaultValue = "16",
        description = "Runs at most in each fork until three are kept that saw the machine fast (UCX: one of three); for a " +
            "round stands the median of its runs in the state in which the table is; default ${DEFAULT-VALUE}.")
    private int attempts;

    @Option(names = "--probe", paramLabel = "MS", defaultValue = "10",
        description = "Milliseconds of a probe; default ${DEFAULT-VALUE}.")
    private int probe;

    @Option(names = "--timeout", paramLabel = "MS", defaultValue = "40000",
        description = "Milliseconds after which a fork is given up; default ${DEFAULT-VALUE}.")
    private int timeout;

    @Option(names = "--rtt-states", paramLabel = "NS", defaultValue = "auto",
        description = "States of the machine, known by raw round trips before and after each run, for rates as well: below the " +
            "first number it is fast, below the second slow, above that the cores are somebody else's and nothing is kept. " +
            "auto: " + MachineStates.FAST_FACTOR + " and " + MachineStates.SLOW_FACTOR + " times what this command has seen, " +
            "namely the raw round trip that a tenth of all probes were below. A fast one is shared if a piece of work that " +
            "concerns one core alone takes one of the first two parties " + MachineStates.WORK_FACTOR + " times as long as " +
            "in a tenth of all probes: rounds with such neighbours are held to each other only; default ${DEFAULT-VALUE}.")
    private String rttStates;

    @Option(names = "--flow", paramLabel = "FLOW", defaultValue = "dynamic",
        description = "Flow control of the endpoint: none, static or dynamic; default ${DEFAULT-VALUE}.")
    private String flow;

    @Option(names = "--aeron-driver", paramLabel = "WHERE", defaultValue = "embedded",
        description = "embedded (in the first process) or separate; for network, ours and Aeron's alike: embedded, by the " +
            "application's thread unless there are cores for all, or separate, by a thread of its own in each process; default " +
            "${DEFAULT-VALUE}.")
    private String aeronDriver;

    @Option(names = "--aeron-exclusive", description = "Let a single producer have Aeron's publication for itself.")
    private boolean exclusive;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything to this file as well.")
    private Path json;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with plots and tables to this file.")
    private Path html;

    @Option(names = "--directory", paramLabel = "DIR",
        description = "Existing directory for the mapped files; default /dev/shm, or the system's place for temporary files.")
    private File directory;

    @Option(names = "--corrupt", paramLabel = "NAME", hidden = true,
        description = "Damage messages of this transport, to see that it is found.")
    private String corrupt;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final Settings settings = settings();
        final String path = System.getenv("PATH");
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        check(settings, parent);
        final PrintWriter err = spec.commandLine().getErr();
        final List<String> notes = notes(settings, path);
        final List<Row> rows;
        final Comparison comparison;
        final int cores = Runtime.getRuntime().availableProcessors();
        try (Runners runner = new Runners(parent, path, cores))
        {
            for (final TransportKind kind : settings.transports().stream().filter(TransportKind::isNative).toList())
            {
                notes.add(kind.label() + ": " + runner.version(kind, path) + (kind.isPeer() ? "" :
                    "; its own test does not read what it receives, so this is a bound, not a peer"));
            }
            err.println("compare: " + settings.forks() + " forks");
            comparison = new Comparison(settings, runner, cores, TimeUnit.SECONDS.toNanos(maxSeconds), (line) ->
            {
                err.println(line);
                err.flush();
            });
            rows = comparison.run();
        }
        notes.add(comparison.describeStates());
        final Environment environment = Environment.current(JvmForkRunner.flags());
        final ObjectNode report = CompareReport.tree(rows, settings, environment, notes);
        report.set("states", comparison.statesTree());
        if (json != null)
        {
            JsonReport.write(json, report);
        }
        if (html != null)
        {
            ComparePage.write(html, report);
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.print(CompareTable.format(rows, settings, environment, notes));
        out.flush();
        final String nothing = Row.whyNothingIsValid(rows);
        if (nothing != null)
        {
            err.println("compare: " + nothing);
            err.flush();
        }
        return nothing == null && rows.stream().allMatch((row) -> row.wrong() == 0) ? 0 : 1;
    }

    Settings settings()
    {
        final Mode only = mode.equals("all") ? null : parse(Mode.class, "--mode", mode, "all");
        final String path = System.getenv("PATH");
        final Scope where = parse(Scope.class, "--scope", scope);
        return new Settings(
            where,
            only == null ? List.of(Mode.RTT, Mode.RATE) : List.of(only),
            lengths != null ? lengths : only == Mode.ALLTOALL ? List.of(2048) :
            where == Scope.NETWORK ? List.of(48, 2048) : List.of(8, 48, 2048),
            producers,
            ranks,
            (transports == null ? Arrays.stream(TransportKind.values()).filter((kind) -> isNative || !kind.isNative()) :
            transports.stream().map((name) -> kind("--transports", name)))
            .filter((kind) -> Runners.whyNot(kind, path) == null).toList(),
            slots != null ? slots : where == Scope.NETWORK ? NETWORK_SLOTS : DEFAULT_SLOTS,
            rounds,
            extraRounds,
            duration,
            warmup != null ? warmup : where == Scope.NETWORK ? NETWORK_WARMUP : WARMUP,
            attempts,
            probe,
            states(),
            parse(Flow.class, "--flow", flow),
            parse(AeronDriver.class, "--aeron-driver", aeronDriver),
            exclusive,
            corrupt == null ? null : kind("--corrupt", corrupt),
            timeout,
            batch,
            mtu);
    }

    private MachineStates states()
    {
        if (rttStates.equals("auto"))
        {
            return MachineStates.AUTO;
        }
        final boolean isPair = rttStates.matches("\\d+(\\.\\d+)?,\\d+(\\.\\d+)?");
        final double[] pair = isPair ? Arrays.stream(rttStates.split(",")).mapToDouble(Double::parseDouble).toArray() : null;
        require(isPair && pair[0] > 0 && pair[0] <= pair[1], "--rtt-states", rttStates,
            "auto, or two numbers of which the second is not less than the first");
        return new MachineStates(0, pair[0], pair[1], 0);
    }

    /** What does not take part, and why: nothing is left out silently. */
    private List<String> notes(final Settings settings, final String path)
    {
        final Set<String> notes = new LinkedHashSet<>();
        for (final Group group : settings.groups())
        {
            final Mode of = group.mode();
            final int count = group.producers();
            final String where = (of == Mode.ALLTOALL ? "alltoall" : count + (count == 1 ? " producer" : " producers")) + ", " +
                settings.scope().label();
            settings.transports().stream()
                // nobody expects the others in an alltoall, unless they are asked for
                .filter((kind) -> of != Mode.ALLTOALL && kind.isBetweenNodes() == (settings.scope() == Scope.NETWORK) ||
                transports != null)
                .filter((kind) -> kind.whyNot(of, settings.scope(), count) != null)
                .map((kind) -> kind.label() + ": left out with " + where + " (" + kind.whyNot(of, settings.scope(), count) + ")")
                .forEach(notes::add);
        }
        for (final TransportKind kind : TransportKind.values())
        {
            final String why = Runners.whyNot(kind, path);
            final boolean isWanted = isNative || transports != null && transports.contains(kind.label());
            if (why != null && isWanted)
            {
                notes.add(kind.label() + ": left out (" + why + ")");
            }
            else if (kind.isNative() && !isWanted && settings.scope() == Scope.PROCESSES)
            {
                notes.add(kind.label() + ": takes part with --native" + (why == null ? "" : " (" + why + ")"));
            }
        }
        if (settings.scope() == Scope.NETWORK)
        {
            notes.add(settings.threading(Runtime.getRuntime().availableProcessors()));
        }
        return new ArrayList<>(notes);
    }

    private void check(final Settings settings, final File parent)
    {
        settings.lengths().forEach((length) -> require(
            length >= 8 && length <= Endpoint.MAX_RUN_LENGTH && length % 8 == 0, "--length", length,
            "multiples of 8 from 8 to " + Endpoint.MAX_RUN_LENGTH));
        producers.forEach((count) -> requireRange("--producers", count, 1, Control.MAX_PARTIES - 1));
        requireRange("--batch", batch, 1, ForkSpec.MAX_BATCH);
        if (settings.scope() == Scope.NETWORK)
        {
            // Aeron's claims are never longer than a datagram
            final int least = Math.max(MIN_MTU, BitUtil.align(Collections.max(settings.lengths()) + MTU_UNIT, MTU_UNIT));
            requireRange("--mtu", mtu, least, MAX_MTU);
            require(mtu % MTU_UNIT == 0, "--mtu", mtu, "a multiple of " + MTU_UNIT);
        }
        requireRange("--ranks", ranks, 2, Control.MAX_PARTIES);
        requireRange("--slots", settings.slots(), 16, 1 << 20);
        require(Integer.bitCount(settings.slots()) == 1, "--slots", slots, "a power of two");
        requireRange("--rounds", rounds, RowMaker.MIN_ROUNDS, 10_000);
        requireRange("--extra-rounds", extraRounds, 0, 10_000);
        requireRange("--max-seconds", maxSeconds, 0, 1_000_000);
        requireRange("--duration", duration, 1, 60_000);
        requireRange("--warmup", warmup == null ? WARMUP : warmup, 0, 1_000);
        requireRange("--attempts", attempts, 1, 1_000);
        requireRange("--probe", probe, 1, 10_000);
        requireRange("--timeout", timeout, 100, 3_600_000);
        require(settings.forks() > 0, "--transports", transports,
            "at least one that is installed and goes with --scope and the rest");
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        requireParent("--json", json);
        requireParent("--html", html);
    }

    private void requireParent(final String name, final Path file)
    {
        final Path parent = file == null ? null : file.toAbsolutePath().getParent();
        require(parent == null || Files.isDirectory(parent), name, file, "a file in an existing directory");
    }

    private void requireRange(final String name, final int value, final int least, final int most)
    {
        require(value >= least && value <= most, name, value, least + " to " + most);
    }

    private void require(final boolean isMet, final String name, final Object found, final String expected)
    {
        if (!isMet)
        {
            throw new OptionException(spec.commandLine(), name + ": found " + found + ", expected " + expected);
        }
    }

    private TransportKind kind(final String name, final String value)
    {
        try
        {
            return TransportKind.of(value);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new OptionException(spec.commandLine(), name + ": " + ex.getMessage(), ex);
        }
    }

    private <E extends Enum<E>> E parse(
        final Class<E> type, final String name, final String value, final String... others)
    {
        for (final E constant : type.getEnumConstants())
        {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT)))
            {
                return constant;
            }
        }
        final List<String> expected = new ArrayList<>(Arrays.stream(type.getEnumConstants())
            .map((constant) -> constant.name().toLowerCase(Locale.ROOT)).collect(Collectors.toList()));
        expected.addAll(Arrays.asList(others));
        throw new OptionException(
            spec.commandLine(), name + ": found '" + value + "', expected " + String.join(", ", expected));
    }
}
