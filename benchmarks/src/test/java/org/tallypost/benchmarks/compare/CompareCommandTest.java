// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.endpoint.Flow;
import picocli.CommandLine;

class CompareCommandTest
{
    @TempDir
    private Path directory;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int execute(final String options)
    {
        return new CommandLine(new Tallypost())
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors)).execute(("compare " + options).split(" "));
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
        assertEquals(List.of(Mode.RTT, Mode.RATE), settings.modes());
        assertEquals(List.of(8, 48, 2048), settings.lengths());
        assertEquals(TransportKind.all(), settings.transports());
        assertEquals(Flow.DYNAMIC, settings.flow());
        assertEquals(MachineStates.AUTO, settings.states());
        assertEquals(6, settings.groups().size());
    }

    @Test
    void shouldTakeLists()
    {
        final Settings settings = parse("--scope", "threads", "--mode", "rate", "--length", "8,16", "--producers", "1,2,3",
            "--transports", "raw,jctools-mpsc", "--aeron-driver", "separate", "--flow", "static",
            "--rtt-states", "200.5,700");
        assertEquals(Scope.THREADS, settings.scope());
        assertEquals(List.of(Mode.RATE), settings.modes());
        assertEquals(6, settings.groups().size());
        assertEquals(List.of(TransportKind.JCTOOLS_MPSC), settings.transports(new Group(Mode.RATE, 8, 2)));
        assertEquals(AeronDriver.SEPARATE, settings.aeronDriver());
        assertEquals(Flow.STATIC, settings.flow());
        assertEquals(new MachineStates(0, 200.5, 700, 0), settings.states());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--scope hosts|--scope: found 'hosts', expected threads, processes",
        "--mode speed|--mode: found 'speed', expected rtt, rate, alltoall, all",
        "--length 9|--length: found 9, expected multiples of 8 from 8 to 2048",
        "--length 8,4096|--length: found 4096, expected multiples of 8",
        "--producers 0|--producers: found 0, expected 1 to 63",
        "--scope network --mtu 1408|--mtu: found 1408, expected 2080 to 65504",
        "--scope network --mtu 900 --length 8|--mtu: found 900, expected 1024 to",
        "--scope network --mtu 1400 --length 48|--mtu: found 1400, expected a multiple of 32",
        "--ranks 1|--ranks: found 1, expected 2 to 64",
        "--mode alltoall --scope threads|--transports: found null, expected at least one that is installed and goes with",
        "--slots 100|--slots: found 100, expected a power of two",
        "--rounds 4|--rounds: found 4, expected 5 to",
        "--duration 0|--duration: found 0, expected 1 to",
        "--transports pigeon|--transports: found 'pigeon', expected some of raw, tallypost-mailbox",
        "--transports disruptor|--transports: found [disruptor], expected at least one that is installed and goes with",
        "--rtt-states 900,300|--rtt-states: found 900,300, expected auto, or two numbers",
        "--rtt-states 300|--rtt-states: found 300, expected auto, or two numbers",
        "--rtt-states fast,slow|--rtt-states: found fast,slow, expected auto, or two numbers",
        "--flow both|--flow: found 'both', expected none, static, dynamic",
        "--directory /there/is/none|--directory: found /there/is/none, expected an existing directory",
        "--json /there/is/none.json|--json: found /there/is/none.json, expected a file in an existing directory",
    })
    void shouldRefuseWithWhatWasFoundAndExpected(final String options, final String message)
    {
        assertEquals(2, execute(options), errors::toString);
        assertTrue(errors.toString().contains(message), errors::toString);
    }

    @Test
    void shouldMeasureMarkAndReport() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final Path html = directory.resolve("report.html");
        final int exitCode = execute("--scope threads --mode rate --length 8 --producers 1 --rounds 5 --extra-rounds 0" +
            " --duration 20 --probe 1 --warmup 2 --attempts 1 --slots 256 --transports agrona-one-to-one,jctools-spsc" +
            " --timeout 1800000 --corrupt jctools-spsc --directory " + directory + " --json " + json + " --html " + html);
        assertEquals(1, exitCode, () -> output + "\n" + errors);

        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals(2, report.get("rows").size());
        final List<String> fields = new ArrayList<>();
        final JsonNode row = report.get("rows").get(0);
        row.fieldNames().forEachRemaining(fields::add);
        assertEquals(List.of("transport", "mode", "scope", "length", "producers", "slots", "p50Ns", "p99Ns", "p999Ns",
            "ratePerSecond", "ratioToRaw", "rounds", "invalid"), fields.subList(0, 13));
        assertEquals("agrona-one-to-one", row.get("transport").asText());
        assertEquals("rate", row.get("mode").asText());
        assertEquals("threads", row.get("scope").asText());
        assertEquals(256, row.get("slots").asInt());
        assertTrue(row.get("ratePerSecond").asDouble() > 0);
        assertTrue(row.get("p50Ns").isNull());
        assertEquals(5, row.get("samples").size());
        assertEquals(row.get("rounds").asInt() < 5, row.get("invalid").isTextual(), row::toString);
        assertTrue(report.get("rows").get(1).get("invalid").asText().startsWith("wrong payload: "));
        assertTrue(report.at("/states/auto").asBoolean());
        assertTrue(report.at("/states/fastBelowNs").asDouble() > 0, "no raw round trip was seen");
        assertTrue(output.toString().contains("which a tenth of all probes were below; shared is a fast"), output::toString);
        assertTrue(report.at("/states/sharedAboveWorkNs").asDouble() > 0, "no core was asked");
        assertTrue(row.at("/samples/0/workBeforeNs").asDouble() > 0 && row.at("/samples/4/workAfterNs").asDouble() > 0);
        assertEquals("4.0.5", report.at("/environment/versions/jctools").asText());
        assertTrue(output.toString().contains("INVALID jctools-spsc: wrong payload: "), output::toString);

        final String page = Files.readString(html);
        assertTrue(page.contains("Chart.js"), "the library is inside");
        assertFalse(page.contains("/* DATA */"));
        assertFalse(page.matches("(?s).*<(script|link|img)[^>]*(src|href)=.*"), "nothing is loaded");
        try (var files = Files.list(directory))
        {
            assertEquals(2, files.count(), "nothing is left but the reports");
        }
    }
}
