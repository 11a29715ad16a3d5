// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** Ranks that exchange messages which no others see. Subclasses say whether they are in one group or in two. */
public abstract class Comm extends MpiJavaCollective implements Freeable
{
    /** Tags of the library's own messages by the context of collective operations: above those of the operations. */
    static final int FIRST_OWN_TAG = 1 << 17;

    Comm()
    {
    }

    /** What each rank of both sides has passed, by its number in the channels; all have passed so many numbers. */
    @Override
    final int[][] exchangeAll(final int... own) throws MPIException
    {
        check();
        final int ranks = channels().messages(true).size();
        final int[] all = new int[ranks * own.length];
        final int number = localBase() + ownRank();
        final Schedule schedule = new Schedule(this);
        final Items whole = Items.of(all, 0, all.length, MPI.INT);
        if (number == 0)
        {
            System.arraycopy(own, 0, all, 0, own.length);
            for (int rank = 1; rank < ranks; rank++)
            {
                schedule.receive(rank, Items.of(all, (long)rank * own.length, own.length, MPI.INT));
            }
            schedule.round();
            for (int rank = 1; rank < ranks; rank++)
            {
                schedule.send(rank, whole);
            }
        }
        else
        {
            schedule.send(0, Items.of(own, 0, own.length, MPI.INT)).round().receive(0, whole);
        }
        run(schedule);
        final int[][] each = new int[ranks][];
        for (int rank = 0; rank < ranks; rank++)
        {
            each[rank] = Arrays.copyOfRange(all, rank * own.length, (rank + 1) * own.length);
        }
        return each;
    }

    /** Ranks that tell each other numbers. */
    interface Exchange
    {
        /** What each has passed; all ranks call it. */
        int[][] exchange(int... own) throws MPIException;
    }

    /** Contexts that are free at all ranks that exchange numbers; taken from here on. */
    static int agreeOnContext(final World world, final Exchange ranks) throws MPIException
    {
        world.enter();
        try
        {
            int from = 0;
            while (true)
            {
                final int[] own = world.contexts().offer(from);
                try
                {
                    final int[] common = Contexts.common(ranks.exchange(own));
                    if (Contexts.lowest(common) != Contexts.NONE)
                    {
                        world.contexts().take(Contexts.lowest(common));
                        return Contexts.lowest(common);
                    }
                    from = Contexts.next(common);
                }
                finally
                {
                    world.contexts().close(own);
                }
            }
        }
        finally
        {
            world.exit();
        }
    }

    /** This rank is in no communicator that has it. */
    final void giveBackContext(final int context)
    {
        world().enter();
        try
        {
            world().contexts().giveBack(context);
        }
        finally
        {
            world().exit();
        }
    }

    final int agreeOnContext() throws MPIException
    {
        check();
        return agreeOnContext(world(), this::exchangeAll);
    }

