// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/** How far each process has come with its rounds, and what it waits for. */
final class Scripts
{
    private static final byte NOTHING = 0;
    private static final byte SENDS = 1;
    private static final byte ALL = 2;

    /** Messages posted and not sent whole. */
    final int[] unsent;
    /** Bulk messages announced and not fetched. */
    final int[] fetching;
    /** Receives posted and not satisfied. */
    final int[] missing;
    private final Workload workload;
    private final int rounds;
    private final Operations[] operations;
    private final int[] index;
    private final int[] round;
    private final byte[] waitsFor;
    private final boolean[] left;
    private int done;

    Scripts(final Workload workload)
    {
        this.workload = workload;
        rounds = workload.rounds();
        final int processes = workload.processes();
        unsent = new int[processes];
        fetching = new int[processes];
        missing = new int[processes];
        operations = new Operations[processes];
        index = new int[processes];
        round = new int[processes];
        waitsFor = new byte[processes];
        left = new boolean[processes];
        for (int process = 0; process < processes; process++)
        {
            operations[process] = new Operations();
            workload.round(process, 0, operations[process]);
        }
    }

    boolean mustWait(final int process)
    {
        if (waitsFor[process] == NOTHING)
        {
            return false;
        }
        if (unsent[process] > 0 || fetching[process] > 0 || waitsFor[process] == ALL && missing[process] > 0)
        {
            return true;
        }
        waitsFor[process] = NOTHING;
        return false;
    }

    void waitFor(final int process, final boolean all)
    {
        waitsFor[process] = all ? ALL : SENDS;
    }

    boolean isRoundOver(final int process)
    {
        return index[process] == operations[process].size();
    }

    Operations operations(final int process)
    {
        return operations[process];
    }

    /** Takes the next operation. */
    int take(final int process)
    {
        return index[process]++;
    }

    /** Ends a round, and returns which one it was. */
    int endRound(final int process)
    {
        final int ended = round[process]++;
        index[process] = 0;
        operations[process].clear();
        if (round[process] == rounds)
        {
            done++;
        }
        else
        {
            workload.round(process, round[process], operations[process]);
        }
        return ended;
    }

    boolean isDone(final int process)
    {
        return round[process] == rounds;
    }

    void leave(final int process)
    {
        left[process] = true;
        done++;
    }

    boolean hasLeft(final int process)
    {
        return left[process];
    }

    boolean allDone()
    {
        return done == left.length;
    }
}
