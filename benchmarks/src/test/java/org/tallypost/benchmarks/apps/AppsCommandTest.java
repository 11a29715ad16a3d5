// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.apps;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Whole programs by turns: here one start, of the side that is always there. */
@Tag("once")
class AppsCommandTest
{
    @TempDir
    private Path directory;
    @TempDir
    private Path outputs;

    private CommandRun run(final String options)
    {
        return CommandRun.of(
            Tallypost.commandLine(), ("bench apps --directory " + directory + " " + options).split(" "));
    }

    @Test
    void shouldRunAProgramAndSayWhatIsMissing()
    {
        final CommandRun run =
            run("--programs cg --sides tallypost,mpj --ranks 2 --launches 1 --rounds 2 --mpj " + directory + " --seed 5");
        assertEquals(0, run.exitCode(), run.errors());
        assertTrue(run.output().contains("Without MPJ Express, multicore: no lib/smpdev.jar in " + directory), run.output());
        assertTrue(run.output().contains("seed 5"), run.output());
        assertTrue(run.output().lines().anyMatch((line) -> line.matches("Tallypost, mpiJava +\\d+\\.\\d\\d .*")), run.output());
        assertArrayEquals(new String[0], directory.toFile().list());
    }

    @Test
    void shouldEndItsProgramsWhenASignalEndsIt() throws IOException, InterruptedException
    {
        final List<String> words = new ArrayList<>(List.of("bench", "apps", "--directory", directory.toString()));
        words.addAll(List.of("--programs", "cg", "--sides", "tallypost", "--ranks", "2"));
        words.addAll(List.of("--rounds", "10000", "--timeout", "600"));
        final File output = new File(outputs.toFile(), "output");
        final Process bench = new ProcessBuilder(ForkedJvm.command(Tallypost.class, List.of(), words.toArray()))
            .redirectErrorStream(true).redirectOutput(output).start();
        final List<ProcessHandle> started;
        try
        {
            // the launcher and two ranks
            Watchdog.await("three processes of bench apps, which has written to " + output,
                () -> bench.descendants().count() >= 3);
            started = bench.descendants().toList();
        }
        finally
        {
            bench.destroy();
            bench.waitFor(Watchdog.DEFAULT_LIMIT.toSeconds(), TimeUnit.SECONDS);
            bench.destroyForcibly();
        }
        assertEquals(143, bench.waitFor(), Files.readString(output.toPath()));
        started.forEach((process) -> assertFalse(process.isAlive(), process + " lives"));
        assertArrayEquals(new String[0], directory.toFile().list());
    }

    @ParameterizedTest
    @CsvSource({
        "--programs none,--programs: found 'none'",
        "--sides none,--sides: found 'none'",
        "--ranks 0,--ranks: found 0",
        "--rounds 0,--rounds: found 0",
        "--launches 0,--launches: found 0",
        "--warm-up 1441m,--warmup-time: found 1441m",
        "--timeout 1441m,--timeout: found 1441m",
        "--timeout 86401s,'--timeout: found 86401s, expected at most 1440m'"})
    void shouldRefuseWhatCannotBe(final String options, final String expected)
    {
        final CommandRun run = run(options);
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains(expected), run.errors());
    }

    @Test
    void shouldTakeTheLaterHalf()
    {
        final Launch launch = Launch.parse(App.CG, 4, "seconds 9\nseconds 8\nseconds 1.5\nseconds 0.5\ncg: right\n");
        assertNull(launch.failure());
        assertEquals(1, launch.seconds());
    }

    @ParameterizedTest
    @CsvSource({
        "'seconds 1\nseconds 1\ncg: WRONG, the result is not that of one process\n',no right result",
        "'seconds 1\ncg: right\n',found 1 rounds",
        "'seconds 1\nseconds 1\n',no right result",
        "'seconds 1\nseconds 1\nheat: right\n',no right result"})
    void shouldNotTrustAnotherOutput(final String output, final String expected)
    {
        final String failure = Launch.parse(App.CG, 2, output).failure();
        assertTrue(failure.contains(expected), failure);
    }
}
