// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.benchmarks.harness.Verdict;
import org.tallypost.cli.CommandRun;
import org.tallypost.endpoint.MessageProfile;

/** The ways of a message, measured; and what follows from figures that are given. */
@Tag("once")
class CalibrateBulkCommandTest
{
    private static final int ROUNDS = 25;

    @TempDir
    private Path directory;

    private final BulkFigures figures = new BulkFigures(ROUNDS);

    private static CommandRun run(final String command)
    {
        return CommandRun.of(Tallypost.commandLine(), ("calibrate bulk " + command).split(" "));
    }

    /** A row of the table: microseconds by each way, with some noise. */
    private void row(final int length, final double eager, final double region, final double announced, final double cross)
    {
        for (int round = 0; round < ROUNDS; round++)
        {
            final double noise = 1 + round % 5 * 0.01;
            if (BulkMeter.isPossible(BulkWay.EAGER, length))
            {
                figures.put(BulkWay.EAGER, length, round, eager * noise);
            }
            figures.put(BulkWay.REGION, length, round, region * (2 - noise));
            figures.put(BulkWay.PRIVATE, length, round, announced * noise);
            if (cross > 0)
            {
                figures.put(BulkWay.CROSS, length, round, cross * noise);
            }
        }
    }

    @Test
    void shouldMeasureAProfileThatIsReadAgain() throws IOException
    {
        final Path file = directory.resolve("measured");
        final CommandRun run = run("--length 64,4096,2048 --rounds 5 --directory " + directory + " --out " + file);
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.output().endsWith(MessageProfile.read(file.toFile()).toText()), run.output());
        assertTrue(run.output().lines().anyMatch((line) -> line.startsWith("4,096  ")), run.output());
        for (final BulkWay way : BulkMeter.ways())
        {
            assertTrue(run.output().contains(way.label() + ", us"), run.output());
        }
        assertEquals(BulkMeter.ways().contains(BulkWay.CROSS), !run.output().contains("Without process_vm_readv"));
        assertTrue(run("--check " + file).output().equals(MessageProfile.read(file.toFile()).toText()));
        try (var left = Files.list(directory))
        {
            assertEquals(List.of(file), left.toList());
        }
    }

    @Test
    void shouldRefuseAForeignProfile() throws IOException
    {
        final Path file = directory.resolve("foreign");
        MessageProfile.usual().write(file.toFile());
        Files.writeString(file, Files.readString(file).replace("machine=", "machine=of others "));
        final CommandRun run = run("--check " + file);
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains("found machine=of others"), run.errors());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--length 12|--length: found 12, expected multiples of 8 from 64 to",
        "--length 64,16777224|--length: found 16777224, expected multiples of 8 from 64 to 16777216",
        "--rounds 4|--rounds: found 4, expected 5 to 1000",
        "--directory /there/is/none|--directory: found /there/is/none",
        "--out /there/is/none/file|--out: found /there/is/none/file, expected a file in an existing directory"})
    void shouldRefuseOptions(final String options, final String expected)
    {
        final CommandRun run = run(options);
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains(expected), run.errors());
    }

    @Test
    void shouldKnowWhereTheOrderChanges()
    {
        row(64, 1, 3, 4, 9);
        row(1_024, 2, 3, 4, 9);
        row(2_048, 5, 3, 4, 9);
        row(4_096, 0, 3.01, 3, 9);
        row(65_536, 0, 10, 30, 20);
        assertEquals(Verdict.BETTER, figures.verdict(BulkWay.EAGER, BulkWay.REGION, 1_024));
        assertEquals(Verdict.WORSE, figures.verdict(BulkWay.EAGER, BulkWay.PRIVATE, 2_048));
        assertEquals(Verdict.INVALID, figures.verdict(BulkWay.EAGER, BulkWay.PRIVATE, 4_096));
        assertEquals(List.of(
            "from 2,048 bytes on region is faster than eager runs",
            "from 2,048 bytes on private is faster than eager runs",
            "from 65,536 bytes on process_vm_readv is faster than private"), figures.changes());
        // at 4,096 there is no difference that is certain
        assertEquals(MessageProfile.of(1_024, 1_025, 65_536).toText(), figures.profile().toText());
    }

    @Test
    void shouldPreferARegionToTheMailboxOnlyFromWhereItIsNotBehindAnyMore()
    {
        row(64, 2, 1, 4, 0);
        row(256, 2, 3, 4, 0);
        row(1_024, 3, 2, 4, 0);
        row(4_096, 0, 3, 4, 0);
        assertEquals(MessageProfile.of(2_048, 1_024, 65_536).toText(), figures.profile().toText());
        row(65_536, 0, 9, 8, 0);
        assertEquals(MessageProfile.of(2_048, MessageProfile.NEVER, 65_536).toText(), figures.profile().toText());
    }

    @Test
    void shouldStayWithTheUsualWhereNothingWasMeasured()
    {
        row(64, 1, 3, 4, 0);
        assertEquals(MessageProfile.usual().toText(), figures.profile().toText());
    }

    @Test
    void shouldNotLetTheKernelCopyWhatItIsSlowerFor()
    {
        row(64, 3, 4, 2, 9);
        row(4_096, 0, 1, 3, 9);
        assertEquals(MessageProfile.of(0, 4_096, MessageProfile.NEVER).toText(), figures.profile().toText());
    }
}
