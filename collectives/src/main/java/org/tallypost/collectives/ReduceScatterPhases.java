// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** A reduction in each node to its leader, a reduce-scatter between the nodes, and a scatter in each node. */
final class ReduceScatterPhases extends PortionPhases
{
    private final ReduceScatter operation;
    private final Reduce inner;
    private final Scatter result;
    private final LeaderMemory own = new LeaderMemory();
    private final LeaderMemory reduced = new LeaderMemory();
    /** Where the portions of the members begin when those of one node are together, and where the last one ends. */
    private final int[] begins;
    private Distribution given;
    private Distribution ofLocals;

    ReduceScatterPhases(final NodesPath path, final ReduceScatter operation)
    {
        super(path);
        this.operation = operation;
        inner = path.inner().newReduce(operation.type(), operation.reducer());
        result = path.inner().newScatter();
        begins = new int[path.map().size() + 1];
    }

    @Override
    void require()
    {
        lengthOf(map().size(), operation.portions().maxLength());
    }

    @Override
    boolean step(final int number)
    {
        if (number == 0)
        {
            arrange();
            final int all = begins[map().size()];
            salted(inner).start(0, inOrder(all), 0, isLeader() ? reduced.of(all) : NOTHING, 0, all / operation.unit());
            inside(inner);
        }
        else if (number == 1 && isLeader())
        {
            for (int node = 0; node <= map().nodes(); node++)
            {
                path().moves().blocks().bound(node, begins[map().before(node)]);
            }
            path().moves().reduceScatter(reduced.buffer(), operation);
            between();
        }
        else if (number == 2)
        {
            scatter(begins[map().before(map().node())]);
            inside(result);
        }
        return number < 3;
    }

    private void arrange()
    {
        for (int node = 0; node < map().nodes(); node++)
        {
            for (int local = 0; local < map().count(node); local++)
            {
                final int place = map().before(node) + local;
                begins[place + 1] = begins[place] + operation.portions().length(map().member(node, local));
            }
        }
    }

    private void scatter(final int here)
    {
        final UnsafeBuffer from = isLeader() ? reduced.buffer() : NOTHING;
        final Distribution distribution = operation.portions().distribution();
        if (distribution == null)
        {
            salted(result).start(0, from, isLeader() ? here : 0, operation.out(), 0, operation.portions().maxLength());
            return;
        }
        if (distribution != given)
        {
            given = distribution;
            ofLocals = Distribution.ascending(map().locals().length, 0);
            for (int local = 0; local < map().locals().length; local++)
            {
                final int begin = begins[map().before(map().node()) + local];
                ofLocals = ofLocals.range(local, begin - here, distribution.length(map().locals()[local]));
            }
        }
        salted(result).start(0, from, isLeader() ? here : 0, ofLocals, operation.out(), 0);
    }

    /** The operands with those for the members of one node together. */
    private UnsafeBuffer inOrder(final int all)
    {
        if (map().isConsecutive() && operation.portions().distribution() == null)
        {
            return operation.in();
        }
        final UnsafeBuffer sorted = own.of(all);
        for (int i = 0; i < map().size(); i++)
        {
            final int length = operation.portions().length(i);
            if (length > 0)
            {
                sorted.putBytes(begins[map().placeOf(i)], operation.in(), operation.portions().offset(i), length);
            }
        }
        return sorted;
    }
}
