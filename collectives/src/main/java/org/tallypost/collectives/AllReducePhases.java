// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** A reduction in each node to its leader, then for all nodes, then a broadcast in each. The leader works in its result. */
final class AllReducePhases extends Phases
{
    private final AllReduce operation;
    private final Reduce inner;
    private final Broadcast result;

    AllReducePhases(final NodesPath path, final AllReduce operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newReduce(operation.type(), operation.reducer());
        result = path.inner().newBroadcast();
    }

    @Override
    boolean step(final int number)
    {
        final int length = operation.in().capacity();
        if (number == 0)
        {
            salted(inner).start(0, operation.in(), 0, operation.out(), 0, length / operation.unit());
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            path().moves().allReduce(operation.out(), operation);
            between();
        }
        else if (number == 2)
        {
            salted(result).start(0, operation.out(), 0, length);
            inside(result);
        }
        return number < 3;
    }
}
