// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.IoUtil;

/**
 * The inputs in which {@code bin/fuzz} found something new, in {@code src/test/fuzz/TARGET} of each module: the ordinary
 * build runs them all again, without any instrumentation.
 */
public final class FuzzCorpus
{
    private static final Duration LIMIT = Duration.ofSeconds(1800);

    /** What is done with an input; whatever it throws is a finding. */
    @FunctionalInterface
    public interface Target
    {
        /**
         * Runs an input.
         *
         * @param bytes of it.
         */
        void run(byte[] bytes);
    }

    private FuzzCorpus()
    {
    }

    /**
     * Runs all inputs of a target, and prints their number.
     *
     * @param name   of the target.
     * @param target itself.
     */
    public static void replay(final String name, final Target target)
    {
        final List<Path> inputs = inputs(Path.of("src", "test", "fuzz", name));
        assertFalse(inputs.isEmpty(), "no inputs for " + name);
        target.run(new byte[0]);
        for (final Path input : inputs)
        {
            assertTimeoutPreemptively(LIMIT, () ->
            {
                try
                {
                    target.run(Files.readAllBytes(input));
                }
                catch (final RuntimeException | Error ex)
                {
                    throw new AssertionError("input=" + input, ex);
                }
            }, () -> "no end: input=" + input);
        }
        System.out.println("FuzzCorpus: " + name + ", inputs=" + inputs.size());
    }

    private static List<Path> inputs(final Path directory)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * A directory for a fuzzer's process, removed with it.
     *
     * @return the directory, on a memory file system if there is one.
     */
    public static File scratch()
    {
        final Path memory = Path.of("/dev/shm");
        try
        {
            final File directory = (Files.isWritable(memory) ? Files.createTempDirectory(memory, "tallypost-fuzz-") :
                Files.createTempDirectory("tallypost-fuzz-")).toFile();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> IoUtil.delete(directory, true)));
            return directory;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
