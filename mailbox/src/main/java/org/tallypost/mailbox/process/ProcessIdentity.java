// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

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
        /** Nothing that this process sees is evidence, as between pid namespaces: only its heartbeat can tell. */
        UNKNOWN
    }

    private static final ProcFiles PROC = isLinux() ? new ProcFiles(Paths.get("/proc"), ownPid()) : null;
    private static final ProcessIdentity CURRENT = PROC == null ? ofHandle() : PROC.current();

    private final long pid;
    private final long startTime;
    private final long namespace;

    /**
     * An identity as it was stored.
     *
     * @param pid       in its namespace.
     * @param startTime in clock ticks since boot where /proc tells it, else in milliseconds since the epoch.
     * @param namespace inode of the pid namespace in the low 32 bits, of the time namespace in the high ones; 0 if unknown.
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
     * @return DEAD only if that is proven: no such pid, another start time, or a zombie without threads; UNKNOWN if what this
     *         process can see is no evidence, as from another pid or time namespace, or through the /proc of another one.
     */
    public Liveness probe()
    {
        return PROC == null ? probeHandle() : PROC.probe(this);
    }

    /** Where there are no namespaces. */
    private Liveness probeHandle()
    {
        final Optional<ProcessHandle> handle = ProcessHandle.of(pid);
        if (handle.isEmpty() || !handle.get().isAlive())
        {
            return Liveness.DEAD;
        }
        final long found = startMillis(handle.get());
        // of a process that one has no right to look at, the time is not told
        return found == 0 || startTime == 0 ? Liveness.UNKNOWN : found == startTime ? Liveness.ALIVE : Liveness.DEAD;
    }

    private static boolean isLinux()
    {
        return System.getProperty("os.name", "").startsWith("Linux");
    }

    private static ProcessIdentity ofHandle()
    {
        final ProcessHandle self = ProcessHandle.current();
        return new ProcessIdentity(self.pid(), startMillis(self), 0);
    }

    private static long ownPid()
    {
        try
        {
            return ProcessHandle.current().pid();
        }
        catch (final SecurityException ex)
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
     * The namespaces in which pid and start time are counted.
     *
     * @return inode of that of pids in the low 32 bits, of that of time in the high ones; 0 if unknown.
     */
    public long namespace()
    {
        return namespace;
    }

    @Override
    public String toString()
    {
        return "pid=" + pid + ", startTime=" + startTime + ", pidNamespace=" + (namespace & 0xFFFF_FFFFL) +
            ", timeNamespace=" + (namespace >>> Integer.SIZE);
    }
}
