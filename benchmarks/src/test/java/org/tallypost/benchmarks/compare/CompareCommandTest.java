// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.endpoint.Flow;
import picocli.CommandLine;

@Tag("once")
class CompareCommandTest
{
    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @TempDir
    private Path directory;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    /** Options that are split at spaces, and further ones as they are. */
    private int execute(final String options, final String... others)
    {
        return new CommandLine(new Tallypost()).setOut(new PrintWriter(output)).setErr(new PrintWriter(errors))
            .execute(Stream.concat(Stream.of(("compare " + options).split(" ")), Stream.of(others)).toArray(String[]::new));
    }

    private static Settings parse(final String... options)
    {
        final CompareCommand command = new CompareCommand();
        new CommandLine(command).parseArgs(options);
        return command.settings();
    }

    @Test
    void shouldHaveDefaults()
    {
        final Settings settings = parse();
        assertEquals(Scope.PROCESSES, settings.scope());
        assertEquals(List.of(new Group(Mode.RTT, 48, 1), new Group(Mode.RATE, 48, 1)), settings.groups());
        assertEquals(List.of("tallypost-endpoint", "agrona-one-to-one", "agrona-many-to-one", "aeron-ipc"),
            settings.contestants().stream().map(Contestant::label).toList());
        assertEquals(0, settings.subject());
        assertEquals(3, settings.teams());
        assertEquals(List.of(9, 3, 3, 3), IntStream.range(0, 4).mapToObj(settings::teams).toList(), "as many as all others");
        assertEquals(Flow.DYNAMIC, settings.flow());
        assertTrue(settings.isMixed());
    }

