// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** A barrier in each node, then of the nodes, then in each node again. */
final class BarrierPhases extends Phases
{
    private final Barrier come;
    private final Barrier go;
    private final UnsafeBuffer nothing = new UnsafeBuffer(0, 0);

    BarrierPhases(final NodesPath path)
    {
        super(path);
        come = path.inner().newBarrier();
        go = path.inner().newBarrier();
    }

    @Override
    boolean step(final int number)
    {
        if (number == 1 && isLeader())
        {
            path().moves().barrier(nothing);
            between();
        }
        else if (number != 1 && number < 3)
        {
            final Barrier barrier = number == 0 ? come : go;
            salted(barrier).start();
            inside(barrier);
        }
        return number < 3;
    }
}
