// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;

/** {@code bench deck} names the wrong rows of the published table, and says the same by its exit code as in its report. */
@Tag("once")
class DeckCommandTest
{
    @TempDir
    private Path directory;

    private static CommandRun run(final String options)
    {
        return CommandRun.of(Tallypost.commandLine(), ("bench deck " + options).split(" "));
    }

    @Test
    void shouldNameTheWrongRowsAndMeasureEachWay() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--turns 5 --trips 20 --warmups 0 --directory " + directory + " --json " + json);
        assertEquals("", run.errors());
        final List<String> wrong = run.output().lines().filter((line) -> line.contains("WRONG")).toList();
        assertEquals(5, wrong.size(), run.output());
        assertTrue(wrong.get(0).strip().startsWith("16 ") && wrong.get(4).strip().startsWith("20 "), wrong.toString());
        assertTrue(wrong.get(4).contains("20,445.12") && wrong.get(4).contains("20,478.52"), wrong.get(4));
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals(report.get("good").asBoolean() ? 0 : 1, run.exitCode());
        report.get("turns").forEach((figures) ->
        {
            assertEquals(5, figures.size());
            figures.forEach((figure) -> assertTrue(figure.asDouble() > 0, report.toString()));
        });
        try (var left = Files.list(directory))
        {
            assertEquals(List.of(json), left.toList());
        }
    }

    @Test
    void shouldFindTheMedianAndItsInterval()
    {
        assertArrayEquals(new double[] {3, 1, 5}, DeckTurns.interval(5, 4, 3, 2, 1));
        final double[] hundred = new double[100];
        java.util.Arrays.setAll(hundred, (i) -> 99 - i);
        assertArrayEquals(new double[] {49.5, 40, 59}, DeckTurns.interval(hundred));
    }

    @Test
    void shouldRefuseOptionsThatCannotBe()
    {
        final CommandRun run = run("--turns 4");
        assertTrue(run.errors().contains("--turns: found 4, expected 5 to 100000"), run.errors());
    }
}
