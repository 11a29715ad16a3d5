// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/**
 * Whatever ends the parent of a run, nothing of the run is left: no process, no file.
 */
@Timeout(1800)
@Tag("once")
class ParentDeathTest
{
    private static final int SIGINT = 2;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @MethodSource("signals")
    void shouldLeaveNothingBehind(final String signal) throws IOException, InterruptedException
    {
        try (ForkedJvm parent = ForkedJvm.start(
            Tallypost.class, "bench", "alltoall", "--ranks", "4", "--length", "1000000", "--flow", "static",
            "--repeat", "100000", "--operations", "1", "--timeout", "1800s", "--directory", directory))
        {
            final ProcessHandle handle = ProcessHandle.of(parent.pid()).orElseThrow();
            Watchdog.await("two workers that have opened their ranks", () -> hasMailboxes() && handle.children().count() == 2);
            final List<ProcessHandle> workers = handle.children().toList();
            assertEquals(0, new ProcessBuilder("kill", "-" + signal, Long.toString(parent.pid())).start().waitFor());
            Watchdog.await("the end of the parent", () -> !parent.isAlive());
            Watchdog.await("the end of the workers", () -> workers.stream().noneMatch(ParentDeathTest::isRunning));
            Watchdog.await("an empty directory", this::isEmpty);
            assertTrue(parent.waitFor() != 0);
        }
    }

    /** A shell's background jobs ignore SIGINT, and so does every JVM that they start: then there is nothing to try. */
    static List<String> signals() throws IOException
    {
        final String ignored = Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("SigIgn:")).findFirst().orElseThrow().substring(7).trim();
        if ((Long.parseUnsignedLong(ignored, 16) & 1 << SIGINT - 1) != 0)
        {
            System.out.println("ParentDeathTest: SIGINT is ignored by this process and those it starts, left out");
            return List.of("KILL", "TERM");
        }
        return List.of("KILL", "TERM", "INT");
    }

    /** There may be no process to collect an orphan that has ended, so a zombie counts as gone. */
    private static boolean isRunning(final ProcessHandle process)
    {
        try
        {
            final String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    private boolean hasMailboxes()
    {
        return find(path -> path.getFileName().toString().startsWith("mailbox-"));
    }

    private boolean isEmpty()
    {
        return !find(path -> !path.equals(directory));
    }

    private boolean find(final Predicate<Path> predicate)
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            return files.anyMatch(predicate);
        }
        catch (final UncheckedIOException | IOException ex)
        {
            // Something was removed while we looked: look again.
            return true;
        }
    }
}
