// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;

import org.agrona.IoUtil;

/**
 * A directory for the files of a run, with all that is in it deleted at the end of the run, or when the process is asked to end
 * before. Of a process that is killed it stays.
 */
public final class TemporaryDirectory implements AutoCloseable
{
    private final File directory;
    private final Thread hook;

    private TemporaryDirectory(final File directory)
    {
        this.directory = directory;
        hook = new Thread(this::delete);
    }

    /**
     * Makes one.
     *
     * @param parent an existing directory.
     * @param prefix of its name.
     * @return an empty directory.
     * @throws IOException if there can be none.
     */
    public static TemporaryDirectory create(final File parent, final String prefix) throws IOException
    {
        final TemporaryDirectory made = new TemporaryDirectory(Files.createTempDirectory(parent.toPath(), prefix).toFile());
        ShutdownHooks.add(made.hook);
        return made;
    }

    private void delete()
    {
        IoUtil.delete(directory, true);
    }

    /**
     * The directory.
     *
     * @return it, for files.
     */
    public File file()
    {
        return directory;
    }

    /** Deletes it. */
    @Override
    public void close()
    {
        ShutdownHooks.remove(hook);
        delete();
    }
}
