// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.time.Instant;
import java.util.Optional;

/**
 * What tells one process from every other on a host: its pid, when it started, and the pid namespace in which the pid
 * is counted. A pid alone is used again; start time and namespace make a proof of death possible.
 */
public final class ProcessIdentity
{
    /** What is known of a process. */
    public enum Liveness
    {
        /** It is there. */
        ALIVE,
        /** It is proven to be gone. */
        DEAD,
        /** It lives in another pid namespace, so that only its heartbeat can tell. */
        UNKNOWN
    }

    private static final Path PROC = Paths.get("/proc");
    private static final ProcessIdentity CURRENT = readCurrent();

    private final long pid;
    private final long startTime;
    private final long namespace;

    /**
     * An identity as it was stored.
     *
     * @param pid       in its namespace.
     * @param startTime in clock ticks since boot where /proc tells it, else in milliseconds since the epoch.
     * @param namespace inode of the pid namespace, 0 if unknown.
     */
    public ProcessIdentity(final long pid, final long startTime, final long namespace)
    {
        this.pid = pid;
        this.startTime = startTime;
        this.namespace = namespace;
    }

    /**
     * The identity of this process.
     *
     * @return the identity.
     */
    public static ProcessIdentity current()
    {
        return CURRENT;
    }

    /**
     * Looks whether the process is still there.
     *
     * @return DEAD only if that is proven: no such pid, another start time, or a zombie without threads.
     */
    public Liveness probe()
    {
        if (namespace != CURRENT.namespace)
        {
            return Liveness.UNKNOWN;
        }
        if (Files.isDirectory(PROC.resolve("self")))
        {
            return probeProc();
        }
        final Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        return handle.isPresent() && handle.get().isAlive() && startMillis(handle.get()) == startTime ?
            Liveness.ALIVE : Liveness.DEAD;
    }

    private Liveness probeProc()
    {
        try
        {
            final String[] fields = statFields(PROC.resolve(Long.toString(pid)));
            if (Long.parseLong(fields[19]) != startTime)
            {
                return Liveness.DEAD;
            }
            final char state = fields[0].charAt(0);
            // a zombie whose other threads have not all left the processor yet may still store
            return (state == 'Z' || state == 'X') && Integer.parseInt(fields[17]) <= 1 ? Liveness.DEAD : Liveness.ALIVE;
        }
        catch (final NoSuchFileException ex)
        {
            return Liveness.DEAD;
        }
        catch (final IOException | RuntimeException ex)
        {
            // the process can go while its file is being read: then the next look finds no file
            return Files.exists(PROC.resolve(Long.toString(pid))) ? Liveness.ALIVE : Liveness.DEAD;
        }
    }

    /** Fields of /proc/PID/stat from the third, "state", on: the second may hold blanks and parentheses. */
    private static String[] statFields(final Path process) throws IOException
    {
        final String stat = new String(Files.readAllBytes(process.resolve("stat")), StandardCharsets.ISO_8859_1);
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    private static ProcessIdentity readCurrent()
    {
        final ProcessHandle self = ProcessHandle.current();
        try
        {
            final long start = Long.parseLong(statFields(PROC.resolve(Long.toString(self.pid())))[19]);
            return new ProcessIdentity(self.pid(), start, readNamespace());
        }
        catch (final IOException ex)
        {
            return new ProcessIdentity(self.pid(), startMillis(self), 0);
        }
    }

    private static long readNamespace()
    {
        try
        {
            // "pid:[4026531836]"
            return Long.parseLong(Files.readSymbolicLink(PROC.resolve("self/ns/pid")).toString().replaceAll("\\D", ""));
        }
        catch (final IOException | RuntimeException ex)
        {
            return 0;
        }
    }

    private static long startMillis(final ProcessHandle handle)
    {
        return handle.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /**
     * The pid.
     *
     * @return as counted in its own namespace.
     */
    public long pid()
    {
        return pid;
    }

    /**
     * When the process started.
     *
     * @return clock ticks since boot, or milliseconds since the epoch.
     */
    public long startTime()
    {
        return startTime;
    }

    /**
     * The pid namespace.
     *
     * @return its inode, 0 if unknown.
     */
    public long namespace()
    {
        return namespace;
    }

    @Override
    public String toString()
    {
        return "pid=" + pid + ", startTime=" + startTime + ", pidNamespace=" + namespace;
    }
}
