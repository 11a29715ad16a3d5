// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import org.tallypost.mailbox.files.MailboxException;

/**
 * How long a thread has waited for one and the same holder of a {@link LockFile}. Each holder changes the file: the time since
 * its last change counts, as far as it was seen here, by a clock that never jumps.
 */
final class LockWait
{
    private static final Path HELD_LOCKS = Paths.get("/proc/locks");
    private static final int PID_FIELD = 4;
    private static final int FILE_FIELD = 5;
    private static final int LOOKS_WITHIN_LIMIT = 8;
    /** How many times as long a file is looked for that is another one each time. */
    private static final int LIMITS_OF_REMOVALS = 10;

    private final File file;
    private final long limitNs;
    private final long startNs;
    private Change seen;
    private long sinceNs;

    /** What differs from one holder to the next. */
    private record Change(Object key, FileTime time)
    {
    }

    LockWait(final File file, final long limitMs)
    {
        this.file = file;
        limitNs = TimeUnit.MILLISECONDS.toNanos(limitMs);
        startNs = System.nanoTime();
        sinceNs = startNs;
    }

    /** Time between two looks. */
    long pauseNs()
    {
        return Math.max(1, limitNs / LOOKS_WITHIN_LIMIT);
    }

    /** Whether the holder was the same for too long. */
    synchronized boolean isOver()
    {
        final Change now = look();
        if (!now.equals(seen))
        {
            seen = now;
            sinceNs = System.nanoTime();
            return false;
        }
        return System.nanoTime() - sinceNs > limitNs;
    }

    private Change look()
    {
        try
        {
            final BasicFileAttributes found =
                Files.readAttributes(file.toPath(), BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            return new Change(found.fileKey(), found.lastModifiedTime());
        }
        catch (final IOException ex)
        {
            return new Change(null, null);
        }
    }

    /**
     * Ends the wait if it was too long.
     *
     * @param what keeps the caller from going on.
     */
    void check(final String what)
    {
        if (isOver())
        {
            throw lost(what);
        }
    }

    /**
     * Ends the wait if the file was removed, or replaced, for much too long: then none of its holders was the same for long.
     *
     * @param what keeps the caller from going on.
     */
    void checkRemoved(final String what)
    {
        if (System.nanoTime() - startNs > LIMITS_OF_REMOVALS * limitNs)
        {
            throw lost(what, LIMITS_OF_REMOVALS * limitNs);
        }
    }

    MailboxException lost(final String what)
    {
        return lost(what, limitNs);
    }

    private MailboxException lost(final String what, final long waitedNs)
    {
        return new MailboxException(what + " for " + TimeUnit.NANOSECONDS.toMillis(waitedNs) + " ms: file=" + file + ", holder=" +
            holder() + "; if it was stopped let it go on, or end it");
    }

    /** Which process has the file locked, as far as the operating system says. */
    private String holder()
    {
        try
        {
            final long device = (Long)Files.getAttribute(file.toPath(), "unix:dev", LinkOption.NOFOLLOW_LINKS);
            final long major = device >>> 8 & 0xFFF;
            final long minor = device & 0xFF | device >>> 12 & 0xFFF00;
            final String locked = String.format("%02x:%02x:%s", major, minor,
                Files.getAttribute(file.toPath(), "unix:ino", LinkOption.NOFOLLOW_LINKS));
            // "1: POSIX  ADVISORY  WRITE PID MAJOR:MINOR:INODE 0 EOF"; those that wait have "->" behind the number
            return Files.readAllLines(HELD_LOCKS, StandardCharsets.ISO_8859_1).stream()
                .map((line) -> line.trim().split("\\s+"))
                .filter((fields) -> fields.length > FILE_FIELD && fields[FILE_FIELD].equals(locked))
                .map((fields) -> "pid " + fields[PID_FIELD]).findFirst().orElse("unknown");
        }
        catch (final IOException | RuntimeException ex)
        {
            return "unknown";
        }
    }
}
