// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** A reduction in each node to its leader, then between the nodes, then from the leader to the root if that is another member. */
final class ReducePhases extends PortionPhases
{
    private final Reduce operation;
    private final Reduce inner;
    private final Scatter toRoot;
    private final LeaderMemory scratch = new LeaderMemory();
    private UnsafeBuffer reduced;

    ReducePhases(final NodesPath path, final Reduce operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newReduce(operation.type(), operation.reducer());
        toRoot = path.inner().newScatter();
    }

    @Override
    boolean step(final int number)
    {
        final int length = operation.in().capacity();
        if (number == 0)
        {
            reduced = operation.root() == map().self() && isLeader() ? operation.out() :
                isLeader() ? scratch.of(length) : NOTHING;
            salted(inner).start(0, operation.in(), 0, reduced, 0, length / operation.unit());
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            path().moves().reduce(reduced, operation, map().nodeOf(operation.root()));
            between();
        }
        else if (number == 2 && isBehindLeader(operation.root()))
        {
            salted(toRoot).start(0, reduced, 0, only(map().localOf(operation.root()), length),
                operation.root() == map().self() ? operation.out() : NOTHING, 0);
            inside(toRoot);
        }
        return number < 3;
    }
}
