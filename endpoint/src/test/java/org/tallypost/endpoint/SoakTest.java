// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/**
 * A node works while processes join it, are killed, and come back: memory, mappings, descriptors, threads and files stay what
 * they are, all that arrives is what was sent, and the books balance at the end. {@code -Dtallypost.soakSeconds=N} sets for
 * how long; the build itself soaks for some seconds, in which only descriptors, threads, files and books can be judged.
 */
@Tag("once")
class SoakTest
{
    private static final int SECONDS = Integer.getInteger("tallypost.soakSeconds", 4);
    /** Memory is looked at in soaks of a minute and more: before that the JVM still grows into its work. */
    private static final int LONG_SECONDS = 60;
    private static final int SAMPLES = 24;
    private static final long MEMORY_MIB = 8;
    private static final Duration PATIENCE = Duration.ofHours(24);

    @TempDir
    private Path directory;

    private final long seed = Fixtures.seed();
    private final Random random = new Random(seed);
    private final List<Sample> samples = new ArrayList<>();

    /** What a process has in use; memory in KiB, {@code rss} in MiB. */
    private record Sample(long rss, long mapped, long direct, long descriptors, long threads, long files, long received)
    {
        static Sample of(final String line)
        {
            return new Sample(value(line, "rss"), value(line, "mapped"), value(line, "direct"), value(line, "descriptors"),
                value(line, "threads"), value(line, "files"), value(line, "received"));
        }

        private static long value(final String line, final String name)
        {
            final int start = line.indexOf(" " + name + "=") + name.length() + 2;
            final int end = line.indexOf(' ', start);
            return Long.parseLong(line.substring(start, end < 0 ? line.length() : end));
        }
    }

    private ForkedJvm join()
    {
        final ForkedJvm child = RankProcess.start(
            directory, Flow.DYNAMIC, CreditReturn.DIRECT, SoakProcess.RANKS, SoakProcess.SLOTS, random.nextLong(), 3, 4);
        // one that is killed before it has opened its ranks has no files yet
        assertEquals("ready", child.readLine());
        child.writeLine("send");
        return child;
    }

    private static void pass(final long ns)
    {
        final long endNs = System.nanoTime() + ns;
        Watchdog.await("time", PATIENCE, () -> System.nanoTime() - endNs > 0);
    }

    /** Waits until something has come since the sample before. */
    private Sample sample(final ForkedJvm soak, final long startNs)
    {
        final long before = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).received;
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages since the last sample: " + samples);
        while (true)
        {
            soak.writeLine("sample");
            final String line = soak.readLine();
            final Sample sample = Sample.of(line);
            if (sample.received > before)
            {
                System.out.println("SoakTest: " + (System.nanoTime() - startNs) / 1_000_000_000 + " s, " + line);
                return sample;
            }
            watchdog.idle();
        }
    }

    @Test
    void shouldHoldNothingMoreTheLongerItWorks()
    {
        final ForkedJvm soak = ForkedJvm.startWith(
            List.of("-Xms64m", "-XX:+AlwaysPreTouch", "-XX:TieredStopAtLevel=4"), SoakProcess.class, directory);
        ForkedJvm other = null;
        try
        {
            assertEquals("ready", soak.readLine());
            final long startNs = System.nanoTime();
            final long sampleNs = SECONDS * 1_000_000_000L / SAMPLES;
            other = join();
            for (int i = 1; i <= SAMPLES; i++)
            {
                pass(startNs + i * sampleNs - System.nanoTime());
                samples.add(sample(soak, startNs));
                if (i % 3 == 0)
                {
                    other.kill();
                    other.close();
                    other = join();
                }
            }
            other.kill();
            soak.writeLine("exit");
            final String end = soak.readLine();
            System.out.println("SoakTest: " + end);
            assertTrue(end.startsWith("balanced "), () -> end + ", seed=" + seed);
            assertEquals(0, soak.waitFor());
        }
        finally
        {
            soak.close();
            if (other != null)
            {
                other.close();
            }
        }
        judge();
    }

    private void judge()
    {
        final List<Sample> before = samples.subList(SAMPLES / 4, SAMPLES / 2);
        final List<Sample> after = samples.subList(SAMPLES * 3 / 4, SAMPLES);
        // one connection to a bell, or one of it, more or less
        assertTrue(least(after, 3) <= most(before, 3) + 2, () -> "descriptors: " + samples);
        assertTrue(least(after, 4) <= most(before, 4) + 1, () -> "threads: " + samples);
        assertTrue(least(after, 5) <= most(before, 5) + 1, () -> "files: " + samples);
        if (SECONDS >= LONG_SECONDS)
        {
            assertTrue(least(after, 0) <= most(before, 0) + MEMORY_MIB, () -> "resident memory: " + samples);
            assertTrue(least(after, 1) <= most(before, 1) + (MEMORY_MIB << 10), () -> "mapped memory: " + samples);
            assertTrue(least(after, 2) <= most(before, 2) + 64, () -> "direct memory: " + samples);
        }
    }

    private static long field(final Sample sample, final int field)
    {
        return new long[]{
            sample.rss, sample.mapped, sample.direct, sample.descriptors, sample.threads, sample.files}[field];
    }

    private static long least(final List<Sample> some, final int field)
    {
        return some.stream().mapToLong((sample) -> field(sample, field)).min().orElseThrow();
    }

    private static long most(final List<Sample> some, final int field)
    {
        return some.stream().mapToLong((sample) -> field(sample, field)).max().orElseThrow();
    }
}
