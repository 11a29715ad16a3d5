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
        final boolean isInvalid = report.hasNonNull("invalid");
        assertEquals(isInvalid ? 4 : report.get("good").asBoolean() ? 0 : 1, run.exitCode());
        assertEquals(isInvalid, run.output().contains("INVALID: too few turns are undisturbed: found "), run.output());
        report.get("turns").properties().forEach((figures) ->
        {
            assertEquals(5, figures.getValue().size());
            final double least = "lostShare".equals(figures.getKey()) ? 0 : Double.MIN_VALUE;
            figures.getValue().forEach((figure) -> assertTrue(figure.asDouble() >= least, report.toString()));
        });
        try (var left = Files.list(directory))
        {
            assertEquals(List.of(json), left.toList());
        }
    }

    /** Turns with good ratios, some of which take longer by mail boxes, and some are disturbed. */
    private static DeckTurns turns(final int count, final int slow, final int disturbed)
    {
        final DeckTurns turns = new DeckTurns(count);
        for (int i = 0; i < count; i++)
        {
            turns.matched()[i] = 100;
            turns.deck()[i] = i < slow ? 1_000 : 110;
            turns.large()[i] = 3 * turns.deck()[i];
            turns.retrievedShort()[i] = 20;
            turns.retrievedBehindCopies()[i] = 20;
            turns.retrievedLong()[i] = 20;
            turns.lostShare()[i] = i < disturbed ? 0.021 : 0.019;
        }
        return turns;
    }

    private static void judge(final String expected, final int exitCode, final DeckTurns turns)
    {
        final DeckReport report = new DeckReport(turns, 1);
        final String row = report.text().lines().filter((line) -> line.startsWith("round trip of a mail box")).findFirst()
            .orElseThrow();
        assertTrue(row.endsWith(expected), row);
        assertEquals(exitCode, report.exitCode());
    }

    @Test
    void shouldJudgeByTurnsThatWereNotDisturbed()
    {
        judge("yes", 0, turns(20, 0, 0));
        judge("NO", 1, turns(20, 20, 0));
        // slow as the machine had other work, or slow by itself
        judge("yes", 0, turns(20, 10, 10));
        judge("NO", 1, turns(20, 20, 10));
    }

    @Test
    void shouldJudgeNothingOnABusyMachine()
    {
        judge("INVALID", 4, turns(20, 20, 16));
        judge("INVALID", 4, turns(20, 0, 20));
        judge("INVALID", 4, turns(5, 5, 1));
        judge("NO", 1, turns(20, 20, 15));
        judge("yes", 0, turns(20, 15, 15));
        final DeckReport report = new DeckReport(turns(20, 20, 16), 1);
        assertEquals("too few turns are undisturbed: found 4 of 20, expected at least 5: measure more (--turns), or wait until " +
            "the machine has no other work", report.invalid());
        assertTrue(report.text().contains("20 turns of each way, 4 of them undisturbed; "), report.text());
        assertTrue(report.text().endsWith("INVALID: " + report.invalid() + System.lineSeparator()), report.text());
    }

    /** What either rank has lost counts. */
    @Test
    void shouldLookAtBothRanks()
    {
        final DeckTurns turns = turns(20, 0, 0);
        final double[] lostByOther = new double[20];
        java.util.Arrays.fill(lostByOther, 0, 16, 0.5);
        turns.join(lostByOther);
        assertEquals(4, turns.undisturbed().count());
        judge("INVALID", 4, turns);
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
