// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;

/** A directory for the shared files of one benchmark, in memory where there is such a file system. */
final class ScratchDirectory
{
    private static final Path MEMORY = Path.of("/dev/shm");

    private ScratchDirectory()
    {
    }

    static File create()
    {
        try
        {
            final File directory = (Files.isWritable(MEMORY) ?
                Files.createTempDirectory(MEMORY, "tallypost-jmh-") :
                Files.createTempDirectory("tallypost-jmh-")).toFile();
            // a benchmark that fails is not torn down
            Runtime.getRuntime().addShutdownHook(new Thread(() -> IoUtil.delete(directory, true)));
            return directory;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    static void delete(final File directory)
    {
        IoUtil.delete(directory, true);
    }
}
