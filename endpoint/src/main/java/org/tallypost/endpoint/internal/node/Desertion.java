// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.util.concurrent.locks.LockSupport;
import org.tallypost.mailbox.process.Heartbeats;
import org.tallypost.mailbox.process.ProcessIdentity.Liveness;
import org.tallypost.mailbox.process.Registry;

/**
 * Whether all processes of a node are gone, as a process finds out that comes to its directory. One that cannot be proven to be
 * dead is joined: it may be frozen, and go on later. Only if it cannot be joined is it waited for, and taken for gone once the
 * newcomer has itself seen its heartbeat stand still for longer than the node's liveness interval; what a clock on the wall
 * says of the last heartbeat does not count.
 */
public final class Desertion
{
    /** Longest time that a newcomer waits, in nanoseconds. */
    static final long WAIT_LIMIT_NS = 60_000_000_000L;
    private static final int LOOKS_PER_INTERVAL = 4;
    /** Looks in two and a half intervals: twice what it takes to find out that a process is silent. */
    private static final int MOST_LOOKS = 10;

    private Desertion()
    {
    }

    /**
     * Whether nobody is there. The caller holds the node's file lock.
     *
     * @param registryFile of the node; nobody is there without it.
     * @param seen         by {@link #await}, null if only proof counts.
     * @return true if so; the processes that were there are declared gone.
     */
    static boolean isDeserted(final File registryFile, final Heartbeats seen)
    {
        if (!registryFile.exists())
        {
            return true;
        }
        final Registry registry = Registry.attach(registryFile);
        if (seen == null && isAnybodyProven(registry))
        {
            // a member that is there finds out which are not: one that joins does not ask for each of many under the lock
            return false;
        }
        registry.declareDead();
        if (seen != null && seen.processes() == registry.processes())
        {
            final Group group = Group.attach(new File(registryFile.getParentFile(), Group.FILE_NAME));
            registry.declareGone(seen, System.nanoTime(), silenceNs(group.livenessIntervalNs()));
        }
        return registry.liveCount() == 0;
    }

    /**
     * Whether the last process has left: each other one has left too, or is proven to be dead, also if nobody has noticed its
     * death so far. The caller holds the node's file lock.
     *
     * @param registry of the node, in which the caller is not live any more.
     * @return true if so; nothing is declared.
     */
    static boolean isLeft(final Registry registry)
    {
        return look(registry) == Liveness.DEAD;
    }

    /** Whether at least one process is proven to be there: those before it are asked for, those behind it are not. */
    private static boolean isAnybodyProven(final Registry registry)
    {
        return look(registry) == Liveness.ALIVE;
    }

    /**
     * What is proven of the processes of a node at one look.
     *
     * @param registry of the node.
     * @return ALIVE if one is proven to be there, DEAD if all that did not leave are proven to be dead, else UNKNOWN.
     */
    static Liveness look(final Registry registry)
    {
        return registry.observe(new Heartbeats(registry.processes()), System.nanoTime(), Long.MAX_VALUE);
    }

    /**
     * Waits until no process of a node gives a sign of life any more. The caller does not hold the lock.
     *
     * @param directory of the node.
     * @return what was seen; null if somebody is there, or it would take longer than {@link #WAIT_LIMIT_NS} to find out, or the
     *         calling thread is interrupted.
     */
    public static Heartbeats await(final File directory)
    {
        final Registry registry = Registry.attach(new File(directory, NodeFiles.REGISTRY_NAME));
        final long intervalNs = Group.attach(new File(directory, Group.FILE_NAME)).livenessIntervalNs();
        final Heartbeats seen = new Heartbeats(registry.processes());
        final long startNs = System.nanoTime();
        Liveness found = registry.observe(seen, startNs, silenceNs(intervalNs));
        // counted, not timed: a thread that was held up for long has looked once meanwhile
        for (int look = 0; look < MOST_LOOKS && found == Liveness.UNKNOWN && silenceNs(intervalNs) < WAIT_LIMIT_NS &&
            System.nanoTime() - startNs < WAIT_LIMIT_NS && !Thread.currentThread().isInterrupted(); look++)
        {
            LockSupport.parkNanos(seen, intervalNs / LOOKS_PER_INTERVAL);
            found = registry.observe(seen, System.nanoTime(), silenceNs(intervalNs));
        }
        return found == Liveness.DEAD ? seen : null;
    }

    /** The interval and a quarter: heartbeats come four times within one, if nothing is late. */
    private static long silenceNs(final long intervalNs)
    {
        return intervalNs + (intervalNs >> 2) < 0 ? Long.MAX_VALUE : intervalNs + (intervalNs >> 2);
    }
}
