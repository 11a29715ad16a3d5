// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import picocli.CommandLine;

@Tag("once")
class StudyCommandTest
{
    private static final String SHORT = " --rounds 1 --runs 1";

    @TempDir
    private Path directory;
    private final StringWriter output = new StringWriter();
    private final StringWriter errors = new StringWriter();

    private int execute(final String options)
    {
        return Tallypost.commandLine()
            .setOut(new PrintWriter(output)).setErr(new PrintWriter(errors)).execute(("study " + options).split(" "));
    }

    private JsonNode measure(final String options, final int expectedExitCode) throws IOException
    {
        final Path json = directory.resolve("report.json");
        final Path html = directory.resolve("report.html");
        final int exitCode = execute(
            options + SHORT + " --directory " + directory + " --json " + json + " --html " + html);
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

    private static List<String> texts(final JsonNode report, final String field)
    {
        final List<String> found = new ArrayList<>();
        report.get("rows").forEach((row) -> found.add(row.get(field).asText()));
        return found;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "buffers --bytes 1000|--bytes: found 1000, expected powers of two from 1024 to",
        "buffers --senders 0|--senders: found 0, expected 1 to 1024",
        "buffers --length 9|--length: found 9, expected a multiple of 8 from 8 to 2048",
        "buffers --turn 0|--turn: found 0, expected 1 to",
        "buffers --runs 0|--runs: found 0, expected 1 to",
        "buffers --rounds 0|--rounds: found 0, expected 1 to",
        "buffers --max-seconds 0|--max-seconds: found 0, expected 1 to",
        "buffers --duration-ms 0|--duration-ms: found 0, expected 1 to",
        "isolation --threads 4|--threads: found 4, expected 2 to 3",
        "isolation --work -1|--work: found -1, expected 0 to",
        "isolation --bytes 512|--bytes: found 512, expected powers of two",
        "link --receivers 1|--receivers: found 1, expected 2 to 1024",
        "link --length 900|--length: found 900, expected 8 to 832",
        "isolation --json /there/is/none.json|--json: found /there/is/none.json, expected a file in an existing directory",
        "buffers --directory /there/is/none|--directory: found /there/is/none, expected an existing directory",
    })
    void shouldRefuseWithWhatWasFoundAndExpected(final String options, final String message)
    {
        assertEquals(2, execute(options), errors::toString);
        assertTrue(errors.toString().contains(message), errors::toString);
    }

    @Test
    void shouldCountStreamsAndMemoryOfNodes() throws IOException
    {
        final Path json = directory.resolve("memory.json");
        assertEquals(0, execute("network-memory --nodes 8 --ranks 3 --measured-nodes 3 --measured-ranks 2 --messages 4" +
            " --directory " + directory + " --json " + json), () -> output + "\n" + errors);
        final JsonNode rows = new ObjectMapper().readTree(json.toFile()).get("rows");
        assertEquals(6, rows.size());
        final int[] streams = {2, 8, 2, 8, 7, 63};
        for (int i = 0; i < streams.length; i++)
        {
            final JsonNode row = rows.get(i);
            assertEquals(i % 2 == 0 ? "nodes" : "ranks", row.get("layout").asText());
            assertEquals(i == 2 || i == 3 ? "measured" : "computed", row.get("how").asText());
            assertEquals(streams[i], row.get("out").asInt());
            assertEquals(streams[i], row.get("in").asInt());
        }
        assertEquals(rows.get(0).get("logs"), rows.get(2).get("logs"), "files are as long as computed");
        assertEquals(rows.get(1).get("logs"), rows.get(3).get("logs"), "files are as long as computed");
        assertEquals(rows.get(0).get("others"), rows.get(2).get("others"), "rings and words are as long as computed");
        assertTrue(rows.get(3).get("used").asLong() >= rows.get(3).get("linked").asLong());
        try (var files = Files.list(directory))
        {
            assertEquals(1, files.count(), "nothing is left but the report");
        }
    }

