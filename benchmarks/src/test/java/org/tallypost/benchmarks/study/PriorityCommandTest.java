// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;

/** Single messages beside a flood: all of them are measured, and nothing is left behind. */
@Tag("once")
class PriorityCommandTest
{
    @TempDir
    private Path directory;

    private static CommandRun run(final String options)
    {
        return CommandRun.of(Tallypost.commandLine(), ("bench priority " + options).split(" "));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--between-nodes "})
    void shouldMeasureEachWayInEachRound(final String where) throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run(where + "--limit 600 --probes 20 --messages 200 --rounds 2 --directory " + directory +
            " --json " + json);
        assertEquals(0, run.exitCode(), run.errors());
        try (var left = Files.list(directory))
        {
            assertEquals(List.of(json), left.toList());
        }
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        for (final String way : List.of("alone", "low", "high"))
        {
            assertEquals(40, report.get(way).get("count").asInt(), way);
            assertTrue(report.get(way).get("p50").asLong() > 0, way);
        }
        assertTrue(report.get("ratio").asDouble() > 0);
        assertTrue(run.output().contains("high priority beside a flood"), run.output());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--between-nodes "})
    void shouldEndAfterTheLimitWithWhatCame(final String where)
    {
        final CommandRun run = run(where + "--limit 1 --probes 100000000 --messages 20 --rounds 1 --directory " + directory);
        // on a machine that is too busy for any probe, or for 20 messages, it says so as well
        final boolean isAnyThere = run.exitCode() == 0;
        final String told = isAnyThere ? run.output() : run.errors();
        assertTrue(told.contains(isAnyThere ? "Not all probes came within 1 s" : "a trial is not over within 1 s"), told);
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        final CommandRun run = run("--high-slots 1");
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains("--high-slots: found 1, expected 2 to 4096"), run.errors());
    }
}
