// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** A communicator between two groups: messages go to ranks of the other one. */
public final class Intercomm extends Comm
{
    private Intercomm()
    {
    }

    static Intercomm none()
    {
        return new Intercomm();
    }

    /**
     * Brings two groups together. All ranks of both call it.
     *
     * @param own      ranks of this side.
     * @param leader   among them: it alone passes the others.
     * @param by       communicator by which the leader reaches the other side's; null at the others.
     * @param peer     the other leader in its channels, or ANY_SOURCE to wait for one.
     * @param tag      of the leaders' messages.
     * @param isSaying whether this leader speaks first if it knows the other.
     */
    static Intercomm make(
        final Intracomm own, final int leader, final Comm by, final int peer, final int tag, final boolean isSaying)
        throws MPIException
    {
        final int[] told = new int[1];
        final int[] ranks = own.local().ranks();
        int[] others = new int[0];
        int other = peer;
        if (by != null)
        {
            if (isSaying)
            {
                by.sendOwn(peer, tag, ranks.length);
            }
            other = by.receiveOwn(peer, tag, told);
            if (!isSaying)
            {
                by.sendOwn(other, tag, ranks.length);
            }
            by.sendOwn(other, tag, ranks);
            others = new int[told[0]];
            by.receiveOwn(other, tag, others);
        }
        own.bcast(told, 1, MPI.INT, leader);
        others = by == null ? new int[told[0]] : others;
        own.bcast(others, others.length, MPI.INT, leader);
        final Intercomm made = new Intercomm();
        final Group remote = new Group(others);
        if (Arrays.stream(others).anyMatch((rank) -> own.local().rankOf(rank) != MPI.UNDEFINED))
        {
            throw new MPIException(MPI.ERR_COMM, "a rank is in both groups: found=" + Arrays.toString(others));
        }
        final int leaderThere = other;
        final int context = agreeOnContext(own.world(), (offer) -> exchangeAcross(own, leader, by, leaderThere, tag, offer));
        made.bind(own.world(), context, own.local(), remote, ranks[0] < others[0]);
        return made;
    }

    /** All ranks of both sides get what is common to the offers. */
    private static int[][] exchangeAcross(
        final Intracomm own, final int leader, final Comm by, final int peer, final int tag, final int... offer)
        throws MPIException
    {
        int[] common = Contexts.common(own.exchangeAll(offer));
        if (by != null)
        {
            final int[] there = new int[Contexts.OFFER_LENGTH];
            by.sendOwn(peer, tag, common);
            by.receiveOwn(peer, tag, there);
            common = Contexts.common(common, there);
        }
        own.bcast(common, common.length, MPI.INT, leader);
        return new int[][]{ common };
    }

    // Open MPI

    @Override
    public Intercomm clone()
    {
        try
        {
            return dup();
        }
        catch (final MPIException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public Intercomm dup() throws MPIException
    {
        final Intercomm made = new Intercomm();
        made.bind(world(), agreeOnContext(), local(), remote(), localBase() == 0);
        made.inherit(this);
        return made;
    }

    public int getRemoteSize() throws MPIException
    {
        check();
        return remote().size();
    }

    public Group getRemoteGroup() throws MPIException
    {
        check();
        return new Group(remote().ranks());
    }

    /** Makes one group of both: first the side that is not high; if both say the same, the one that was first before. */
    public Intracomm merge(final boolean high) throws MPIException
    {
        final int[][] each = exchangeAll(high ? 1 : 0);
        final boolean isOtherHigh = each[remoteBase()][0] == 1;
        final boolean isFirst = high == isOtherHigh ? localBase() == 0 : !high;
        final int[] first = isFirst ? local().ranks() : remote().ranks();
        final int[] second = isFirst ? remote().ranks() : local().ranks();
        final int[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        final Intracomm made = new Intracomm();
        made.bind(world(), agreeOnContext(), new Group(all));
        return made;
    }

    // mpiJava

    public int Remote_size() throws MPIException
    {
        return getRemoteSize();
    }

    public Group Remote_group() throws MPIException
    {
        return getRemoteGroup();
    }

    public Intracomm Merge(final boolean high) throws MPIException
    {
        return merge(high);
    }
}
