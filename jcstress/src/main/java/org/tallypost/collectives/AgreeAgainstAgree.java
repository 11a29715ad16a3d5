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

/** Two members with different proposals, of which one counts (SYNC POINT agreed). */
@JCStressTest
@State
@Outcome(id = "10, 10", expect = Expect.ACCEPTABLE, desc = "both take the first one's")
@Outcome(id = "11, 11", expect = Expect.ACCEPTABLE, desc = "both take the second one's")
@Outcome(expect = Expect.FORBIDDEN, desc = "they differ, or take a proposal that is not complete")
public class AgreeAgainstAgree
{
    private static final int BLOCK_LENGTH = 128;

    private final Arena arena = newArena();

    /** For the harness. */
    public AgreeAgainstAgree()
    {
    }

    private static Arena newArena()
    {
        final int length = (int)ArenaDescriptor.length(2, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[length]);
        Arena.initialise(memory, 1, 1, new int[]{0, 1}, ArenaDescriptor.MIN_WINDOW, BLOCK_LENGTH);
        return Arena.attach(memory, 1, 1, 2);
    }

    private int agree(final int member)
    {
        arena.propose(member, 10 + member, 2, new long[]{3});
        arena.agree(0, member, 1);
        return arena.flags(ArenaDescriptor.proposer(arena.agreed()));
    }

    /**
     * Agrees.
     *
     * @param result what it takes.
     */
    @Actor
    public void first(final II_Result result)
    {
        result.r1 = agree(0);
    }

    /**
     * Agrees.
     *
     * @param result what it takes.
     */
    @Actor
    public void second(final II_Result result)
    {
        result.r2 = agree(1);
    }
}
