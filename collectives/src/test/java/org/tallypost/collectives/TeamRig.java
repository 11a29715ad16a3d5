// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** All members of a team in one thread, on an arena in memory of this process. */
final class TeamRig
{
    static final long ID = 7;
    static final int VIEW = 3;

    final UnsafeBuffer memory;
    final Team[] teams;
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
        this(members, 4, blockLength, Reach.ARENA, 0);
    }

    TeamRig(final int members, final int window, final int blockLength)
    {
        this(members, window, blockLength, Reach.ARENA, 0);
    }

    TeamRig(final int members, final int window, final int blockLength, final Reach reach, final int partLength)
    {
        memory = new UnsafeBuffer(ByteBuffer.allocateDirect((int)ArenaDescriptor.length(members, window, blockLength)));
        Arena.initialise(memory, ID, VIEW, members, window, blockLength);
        teams = new Team[members];
        gone = new boolean[members];
        wakes = new int[members];
        parts = reach == Reach.MEMORY ? new UnsafeBuffer[members] : null;
        for (int i = 0; i < members && parts != null; i++)
        {
            parts[i] = new UnsafeBuffer(ByteBuffer.allocateDirect(partLength));
        }
        final LocalMemory local = reach == Reach.PROCESS ? new LocalMemory(members, window) : null;
        for (int i = 0; i < members; i++)
        {
            final MemoryTable memories = new MemoryTable(null);
            if (parts != null)
            {
                memories.add(new TeamMemory(closed -> {}, 3, parts, i));
            }
            final Exchange exchange = new Exchange(Arena.attach(memory, ID, VIEW, members), i, peers(),
                new DirectPath(i, members, memories, local), null);
            teams[i] = new Team(ID, VIEW, RankSet.range(0, members), exchange, null);
        }
    }

    private Peers peers()
    {
        return new Peers()
        {
            @Override
            public boolean isGone(final int member)
            {
                return gone[member];
            }

            @Override
            public void wake(final int member)
            {
                wakes[member]++;
            }
        };
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

    /** Lets members get on, in rounds or at random, until all operations have ended. */
    void finish(final Random random, final Operation... operations)
    {
        final boolean isRound = random.nextBoolean();
        int left = operations.length;
        for (long turn = 0; left > 0; turn++)
        {
            if (turn > 20_000_000)
            {
                throw new AssertionError("hangs: " + operations[0]);
            }
            operations[isRound ? (int)(turn % operations.length) : random.nextInt(operations.length)].progress();
            left = 0;
            for (final Operation operation : operations)
            {
                left += operation.isActive() ? 1 : 0;
            }
        }
    }
}
