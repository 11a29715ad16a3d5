// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** No member gets through before all have come. {@link Team#newBarrier()} makes it. */
public final class Barrier extends Operation
{
    Barrier(final Team team)
    {
        super(team, Kind.BARRIER);
        phases(team.nodes() == null ? null : new BarrierPhases(team.nodes()));
    }

    /**
     * Comes to the barrier.
     *
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     */
    public long start()
    {
        requireIdle();
        plan(0, 1, 0, 0, 0);
        return begin();
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        // that there is a line is all
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return true;
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        // that there is a line is all
    }
}
