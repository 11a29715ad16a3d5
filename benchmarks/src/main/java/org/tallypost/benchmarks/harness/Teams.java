// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import org.agrona.IoUtil;

/**
 * The teams of a session and the directory of their files: neither processes nor files are left behind, also if this process is
 * asked to end. For one thread, but for the end.
 */
public final class Teams implements AutoCloseable
{
    private final File directory;
    private final List<TurnTaker> takers = new CopyOnWriteArrayList<>();
    private final Thread hook;
    private volatile boolean isClosed;

    /**
     * No team yet.
     *
     * @param parent existing directory, best in memory.
     * @param prefix of the name of the directory that is made there.
     * @param onStop called when this process is asked to end, before everything is removed.
     * @throws IOException if the directory cannot be created.
     */
    public Teams(final File parent, final String prefix, final Runnable onStop) throws IOException
    {
        directory = Files.createTempDirectory(parent.toPath(), prefix).toFile();
        hook = new Thread(() ->
        {
            onStop.run();
            cleanUp();
        }, prefix + "clean-up");
        ShutdownHooks.add(hook);
    }

    /**
     * Where all files are.
     *
     * @return the directory.
     */
    public File directory()
    {
        return directory;
    }

    /**
     * Makes a directory for a team.
     *
     * @param name of it.
     * @return the directory.
     * @throws IOException if it cannot be created.
     */
    public File place(final String name) throws IOException
    {
        return Files.createDirectory(new File(directory, name).toPath()).toFile();
    }

    /**
     * Adds a team that was started.
     *
     * @param taker that is closed with all others.
     * @return the same one.
     */
    public TurnTaker add(final TurnTaker taker)
    {
        takers.add(taker);
        return taker;
    }

    private void cleanUp()
    {
        isClosed = true;
        // all at once: on a busy machine each process takes its time to end
        takers.parallelStream().forEach(TurnTaker::close);
        IoUtil.delete(directory, true);
    }

    /** Ends all teams and removes the directory. */
    @Override
    public void close()
    {
        ShutdownHooks.remove(hook);
        if (!isClosed)
        {
            cleanUp();
        }
    }
}
