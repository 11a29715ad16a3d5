// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A reduction in which the order of the members counts, where members of other nodes stand between those of a node. Nothing can
 * be reduced in a node beforehand: all members gather the operands of all, and each one reduces what it wants.
 */
final class OrderedPhases extends PortionPhases
{
    private final Reduction operation;
    private final Gather inner;
    private final Broadcast result;
    private final LeaderMemory packed = new LeaderMemory();

    OrderedPhases(final NodesPath path, final Reduction operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newGather();
        result = path.inner().newBroadcast();
    }

    @Override
    void require()
    {
        lengthOf(map().size(), operation.in().capacity());
    }

    @Override
    boolean step(final int number)
    {
        final int length = operation.in().capacity();
        if (number == 0)
        {
            final UnsafeBuffer all = packed.of(map().size() * length);
            salted(inner).start(0, operation.in(), 0, all, isLeader() ? here(length) : 0, length);
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            path().moves().allGather(packed.buffer(), length, this);
            between();
        }
        else if (number == 2)
        {
            salted(result).start(0, packed.buffer(), 0, packed.buffer().capacity());
            inside(result);
        }
        else if (number == 3)
        {
            reduce(length);
        }
        return number < 4;
    }

    private void reduce(final int length)
    {
        final UnsafeBuffer out = operation.out();
        for (int i = 0; i < operation.operands(); i++)
        {
            final int from = map().placeOf(i) * length + operation.operandOffset();
            operation.take(i == 0, out, 0, packed.buffer(), from, out.capacity());
        }
    }
}
