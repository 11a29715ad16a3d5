// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/** Operations that members of a team may call, by a number: members with different numbers differ. */
final class Calls
{
    /** Number of different ones that {@link #start} knows. */
    static final int COUNT = 15;
    /** Most bytes of a portion. */
    static final int LENGTH = 5_000;

    private Calls()
    {
    }

    static UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(new byte[4 * LENGTH]);
    }

    /** Something that a member may call, described by what all have to agree on. */
    static Operation start(final int which, final Team team)
    {
        final UnsafeBuffer in = buffer();
        final UnsafeBuffer out = buffer();
        switch (which)
        {
            case 0:
                final Barrier barrier = team.newBarrier();
                barrier.start();
                return barrier;
            case 1:
            case 2:
            case 3:
                final Broadcast broadcast = team.newBroadcast();
                broadcast.start(which == 2 ? 1 : 0, in, 0, which == 3 ? LENGTH : 8);
                return broadcast;
            case 4:
            case 5:
            case 6:
                final AllReduce allReduce = team.newAllReduce(
                    which == 5 ? ElementType.FLOAT : ElementType.INT, which == 6 ? Reducers.MAX : Reducers.SUM);
                allReduce.start(in, 0, out, 0, 2);
                return allReduce;
            case 7:
                final Gather gather = team.newGather();
                gather.start(0, in, 0, out, 0, 8);
                return gather;
            case 8:
                final Scatter scatter = team.newScatter();
                scatter.start(0, in, 0, out, 0, 8);
                return scatter;
            case 9:
                final AllGather distributed = team.newAllGather();
                distributed.start(in, 0, out, 0, Distribution.descending(team.size(), 8));
                return distributed;
            case 10:
                final AllGather allGather = team.newAllGather();
                allGather.start(in, 0, out, 0, 8);
                return allGather;
            case 11:
                final AllReduce sliced = team.newAllReduce(ElementType.INT, Reducers.SUM);
                sliced.start(in, 0, out, 0, LENGTH / 4);
                return sliced;
            case 12:
                final AllToAll allToAll = team.newAllToAll();
                allToAll.start(in, 0, out, 0, 8);
                return allToAll;
            case 13:
                final AllToAll varying = team.newAllToAll();
                varying.start(in, 0, Distribution.ascending(team.size(), 8), out, 0, Distribution.descending(team.size(), 8));
                return varying;
            default:
                final ReduceScatter scattered = team.newReduceScatter(ElementType.INT, Reducers.SUM);
                scattered.start(in, 0, Distribution.ascending(team.size(), 8).range(0, 0, 4), out, 0);
                return scattered;
        }
    }

    /** Something that may take many steps, described by what all have to agree on. */
    static Operation startLong(final int which, final Team team, final int root, final int length)
    {
        final UnsafeBuffer in = buffer();
        final UnsafeBuffer out = buffer();
        switch (which)
        {
            case 0:
                final Gather gather = team.newGather();
                gather.start(root, in, 0, out, 0, length);
                return gather;
            case 1:
                final Scatter scatter = team.newScatter();
                scatter.start(root, in, 0, out, 0, length);
                return scatter;
            case 2:
                final Broadcast broadcast = team.newBroadcast();
                broadcast.start(root, in, 0, length);
                return broadcast;
            case 3:
                final Reduce reduce = team.newReduce(ElementType.BYTE, Reducers.SUM);
                reduce.start(root, in, 0, out, 0, length);
                return reduce;
            case 4:
                final Scan scan = team.newScan(ElementType.BYTE, Reducers.SUM, true);
                scan.start(in, 0, out, 0, length);
                return scan;
            case 5:
                final AllReduce allReduce = team.newAllReduce(ElementType.BYTE, Reducers.SUM);
                allReduce.start(in, 0, out, 0, length);
                return allReduce;
            default:
                final Barrier barrier = team.newBarrier();
                barrier.start();
                return barrier;
        }
    }
}
