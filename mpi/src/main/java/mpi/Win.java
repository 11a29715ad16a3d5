// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Arrays;

/**
 * Memory of each rank of a communicator that the others read and change. A part that is of a buffer of
 * {@link MPI#newByteBuffer} and the like is read and changed by the other ranks of its node where it is, when they ask for it.
 * What is done with other parts goes by messages, and is done by the rank that has them in its calls that wait or test; and so
 * do pairs of a number and its place, and elements that are not aligned to their size, unless they are just put or fetched. Each
 * element is accumulated, fetched and accumulated, or compared and swapped at once. Parts are direct buffers, or have an array of
 * bytes. Origin buffers may be used again when a call returns; results are there when the epoch ends, or behind a flush.
 */
public final class Win extends WinOperations implements Freeable
{
    public static final int FLAVOR_PRIVATE = 0;
    public static final int FLAVOR_SHARED = 1;

    /**
     * Makes a window; all ranks of the communicator call it.
     *
     * @param base     memory of this rank.
     * @param size     of this rank's part, in elements of the buffer.
     * @param dispUnit elements of the buffer that displacements of others count here.
     * @param info     hints, which are not followed.
     * @param comm     of one group.
     */
    public Win(final Buffer base, final int size, final int dispUnit, final Info info, final Comm comm) throws MPIException
    {
        super(base, size, dispUnit, comm);
    }

    /**
     * The same, on the memory of the buffer if there is one, else on new memory, of which elements are bytes. With FLAVOR_SHARED
     * all ranks have to be on one node.
     */
    public Win(final int size, final int dispUnit, final Info info, final Comm comm, final Buffer ptr, final int flavor)
        throws MPIException
    {
        super(ptr == null && size > 0 ? MPI.newByteBuffer(size) : ptr, size, dispUnit, checked(flavor, comm));
    }

    private static Comm checked(final int flavor, final Comm comm) throws MPIException
    {
        comm.check();
        if (flavor != FLAVOR_PRIVATE && flavor != FLAVOR_SHARED)
        {
            throw new MPIException(MPI.ERR_ARG, "no such flavor: found=" + flavor +
                ", expected FLAVOR_PRIVATE or FLAVOR_SHARED");
        }
        if (flavor == FLAVOR_SHARED && !comm.world().teams().isOneNode(comm.local().ranks()))
        {
            throw new MPIException(MPI.ERR_COMM, "a window is shared by ranks of one node: found ranks of several nodes, " +
                "expected FLAVOR_PRIVATE");
        }
        return comm;
    }

    public Group getGroup() throws MPIException
    {
        return comm().getGroup();
    }

