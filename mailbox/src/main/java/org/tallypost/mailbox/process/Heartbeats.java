// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

/**
 * What one process has seen of the heartbeats of others: whether they go on, by its own clock that never jumps. The times that
 * they hold come from wall clocks, and only serve to tell one heartbeat from the next. For one thread.
 */
public final class Heartbeats
{
    /** A process that was away itself finds all others silent at its first look: it looks again before it believes that. */
    private static final int MIN_LOOKS = 3;

    /** Whether nothing was heard of a process for too long. */
    interface Silence
    {
        boolean test(int process, int incarnation, long heartbeat);
    }

    private final long[] heartbeats;
    private final int[] incarnations;
    private final long[] sinceNs;
    private final int[] looks;
    private final long[] lastHeartbeats;
    private final int[] lastIncarnations;
    private int turn;

    /**
     * Nothing was seen yet.
     *
     * @param processes entries of the registry.
     */
    public Heartbeats(final int processes)
    {
        heartbeats = new long[processes];
        incarnations = new int[processes];
        sinceNs = new long[processes];
        looks = new int[processes];
        lastHeartbeats = new long[processes];
        lastIncarnations = new int[processes];
    }

    /**
     * Begins a look at all processes.
     *
     * @return the one that is asked about at this look whatever its heartbeat: each in turn.
     */
    int nextTurn()
    {
        turn = turn + 1 < looks.length ? turn + 1 : 0;
        return turn;
    }

    /**
     * Whether a process has put its heartbeat since the last look at it. Then it was there since that look, and the system has
     * not to be asked about it.
     *
     * @param process     index of its entry.
     * @param incarnation of it.
     * @param heartbeat   its last.
     * @param nowNs       time of a clock that never jumps.
     * @return true if so; false at the first look.
     */
    boolean hasBeaten(final int process, final int incarnation, final long heartbeat, final long nowNs)
    {
        final boolean isKnown = lastIncarnations[process] == incarnation;
        final boolean isNew = lastHeartbeats[process] != heartbeat;
        lastIncarnations[process] = incarnation;
        lastHeartbeats[process] = heartbeat;
        if (isKnown && isNew)
        {
            note(process, incarnation, heartbeat, nowNs);
            return true;
        }
        return false;
    }

    /** A heartbeat that the caller has put itself, on behalf of a process that lives: it does not tell the caller anything. */
    void vouched(final int process, final long heartbeat)
    {
        lastHeartbeats[process] = heartbeat;
    }

    private void note(final int process, final int incarnation, final long heartbeat, final long nowNs)
    {
        heartbeats[process] = heartbeat;
        incarnations[process] = incarnation;
        sinceNs[process] = nowNs;
        looks[process] = 1;
    }

    /**
     * Number of processes of which something can be noted.
     *
     * @return entries of the registry.
     */
    public int processes()
    {
        return looks.length;
    }

    /**
     * Looks at the heartbeat of a process.
     *
     * @param process     index of its entry.
     * @param incarnation of it.
     * @param heartbeat   its last.
     * @param nowNs       time of a clock that never jumps.
     * @param intervalNs  longest time between two heartbeats.
     * @return true if there was none for longer than that, and it was looked for several times.
     */
    boolean isSilent(
        final int process, final int incarnation, final long heartbeat, final long nowNs, final long intervalNs)
    {
        if (looks[process] == 0 || heartbeats[process] != heartbeat || incarnations[process] != incarnation)
        {
            note(process, incarnation, heartbeat, nowNs);
            return false;
        }
        looks[process] = Math.min(MIN_LOOKS, looks[process] + 1);
        return looks[process] == MIN_LOOKS && nowNs - sinceNs[process] > intervalNs;
    }
}