    /**
     * The last barrier. The first rank waits until the others have heard of it, as what it has sent to other nodes may be lost
     * when it ends at once. One that has heard may be gone.
     */
    final void part() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            for (int rank = 1; rank < local().size() && ownRank() == 0; rank++)
            {
                receiveOwn(rank, 0, new int[0]);
            }
            if (ownRank() > 0)
            {
                sendOwn(0, 0);
                receiveOwn(0, 0, new int[0]);
                return;
            }
            final SendTransfer[] last = new SendTransfer[local().size()];
            for (int rank = 1; rank < last.length; rank++)
            {
                last[rank] = new SendTransfer().items(new int[0], 0, 0, 0, MPI.INT)
                    .to(channels(), true, SendTransfer.Mode.SYNCHRONOUS, rank, FIRST_OWN_TAG);
                world().start(last[rank]);
            }
            for (int rank = 1; rank < last.length; rank++)
            {
                while (!last[rank].progress())
                {
                    world().turn();
                }
            }
        }
        finally
        {
            entered.exit();
        }
    }

    final void sendOwn(final int peer, final int tag, final int... numbers) throws MPIException
    {
        final World entered = world().enter();
        try
        {
            world().send(new SendTransfer().items(numbers, 0, 0, numbers.length, MPI.INT)
                .to(channels(), true, SendTransfer.Mode.STANDARD, peer, FIRST_OWN_TAG + tag));
        }
        finally
        {
            entered.exit();
        }
    }

    /** Returns the source's number in the channels. */
    final int receiveOwn(final int peer, final int tag, final int[] numbers) throws MPIException
    {
        final World entered = world().enter();
        try
        {
            return world().receive(new ReceiveTransfer().items(numbers, 0, 0, numbers.length, MPI.INT)
                .from(channels(), true, peer, FIRST_OWN_TAG + tag, 0)).source;
        }
        finally
        {
            entered.exit();
        }
    }

    // Open MPI

    @Override
    public abstract Comm clone();

    public abstract Comm dup() throws MPIException;

    public final int getSize() throws MPIException
    {
        check();
        return local().size();
    }

    public final int getRank() throws MPIException
    {
        check();
        return ownRank();
    }

    public static int compare(final Comm one, final Comm other) throws MPIException
    {
        one.check();
        other.check();
        if (one == other)
        {
            return MPI.IDENT;
        }
        if (one.isBetweenGroups() != other.isBetweenGroups())
        {
            return MPI.UNEQUAL;
        }
        final int local = Group.compare(one.local(), other.local());
        final int both = one.isBetweenGroups() ? Math.max(local, Group.compare(one.remote(), other.remote())) : local;
        return both == MPI.IDENT ? MPI.CONGRUENT : both;
    }

    /** Ends it at this rank; all do. */
    @Override
    public void free() throws MPIException
    {
        freeCore();
    }

    public final boolean isNull()
    {
        return isFreed();
    }

    public final void disconnect() throws MPIException
    {
        barrier();
        free();
    }

    public final Group getGroup() throws MPIException
    {
        check();
        return new Group(local().ranks());
    }

    public final boolean isInter() throws MPIException
    {
        check();
        return isBetweenGroups();
    }

    /** Makes a communicator between two groups; leaders reach each other by this one. */
    public final Intercomm createIntercomm(final Comm localComm, final int localLeader, final int remoteLeader, final int tag)
        throws MPIException
    {
        localComm.check();
        final boolean isLeader = localComm.ownRank() == localLeader;
        final int peer = isLeader ? dest(remoteLeader) : 0;
        return Intercomm.make((Intracomm)localComm, localLeader, isLeader ? this : null, peer, 1 + (tag & 0xFFFF), true);
    }

    /** Ends all ranks, if tallypost run has started them. */
    public final void abort(final int code) throws MPIException
    {
        World.current().endJob("rank " + MPI.COMM_WORLD.getRank() + " aborts with code " + code, code);
    }

    public final void setErrhandler(final Errhandler handler) throws MPIException
    {
        check();
        errhandler(handler);
    }

    public final Errhandler getErrhandler() throws MPIException
    {
        check();
        return errhandler();
    }

    public final void callErrhandler(final int errorCode) throws MPIException
    {
        check();
        throw new MPIException(errorCode, "the program has called the error handler " + errhandler() + ": code=" + errorCode);
    }

    /** A key for attributes. A duplicate gets the attributes of its origin, the same objects. */
    public static int createKeyval() throws MPIException
    {
        return newKeyval();
    }

    public static void freeKeyval(final int keyval) throws MPIException
    {
        checkKeyval(keyval);
    }

    public final void setAttr(final int keyval, final Object value) throws MPIException
    {
        attributes(keyval).put(keyval, value);
    }

    /** The value of a key; null if it has none. */
    public final Object getAttr(final int keyval) throws MPIException
    {
        return attribute(keyval);
    }

    public final void deleteAttr(final int keyval) throws MPIException
    {
        attributes(keyval).remove(keyval);
    }

    public final void setInfo(final Info value) throws MPIException
    {
        check();
        info(value.dup());
    }

    public final Info getInfo() throws MPIException
    {
        check();
        return info().dup();
    }

    public final void setName(final String value) throws MPIException
    {
        check();
        name(value);
    }

    public final String getName() throws MPIException
    {
        check();
        return name();
    }

    /** CART, GRAPH, or UNDEFINED. */
    public int getTopology() throws MPIException
    {
        check();
        return MPI.UNDEFINED;
    }

    /** The communicator to the ranks that have started this job as a part of another: there is none. */
    public static Intercomm getParent() throws MPIException
    {
        return Intercomm.none();
    }

    /** Each item of the second becomes the first's item, reduced with it. */
    public static void reduceLocal(final Object in, final Object inOut, final int count, final Datatype type, final Op op)
        throws MPIException
    {
        World.current();
        final Fold fold = new Fold(op, type, count, inOut);
        Payload.copy(Items.of(in, 0, count, type), fold.done());
        Payload.copy(Items.of(inOut, 0, count, type), fold.next());
        fold.take();
        Payload.copy(fold.done(), Items.of(inOut, 0, count, type));
    }

    /** Packs items behind a place of a byte array; returns the place behind them. */
    public final int pack(
        final Object inBuffer, final int count, final Datatype type, final byte[] outBuffer, final int position)
        throws MPIException
    {
        return Pack(inBuffer, 0, count, type, outBuffer, position);
    }

    /** Takes items from a place of a byte array; returns the place behind them. */
    public final int unpack(
        final byte[] inBuffer, final int position, final Object outBuffer, final int count, final Datatype type)
        throws MPIException
    {
        return Unpack(inBuffer, position, outBuffer, 0, count, type);
    }

    public final int packSize(final int count, final Datatype type) throws MPIException
    {
        check();
        type.check();
        return Math.multiplyExact(count, type.size());
    }

    // mpiJava

    public final int Size() throws MPIException
    {
        return getSize();
    }

    public final int Rank() throws MPIException
    {
        return getRank();
    }

    public static int Compare(final Comm one, final Comm other) throws MPIException
    {
        return compare(one, other);
    }

    public final void Free() throws MPIException
    {
        free();
    }

    public final boolean Is_null()
    {
        return isNull();
    }

    public final Group Group() throws MPIException
    {
        return getGroup();
    }

    public final boolean Test_inter() throws MPIException
    {
        return isInter();
    }

    public final Intercomm Create_intercomm(
        final Comm localComm, final int localLeader, final int remoteLeader, final int tag) throws MPIException
    {
        return createIntercomm(localComm, localLeader, remoteLeader, tag);
    }

    public final void Abort(final int code) throws MPIException
    {
        abort(code);
    }

    public final int Topo_test() throws MPIException
    {
        return getTopology();
    }

    public final Object Attr_get(final int keyval) throws MPIException
    {
        return getAttr(keyval);
    }

    public final void Attr_put(final int keyval, final Object value) throws MPIException
    {
        setAttr(keyval, value);
    }

    public final void Attr_delete(final int keyval) throws MPIException
    {
        deleteAttr(keyval);
    }

    public final void Errhandler_set(final Errhandler handler) throws MPIException
    {
        setErrhandler(handler);
    }

    public final Errhandler Errhandler_get() throws MPIException
    {
        return getErrhandler();
    }

    public final int Pack(
        final Object inBuffer, final int offset, final int count, final Datatype type, final byte[] outBuffer, final int position)
        throws MPIException
    {
        final int length = packSize(count, type);
        Payload.copy(Items.of(inBuffer, offset, count, type), Items.of(outBuffer, position, length, MPI.PACKED));
        return position + length;
    }

    public final int Unpack(
        final byte[] inBuffer, final int position, final Object outBuffer, final int offset, final int count, final Datatype type)
        throws MPIException
    {
        final int length = packSize(count, type);
        Payload.copy(Items.of(inBuffer, position, length, MPI.PACKED), Items.of(outBuffer, offset, count, type));
        return position + length;
    }

    public final int Pack_size(final int count, final Datatype type) throws MPIException
    {
        return packSize(count, type);
    }
}
