// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The lock under which the processes of a node, and their threads, exclude each other while they join, leave, open and close. It
 * is a lock on a file, which the operating system takes back when its holder dies. A holder that was stopped keeps it: it is
 * waited for up to {@link #WAIT_LIMIT_MS}.
 */
public final class NodeLock
{
    /** Name of the lock file in a node's directory. */
    public static final String NAME = "lock";
    /** Longest wait for a process that holds the lock, in milliseconds: thousands of times what is done under it. */
    public static final long WAIT_LIMIT_MS = 30_000;

    private static final long FIRST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;
    private static final Path HELD_LOCKS = Paths.get("/proc/locks");
    private static final int PID_FIELD = 4;
    private static final int FILE_FIELD = 5;

    private static final Object MONITOR = new Object();
    /** The file that the thread in the monitor has locked: what it does meanwhile may lock it again. */
    private static File lockedFile;

    private NodeLock()
    {
    }

    /**
     * The file on which the processes of a node exclude each other. It is never mapped: closing any descriptor of a file
     * drops all of a process's locks on it.
     *
     * @param directory of the node.
     * @return the file, which need not exist yet.
     */
    public static File file(final File directory)
    {
        return new File(directory, NAME);
    }

    /**
     * Does something while no other process or thread does. The action may lock the same file again.
     *
     * @param <T>    type of the result.
     * @param file   to lock, made if it is not there; see {@link #file}.
     * @param action to do.
     * @return what the action returned.
     * @throws MailboxException if the file cannot be locked, or another process has not let go of it for
     *                          {@link #WAIT_LIMIT_MS}; then nothing was done.
     */
    public static <T> T locked(final File file, final Supplier<T> action)
    {
        return lockedWithin(file, WAIT_LIMIT_MS, action);
    }

    static <T> T lockedWithin(final File file, final long limitMs, final Supplier<T> action)
    {
        // a file lock excludes processes, not threads of one process
        synchronized (MONITOR)
        {
            final File outer = lockedFile;
            if (file.equals(outer))
            {
                return action.get();
            }
            try (FileChannel channel = MappedFiles.openPrivate(file);
                FileLock lock = await(channel, file, limitMs))
            {
                lockedFile = file;
                return lock.isValid() ? action.get() : null;
            }
            catch (final IOException ex)
            {
                throw new MailboxException("cannot lock file: file=" + file + ", cause=" + ex, ex);
            }
            finally
            {
                lockedFile = outer;
            }
        }
    }

    private static FileLock await(final FileChannel channel, final File file, final long limitMs) throws IOException
    {
        final long startNs = System.nanoTime();
        long pauseNs = FIRST_PAUSE_NS;
        FileLock lock = channel.tryLock();
        while (lock == null)
        {
            if (System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(limitMs))
            {
                throw new MailboxException("another process has not let go of the lock for " + limitMs + " ms: file=" + file +
                    ", holder=" + holder(file.toPath()) + "; if it was stopped let it go on, or end it");
            }
            if (Thread.currentThread().isInterrupted())
            {
                throw new MailboxException("interrupted while another process had the lock: file=" + file + ", holder=" +
                    holder(file.toPath()));
            }
            LockSupport.parkNanos(pauseNs);
            pauseNs = Math.min(pauseNs << 1, LONGEST_PAUSE_NS);
            lock = channel.tryLock();
        }
        return lock;
    }

    /** Who has a file locked, as far as the operating system says. */
    private static String holder(final Path file)
    {
        try (Stream<String> locks = Files.lines(HELD_LOCKS))
        {
            // "1: POSIX  ADVISORY  WRITE PID MAJOR:MINOR:INODE 0 EOF"; those who wait have "->" behind the number
            final String inode = ":" + Files.getAttribute(file, "unix:ino");
            return locks.map((line) -> line.trim().split("\\s+"))
                .filter((fields) -> fields.length > FILE_FIELD && fields[FILE_FIELD].endsWith(inode))
                .map((fields) -> "pid " + fields[PID_FIELD]).findFirst().orElse("unknown");
        }
        catch (final IOException | RuntimeException ex)
        {
            return "unknown";
        }
    }
}
