// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;

@Tag("once")
class CalibrateLoggpCommandTest
{
    private static final LoggpSignature BASE = new LoggpSignature(40, 50, 120, 90, 0.2);

    @TempDir
    private Path directory;

    private static List<String> faults(
        final Knob knob, final long value, final double send, final double receive, final double latency, final double gap,
        final double byteGap)
    {
        final LoggpRow row = new LoggpRow(knob, value);
        for (int i = -1; i <= 1; i++)
        {
            row.add(BASE, new LoggpSignature(BASE.send() + send + i, BASE.receive() + receive + i, BASE.latency() + latency + i,
                BASE.gap() + gap + i, BASE.byteGap() + byteGap));
        }
        return row.faults();
    }

    @Test
    void shouldKnowTheIntervalOfAMedian()
    {
        // of 5 figures not even all of them make a 95 % interval, of 6 they do; 11 and 20 from tables
        assertEquals(0, LoggpRow.rankOfInterval(5));
        assertEquals(0, LoggpRow.rankOfInterval(6));
        assertEquals(1, LoggpRow.rankOfInterval(11));
        assertEquals(5, LoggpRow.rankOfInterval(20));
    }

    @Test
    void shouldFindKnobsThatMoveAlone()
    {
        assertEquals(List.of(), faults(Knob.OVERHEAD, 10_000, 10_100, 9_900, 80, 20_000, 0));
        assertEquals(List.of(), faults(Knob.LATENCY, 64_000, 0, 0, 63_000, 2_000, 0));
        assertEquals(List.of(), faults(Knob.GAP, 5_000, 50, -50, 0, 5_100, 0.1));
        assertEquals(List.of(), faults(Knob.BYTE_GAP, 110_000, 0, 0, 0, 0, 111));
    }

    @Test
    void shouldFindKnobsThatMoveOthersOrTooLittle()
    {
        assertEquals(List.of("o recv"), faults(Knob.OVERHEAD, 10_000, 10_000, 0, 0, 20_000, 0));
        assertEquals(List.of("L"), faults(Knob.OVERHEAD, 10_000, 10_000, 10_000, -500, 20_000, 0));
        assertEquals(List.of("g"), faults(Knob.OVERHEAD, 10_000, 10_000, 10_000, 0, 30_000, 0));
        assertEquals(List.of("L"), faults(Knob.LATENCY, 64_000, 0, 0, 60_000, 0, 0));
        assertEquals(List.of("g"), faults(Knob.LATENCY, 64_000, 0, 0, 64_000, 4_000, 0));
        assertEquals(List.of("o send", "g"), faults(Knob.GAP, 5_000, 200, 0, 0, 4_000, 0));
        assertEquals(List.of("G"), faults(Knob.BYTE_GAP, 110_000, 0, 0, 0, 0, 100));
    }

    /** That of the worst verdict in the output. */
    static int exitCode(final CommandRun run)
    {
        return run.output().lines().anyMatch((line) -> line.endsWith("does not hold")) ? LoggpStatements.DOES_NOT_HOLD :
            run.output().lines().anyMatch((line) -> isStatement(line) && line.endsWith("INVALID")) ? LoggpStatements.INVALID : 0;
    }

    static boolean isStatement(final String line)
    {
        return line.endsWith("does not hold") || line.endsWith("holds") || line.contains("had no processor");
    }

    @Test
    void shouldShowALookWithoutAProcessor()
    {
        final LoggpRow row = new LoggpRow(Knob.GAP, 5_000);
        row.add(BASE, BASE);
        assertEquals("no: g", row.cells()[6]);
        row.disturbed();
        assertEquals("INVALID", row.cells()[6]);
    }

    @Test
    void shouldMeasureAllSettings() throws IOException
    {
        final Path json = directory.resolve("loggp.json");
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "calibrate", "loggp", "--sweep", "--rounds", "1",
            "--attempts", "1", "--json", json.toString(), "--directory", directory.toString());
        assertEquals(exitCode(run), run.exitCode(), run::toString);
        assertEquals(10, run.output().lines().filter(CalibrateLoggpCommandTest::isStatement).count());
        assertTrue(run.output().contains("of 22 settings move their own parameter alone"), run::toString);
        assertTrue(run.output().contains("o +100.000 us") && run.output().contains("G +11.000 us/100B"), run::toString);
        assertTrue(Files.readString(json).contains("\"movesAlone\""));
        run.output().lines().forEach((line) -> assertTrue(line.length() <= 100, line));
        try (var files = Files.list(directory))
        {
            assertEquals(1, files.count(), "files are left");
        }
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        for (final String[] options : new String[][] {{"--rounds", "0"}, {"--attempts", "0"},
            {"--json", "/none/file"}, {"--directory", "/none"}})
        {
            final CommandRun run = CommandRun.of(Tallypost.commandLine(), "calibrate", "loggp", options[0], options[1]);
            assertEquals(2, run.exitCode(), run::toString);
            assertTrue(run.errors().contains(options[0]), run::toString);
        }
    }
}
