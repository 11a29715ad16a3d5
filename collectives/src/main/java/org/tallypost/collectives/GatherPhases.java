// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** A gather in each node, between the nodes, and from the leader to the root if that is another member. */
final class GatherPhases extends PortionPhases
{
    private final Gather operation;
    private final Gather inner;
    private final Scatter toRoot;
    private final LeaderMemory own = new LeaderMemory();
    private final LeaderMemory packed = new LeaderMemory();

    GatherPhases(final NodesPath path, final Gather operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newGather();
        toRoot = path.inner().newScatter();
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
        final int all = map().size() * portion;
        final boolean isRoot = operation.root() == map().self();
        final boolean isToOther = isBehindLeader(operation.root());
        if (number == 0)
        {
            final UnsafeBuffer packing = isLeader() || isRoot ? packed.of(all) : NOTHING;
            final UnsafeBuffer mine = own.of(portion);
            if (!isRoot)
            {
                mine.putBytes(0, operation.own(), 0, operation.own().capacity());
            }
            salted(inner).start(0, mine, 0, packing, isLeader() ? here(portion) : 0, portion);
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            path().moves().scatter(Kind.GATHER, packed.buffer(), map().nodeOf(operation.root()), portion, this);
            between();
        }
        else if (number == 2 && isToOther)
        {
            // into the same buffer at the root, out of it at the leader
            salted(toRoot).start(0, isLeader() ? packed.buffer() : NOTHING, 0, only(map().localOf(operation.root()), all),
                isRoot ? packed.buffer() : NOTHING, 0);
            inside(toRoot);
        }
        else if (number == 3 && isRoot)
        {
            unpack(packed.buffer(), operation.portions(), portion, map().self());
        }
        return number < 4;
    }
}
