// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;
import java.util.Comparator;

/** A communicator of one group. */
public class Intracomm extends Comm
{
    Intracomm()
    {
    }

    /** One of ranks of the world. */
    private Intracomm made(final int context, final int... ranks)
    {
        final Intracomm made = new Intracomm();
        made.bind(world(), context, new Group(ranks));
        return made;
    }

    /** All ranks call it: so the others get a communicator that this one cannot have. */
    final <T extends Intracomm> T bindDuplicate(final T made, final int context)
    {
        made.bind(world(), context, local());
        made.inherit(this);
        return made;
    }

    // Open MPI

    @Override
    public Intracomm clone()
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
    public Intracomm dup() throws MPIException
    {
        return bindDuplicate(new Intracomm(), agreeOnContext());
    }

    public final Intracomm dupWithInfo(final Info hints) throws MPIException
    {
        final Intracomm made = dup();
        made.info(hints.isNull() ? new Info() : hints.dup());
        return made;
    }

    /** Makes a communicator of the ranks with the same color, in the order of their keys; null with the color UNDEFINED. */
    public final Intracomm split(final int color, final int key) throws MPIException
    {
        if (color < 0 && color != MPI.UNDEFINED)
        {
            throw new MPIException(MPI.ERR_ARG, "no such color: found=" + color + ", expected at least 0, or UNDEFINED");
        }
        final int[][] each = exchangeAll(color, key);
        final int context = agreeOnContext();
        if (color == MPI.UNDEFINED)
        {
            giveBackContext(context);
            return MPI.COMM_NULL;
        }
        final Integer[] members = new Integer[local().size()];
        Arrays.setAll(members, (rank) -> rank);
        final int[] ranks = Arrays.stream(members).filter((rank) -> each[rank][0] == color)
            .sorted(Comparator.comparingInt((rank) -> each[rank][1])).mapToInt((rank) -> local().ranks()[rank]).toArray();
        return made(context, ranks);
    }

    /** With COMM_TYPE_SHARED of the ranks of one node. */
    public final Intracomm splitType(final int type, final int key, final Info hints) throws MPIException
    {
        if (type != MPI.COMM_TYPE_SHARED && type != MPI.UNDEFINED)
        {
            throw new MPIException(MPI.ERR_ARG, "no such type: found=" + type + ", expected COMM_TYPE_SHARED");
        }
        return split(type == MPI.UNDEFINED ? type : world().nodeNumber(), key);
    }

    /** All ranks call it with the same group; those outside of it get null. */
    public final Intracomm create(final Group group) throws MPIException
    {
        check();
        checkGroup(group);
        final int context = agreeOnContext();
        if (group.rankOf(world().rank()) == MPI.UNDEFINED)
        {
            giveBackContext(context);
            return MPI.COMM_NULL;
        }
        return made(context, group.ranks());
    }

    /** The ranks of the group call it. */
    public final Intracomm createGroup(final Group group, final int tag) throws MPIException
    {
        check();
        checkGroup(group);
        final int own = group.rankOf(world().rank());
        if (own == MPI.UNDEFINED)
        {
            return MPI.COMM_NULL;
        }
        final int ownTag = (1 << 17) + (tag & 0xFFFF);
        return made(agreeOnContext(world(), (offer) -> exchangeIn(group, own, ownTag, offer)), group.ranks());
    }

    /** By messages of their own, as the other ranks have no part in it. All get what is common to the offers. */
    private int[][] exchangeIn(final Group group, final int own, final int ownTag, final int... offer) throws MPIException
    {
        final int[][] each = new int[group.size()][Contexts.OFFER_LENGTH];
        if (own > 0)
        {
            final int first = local().rankOf(group.ranks()[0]);
            sendOwn(first, ownTag, offer);
            receiveOwn(first, ownTag, each[0]);
            return new int[][]{ each[0] };
        }
        each[0] = offer;
        for (int rank = 1; rank < group.size(); rank++)
        {
            receiveOwn(local().rankOf(group.ranks()[rank]), ownTag, each[rank]);
        }
        final int[] common = Contexts.common(each);
        for (int rank = 1; rank < group.size(); rank++)
        {
            sendOwn(local().rankOf(group.ranks()[rank]), ownTag, common);
        }
        return new int[][]{ common };
    }

