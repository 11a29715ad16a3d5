// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** A gather in each node, an all-gather between the nodes, and a broadcast in each node. */
final class AllGatherPhases extends PortionPhases
{
    private final AllGather operation;
    private final Gather inner;
    private final Broadcast result;
    private final LeaderMemory own = new LeaderMemory();
    private final LeaderMemory packed = new LeaderMemory();

    AllGatherPhases(final NodesPath path, final AllGather operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newGather();
        result = path.inner().newBroadcast();
    }

    @Override
    void require()
    {
        lengthOf(map().size(), operation.portions().maxLength());
    }

    @Override
    boolean step(final int number)
    {
        final int portion = operation.portions().maxLength();
        if (number == 0)
        {
            final UnsafeBuffer packing = packed.of(map().size() * portion);
            final UnsafeBuffer mine = own.of(portion);
            mine.putBytes(0, operation.own(), 0, operation.own().capacity());
            salted(inner).start(0, mine, 0, packing, isLeader() ? here(portion) : 0, portion);
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            path().moves().allGather(packed.buffer(), portion, this);
            between();
        }
        else if (number == 2)
        {
            salted(result).start(0, packed.buffer(), 0, packed.buffer().capacity());
            inside(result);
        }
        else if (number == 3)
        {
            unpack(packed.buffer(), operation.portions(), portion, map().self());
        }
        return number < 4;
    }
}
