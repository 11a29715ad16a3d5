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
    private final Thread hook = new Thread(this::delete);
    private File directory;
    private boolean isOver;

    private TemporaryDirectory()
    {
    }

    /**
     * Makes one.
     *
     * @param parent an existing directory.
     * @param prefix of its name.
     * @return an empty directory.
     * @throws IOException if there can be none.
     * @throws IllegalStateException if the process is ending; then there is none.
     */
    public static TemporaryDirectory create(final File parent, final String prefix) throws IOException
    {
        final TemporaryDirectory made = new TemporaryDirectory();
        // before there is a directory: the process may end between the two
        Runtime.getRuntime().addShutdownHook(made.hook);
        try
        {
            made.make(parent, prefix);
        }
        catch (final IOException | RuntimeException ex)
        {
            ShutdownHooks.remove(made.hook);
            throw ex;
        }
        return made;
    }

    private synchronized void make(final File parent, final String prefix) throws IOException
    {
        if (isOver)
        {
            throw new IllegalStateException("no directory is made while the process ends: parent=" + parent);
        }
        directory = Files.createTempDirectory(parent.toPath(), prefix).toFile();
    }

    private synchronized void delete()
    {
        isOver = true;
        if (directory != null)
        {
            IoUtil.delete(directory, true);
        }
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