    private void checkGroup(final Group group) throws MPIException
    {
        group.getSize();
        for (final int rank : group.ranks())
        {
            if (local().rankOf(rank) == MPI.UNDEFINED)
            {
                throw new MPIException(MPI.ERR_GROUP, "a rank of the group is not in the communicator: found rank " + rank +
                    " of COMM_WORLD");
            }
        }
    }

    /** The first ranks in a grid; null at the others. */
    public final CartComm createCart(final int[] dims, final boolean[] periods, final boolean reorder) throws MPIException
    {
        return bindFirst(new CartComm(dims, periods), CartComm.sizeOf(dims, periods));
    }

    /** The first ranks as nodes of a graph; null at the others. */
    public final GraphComm createGraph(final int[] index, final int[] edges, final boolean reorder) throws MPIException
    {
        return bindFirst(new GraphComm(index, edges), index.length);
    }

    final <T extends Intracomm> T bindFirst(final T made, final int size) throws MPIException
    {
        check();
        if (size < 1 || size > local().size())
        {
            throw new MPIException(MPI.ERR_TOPOLOGY, "the topology has too many ranks: found=" + size + ", expected=1 to " +
                local().size());
        }
        final int context = agreeOnContext();
        if (ownRank() < size)
        {
            made.bind(world(), context, new Group(Arrays.copyOf(local().ranks(), size)));
        }
        else
        {
            giveBackContext(context);
        }
        return made;
    }

    /** A name by which ranks of this job connect to this one. */
    public final String openPort() throws MPIException
    {
        check();
        return world().ports().open();
    }

    public final void closePort(final String name) throws MPIException
    {
        check();
        world().ports().close(name);
    }

    /** Waits for ranks that connect to a port of the root, which have called {@link #connect}. */
    public final Intercomm accept(final String port, final int root) throws MPIException
    {
        check();
        checkRoot(root, local());
        final boolean isRoot = ownRank() == root;
        return Intercomm.make(this, root, isRoot ? MPI.COMM_WORLD : null, MPI.ANY_SOURCE,
            isRoot ? world().ports().tagOf(port) : 0, false);
    }

    /** Comes together with the ranks that accept at a port; the name counts at the root. */
    public final Intercomm connect(final String port, final int root) throws MPIException
    {
        check();
        checkRoot(root, local());
        final boolean isRoot = ownRank() == root;
        return Intercomm.make(this, root, isRoot ? MPI.COMM_WORLD : null, isRoot ? world().ports().rankOf(port) : 0,
            isRoot ? world().ports().tagOf(port) : 0, true);
    }

    // mpiJava

    /** As {@link #split}, but a rank that is in none gets null itself. */
    public final Intracomm Split(final int color, final int key) throws MPIException
    {
        return orNull(split(color, key));
    }

    /** As {@link #create}, but a rank outside of the group gets null itself. */
    public final Intracomm Create(final Group group) throws MPIException
    {
        return orNull(create(group));
    }

    private static <T extends Intracomm> T orNull(final T made)
    {
        return made.isNull() ? null : made;
    }

    public Intracomm Dup() throws MPIException
    {
        return dup();
    }

    public final Cartcomm Create_cart(final int[] dims, final boolean[] periods, final boolean reorder) throws MPIException
    {
        return orNull(bindFirst(new Cartcomm(dims, periods), CartComm.sizeOf(dims, periods)));
    }

    public final Graphcomm Create_graph(final int[] index, final int[] edges, final boolean reorder) throws MPIException
    {
        return orNull(bindFirst(new Graphcomm(index, edges), index.length));
    }
}
