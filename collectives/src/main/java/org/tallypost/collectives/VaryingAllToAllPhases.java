// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * All-to-all with portions of any lengths. First the members of a node tell each other how long all is that they send and
 * receive, and the leaders how long what their members send is. They compare both. Then pieces of all portions go in rounds, as
 * many as the longest portion of all needs: gathered at the leader, exchanged by pairs of nodes, and scattered. So a leader needs
 * no more memory than for a piece of each portion.
 */
final class VaryingAllToAllPhases extends Phases
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);
    /** Length of a portion, and the longest one of its node. */
    private static final int PAIR_LENGTH = 2 * Integer.BYTES;

    private final AllToAll operation;
    private final AllGather telling;
    private final Broadcast settling;
    private final Gather inner;
    private final Scatter result;
    private final int places;
    private final int locals;
    private final PortionLengths lengths;
    private final UnsafeBuffer longest = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final int[] cursors;
    private final int[] bounds;
    private final LeaderMemory own = new LeaderMemory();
    private final LeaderMemory rows = new LeaderMemory();
    private final LeaderMemory blocks = new LeaderMemory();
    private long rounds;

    VaryingAllToAllPhases(final NodesPath path, final AllToAll operation)
    {
        super(path);
        this.operation = operation;
        telling = path.inner().newAllGather();
        settling = path.inner().newBroadcast();
        inner = path.inner().newGather();
        result = path.inner().newScatter();
        places = map().size();
        locals = map().locals().length;
        lengths = new PortionLengths(map());
        cursors = new int[locals];
        bounds = new int[2 * map().nodes() + 1];
    }

    @Override
    boolean step(final int number)
    {
        switch (number)
        {
            case 0:
                tell();
                return true;
            case 1:
                exchangeLengths();
                return true;
            case 2:
                return settle();
            case 3:
                if (!count())
                {
                    return false;
                }
                break;
            default:
                break;
        }
        final long round = (number - 3) / 3;
        switch (number % 3)
        {
            case 0:
                if (round > 0)
                {
                    unpack(round - 1);
                }
                if (round < rounds)
                {
                    gather(round);
                }
                return round < rounds;
            case 1:
                exchange(round);
                return true;
            default:
                scatter(round);
                return true;
        }
    }

    private void tell()
    {
        lengths.tell(operation);
        salted(telling).start(lengths.own(), 0, lengths.all(), 0, lengths.own().capacity());
        inside(telling);
    }

    /** The leaders tell each other what their members send. */
    private void exchangeLengths()
    {
        if (!isLeader())
        {
            return;
        }
        int most = 0;
        for (int i = 0; i < locals * places; i++)
        {
            most = Math.max(most, lengths.sentBy(i / places, i % places));
        }
        final UnsafeBuffer data = blocks.of(2 * places * locals * PAIR_LENGTH);
        for (int place = 0; place < places; place++)
        {
            for (int local = 0; local < locals; local++)
            {
                final int at = (place * locals + local) * PAIR_LENGTH;
                data.putInt(at, lengths.sentBy(local, place));
                data.putInt(at + Integer.BYTES, most);
            }
        }
        longest.putInt(0, most);
        path().moves().allToAll(data, PAIR_LENGTH);
        between();
    }

    /** Compares what is sent with what is expected. How long the longest portion is goes to all members of the node. */
    private boolean settle()
    {
        for (int place = 0; place < places && isLeader(); place++)
        {
            for (int local = 0; local < locals; local++)
            {
                if (!isAlike(place, local))
                {
                    return false;
                }
            }
        }
        salted(settling).start(0, longest, 0, Integer.BYTES);
        inside(settling);
        return true;
    }

    private boolean isAlike(final int place, final int local)
    {
        final int member = lengths.memberAt(place);
        int sent = 0;
        if (map().isHere(member))
        {
            sent = lengths.sentBy(map().localOf(member), map().before(map().node()) + local);
        }
        else
        {
            final int node = map().nodeOf(member);
            final int begin = (places + map().before(node)) * locals;
            final int at = (begin + local * map().count(node) + map().localOf(member)) * PAIR_LENGTH;
            sent = blocks.buffer().getInt(at);
            longest.putInt(0, Math.max(longest.getInt(0), blocks.buffer().getInt(at + Integer.BYTES)));
        }
        if (sent == lengths.receivedBy(local, place))
        {
            return true;
        }
        path().fail(Team.MISMATCH, member);
        return false;
    }

    /** Works out how many rounds there are. What does not fit to what this member knows itself is damage. */
    private boolean count()
    {
        boolean isSound = longest.getInt(0) >= Math.max(operation.sent().maxLength(), operation.received().maxLength());
        for (int i = 0; i < locals * places; i++)
        {
            isSound &= lengths.sentBy(i / places, i % places) >= 0 && lengths.receivedBy(i / places, i % places) >= 0;
        }
        if (!isSound)
        {
            path().fail(Team.DAMAGED, map().leader(map().node()));
            return false;
        }
        rounds = lengths.rounds(longest.getInt(0));
        return true;
    }

    private void gather(final long round)
    {
        final int row = lengths.rowLength(round, true);
        final UnsafeBuffer mine = own.of(row);
        final Portions sent = operation.sent();
        int at = 0;
        for (int place = 0; place < places; place++)
        {
            final int member = lengths.memberAt(place);
            final int length = lengths.piece(sent.length(member), round);
            if (length > 0)
            {
                mine.putBytes(at, sent.whole(), sent.offset(member) + lengths.begin(round), length);
                at += length;
            }
        }
        salted(inner).start(0, mine, 0, isLeader() ? rows.of(locals * row) : NOTHING, 0, row);
        inside(inner);
    }

    private void exchange(final long round)
    {
        if (!isLeader())
        {
            return;
        }
        final int row = lengths.rowLength(round, true);
        final int nodes = map().nodes();
        int all = 0;
        for (int node = 0; node < nodes; node++)
        {
            bounds[node] = all;
            all += lengths.blockLength(node, round, true);
        }
        for (int node = 0; node < nodes; node++)
        {
            bounds[nodes + node] = all;
            // what there is for this node itself goes nowhere
            all += node == map().node() ? 0 : lengths.blockLength(node, round, false);
        }
        bounds[2 * nodes] = all;
        final UnsafeBuffer to = blocks.of(all);
        int at = 0;
        rowsBegin(row);
        for (int place = 0; place < places; place++)
        {
            for (int local = 0; local < locals; local++)
            {
                final int length = lengths.piece(lengths.sentBy(local, place), round);
                to.putBytes(at, rows.buffer(), cursors[local], length);
                cursors[local] += length;
                at += length;
            }
        }
        path().moves().allToAll(to, bounds);
        between();
    }

    /** Where the rows of the members begin. */
    private void rowsBegin(final int row)
    {
        for (int local = 0; local < locals; local++)
        {
            cursors[local] = local * row;
        }
    }

    private void scatter(final long round)
    {
        final int row = lengths.rowLength(round, false);
        if (isLeader())
        {
            final UnsafeBuffer to = rows.of(locals * row);
            rowsBegin(row);
            for (int node = 0; node < map().nodes(); node++)
            {
                // its sender has put it together for each of this node's members
                int at = bounds[node == map().node() ? node : map().nodes() + node];
                for (int local = 0; local < locals; local++)
                {
                    for (int place = map().before(node); place < map().before(node + 1); place++)
                    {
                        final int length = lengths.piece(lengths.receivedBy(local, place), round);
                        to.putBytes(cursors[local], blocks.buffer(), at, length);
                        cursors[local] += length;
                        at += length;
                    }
                }
            }
        }
        salted(result).start(0, isLeader() ? rows.buffer() : NOTHING, 0, own.of(row), 0, row);
        inside(result);
    }

    private void unpack(final long round)
    {
        final Portions received = operation.received();
        int at = 0;
        for (int place = 0; place < places; place++)
        {
            final int member = lengths.memberAt(place);
            final int length = lengths.piece(received.length(member), round);
            if (length > 0)
            {
                received.whole().putBytes(received.offset(member) + lengths.begin(round), own.buffer(), at, length);
                at += length;
            }
        }
    }
}
