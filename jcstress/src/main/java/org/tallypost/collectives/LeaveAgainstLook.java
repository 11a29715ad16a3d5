// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** A member that gets through its last step and leaves, against one that looks whether it is gone (SYNC POINT left). */
@JCStressTest
@State
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "there, and not through")
@Outcome(id = "0, 5", expect = Expect.ACCEPTABLE, desc = "there, and through")
@Outcome(id = "1, 5", expect = Expect.ACCEPTABLE, desc = "left, and through")
@Outcome(id = "1, 0", expect = Expect.FORBIDDEN, desc = "left, and taken for one that is missing")
public class LeaveAgainstLook
{
    private static final int BLOCK_LENGTH = 128;

    private final Arena arena = newArena();

    /** For the harness. */
    public LeaveAgainstLook()
    {
    }

    private static Arena newArena()
    {
        final int length = (int)ArenaDescriptor.length(2, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[length]);
        Arena.initialise(memory, 1, 1, new int[]{0, 1}, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        return Arena.attach(memory, 1, 1, 2);
    }

    /** Consumes the last step, and leaves. */
    @Actor
    public void leaver()
    {
        arena.consume(1, 5);
        arena.leave(1, ArenaDescriptor.LEFT);
    }

    /**
     * Looks whether the other one has left, and then what it has consumed.
     *
     * @param result both.
     */
    @Actor
    public void other(final II_Result result)
    {
        result.r1 = arena.left(1);
        result.r2 = (int)arena.consumed(1);
    }
}
