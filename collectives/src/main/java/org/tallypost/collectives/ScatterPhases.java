// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** A scatter from the root to its leader if that is another member, between the nodes, and in each node. */
final class ScatterPhases extends PortionPhases
{
    private final Scatter operation;
    private final Gather fromRoot;
    private final Scatter inner;
    private final LeaderMemory packed = new LeaderMemory();
    private final LeaderMemory own = new LeaderMemory();

    ScatterPhases(final NodesPath path, final Scatter operation)
    {
        super(path);
        this.operation = operation;
        fromRoot = path.inner().newGather();
        inner = path.inner().newScatter();
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
        if (number == 0)
        {
            final UnsafeBuffer packing = isLeader() || isRoot ? packed.of(all) : NOTHING;
            if (isRoot)
            {
                pack(operation.portions(), packing, portion);
            }
            if (isBehindLeader(operation.root()))
            {
                final Distribution distribution = only(map().localOf(operation.root()), all);
                salted(fromRoot).start(0, isRoot ? packing : NOTHING, 0, isLeader() ? packing : NOTHING, 0, distribution);
                inside(fromRoot);
            }
        }
        else if (number == 1 && isLeader())
        {
            path().moves().scatter(Kind.SCATTER, packed.buffer(), map().nodeOf(operation.root()), portion, this);
            between();
        }
        else if (number == 2)
        {
            salted(inner).start(0, isLeader() ? packed.buffer() : NOTHING, isLeader() ? here(portion) : 0, own.of(portion), 0,
                portion);
            inside(inner);
        }
        else if (number == 3 && !isRoot)
        {
            operation.own().putBytes(0, own.buffer(), 0, operation.own().capacity());
        }
        return number < 4;
    }
}
