// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.benchmarks.compare.Mode;
import picocli.CommandLine;

class TurnsTest
{
    @TempDir
    private Path directory;

    /** The machine is twice as fast in the second round and four times in the third: what is compared stays as it is. */
    @Test
    void shouldDivideRoundByRound()
    {
        final TurnsResult result =
            new TurnsResult(List.of(new double[]{10, 15}, new double[]{20, 30}, new double[]{40, 50}), 0);
        assertArrayEquals(new double[]{1.5, 1.5, 1.25}, result.ratios(1));
        assertArrayEquals(new double[]{1, 1, 1}, result.ratios(0));
        assertEquals(1.5, TurnsResult.quantile(result.ratios(1), 0.5));
        assertEquals(1.25, TurnsResult.quantile(result.ratios(1), 0));
        assertEquals(50, TurnsResult.quantile(result.figures(1), 1));
        assertEquals(7, TurnsResult.quantile(new double[]{7}, 0.25));
        assertEquals(3, TurnsResult.quantile(new double[]{4, 2}, 0.5));
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = {"RTT", "RATE"})
    void shouldTakeTurnsAndCheckEveryMessage(final Mode mode) throws InterruptedException
    {
        final TurnsResult result = run(mode, 200_000, false);
        assertEquals(0, result.wrong());
        assertEquals(1, result.rounds().size());
        for (final double figure : result.rounds().get(0))
        {
            assertTrue(figure > 0 && Double.isFinite(figure), "figure: " + figure);
        }
        assertTrue(Files.notExists(directory.resolve("turns")), "nothing is left");
    }

    /** From the thousandth message on some are damaged: how long that takes is the machine's business. */
    @Test
    void shouldFindADamagedMessage() throws InterruptedException
    {
        long wrong = 0;
        for (int attempt = 0; attempt < 100 && wrong == 0; attempt++)
        {
            wrong = run(Mode.RATE, 2_000_000, true).wrong();
        }
        assertTrue(wrong > 0, "not found");
    }

    private TurnsResult run(final Mode mode, final long windowNs, final boolean isCorrupt) throws InterruptedException
    {
        final List<Contender> contenders =
            List.of(Contender.AGRONA_MANY_TO_ONE, Contender.TALLYPOST_STATIC, Contender.TALLYPOST_DYNAMIC);
        return new Turns(
            new TurnsSpec(mode, 200, 256, contenders, windowNs, 1, isCorrupt), directory.resolve("turns").toFile()).run();
    }

    @Test
    void shouldReportWhatCameOfTheTurns() throws IOException
    {
        final StringWriter output = new StringWriter();
        final Path json = directory.resolve("turns.json");
        final int exitCode = new CommandLine(new Tallypost()).setOut(new PrintWriter(output)).setErr(new PrintWriter(output))
            .execute("study", "turns", "--seconds", "1", "--window-ms", "1", "--slots", "256", "--directory",
            directory.toString(), "--json", json.toString());
        assertEquals(0, exitCode, output::toString);
        assertTrue(output.toString().contains("every message arrived as it was sent"), output::toString);
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals("tallypost-none", report.at("/rows/0/transport").asText());
        assertEquals(1, report.at("/rows/0/ratio").asDouble());
        assertEquals("tallypost-dynamic", report.at("/rows/1/transport").asText());
        assertTrue(report.at("/rows/1/ratioQ1").asDouble() <= report.at("/rows/1/ratioQ3").asDouble());
        assertTrue(report.get("rounds").asInt() > 0);
        try (var files = Files.list(directory))
        {
            assertEquals(1, files.count(), "nothing is left but the report");
        }
    }
}
