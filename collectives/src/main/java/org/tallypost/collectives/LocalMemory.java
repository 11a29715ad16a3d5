// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The buffers of a team's members that are all in this process. A member says in its line that its data are here; the others read
 * them by the object, so that an array may move and a byte buffer stays while it is read.
 *
 * <p>A member that fails gives its buffer back to its program while others may be reading it. So each reader marks itself before
 * it reads and then looks whether the owner has closed its buffer; the owner closes it, and then waits until no reader is marked.
 * Between store and look both have volatile accesses: one of both sees the other. A marked reader is in the midst of a copy or a
 * reduction of some KiB.
 */
final class LocalMemory
{
    /** Tells this process from others: drawn by chance. */
    static final long PROCESS = new SecureRandom().nextLong() | 1;

    /** Words of an int that keep members apart. */
    private static final int STRIDE = 32;
    private static final Map<String, LocalMemory> ALL = new ConcurrentHashMap<>();

    private final int members;
    private final int window;
    private final UnsafeBuffer[] buffers;
    private final AtomicIntegerArray reading;
    private final AtomicIntegerArray closed;
    private int users;

    LocalMemory(final int members, final int window)
    {
        this.members = members;
        this.window = window;
        buffers = new UnsafeBuffer[members * window];
        reading = new AtomicIntegerArray((members + 1) * STRIDE);
        closed = new AtomicIntegerArray((members + 1) * STRIDE);
        for (int i = 0; i < buffers.length; i++)
        {
            buffers[i] = new UnsafeBuffer(0, 0);
        }
    }

    /** Those of a team, which has a name that no other team in this process has. To be released by each member. */
    static LocalMemory of(final String team, final int members, final int window)
    {
        return ALL.compute(team, (name, found) ->
        {
            final LocalMemory buffers = found == null ? new LocalMemory(members, window) : found;
            buffers.users++;
            return buffers;
        });
    }

    static void release(final String team)
    {
        ALL.computeIfPresent(team, (name, found) -> --found.users == 0 ? null : found);
    }

    /**
     * Where the data are that a member names in a step. The member alone changes it, when the line of that step is its own:
     * plain, since the line is shown by release. So the last buffers of a program, as many as the window, stay reachable.
     */
    UnsafeBuffer buffer(final int member, final long step)
    {
        return buffers[member * window + ((int)step & window - 1)];
    }

    /** Before a member reads what another one has; not nested. */
    boolean tryEnter(final int reader, final int owner)
    {
        // SYNC POINT direct-closed: the mark, then the look
        reading.set((reader + 1) * STRIDE, 1);
        if (closed.get((owner + 1) * STRIDE) != 0)
        {
            exit(reader);
            return false;
        }
        return true;
    }

    void exit(final int reader)
    {
        reading.setRelease((reader + 1) * STRIDE, 0);
    }

    /** A member's buffer belongs to its program again, whatever happens: no other one reads it any more. */
    void close(final int owner)
    {
        // SYNC POINT direct-closed: the word, then the looks
        closed.set((owner + 1) * STRIDE, 1);
        for (int i = 0; i < members; i++)
        {
            while (i != owner && reading.get((i + 1) * STRIDE) != 0)
            {
                Thread.yield();
            }
        }
    }
}
