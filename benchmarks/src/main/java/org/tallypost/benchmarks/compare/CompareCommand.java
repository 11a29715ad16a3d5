// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.agrona.BitUtil;
import org.tallypost.benchmarks.harness.Control;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.cli.console.OptionException;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost compare}: our transports beside their peers.
 * <p>
 * Exit codes: 0 also if some rows are invalid, 1 if a message did not arrive as it was sent or no row is valid, 2 for
 * options that cannot be.
 */
@Command(
    name = "compare",
    description = "Measures mailbox and endpoint beside other transports. Each has processes of its own, which wait while " +
        "others have their turns of some milliseconds; compared are the ratios of adjacent turns.",
    mixinStandardHelpOptions = true)
public final class CompareCommand implements Callable<Integer>
{
    private static final int DEFAULT_SLOTS = 1024;
    /** Of Aeron's frames, and the length of their header. */
    private static final int MTU_UNIT = 32;
    private static final int MIN_MTU = 1024;
    private static final int MAX_MTU = 65_504;
    private static final int NETWORK_SLOTS = 4096;
    private static final int MAX_SECONDS = 100_000;
    private static final int MAX_LENGTH = 65_536;
    private static final int MAX_BUSY = 1024;
    private static final int MAX_BURST = 1 << 20;
    private static final List<String> PLACES = List.of("--json", "--html", "--directory", Lineup.BUILD);
    /** A team's files: mapped buffers, control, Aeron's driver. */
    private static final long BYTES_OF_A_CELL = 4L << 20;
    private static final long BYTES_OF_A_DRIVER = 32L << 20;
    /** Of a bulk cell, in both parties' memory together; Aeron's logs of three terms each hold more. */
    private static final long MESSAGES_OF_A_CELL = 8;
    private static final long AERON_FACTOR = 6;
    private static final long STOP_MS = 20_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--scope", paramLabel = "SCOPE", defaultValue = "processes",
        description = "threads (of one JVM), processes, or network (two nodes on this machine's loopback, one producer); " +
            "default ${DEFAULT-VALUE}.")
    private String scope;

    @Option(names = "--mode", paramLabel = "MODE", defaultValue = Lineup.ALL,
        description = "rtt (round trips), rate (messages per second), load (one way at fixed rates, --offered), start (new " +
            "processes until messages come on schedule, --offered), burst (--burst messages at once), alltoall (of the " +
            "endpoint, beside Open MPI's), all, which is rtt and rate, msg, which is both for matched messages of 8, 48 and " +
            "2,048 bytes beside Open MPI, bulk, which is latency and bandwidth of 1 KiB to 16 MiB, loan (round trips of one of " +
            "1 MiB beside one of 48 bytes), word (of a word in a region, and of a plain store), or beside (round trips during " +
            "bulk traffic to the same peer, and alone); default ${DEFAULT-VALUE}.")
    private String mode;

    @Option(names = "--length", paramLabel = "BYTES", split = ",",
        description = "Lengths of messages, multiples of 8 up to 65,536, for network and alltoall up to 2,048, for bulk, " +
            "latency and bandwidth up to 16 MiB; the endpoint " +
            "sends more than 2,048 bytes by newSend(), and buffers then hold eight messages; default 48, for alltoall 2048.")
    private List<Integer> lengths;

    @Option(names = "--producers", paramLabel = "N", split = ",", defaultValue = "1",
        description = "Numbers of producers, for rate; default ${DEFAULT-VALUE}.")
    private List<Integer> producers;

    @Option(names = "--offered", paramLabel = "RATE", split = ",",
        description = "Messages a second that are due in load and start, for load also shares of what each transport can do; " +
            "time counts from when a message should have been sent; default 10000,100000,1000000,50%%,80%% for load, 20000 for " +
            "start.")
    private List<String> offered;

    @Option(names = "--burst", paramLabel = "N", defaultValue = "64",
        description = "Messages of a burst; default ${DEFAULT-VALUE}.")
    private int burst;

    @Option(names = "--batch", paramLabel = "N", defaultValue = "1",
        description = "Messages that a producer of our endpoint offers at once, for rate; the others have no such call for " +
            "several messages of their own and send one by one; default ${DEFAULT-VALUE}.")
    private int batch;

    @Option(names = "--posted", paramLabel = "N", defaultValue = "0",
        description = "Also measures each transport that matches messages beside so many posted receives with other tags, and " +
            "tells how much longer that takes; for rtt, rate and msg.")
    private int posted;

    @Option(names = "--wildcard",
        description = "Also measures each of them beside a receive from any source, behind the --posted ones.")
    private boolean isWildcard;

    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "" + NetworkTurns.MTU_LENGTH,
        description = "Longest datagram between nodes, of ours and of Aeron's alike, a multiple of 32 that holds the longest " +
            "message and 32 more; default ${DEFAULT-VALUE}. 1408 for a network with an MTU of 1,500.")
    private int mtu;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "8",
        description = "Ranks of an alltoall, each in a process of its own; default ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--slots", paramLabel = "N",
        description = "Slots of 64 bytes in the receiving buffer, the same memory for all: a power of two; default 1024, for " +
            "network 4096. Aeron's terms are never shorter than 64 KiB, between nodes 256 KiB.")
    private Integer slots;

    @Option(names = "--transports", paramLabel = "NAME", split = ",",
        description = "Which ones take part, or all; default tallypost-endpoint and the best-known ones of each kind; " +
            "for msg tallypost-messaging, tallypost-endpoint, aeron-ipc and open-mpi.")
    private List<String> transports;

    @Option(names = "--subject", paramLabel = "NAME",
        description = "The transport that is held against each of the others; default tallypost-endpoint, for msg " +
            "tallypost-messaging, or the first one.")
    private String subject;

    @Option(names = Lineup.BUILD, paramLabel = "NAME=JAR",
        description = "Another build takes part under this name, with the subject's transport: JAR is " +
            "benchmarks/target/tallypost.jar of another commit, or a class path. May be repeated. For processes and network; " +
            "--transports tallypost-endpoint leaves all others out.")
    private List<String> builds;

    @Option(names = "--native",
        description = "Measure Open MPI and UCX as well, with mpirun, mpicc and ucx_perftest from the PATH.")
    private boolean isNative;

    @Option(names = "--seconds", paramLabel = "N",
        description = "Seconds for each mode and length, starting and warming up included; default 60, for start 300; 0 for as " +
            "few turns as can be.")
    private Integer seconds;

    @Option(names = "--turn", paramLabel = "MS", defaultValue = "10",
        description = "Milliseconds that a turn should last; default ${DEFAULT-VALUE}, for start always 3000.")
    private int turn;

    @Option(names = "--teams", paramLabel = "N",
        description = "Teams of JVMs of each transport: one JVM compiles the same code better than another, and only with " +
            "several teams the intervals show that; the more, the narrower they are; default 3, for bulk 1, " +
            "for start always 1, as each turn has new ones.")
    private Integer teams;

    @Option(names = "--profile", paramLabel = "PROFILE", defaultValue = "realistic",
        description = "realistic: before it counts, messages go through several handlers and lie on the heap, in direct and in " +
            "mapped memory, as in a program; single: only as they are measured, the best case; default ${DEFAULT-VALUE}.")
    private String profile;

    @Option(names = "--busy", paramLabel = "N", defaultValue = "0",
        description = "Threads beside the measurement that take processor time and do nothing else; default ${DEFAULT-VALUE}.")
    private int busy;

    @Option(names = "--seed", paramLabel = "N",
        description = "Seed of the order of turns and of the intervals; another each time by default, printed.")
    private Long seed;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Silence after which a transport is given up; default ${DEFAULT-VALUE}.")
    private Duration timeout;

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

    @Option(names = "--twin", hidden = true, description = "The subject once more: no difference is expected.")
    private boolean isTwin;

    @Option(names = "--slowed", paramLabel = "PERCENT", defaultValue = "0", hidden = true,
        description = "The subject once more, slower by so much: the subject is expected to be better.")
    private double slowed;

    private volatile boolean isStopped;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final Settings settings = settings();
        final String path = System.getenv("PATH");
        final File parent = directory == null ? WorkDirectory.defaultParent() : directory;
        check(settings, parent);
        final int cores = Runtime.getRuntime().availableProcessors();
        final List<String> notes = notes(settings, path);
        roomNote(settings, parent).ifPresent(notes::add);
        final CountDownLatch isReported = new CountDownLatch(1);
        final PrintWriter err = spec.commandLine().getErr();
        final ProgressLines progress = new ProgressLines("compare", err);
        final Session.Outcome outcome;
        try (Comparison comparison = new Comparison(settings, parent, path, cores, () -> stop(isReported)))
        {
            for (final Contestant contestant : settings.contestants())
            {
                final TransportKind kind = contestant.kind();
                if (kind.isNative() && contestant.beside().isNothing())
                {
                    notes.add(kind.label() + ": " + comparison.programs().version(kind) + (kind.isPeer() ? "" :
                        "; its own test does not read what it receives, so this is a bound, not a peer"));
                }
            }
            err.println("compare: " + settings.groups().size() + " x " + settings.seconds() + " s, " +
                settings.takers() + " transports, " + settings.teams() + (settings.teams() == 1 ? " team" :
                " teams") + " each, seed " + settings.seed());
            err.flush();
            outcome = comparison.run(progress, () -> isStopped);
            progress.end();
            notes.addAll(RowMaker.coldNotes(settings, outcome));
            if (isStopped)
            {
                notes.add("interrupted: the rows have what was measured until then");
            }
            return report(settings, outcome, notes);
        }
        finally
        {
            isReported.countDown();
        }
    }

    /** Called on another thread when this process is asked to end. */
    private void stop(final CountDownLatch isReported)
    {
        isStopped = true;
        try
        {
            isReported.await(STOP_MS, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private int report(final Settings settings, final Session.Outcome outcome, final List<String> notes) throws IOException
    {
        final List<Group> groups = settings.groups();
        final List<Row> rows = new ArrayList<>();
        for (int cell = 0; cell < groups.size(); cell++)
        {
            rows.addAll(RowMaker.rows(groups.get(cell), cell, settings.contestants(), settings.members(groups.get(cell)),
                settings.subject(), outcome, settings.seed()));
        }
        notes.addAll(Factors.notes(rows, settings));
        notes.addAll(BesideNotes.of(settings, outcome));
        final Environment environment = Environment.current(JvmFlags.flags());
        final ObjectNode report = CompareReport.tree(rows, settings, environment, notes).put("command", command());
        if (json != null)
        {
            JsonFile.write(json, report);
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
            final PrintWriter err = spec.commandLine().getErr();
            err.println("compare: " + nothing);
            err.flush();
        }
        return nothing == null && rows.stream().allMatch((row) -> row.wrong() == 0) ? 0 : 1;
    }

    /** As it was given, without the places of files. */
    private String command()
    {
        final StringBuilder text = new StringBuilder("bin/tallypost");
        boolean isPlace = false;
        for (final String argument : spec.commandLine().getParseResult().originalArgs())
        {
            if (!isPlace && PLACES.stream().noneMatch((name) -> argument.equals(name) || argument.startsWith(name + "=")))
            {
                text.append(' ').append(argument);
            }
            isPlace = PLACES.contains(argument);
        }
        return text.toString();
    }

    Settings settings()
    {
        final Suite suite = asked("--mode", () -> Suite.of(mode));
        final Scope where = parse(Scope.class, "--scope", scope);
        require(List.of("realistic", "single").contains(profile), "--profile", "'" + profile + "'", "realistic, single");
        requireRange("--posted", posted, 0, Beside.MAX_POSTED);
        final Lineup lineup = lineup(suite, where);
        final List<Contestant> contestants = asked(null, () -> lineup.contestants(System.getenv("PATH")));
        return new Settings(
            where,
            suite.modes(),
            lengths != null ? lengths : suite.lengths(),
            producers,
            ranks,
            offered != null ? offered : suite.offered(),
            burst,
            contestants,
            asked(null, () -> lineup.subject(contestants)),
            slots != null ? slots : where == Scope.NETWORK ? NETWORK_SLOTS : DEFAULT_SLOTS,
            suite.teams(teams),
            seconds != null ? seconds : suite.seconds(),
            suite.turnMs(turn),
            profile.equals("realistic"),
            seed != null ? seed : System.nanoTime() & Integer.MAX_VALUE,
            busy,
            parse(Flow.class, "--flow", flow),
            parse(AeronDriver.class, "--aeron-driver", aeronDriver),
            exclusive,
            corrupt == null ? null : asked("--corrupt", () -> TransportKind.of(corrupt)),
            (int)timeout.toMillis(),
            batch,
            mtu);
    }

    private Lineup lineup(final Suite suite, final Scope where)
    {
        final List<Beside> besides = Stream.of(new Beside(posted, false), new Beside(posted, isWildcard))
            .filter((beside) -> !beside.isNothing()).distinct().toList();
        return new Lineup(suite, where, transports, isNative, subject, isTwin, slowed, builds, besides);
    }

    /** What an option asks for. */
    private <T> T asked(final String name, final Supplier<T> value)
    {
        try
        {
            return value.get();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new OptionException(spec.commandLine(), (name == null ? "" : name + ": ") + ex.getMessage(), ex);
        }
    }

    /** What does not take part, and why: nothing is left out silently. */
    private List<String> notes(final Settings settings, final String path)
    {
        final Set<String> notes = new LinkedHashSet<>();
        for (final Group group : settings.groups())
        {
            final Mode of = group.mode();
            final int count = group.producers();
            final String where = (of == Mode.ALLTOALL ? "alltoall" : of.label() + " of " + group.length() +
                " bytes, " + count + (count == 1 ? " producer" : " producers")) + ", " + settings.scope().label();
            settings.contestants().stream().map(Contestant::kind).distinct()
                .filter((kind) -> of != Mode.ALLTOALL || transports != null)
                .filter((kind) -> settings.whyNot(group, kind) != null)
                .map((kind) -> kind.label() + ": left out with " + where + " (" + settings.whyNot(group, kind) + ")")
                .forEach(notes::add);
        }
        final Lineup lineup = lineup(Suite.of(mode), settings.scope());
        for (final TransportKind kind : TransportKind.values())
        {
            final String why = NativePrograms.whyNot(kind, path);
            if (why != null && lineup.isWanted(kind))
            {
                notes.add(kind.label() + ": left out (" + why + ")");
            }
        }
        settings.contestants().stream().filter((contestant) -> contestant.classPath() != null).map((contestant) ->
            contestant.label() + ": " + contestant.kind().label() + " of another build, " + contestant.classPath())
            .forEach(notes::add);
        if (settings.scope() == Scope.NETWORK)
        {
            notes.add(settings.threading(Runtime.getRuntime().availableProcessors()));
        }
        if (Runtime.getRuntime().availableProcessors() < 2)
        {
            notes.add("one core only: the parties of a transport take turns on it, and the scheduler is measured as well");
        }
        return new ArrayList<>(notes);
    }

    /** Between nodes and in an alltoall every message is offered at once. */
    private static int maxLength(final Settings settings)
    {
        final boolean isOffered = settings.scope() == Scope.NETWORK || settings.modes().contains(Mode.ALLTOALL);
        return isBulk(settings) ? Endpoint.MAX_MESSAGE_LENGTH : isOffered ? Endpoint.MAX_RUN_LENGTH : MAX_LENGTH;
    }

    private static boolean isBulk(final Settings settings)
    {
        return settings.modes().stream().allMatch(Mode::isBulk);
    }

    private void check(final Settings settings, final File parent)
    {
        settings.lengths().forEach((length) -> require(
            length >= 8 && length <= maxLength(settings) && length % 8 == 0, "--length", length,
            "multiples of 8 from 8 to " + maxLength(settings)));
        producers.forEach((count) -> requireRange("--producers", count, 1, Control.MAX_PARTIES - 1));
        requireRange("--batch", batch, 1, LinkSpec.MAX_BATCH);
        if (settings.scope() == Scope.NETWORK)
        {
            // Aeron's claims are never longer than a datagram; what is long goes in several
            final int longest = isBulk(settings) ? 0 : Collections.max(settings.lengths());
            final int least = Math.max(MIN_MTU, BitUtil.align(longest + MTU_UNIT, MTU_UNIT));
            requireRange("--mtu", mtu, least, MAX_MTU);
            require(mtu % MTU_UNIT == 0, "--mtu", mtu, "a multiple of " + MTU_UNIT);
        }
        requireRange("--burst", burst, 1, MAX_BURST);
        final boolean isLoad = !settings.modes().contains(Mode.START);
        settings.offered().forEach((rate) -> require(
            rate.matches("[1-9][0-9]{0,8}" + (isLoad ? "|[1-9][0-9]?%" : "")), "--offered", "'" + rate + "'",
            "messages a second from 1 to 999,999,999" + (isLoad ? ", or shares from 1% to 99%" : "")));
        requireRange("--ranks", ranks, 2, Control.MAX_PARTIES);
        requireRange("--slots", settings.slots(), 16, 1 << 20);
        require(Integer.bitCount(settings.slots()) == 1, "--slots", slots, "a power of two");
        requireRange("--seconds", settings.seconds(), 0, MAX_SECONDS);
        requireRange("--turn", turn, 1, 1_000);
        requireRange("--teams", settings.teams(), 1, 16);
        requireRange("--busy", busy, 0, MAX_BUSY);
        require(timeout.toMillis() >= 100 && timeout.toMillis() <= 3_600_000, "--timeout", DurationConverter.text(timeout),
            "100ms to 60m");
        require(settings.groups().stream().anyMatch((group) -> !settings.members(group).isEmpty()), "--transports", transports,
            "at least one that is installed and goes with --scope and the rest");
        final Optional<String> problem = WorkDirectory.problem(parent);
        require(problem.isEmpty(), "--directory", parent, problem.orElse(""));
        requireParent("--json", json);
        requireParent("--html", html);
    }

    /** About what the files of all teams take; a transport that finds no room says so, and the others go on. */
    private static Optional<String> roomNote(final Settings settings, final File parent)
    {
        long bytes = 0;
        for (int i = 0; i < settings.contestants().size(); i++)
        {
            final boolean hasDriver = settings.contestants().get(i).kind().isAeron() || settings.scope() == Scope.NETWORK;
            final long ofMessages = settings.groups().stream().filter((group) -> group.mode().isBulk())
                .mapToLong((group) -> MESSAGES_OF_A_CELL * group.length() * (hasDriver ? AERON_FACTOR : 1)).sum();
            bytes += settings.teams(i) * (ofMessages +
                settings.groups().size() * (BYTES_OF_A_CELL + (hasDriver ? BYTES_OF_A_DRIVER : 0)));
        }
        try
        {
            final long free = WorkDirectory.usableBytes(parent.toPath());
            return free >= bytes ? Optional.empty() : Optional.of("--directory: found " + (free >> 20) + " MiB free in " +
                parent + ", about " + (bytes >> 20) + " MiB may be wanted: with another directory, or fewer " +
                "--transports or --teams, no transport runs out of room");
        }
        catch (final IOException ex)
        {
            return Optional.empty();
        }
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

    private <E extends Enum<E>> E parse(
        final Class<E> type, final String name, final String value)
    {
        for (final E constant : type.getEnumConstants())
        {
            if (constant.name().equals(value.toUpperCase(Locale.ROOT)))
            {
                return constant;
            }
        }
        throw new OptionException(spec.commandLine(), name + ": found '" + value + "', expected " +
            Arrays.stream(type.getEnumConstants()).map((constant) -> constant.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining(", ")));
    }
}