    @Test
    void shouldWantToKnowWhichStudy()
    {
        assertEquals(2, new CommandLine(new Tallypost()).setErr(new PrintWriter(errors)).execute("study"));
        assertTrue(
            errors.toString().contains("Missing study: buffers, collectives, isolation, link, loggp or network-memory"),
            errors::toString);
    }

    @Test
    void shouldStudyBuffers() throws IOException
    {
        final JsonNode report = measure("buffers --senders 3 --bytes 4096,262144 --duration-ms 5 --warmup 1", 1);
        assertTrue(errors.toString().contains("study: none of 8 figures is valid; tallypost-dynamic: "), errors::toString);
        assertEquals("buffers", report.get("study").asText());
        assertEquals(8, report.get("rows").size());
        final JsonNode ours = report.get("rows").get(0);
        assertEquals("tallypost-dynamic", ours.get("transport").asText());
        assertEquals(3, ours.get("senders").asInt());
        assertEquals(4096 + 3 * 16 * 64, ours.get("bufferBytes").asInt(), "the ring and three lanes");
        assertEquals(16, ours.get("slotsPerSender").asInt());
        assertEquals("agrona-many-to-one", ours.get("ratioTo").asText());
        assertTrue(ours.at("/ratePerSecond/median").asDouble() > 0, ours::toString);
        assertTrue(ours.get("invalid").isTextual(), "one round is not enough");
        final JsonNode aeron = report.get("rows").get(3);
        assertEquals("three terms of at least 65536 bytes are 196608 bytes", aeron.get("notPossible").asText());
        assertTrue(aeron.get("ratePerSecond").isNull());
        assertTrue(report.get("rows").get(7).at("/ratePerSecond/median").asDouble() > 0);
        assertTrue(output.toString().contains("3 senders, 262,144 bytes"), output::toString);
        assertTrue(output.toString().contains("not possible, aeron-ipc: three terms"), output::toString);
    }

    @Test
    void shouldStudyIsolationAndFindDamage() throws IOException
    {
        // as many warm-up runs as it takes to come to the damaged message, however slow the machine is
        final JsonNode report = measure("isolation --bytes 262144 --work 8 --corrupt --duration-ms 2 --warmup 20", 1);
        assertEquals(8, report.get("rows").size());
        assertEquals(List.of("alone", "flood"), texts(report, "phase").subList(0, 2));
        final JsonNode flood = report.get("rows").get(1);
        assertTrue(flood.at("/p999Ns/median").asDouble() > 0);
        assertEquals("alone", flood.get("ratioTo").asText());
        assertEquals(8, flood.get("work").asInt());
        assertTrue(texts(report, "invalid").stream().anyMatch((invalid) -> invalid.startsWith("wrong payload: ")),
            report::toString);
    }

    @Test
    void shouldMeasureThatAReceiverThatStopsHoldsUpOthersOnlyOnASharedSubscription() throws IOException
    {
        final Path json = directory.resolve("link.json");
        final int exitCode = execute("link --receivers 4 --rounds 1 --duration-ms 100 --warmup-ms 300 --directory " + directory +
            " --json " + json);
        assertEquals(0, exitCode, () -> output + "\n" + errors);
        final JsonNode rows = new ObjectMapper().readTree(json.toFile()).get("rows");
        assertEquals(List.of("tallypost", "raw-aeron"), rows.findValuesAsText("transport"));
        for (final JsonNode row : rows)
        {
            final JsonNode round = row.get("rounds").get(0);
            for (final String without : List.of("first", "fourth"))
            {
                assertTrue(round.get(without).get("ratePerSecond").asDouble() > 0, round::toString);
                assertEquals(0, round.get(without).get("unread").asLong());
            }
            for (final String stopped : List.of("second", "third"))
            {
                assertEquals("tallypost".equals(row.get("transport").asText()),
                    round.get(stopped).get("ratePerSecond").asDouble() > 0, round::toString);
                assertTrue(round.get(stopped).get("unread").asLong() > 0, round::toString);
                assertEquals(0, round.get(stopped).get("wrong").asLong());
            }
        }
        assertTrue(output.toString().contains("stopped/without"), output::toString);
    }
}
