// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
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
import org.tallypost.benchmarks.compare.MpiUnexpected;
import org.tallypost.cli.CommandRun;

/** Messages that nobody receives, in real processes: few of them, and small windows. */
@Tag("once")
class UnexpectedCommandTest
{
    @TempDir
    private Path directory;

    private static CommandRun run(final String options)
    {
        return CommandRun.of(Tallypost.commandLine(), ("bench unexpected " + options).split(" "));
    }

    /** A JVM itself grows by more than so small a window, so the exit code follows from what is printed. */
    private static void checkExitCode(final CommandRun run, final JsonNode report)
    {
        assertEquals(report.get("good").asBoolean() ? 0 : 1, run.exitCode(), run.errors());
        assertEquals(
            report.get("good").asBoolean(), run.output().lines().noneMatch((line) -> line.endsWith(" NO")), run.output());
    }

    private JsonNode report(final Path json) throws IOException
    {
        try (var left = Files.list(directory))
        {
            assertEquals(List.of(json), left.toList());
        }
        return new ObjectMapper().readTree(json.toFile());
    }

    @Test
    void shouldKeepTheFormulaAndTheOrderWhileSendersWait() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--messages 3001 --senders 2 --window 65536 --announcements 16 --mpi-messages 300 " +
            "--directory " + directory + " --json " + json);
        final JsonNode report = report(json);
        checkExitCode(run, report);
        assertTrue(run.output().contains("3,001 messages of 8 bytes of 2 senders"), run.output());
        assertTrue(run.output().contains(": in order, as they were sent."), run.output());
        final JsonNode receiver = report.get("ranks").get(0);
        assertEquals(0, receiver.get("wrong").asLong());
        final long came = receiver.get("counted").asLong();
        // a window has room for 512 messages of 128 bytes, and 16 more are announced
        assertTrue(came > 0 && came <= 2 * (512 + 16), "came: " + came);
        assertTrue(receiver.get("bytes").asLong() <= 2 * (65_536 + 16 * 64), receiver.toString());
        assertEquals(196_608, report.get("formula").asLong());
        assertTrue(receiver.get("taken").asLong() <= 196_608, receiver.toString());
        for (int sender = 1; sender <= 2; sender++)
        {
            assertTrue(report.get("ranks").get(sender).get("bytes").asLong() > 0, "sends wait: " + report);
        }
        final boolean hasMpi = MpiUnexpected.whyNot() == null;
        assertEquals(hasMpi, run.output().contains("Open MPI: 300 messages without a receive"), run.output());
        assertEquals(!hasMpi, run.output().contains("Without Open MPI: mpirun"), run.output());
    }

    @Test
    void shouldAnnounceLongMessages() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--messages 100 --senders 1 --length 3000 --window 4096 --announcements 16 --directory " +
            directory + " --json " + json);
        final JsonNode report = report(json);
        checkExitCode(run, report);
        assertTrue(run.output().contains("Without Open MPI: messages of more than 2,048 bytes"), run.output());
        assertTrue(report.get("openMpi").isNull());
        assertTrue(report.get("ranks").get(0).get("counted").asLong() <= 16, run.output());
        assertEquals(0, report.get("ranks").get(0).get("wrong").asLong());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--senders 0|--senders: found 0, expected 1 to 64",
        "--messages 2|--messages: found 2, expected 3 to",
        "--length 7|--length: found 7, expected 8 to 65536",
        "--window 4095|--window: found 4095, expected 4096 to",
        "--announcements 15|--announcements: found 15, expected 16 to 65536",
        "--announcements 65536 --length 65536|--announcements times --length: found 4294967296, expected at most",
        "--mpi-messages -1|--mpi-messages: found -1, expected at least 0",
        "--timeout 86400001ms|--timeout: found 86400001ms, expected at most 1440m",
        "--timeout 1441m|--timeout: found 1441m, expected at most 1440m",
        "--directory /there/is/none|--directory: found /there/is/none"})
    void shouldRefuseOptions(final String options, final String expected)
    {
        final CommandRun run = run(options);
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains(expected), run.errors());
    }

    @Test
    void shouldShareMessagesAmongSenders()
    {
        final UnexpectedSpec spec = new UnexpectedSpec(new File("none"), 3, 11, 8, 4_096, 16);
        assertEquals(4, spec.messagesOf(1));
        assertEquals(4, spec.messagesOf(2));
        assertEquals(3, spec.messagesOf(3));
        assertEquals(65_536, spec.formula());
        assertEquals(393_216, new UnexpectedSpec(new File("none"), 3, 11, 8, 65_536, 1_024).formula());
        assertFalse(spec.sends() <= spec.announcements(), "some wait");
    }
}
