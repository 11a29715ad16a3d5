// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;

/** All members of a team in one thread, on an arena in memory of this process. */
final class TeamRig
{
    static final long ID = 7;
    static final int VIEW = 3;

    final UnsafeBuffer memory;
    final Team[] teams;
    final MemoryMeetings meetings;
    /** By their ranks, which are the member numbers of this team. */
    final boolean[] gone;
    /** Members that were woken, and how many times. */
    final int[] wakes;
    /** Each member's part of memory that was allocated for the team; null without. */
    final UnsafeBuffer[] parts;

    /** How members can read one another's data. */
    enum Reach
    {
        /** Only what is in the arena. */
        ARENA,
        /** Memory of the team. */
        MEMORY,
        /** All data. */
        PROCESS
    }

    TeamRig(final int members, final int blockLength)
    {
        this(members, 4, blockLength);
    }

    TeamRig(final int members, final int window, final int blockLength)
    {
        this(members, window, blockLength, Reach.ARENA, 0);
    }

    TeamRig(final int members, final int window, final int blockLength, final Reach reach, final int partLength)
    {
        final CollectivesContext context = new CollectivesContext().window(window).blockLength(blockLength);
        meetings = new MemoryMeetings(members, reach == Reach.PROCESS);
        gone = meetings.gone;
        wakes = meetings.wakes;
        parts = reach == Reach.MEMORY ? new UnsafeBuffer[members] : null;
        for (int i = 0; i < members && parts != null; i++)
        {
            parts[i] = new UnsafeBuffer(ByteBuffer.allocateDirect(partLength));
        }
        final int[] ranks = new int[members];
        Arrays.setAll(ranks, (i) -> i);
        final Teams[] all = new Teams[members];
        final TeamArena[] arenas = new TeamArena[members];
        for (int i = 0; i < members; i++)
        {
            all[i] = new Teams(meetings.of(i), context, null);
            arenas[i] = all[i].arena(ID, VIEW, ranks, i);
            arenas[i].tryJoin();
        }
        teams = new Team[members];
        for (int i = 0; i < members; i++)
        {
            assertTrue(arenas[i].tryJoin());
            teams[i] = all[i].open(arenas[i]);
            if (parts != null)
            {
                teams[i].exchange().direct().memories().add(new TeamMemory(teams[i], (released) -> {}, 3, parts, i));
            }
        }
        memory = new UnsafeBuffer(meetings.files().values().iterator().next());
    }

    int size()
    {
        return teams.length;
    }

    /** Lets each member start something. */
    Operation[] start(final IntFunction<Operation> call)
    {
        final Operation[] operations = new Operation[size()];
        for (int i = 0; i < operations.length; i++)
        {
            operations[i] = call.apply(i);
        }
        return operations;
    }

    /** Members in an order. */
    int[] shuffled(final Random random)
    {
        final int[] order = new int[size()];
        for (int i = 0; i < order.length; i++)
        {
            final int at = random.nextInt(i + 1);
            order[i] = order[at];
            order[at] = i;
        }
        return order;
    }

    /** Lets members get on, in rounds or at random, until all that they have begun has ended. */
    void finish(final Random random, final Progress... begun)
    {
        final boolean isRound = random.nextBoolean();
        final boolean[] hasEnded = new boolean[begun.length];
        int left = begun.length;
        for (int i = 0; i < begun.length; i++)
        {
            hasEnded[i] = !isActive(begun[i]);
            left -= hasEnded[i] ? 1 : 0;
        }
        // what has ended may still be asked to get on
        for (long turn = 0; left > 0; turn++)
        {
            if (turn > 20_000_000)
            {
                throw new AssertionError("hangs: " + Arrays.toString(begun));
            }
            final int i = isRound ? (int)(turn % begun.length) : random.nextInt(begun.length);
            begun[i].progress();
            if (!hasEnded[i] && !isActive(begun[i]))
            {
                hasEnded[i] = true;
                left--;
            }
        }
    }

    private static boolean isActive(final Progress progress)
    {
        return progress instanceof Operation ? ((Operation)progress).isActive() : ((TeamCall)progress).isActive();
    }
}