    @Test
    void shouldTakeLists()
    {
        final Settings settings = parse("--scope", "threads", "--mode", "rate", "--length", "8,16", "--producers", "1,2,3",
            "--transports", "raw,jctools-mpsc", "--aeron-driver", "separate", "--flow", "static", "--subject", "jctools-mpsc",
            "--profile", "single", "--twin", "--slowed", "5");
        assertEquals(Scope.THREADS, settings.scope());
        assertEquals(List.of(Mode.RATE), settings.modes());
        assertEquals(6, settings.groups().size());
        assertEquals(List.of("raw", "jctools-mpsc", "jctools-mpsc-twin", "jctools-mpsc-slowed"),
            settings.contestants().stream().map(Contestant::label).toList());
        assertEquals(1, settings.subject());
        assertEquals(List.of(1, 2, 3), settings.members(new Group(Mode.RATE, 8, 2)));
        assertEquals(5, settings.team(3).slowPercent());
        assertEquals(0, settings.team(2).slowPercent());
        assertEquals(AeronDriver.SEPARATE, settings.aeronDriver());
        assertEquals(Flow.STATIC, settings.flow());
        assertFalse(settings.isMixed());
        assertTrue(parse("--scope", "network", "--transports", "all").contestants().size() > 4);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--scope hosts|--scope: found 'hosts', expected threads, processes",
        "--mode speed|--mode: found 'speed', expected rtt, rate, load, start, burst, alltoall, latency, bandwidth, loan, word, ",
        "--mode start --offered 50%|--offered: found '50%', expected messages a second from 1 to 999,999,999",
        "--mode bulk --length 16777224|--length: found 16777224, expected multiples of 8 from 8 to 16777216",
        "--mode bulk --scope network --length 1024|--transports: found null, expected at least one that is installed and",
        "--mode word --length 48|--transports: found null, expected at least one that is installed and",
        "--mode loan --transports tallypost-messaging|--transports: found [tallypost-messaging], expected at least one that is",
        "--mode rtt --transports tallypost-regions|--transports: found [tallypost-regions], expected at least one that is",
        "--length 9|--length: found 9, expected multiples of 8 from 8 to 65536",
        "--length 8,65544|--length: found 65544, expected multiples of 8",
        "--scope network --length 4096|--length: found 4096, expected multiples of 8 from 8 to 2048",
        "--producers 0|--producers: found 0, expected 1 to 63",
        "--scope network --mtu 1408 --length 2048|--mtu: found 1408, expected 2080 to 65504",
        "--scope network --mtu 900 --length 8|--mtu: found 900, expected 1024 to",
        "--scope network --mtu 1400 --length 48|--mtu: found 1400, expected a multiple of 32",
        "--mode load --offered 0|--offered: found '0', expected messages a second",
        "--mode load --offered 120%|--offered: found '120%', expected messages a second",
        "--burst 0|--burst: found 0, expected 1 to",
        "--mode msg --posted -1|--posted: found -1, expected 0 to 50000",
        "--ranks 1|--ranks: found 1, expected 2 to 64",
        "--mode alltoall --scope threads|--transports: found null, expected at least one that is installed and goes with",
        "--slots 100|--slots: found 100, expected a power of two",
        "--seconds -1|--seconds: found -1, expected 0 to",
        "--turn 0|--turn: found 0, expected 1 to",
        "--teams 0|--teams: found 0, expected 1 to",
        "--busy -1|--busy: found -1, expected 0 to",
        "--profile best|--profile: found 'best', expected realistic, single",
        "--subject pigeon|--subject: found 'pigeon', expected one of the transports that take part: tallypost-endpoint, agrona",
        "--transports pigeon|--transports: found 'pigeon', expected some of raw, tallypost-mailbox",
        "--transports disruptor|--transports: found [disruptor], expected at least one that is installed and goes with",
        "--flow both|--flow: found 'both', expected none, static, dynamic",
        "--directory /there/is/none|--directory: found /there/is/none, expected an existing directory",
        "--json /there/is/none.json|--json: found /there/is/none.json, expected a file in an existing directory",
        "--build old|--build: found 'old', expected NAME=JAR",
        "--build =old.jar|--build: found the name '' in '=old.jar', expected letters and digits",
        "--build a<b=old.jar|--build: found the name 'a<b' in 'a<b=old.jar', expected letters and digits",
        "--build old=|--build: found '' for old (no file is named), expected benchmarks/target/tallypost.jar of another commit",
        "--build old=/there/is/none|--build: found '/there/is/none' for old (there is no such file), expected benchmarks/target/",
        "--build old=/dev/shm|--build: found '/dev/shm' for old (no class org.tallypost.benchmarks.compare.TransportProcess is",
        "--build old=/dev/shm --scope threads|--build: found --scope threads, expected --scope processes or network",
    })
    void shouldRefuseWithWhatWasFoundAndExpected(final String options, final String message)
    {
        assertEquals(2, execute(options), errors::toString);
        assertTrue(errors.toString().contains(message), errors::toString);
    }

    @ParameterizedTest
    @ValueSource(strings = { "aeron-ipc", "disruptor", "tallypost-endpoint-twin", "old" })
    void shouldRefuseABuildWhoseNameIsTaken(final String name)
    {
        assertEquals(2, execute("--twin", "--build", "old=" + CLASS_PATH, "--build", name + "=" + CLASS_PATH), errors::toString);
        assertTrue(errors.toString().contains("--build: found the name '" + name +
            "', expected one that no transport and no other build has"), errors::toString);
    }

    @Test
    void shouldGiveABuildTheSubjectsTransport()
    {
        final Settings settings = parse("--transports", "raw,aeron-ipc", "--subject", "aeron-ipc",
            "--build", "a=" + CLASS_PATH, "--build=b=" + CLASS_PATH);
        assertEquals(List.of(new Contestant(TransportKind.RAW), new Contestant(TransportKind.AERON_IPC),
            new Contestant("a", TransportKind.AERON_IPC, 0, CLASS_PATH, Beside.NOTHING),
            new Contestant("b", TransportKind.AERON_IPC, 0, CLASS_PATH, Beside.NOTHING)), settings.contestants());
        assertEquals(1, settings.subject());
        assertEquals(List.of(0, 1, 2, 3), settings.members(new Group(Mode.RTT, 48, 1)));
    }

    /** Every contestant has its first block of turns, however short the time is. */
    private JsonNode measure(final int expectedExitCode, final String options, final String... others) throws IOException
    {
        final Path json = directory.resolve("report.json");
        final Path html = directory.resolve("report.html");
        final int exitCode = execute(options + " --turn 1 --teams 1 --timeout 1800s --seed 1 --directory " +
            directory + " --json " + json + " --html " + html, others);
        assertEquals(expectedExitCode, exitCode, () -> output + "\n" + errors);
        final String page = Files.readString(html);
        assertTrue(page.contains("Chart.js"), "the library is inside");
        assertFalse(page.contains("/* DATA */"));
        assertFalse(page.matches("(?s).*<(script|link|img)[^>]*(src|href)=.*"), "nothing is loaded");
        try (var files = Files.list(directory))
        {
            assertEquals(2, files.count(), "nothing is left but the reports");
        }
        return new ObjectMapper().readTree(json.toFile());
    }

    @Test
    void shouldMeasureThreadsAndMarkDamage() throws IOException
    {
        final JsonNode report = measure(1, "--scope threads --mode rate --length 8 --seconds 1" +
            " --transports agrona-one-to-one,jctools-spsc --corrupt jctools-spsc");
        assertEquals(3, report.get("rows").size());
        final List<String> fields = new ArrayList<>();
        final JsonNode row = report.get("rows").get(0);
        row.fieldNames().forEachRemaining(fields::add);
        assertEquals(List.of("transport", "mode", "scope", "length", "producers", "against", "isReference", "median", "q1", "q3",
            "ratio", "verdict", "pairs", "turns", "disturbedShare", "jvmSpread", "offered", "timesNs", "wrong",
            "invalid"), fields);
        assertEquals("agrona-one-to-one", row.get("transport").asText());
        assertEquals("rate", row.get("mode").asText());
        assertEquals("threads", row.get("scope").asText());
        assertTrue(row.get("median").asDouble() > 0, row::toString);
        assertTrue(report.get("rows").get(1).get("invalid").asText().startsWith("wrong payload: "), report::toString);
        assertEquals("INVALID", report.get("rows").get(2).get("verdict").asText());
        assertEquals("4.0.5", report.at("/environment/versions/jctools").asText());
        assertTrue(report.get("command").asText().startsWith("bin/tallypost compare --scope threads --mode rate --length 8") &&
            report.get("command").asText().endsWith(" --turn 1 --teams 1 --timeout 1800s --seed 1"), report::toString);
        assertTrue(output.toString().contains("INVALID jctools-spsc: wrong payload: "), output::toString);
        assertTrue(errors.toString().contains("compare: measure, about "), errors::toString);
    }

    @Test
    void shouldMeasureProcesses() throws IOException
    {
        final JsonNode report = measure(0, "--length 48 --seconds 0 --busy 1 --transports tallypost-endpoint,aeron-ipc");
        assertEquals(6, report.get("rows").size());
        report.get("rows").forEach((row) -> assertTrue(row.get("median").asDouble() > 0, row::toString));
        assertEquals("tallypost-endpoint", report.get("rows").get(2).get("transport").asText());
        assertEquals("aeron-ipc", report.get("rows").get(2).get("against").asText());
    }

    @Test
    void shouldMeasureOtherBuildsAndGoOnWithoutOneThatDoesNotStart(@TempDir final Path others) throws IOException
    {
        final Path broken = others.resolve("broken.jar");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(broken)))
        {
            jar.putNextEntry(new JarEntry(TransportProcess.class.getName().replace('.', '/') + ".class"));
            jar.write("no class".getBytes(StandardCharsets.US_ASCII));
        }
        final JsonNode report = measure(0, "--mode rtt --length 48 --seconds 0 --transports tallypost-endpoint",
            "--build", "same=" + CLASS_PATH, "--build", "broken=" + broken);
        assertEquals(List.of("tallypost-endpoint", "same", "broken", "tallypost-endpoint", "tallypost-endpoint"),
            report.findValuesAsText("transport"));
        final JsonNode same = report.at("/rows/3");
        assertEquals("same", same.get("against").asText());
        assertTrue(report.at("/rows/1/isReference").asBoolean(), report::toString);
        assertTrue(report.at("/rows/1/median").asDouble() > 0, report::toString);
        // on a busy machine there may be too few turns
        assertTrue(same.hasNonNull("invalid") || same.at("/ratio/median").asDouble() > 0, report::toString);
        final String why = report.at("/rows/2/invalid").asText();
        assertTrue(why.matches(
            "process [01] of broken, team 1 ended before its first turn with exit code 1: Error: .*ClassFormatError.*"), why);
        assertEquals("broken", report.at("/rows/4/against").asText());
        assertEquals("INVALID", report.at("/rows/4/verdict").asText());
        assertTrue(output.toString().contains("broken: tallypost-endpoint of another build, " + broken), output::toString);
    }

    @Test
    void shouldGoOnWithoutATransportThatDoesNotFit() throws IOException
    {
        // too few slots for the mailbox's messages
        final JsonNode report = measure(0, "--scope threads --mode rtt --length 2048 --seconds 0 --slots 16" +
            " --transports raw,tallypost-mailbox");
        final JsonNode mailbox = report.get("rows").get(1);
        assertTrue(mailbox.get("invalid").asText().contains("takes 33 slots"), mailbox::toString);
        assertTrue(report.get("rows").get(0).get("median").asDouble() > 0);
        assertTrue(report.get("rows").get(0).get("invalid").isNull());
    }

    @Test
    void shouldMeasureLoadAndBursts() throws IOException
    {
        final JsonNode load = measure(0, "--scope threads --mode load --length 48 --seconds 0 --offered 1000,50%" +
            " --transports tallypost-endpoint,jctools-spsc");
        assertEquals(6, load.get("rows").size());
        load.get("rows").forEach((row) ->
        {
            assertTrue(row.at("/timesNs/p50").asLong() > 0, row::toString);
            assertTrue(row.at("/timesNs/p999").asLong() <= row.at("/timesNs/max").asLong(), row::toString);
        });
        assertEquals("50%", load.at("/rows/3/offered").asText());
        assertTrue(output.toString().contains("load, 48 bytes, at 50% of what each can do, threads"), output::toString);
        final JsonNode burst =
            measure(0, "--scope threads --mode burst --length 48 --seconds 0 --burst 16 --transports jctools-spsc");
        assertTrue(burst.at("/rows/0/timesNs/p50").asLong() > 0, burst::toString);
        assertTrue(output.toString().contains("burst, 48 bytes, 16 at once"), output::toString);
    }

    @Test
    void shouldMeasureTheStartOfNewProcesses() throws IOException
    {
        final JsonNode start = measure(0, "--scope threads --mode start --seconds 1 --offered 1000 --transports jctools-spsc");
        assertEquals(1, start.get("rows").size());
        assertTrue(start.at("/rows/0/turns").asInt() >= 4, start::toString);
        assertTrue(start.at("/rows/0/median").asDouble() > 0, start::toString);
        assertTrue(output.toString().contains("start, 48 bytes, 1000 a second, from the start of the processes until they come " +
            "on schedule, threads"), output::toString);
    }

    @Test
    void shouldHaveDefaultsForMatchedMessages()
    {
        final Settings settings = parse("--mode", "msg", "--posted", "1000", "--wildcard");
        assertEquals(List.of(Mode.RTT, Mode.RATE), settings.modes());
        assertEquals(List.of(8, 48, 2048), settings.lengths());
        final List<String> labels = settings.contestants().stream().map(Contestant::label)
            .filter((label) -> !label.startsWith("open-mpi")).toList();
        assertEquals(List.of("tallypost-endpoint", "tallypost-messaging", "tallypost-mpi", "aeron-ipc",
            "tallypost-messaging-posted", "tallypost-messaging-wildcard"), labels);
        assertEquals("tallypost-messaging", settings.contestants().get(settings.subject()).label());
        final Group group = settings.groups().get(0);
        final List<Beside> besides = settings.contestants().stream()
            .filter((contestant) -> contestant.kind() == TransportKind.TALLYPOST_MESSAGING)
            .map((contestant) -> settings.spec(group, contestant).others()).toList();
        assertEquals(List.of(Beside.NOTHING, new Beside(1000, false), new Beside(1000, true)), besides);
        assertEquals(List.of(new Beside(0, true)), parse("--mode", "rtt", "--transports", "tallypost-messaging", "--wildcard")
            .contestants().stream().map(Contestant::beside).filter((beside) -> !beside.isNothing()).toList());
    }

    @Test
    void shouldHaveDefaultsForBulk()
    {
        final Settings settings = parse("--mode", "bulk");
        assertEquals(List.of(Mode.LATENCY, Mode.BANDWIDTH), settings.modes());
        assertEquals(List.of(1 << 10, 1 << 13, 1 << 16, 1 << 20, 1 << 22, 1 << 24), settings.lengths());
        assertEquals(List.of("raw", "tallypost-messaging", "tallypost-messaging-regions", "tallypost-loans", "tallypost-regions",
            "aeron-ipc"), settings.contestants().stream()
            .map(Contestant::label).filter((label) -> !label.startsWith("open-mpi")).toList());
        assertEquals("tallypost-messaging", settings.contestants().get(settings.subject()).label());
        assertEquals(1, settings.teams());
        assertEquals(2, parse("--mode", "bulk", "--teams", "2").teams());
        assertEquals(8, new Group(Mode.BANDWIDTH, 1 << 24, 1).leastMessages());
        assertEquals(64, new Group(Mode.LATENCY, 1024, 1).leastMessages());
        assertEquals(1024, settings.slots(new Group(Mode.BANDWIDTH, 1 << 24, 1)), "a mailbox as ever");
    }

    @Test
    void shouldHaveDefaultsForLoansAndWords()
    {
        final Settings loans = parse("--mode", "loan");
        assertEquals(List.of(new Group(Mode.LOAN, 1 << 20, 1)), loans.groups());
        assertEquals(List.of("tallypost-loans", "tallypost-loans-48"),
            loans.contestants().stream().map(Contestant::label).toList());
        assertEquals("tallypost-loans", loans.contestants().get(loans.subject()).label());
        final Settings words = parse("--mode", "word");
        assertEquals(List.of(new Group(Mode.WORD, 8, 1)), words.groups());
        assertEquals(List.of("raw", "tallypost-put", "tallypost-get"),
            words.contestants().stream().map(Contestant::label).toList());
        assertEquals("tallypost-put", words.contestants().get(words.subject()).label());
    }

    @Test
    void shouldHaveDefaultsForMessagesBesideBulk()
    {
        final Settings near = parse("--mode", "beside");
        assertEquals(List.of(new Group(Mode.RTT, 48, 1)), near.groups());
        assertEquals(List.of("tallypost-messaging", "tallypost-messaging-beside"),
            near.contestants().stream().map(Contestant::label).toList());
        assertEquals("tallypost-messaging-beside", near.contestants().get(near.subject()).label());
        final Settings far = parse("--mode", "beside", "--scope", "network");
        assertEquals(List.of("tallypost-endpoint", "tallypost-endpoint-beside"),
            far.contestants().stream().map(Contestant::label).toList());
        assertEquals("tallypost-endpoint-beside", far.contestants().get(far.subject()).label());
        final Settings puts = parse("--scope", "network", "--mode", "bandwidth", "--length", "1048576",
            "--transports", "tallypost-regions,aeron-udp");
        assertEquals(List.of(0, 1), puts.members(puts.groups().get(0)));
    }

    @Test
    void shouldMeasurePutsBetweenNodes() throws IOException
    {
        final JsonNode report = measure(0, "--scope network --mode bandwidth --length 1048576 --seconds 0" +
            " --transports tallypost-regions,aeron-udp");
        report.get("rows").forEach((row) -> assertEquals(0, row.get("wrong").asLong(), row::toString));
        assertTrue(report.at("/rows/0/median").asDouble() > 0 && report.at("/rows/1/median").asDouble() > 0, report::toString);
    }

    @Test
    void shouldTellWhatWentBesideRoundTripsBetweenNodes() throws IOException
    {
        final JsonNode report = measure(0, "--scope network --mode beside --seconds 1 --transports tallypost-endpoint-beside");
        assertEquals(0, report.at("/rows/0/wrong").asLong(), report::toString);
        assertTrue(report.get("notes").toString().matches(
            ".*round trip, 48 bytes: tallypost-endpoint-beside: bytes went beside in [1-9].*"), report::toString);
    }

    @Test
    void shouldMeasureBulk() throws IOException
    {
        final JsonNode report = measure(0, "--mode bulk --length 1024,262144 --seconds 0" +
            " --transports tallypost-messaging,tallypost-regions");
        assertEquals(12, report.get("rows").size());
        for (final JsonNode row : report.get("rows"))
        {
            assertTrue(row.get("median").asDouble() > 0, row::toString);
            assertEquals(0, row.get("wrong").asLong(), row::toString);
        }
        assertTrue(output.toString().contains("latency, 1024 bytes, there and back, processes, 1024 slots, ns (less is better)"));
        assertTrue(output.toString().contains("bandwidth, 262144 bytes, processes, 1024 slots, GB/s (more is better)"));
    }

    @Test
    void shouldMeasureTheFacadeForMpi() throws IOException
    {
        final JsonNode report = measure(0, "--scope processes --mode msg --length 8 --seconds 0" +
            " --transports tallypost-messaging,tallypost-mpi");
        // each by itself and the subject against the other one, round trips and rates
        assertEquals(6, report.get("rows").size());
        for (final JsonNode row : report.get("rows"))
        {
            assertEquals(0, row.get("wrong").asLong(), row::toString);
        }
    }

    @Test
    void shouldTellWhatReceivesBesideCost() throws IOException
    {
        final JsonNode report = measure(0, "--scope threads --mode msg --length 8 --seconds 0 --posted 100 --wildcard" +
            " --transports tallypost-messaging,tallypost-endpoint");
        // each of four by itself and the subject against three of them, round trips and rates
        assertEquals(14, report.get("rows").size());
        // on a busy machine there may be too few pairs of turns for one or the other
        final List<JsonNode> besides = new ArrayList<>();
        report.get("rows").forEach((row) -> besides.add(row));
        besides.removeIf((row) -> !row.get("against").asText().matches(".*-(posted|wildcard)"));
        assertEquals(4, besides.size());
        final List<String> factors = new ArrayList<>();
        report.get("notes").forEach((note) -> factors.add(note.asText()));
        factors.removeIf((note) -> !note.matches("(round trip, 8 bytes|rate, 8 bytes, 1 producer): tallypost-messaging with " +
            "100 other receives( and a wildcard)? posted beside takes [0-9.]+ times as long, [-+][0-9]+ ns .*"));
        besides.removeIf((row) -> row.hasNonNull("invalid"));
        assertEquals(besides.size(), factors.size(), report::toString);
    }

    @Test
    void shouldHaveDefaultsForTheStartOfProcesses()
    {
        final Settings settings = parse("--mode", "start");
        assertEquals(List.of(new Group(Mode.START, 48, 1, "20000")), settings.groups());
        assertEquals(20_000, settings.groups().get(0).perSecond());
        assertEquals(3_000, settings.turnMs());
        assertEquals(1, settings.teams());
        assertEquals(1, settings.teams(0));
        assertEquals(300, settings.seconds());
        assertEquals(60, parse().seconds());
        assertEquals(10, parse().turnMs());
    }

    @Test
    void shouldMeasureNodes() throws IOException
    {
        final JsonNode report = measure(0, "--scope network --subject raw --length 48 --seconds 0" +
            " --transports raw,tallypost-endpoint,aeron-udp-claim,aeron-udp-packed");
        report.get("rows").forEach((row) -> assertTrue(row.get("median").asDouble() > 0, row::toString));
    }
}