    /** Waits for all ranks, and for what they have begun; others may begin again behind it. */
    public void fence(final int assertion) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            awaitAll();
            comm().run(comm().barrierSchedule());
            epoch().fence((assertion & MPI.MODE_NOSUCCEED) == 0);
        }
        finally
        {
            entered.exit();
        }
    }

    /** Waits until the ranks of a group have posted; then their parts may be accessed. */
    public void start(final Group group, final int assertion) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final int[] targets = ranksOf(group);
            epoch().start(targets);
            for (final int rank : targets)
            {
                while (!target().takePost(rank))
                {
                    turn();
                }
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Waits for what was begun since start. */
    public void complete() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            for (final int rank : epoch().complete())
            {
                awaitAll(rank);
                begin(new WindowOperation(this, rank, WindowMessage.COMPLETE));
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Lets the ranks of a group access this rank's part. */
    public void post(final Group group, final int assertion) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            final int[] origins = ranksOf(group);
            epoch().post(origins);
            for (final int rank : origins)
            {
                begin(new WindowOperation(this, rank, WindowMessage.POST));
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Waits until the ranks for which this one has posted have completed. */
    public void waitFor() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            while (!test())
            {
                turn();
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Whether the ranks for which this one has posted have completed; if so, the epoch has ended. */
    public boolean test() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            world().work();
            final int[] origins = epoch().posted();
            for (final int rank : origins)
            {
                if (!target().hasCompleted(rank))
                {
                    return false;
                }
            }
            for (final int rank : origins)
            {
                target().takeCompletion(rank);
            }
            epoch().end();
            return true;
        }
        finally
        {
            entered.exit();
        }
    }

    /** Waits for the lock. */
    public void lock(final int lockType, final int rank, final int assertion) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (lockType != MPI.LOCK_EXCLUSIVE && lockType != MPI.LOCK_SHARED)
            {
                throw new MPIException(MPI.ERR_LOCKTYPE, "no such lock: found=" + lockType +
                    ", expected LOCK_EXCLUSIVE or LOCK_SHARED");
            }
            if (comm().dest(rank) != MPI.PROC_NULL)
            {
                lock(rank, lockType == MPI.LOCK_EXCLUSIVE);
            }
        }
        finally
        {
            entered.exit();
        }
    }

    private void lock(final int rank, final boolean isExclusive) throws MPIException
    {
        epoch().lock(rank, isExclusive);
        boolean isTaken = false;
        try
        {
            awaitLock(rank, isExclusive);
            isTaken = true;
        }
        finally
        {
            if (!isTaken)
            {
                epoch().unlock(rank);
            }
        }
    }

    /** Waits for what was begun since lock. */
    public void unlock(final int rank) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (comm().dest(rank) != MPI.PROC_NULL)
            {
                final boolean isExclusive = epoch().unlock(rank);
                try
                {
                    awaitAll(rank);
                }
                finally
                {
                    giveBackLock(rank, isExclusive);
                }
            }
        }
        finally
        {
            entered.exit();
        }
    }

    /** Waits for shared locks at all ranks. If it fails, none of them is kept. */
    public void lockAll(final int assertion) throws MPIException
    {
        int taken = 0;
        try
        {
            for (; taken < comm().getSize(); taken++)
            {
                lock(MPI.LOCK_SHARED, taken, assertion);
            }
        }
        catch (final MPIException | RuntimeException | Error ex)
        {
            unlockBehind(ex, 0, taken);
            throw ex;
        }
    }

    /** Gives back the locks at all ranks, also if one of them fails: the first failure is thrown. */
    public void unlockAll() throws MPIException
    {
        for (int rank = 0; rank < comm().getSize(); rank++)
        {
            try
            {
                unlock(rank);
            }
            catch (final MPIException | RuntimeException | Error ex)
            {
                unlockBehind(ex, rank + 1, comm().getSize());
                throw ex;
            }
        }
    }

    /** Gives back the locks of some ranks behind a failure, so that no other rank waits for them. */
    private void unlockBehind(final Throwable failure, final int first, final int end)
    {
        for (int rank = first; rank < end; rank++)
        {
            try
            {
                unlock(rank);
            }
            catch (final MPIException | RuntimeException | Error ex)
            {
                failure.addSuppressed(ex);
            }
        }
    }

    /** Waits for what was begun with a rank. */
    public void flush(final int rank) throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            if (comm().dest(rank) != MPI.PROC_NULL)
            {
                awaitAll(rank);
            }
        }
        finally
        {
            entered.exit();
        }
    }

    public void flushAll() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            awaitAll();
        }
        finally
        {
            entered.exit();
        }
    }

    public void flushLocal(final int rank) throws MPIException
    {
        flush(rank);
    }

    public void flushLocalAll() throws MPIException
    {
        flushAll();
    }

    /** Nothing to do: a rank's own memory is the window's. */
    public void sync() throws MPIException
    {
        check();
        world().work();
    }

    public void setErrhandler(final Errhandler errhandler) throws MPIException
    {
        comm().setErrhandler(errhandler);
    }

    public Errhandler getErrhandler() throws MPIException
    {
        return comm().getErrhandler();
    }

    public void callErrhandler(final int errorCode) throws MPIException
    {
        comm().callErrhandler(errorCode);
    }

    public static int createKeyval() throws MPIException
    {
        return Comm.createKeyval();
    }

    public static void freeKeyval(final int keyval) throws MPIException
    {
        Comm.freeKeyval(keyval);
    }

    public void setAttr(final int keyval, final Object value) throws MPIException
    {
        comm().setAttr(keyval, value);
    }

    public Object getAttr(final int keyval) throws MPIException
    {
        return comm().getAttr(keyval);
    }

    public void deleteAttr(final int keyval) throws MPIException
    {
        comm().deleteAttr(keyval);
    }

    public void setInfo(final Info info) throws MPIException
    {
        comm().setInfo(info);
    }

    public Info getInfo() throws MPIException
    {
        return comm().getInfo();
    }

    public void setName(final String name) throws MPIException
    {
        comm().setName(name);
    }

    public String getName() throws MPIException
    {
        return comm().getName();
    }

    /** Ends it; all ranks do, behind the last epoch. Fails at a rank that has a lock. */
    @Override
    public void free() throws MPIException
    {
        check();
        final World entered = world().enter();
        try
        {
            epoch().checkNotLocked();
            awaitAll();
            comm().run(comm().barrierSchedule());
            end();
        }
        finally
        {
            entered.exit();
        }
    }

    private int[] ranksOf(final Group group) throws MPIException
    {
        group.getSize();
        final int[] ranks = Arrays.stream(group.ranks()).map((rank) -> comm().local().rankOf(rank)).toArray();
        for (final int rank : ranks)
        {
            if (rank == MPI.UNDEFINED)
            {
                throw new MPIException(MPI.ERR_GROUP, "a rank of the group has no part of the window");
            }
        }
        return ranks;
    }
}
