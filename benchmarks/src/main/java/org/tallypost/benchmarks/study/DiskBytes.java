// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Bytes of files: as long as they look, and as much as they take. The latter only {@code du} knows.
 *
 * @param apparent  sum of the lengths.
 * @param allocated bytes of their blocks.
 */
record DiskBytes(long apparent, long allocated)
{
    static final DiskBytes NONE = new DiskBytes(0, 0);

    /** Of all files below some places. */
    static DiskBytes of(final List<File> places) throws IOException, InterruptedException
    {
        DiskBytes sum = NONE;
        for (final File place : places)
        {
            sum = sum.plus(of(place));
        }
        return sum;
    }

    private static DiskBytes of(final File place) throws IOException, InterruptedException
    {
        try (Stream<Path> files = Files.walk(place.toPath()))
        {
            final long apparent = files.filter(Files::isRegularFile).mapToLong((file) -> file.toFile().length()).sum();
            return new DiskBytes(apparent, allocated(place));
        }
    }

    private static long allocated(final File place) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder("du", "--summarize", "--block-size=1", place.getPath())
            .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0 || !text.matches("(?s)\\d+\\s.*"))
        {
            throw new IOException("du does not tell: place=" + place + ", found '" + text.strip() + "'");
        }
        return Long.parseLong(text.split("\\s", 2)[0]);
    }

    DiskBytes plus(final DiskBytes other)
    {
        return new DiskBytes(apparent + other.apparent, allocated + other.allocated);
    }
}
