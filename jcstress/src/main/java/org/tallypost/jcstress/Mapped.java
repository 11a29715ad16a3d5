// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.jcstress;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;

/**
 * Mapped files for races. They are removed as soon as they are mapped, so that nothing is left behind however a run ends.
 */
public final class Mapped
{
    private static final int THREADS = 64;
    private static final ClaimMark[] MARKS = inNewDirectory(Mapped::marks);
    private static final AtomicInteger MARKS_GIVEN = new AtomicInteger();
    private static final ThreadLocal<ClaimMark> MARK = ThreadLocal.withInitial(Mapped::newMark);

    private Mapped()
    {
    }

    private static ClaimMark[] marks(final File directory)
    {
        final Registry registry = Registry.create(new File(directory, "registry"), 1, THREADS);
        final int process = registry.join(System.currentTimeMillis());
        final ClaimMark[] marks = new ClaimMark[THREADS];
        for (int i = 0; i < THREADS; i++)
        {
            marks[i] = registry.takeMark(process, registry.incarnation(process));
        }
        return marks;
    }

    /**
     * Maps something.
     *
     * @param action that does so, given a directory for its files.
     * @param <T>    type of what is mapped.
     * @return what the action returned.
     */
    public static <T> T inNewDirectory(final Function<File, T> action)
    {
        try
        {
            final Path memory = Path.of("/dev/shm");
            final Path directory = Files.isWritable(memory) ?
                Files.createTempDirectory(memory, "tallypost-jcstress") : Files.createTempDirectory("tallypost-jcstress");
            try
            {
                return action.apply(directory.toFile());
            }
            finally
            {
                delete(directory.toFile());
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void delete(final File file) throws IOException
    {
        final File[] inside = file.listFiles();
        if (inside != null)
        {
            for (final File each : inside)
            {
                delete(each);
            }
        }
        Files.delete(file.toPath());
    }

    /**
     * A claim mark of the calling thread, in a registry that is not looked into.
     *
     * @return the mark.
     */
    public static ClaimMark mark()
    {
        return MARK.get();
    }

    /**
     * A claim mark that the caller gives to one thread.
     *
     * @return the mark.
     */
    public static ClaimMark newMark()
    {
        return MARKS[MARKS_GIVEN.getAndIncrement() % THREADS];
    }
}
