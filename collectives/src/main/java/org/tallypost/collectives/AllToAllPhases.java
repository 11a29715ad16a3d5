// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A gather in each node of what its members have for all, an exchange of the nodes by pairs, and a scatter in each node. The
 * leader puts what there is for a node together: for each of its members what each of this node has.
 */
final class AllToAllPhases extends PortionPhases
{
    private final AllToAll operation;
    private final Gather inner;
    private final Scatter result;
    private final LeaderMemory own = new LeaderMemory();
    private final LeaderMemory rows = new LeaderMemory();
    private final LeaderMemory blocks = new LeaderMemory();

    AllToAllPhases(final NodesPath path, final AllToAll operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newGather();
        result = path.inner().newScatter();
    }

    @Override
    void require()
    {
        lengthOf(2 * map().mostLocals(), lengthOf(map().size(), operation.sent().maxLength()));
    }

    @Override
    boolean step(final int number)
    {
        final int portion = operation.sent().maxLength();
        final int locals = map().locals().length;
        final int row = map().size() * portion;
        if (number == 0)
        {
            final UnsafeBuffer mine = own.of(row);
            pack(operation.sent(), mine, portion);
            salted(inner).start(0, mine, 0, isLeader() ? rows.of(locals * row) : NOTHING, 0, row);
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            sort(portion, row, true);
            path().moves().allToAll(blocks.buffer(), portion);
            between();
        }
        else if (number == 2)
        {
            if (isLeader())
            {
                sort(portion, row, false);
            }
            salted(result).start(0, isLeader() ? rows.buffer() : NOTHING, 0, own.of(row), 0, row);
            inside(result);
        }
        else if (number == 3)
        {
            unpack(own.buffer(), operation.received(), portion, -1);
        }
        return number < 4;
    }

    /** From rows of this node's members to blocks for nodes; or from blocks of nodes to rows. */
    private void sort(final int portion, final int row, final boolean isOutgoing)
    {
        final int locals = map().locals().length;
        final UnsafeBuffer sorted = isOutgoing ? blocks.of(2 * locals * row) : blocks.buffer();
        for (int node = 0; node < map().nodes(); node++)
        {
            final int begin = locals * map().before(node) * portion;
            // what there is for this node itself goes nowhere
            final int end = isOutgoing || node == map().node() ? 0 : locals * row;
            for (int other = 0; other < map().count(node); other++)
            {
                for (int local = 0; local < locals; local++)
                {
                    final int inRow = local * row + (map().before(node) + other) * portion;
                    if (isOutgoing)
                    {
                        sorted.putBytes(begin + (other * locals + local) * portion, rows.buffer(), inRow, portion);
                    }
                    else
                    {
                        // the sender has put it together for each of this node's members
                        rows.buffer().putBytes(
                            inRow, sorted, end + begin + (local * map().count(node) + other) * portion, portion);
                    }
                }
            }
        }
    }
}
