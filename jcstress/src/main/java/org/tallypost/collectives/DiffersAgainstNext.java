// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * A member that gets through an operation and shows a step of the next one in the same line, against one that looks whether it is
 * in another operation (SYNC POINT differs).
 */
@JCStressTest
@State
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "in this operation, or through")
@Outcome(id = "1", expect = Expect.FORBIDDEN, desc = "a line of the next operation is taken for one of this operation")
public class DiffersAgainstNext
{
    private static final int BLOCK_LENGTH = 128;
    private static final long OPERATION = 11;
    private static final long NEXT = 22;

    private final Arena arena = newRacedArena();

    /** For the harness. */
    public DiffersAgainstNext()
    {
    }

    private static Arena newRacedArena()
    {
        final Arena arena = newArena();
        arena.publish(1, 0, OPERATION, 0);
        return arena;
    }

    private static Arena newArena()
    {
        final int length = (int)ArenaDescriptor.length(2, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[length]);
        Arena.initialise(memory, 1, 1, new int[]{0, 1}, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        return Arena.attach(memory, 1, 1, 2);
    }

    /** Gets through, and writes the line again, behind a full fence. */
    @Actor
    public void member()
    {
        arena.consume(1, 1);
        arena.fence();
        arena.publish(1, ArenaDescriptor.MIN_WINDOW, NEXT, 1);
    }

    /**
     * Looks for a difference.
     *
     * @param result 1 if there is one.
     */
    @Actor
    public void other(final I_Result result)
    {
        result.r1 = arena.differs(1, 0, 1, OPERATION) ? 1 : 0;
    }
}
