// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;
import org.tallypost.collectives.Algorithm;
import org.tallypost.collectives.CostProfile;

/** The costs of collectives, measured and read; and the study of what is chosen by them. */
@Tag("once")
class CollectivesCommandTest
{
    @TempDir
    private Path directory;

    private Path usual() throws IOException
    {
        final Path file = directory.resolve("usual");
        CostProfile.usual().write(file.toFile());
        return file;
    }

    @Test
    void shouldMeasureAProfileThatIsReadAgain()
    {
        final Path file = directory.resolve("measured");
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "calibrate", "collectives", "--members", "2",
            "--bytes", "1024", "--rounds", "1", "--out", file.toString());
        assertEquals(0, run.exitCode(), run.errors());
        assertEquals(CostProfile.read(file.toFile()).toText(), run.output());
        // between nodes too: the usual values are those of another network
        assertNotEquals(CostProfile.usual().messageNs(), CostProfile.read(file.toFile()).messageNs());
        assertNotEquals(CostProfile.usual().messageByteNs(), CostProfile.read(file.toFile()).messageByteNs());
        assertTrue(run.output().contains("\ntime.all-reduce.2.1024.direct-slices="), run.output());
        final CommandRun check = CommandRun.of(Tallypost.commandLine(), "calibrate", "collectives", "--check", file.toString());
        assertEquals(run.output(), check.output());
    }

    @Test
    void shouldRefuseAForeignProfile() throws IOException
    {
        final Path file = usual();
        Files.writeString(file, Files.readString(file).replace("machine=", "machine=of others "));
        for (final String command : new String[]{"calibrate collectives --check ", "study collectives --profile "})
        {
            final CommandRun run = CommandRun.of(Tallypost.commandLine(), (command + file).split(" "));
            assertEquals(2, run.exitCode());
            assertTrue(run.errors().contains("found machine=of others"), run.errors());
        }
    }

    @Test
    void shouldCompareTheChoice() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "study", "collectives", "--members", "2",
            "--bytes", "8,4096", "--operation", "scatter,all-reduce", "--rounds", "1", "--profile", usual().toString(),
            "--json", json.toString());
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.output().contains("of 4 cells, Open MPI's rules"), run.output());
        final JsonNode cells = new ObjectMapper().readTree(json.toFile()).get("cells");
        assertEquals(4, cells.size());
        assertEquals("all-reduce", cells.get(3).get("operation").asText());
        assertEquals(4, cells.get(3).get("medianNs").size(), "blocks, direct, both slices");
        assertTrue(cells.get(3).get("medianNs").has(cells.get(3).get("chosen").asText()));
        assertEquals("inline", cells.get(0).get("chosen").asText());
    }

    /** What teams choose by and what they are judged by take turns, so both are of the same machine. */
    @Test
    void shouldMeasureTheProfileByTurnsWithWhatIsJudged() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "study", "collectives", "--members", "2",
            "--bytes", "4096", "--operation", "scatter", "--rounds", "1", "--json", json.toString());
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.output().contains("way of a line to another core, before and after each number of members, ns: "),
            run.output());
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        final String profile = report.get("profile").asText();
        for (final int length : CalibrateCollectivesCommand.LENGTHS)
        {
            assertTrue(profile.contains("\ntime.scatter.2." + length + ".direct="), profile);
        }
        assertFalse(profile.contains("time.gather."), "only of operations that are judged");
        assertEquals(1, report.get("cells").size());
        assertEquals(2, report.get("lineNs").size());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--members 1|--members: found 1, expected 2 to 64",
        "--bytes 12|--bytes: found 12, expected multiples of 8 from 8 to",
        "--members 65|--members: found 65, expected 2 to 64",
        "--operation gathers|found 'gathers', expected one of broadcast, scatter, gather, all-gather, all-to-all, reduce,",
        "--json /nonexistent/report.json|--json: found /nonexistent/report.json, expected a file in an existing directory",
        "--json /|--json: found /, expected a file in an existing directory",
        "--profile /nonexistent|/nonexistent",
        "--rounds 0|--rounds: found 0, expected 1 to 1000"})
    void shouldRefuseOptions(final String options, final String expected)
    {
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), ("study collectives " + options).split(" "));
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains(expected), run.errors());
    }

    /** Not after a minute of measuring. */
    @Test
    void shouldRefuseAProfileThatCannotBeWrittenBeforeItIsMeasured()
    {
        final CommandRun run =
            CommandRun.of(Tallypost.commandLine(), "calibrate", "collectives", "--out", "/nonexistent/profile");
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains("--out: found /nonexistent/profile, expected a file in an existing directory"),
            run.errors());
        assertEquals("", run.output(), "nothing was measured");
    }

    @Test
    void shouldKnowTheBestAndTheRules()
    {
        final Map<Algorithm, Double> nanos = new EnumMap<>(Algorithm.class);
        nanos.put(Algorithm.BLOCKS, 300.0);
        nanos.put(Algorithm.DIRECT, 200.0);
        nanos.put(Algorithm.SLICES, 100.0);
        final CollectiveCell cell = new CollectiveCell(
            new CollectiveTime(CollectiveCall.ALL_REDUCE, 2, 6_000, nanos), Algorithm.DIRECT);
        assertEquals(Algorithm.SLICES, cell.best());
        assertEquals(2.0, cell.ratio(cell.chosen()));
        assertEquals(Algorithm.BLOCKS, cell.byRules(), "direct slices were not measured");
        assertEquals(Algorithm.BLOCKS, OpenMpiRules.choose(true, 2, 4_000));
        assertEquals(Algorithm.DIRECT, OpenMpiRules.choose(true, 2, 10_000));
        assertEquals(Algorithm.DIRECT_SLICES, OpenMpiRules.choose(true, 4, 10_000));
        assertEquals(Algorithm.SLICES, OpenMpiRules.choose(true, 4, 8));
        assertEquals(Algorithm.BLOCKS, OpenMpiRules.choose(false, 2, 4_096));
        assertEquals(Algorithm.DIRECT, OpenMpiRules.choose(false, 8, 4_104));
    }
}
