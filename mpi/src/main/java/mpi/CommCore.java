// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Ranks that reach each other, and what belongs to them: what both dialects have in common. */
abstract class CommCore
{
    private static final AtomicInteger LAST_KEYVAL = new AtomicInteger(MPI.WTIME_IS_GLOBAL);

    private World world;
    private Channels channels;
    /** Ranks of this side, by their numbers in the world. */
    private Group local;
    /** Ranks of the other side; null if there is none. */
    private Group remote;
    /** Number of the first rank of each side in the channels. */
    private int localBase;
    private int remoteBase;
    private int nextCollective;
    private final TeamPath path = new TeamPath();
    private boolean isFreed;
    private Map<Integer, Object> attributes = Collections.synchronizedMap(new HashMap<>());
    private Errhandler errhandler = MPI.ERRORS_ARE_FATAL;
    private Info info = new Info();
    private String name = "";

    CommCore()
    {
    }

    /** Takes ranks of the world, and the contexts from a number on. */
    final void bind(final World of, final int context, final Group ranks)
    {
        world = of;
        local = ranks;
        channels = of.channels(context, ranks.ranks());
    }

    /** The same with another side; all ranks agree which side is the first. */
    final void bind(final World of, final int context, final Group ranks, final Group others, final boolean isFirst)
    {
        final int[] all = new int[ranks.ranks().length + others.ranks().length];
        final int[] first = isFirst ? ranks.ranks() : others.ranks();
        final int[] second = isFirst ? others.ranks() : ranks.ranks();
        System.arraycopy(first, 0, all, 0, first.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        world = of;
        local = ranks;
        remote = others;
        localBase = isFirst ? 0 : first.length;
        remoteBase = isFirst ? first.length : 0;
        channels = of.channels(context, all);
    }

    /** Becomes what another one is, which is used no more. */
    final void bindAs(final CommCore made)
    {
        world = made.world;
        local = made.local;
        channels = made.channels;
    }

    final void check() throws MPIException
    {
        if (channels == null || isFreed || !MPI.isRunning())
        {
            refuse();
        }
    }

    private void refuse() throws MPIException
    {
        if (channels == null || isFreed)
        {
            throw new MPIException(isFreed || MPI.isRunning() ? MPI.ERR_COMM : MPI.ERR_OTHER, isFreed ?
                "the communicator was freed" : MPI.isRunning() ? "the communicator is null" : "MPI.Init was not called");
        }
        World.current();
    }

    final World world()
    {
        return world;
    }

    /** Begins a call that checks its arguments within. */
    final World enter() throws MPIException
    {
        if (world == null)
        {
            check();
        }
        return world.enter();
    }

    final Channels channels()
    {
        return channels;
    }

    final Group local()
    {
        return local;
    }

    final Group remote()
    {
        return remote;
    }

    final boolean isBetweenGroups()
    {
        return remote != null;
    }

    /** Ranks that messages are for. */
    final Group peers()
    {
        return remote == null ? local : remote;
    }

    /** Number of the first rank that messages are for, in the channels. */
    final int peerBase()
    {
        return remote == null ? localBase : remoteBase;
    }

    final int localBase()
    {
        return localBase;
    }

    final int remoteBase()
    {
        return remoteBase;
    }

    final int ownRank()
    {
        return local.rankOf(world.rank());
    }

    /** How its collective operations go by shared memory. */
    final TeamPath path()
    {
        return path;
    }

    /** Tag of the next collective operation: all ranks count alike. */
    final int nextCollectiveTag()
    {
        final int tag = nextCollective;
        nextCollective = nextCollective + 1 & 0xFFFF;
        return tag;
    }

    /** Number in the channels of a rank that messages go to, or PROC_NULL. */
    final int dest(final int rank) throws MPIException
    {
        check();
        if (rank == MPI.PROC_NULL)
        {
            return rank;
        }
        if (rank < 0 || rank >= peers().size())
        {
            throw new MPIException(MPI.ERR_RANK, "no such rank: found=" + rank + ", expected=0 to " + (peers().size() - 1));
        }
        return peerBase() + rank;
    }

    /** The same of a rank that messages come from, which may be any. */
    final int source(final int rank) throws MPIException
    {
        if (rank == MPI.ANY_SOURCE)
        {
            check();
            return rank;
        }
        return dest(rank);
    }

    final void checkTag(final int tag, final boolean isAnyAllowed) throws MPIException
    {
        if (tag < (isAnyAllowed ? MPI.ANY_TAG : 0))
        {
            throw new MPIException(MPI.ERR_TAG, "no such tag: found=" + tag + ", expected=0 to " + Integer.MAX_VALUE);
        }
    }

    final void checkRoot(final int root, final Group among) throws MPIException
    {
        if (root < 0 || root >= among.size())
        {
            throw new MPIException(MPI.ERR_ROOT, "no such root: found=" + root + ", expected=0 to " + (among.size() - 1));
        }
    }

    final boolean isFreed()
    {
        return isFreed || channels == null;
    }

    final void freeCore() throws MPIException
    {
        check();
        final World entered = world.enter();
        try
        {
            if (channels == MPI.COMM_WORLD.channels() || channels == MPI.COMM_SELF.channels())
            {
                throw new MPIException(MPI.ERR_COMM, "a communicator of the library is not freed");
            }
            isFreed = true;
            path.close();
            world.contexts().free(channels);
        }
        finally
        {
            entered.exit();
        }
    }

    /** Takes over what a duplicate has from its origin. */
    final void inherit(final CommCore origin)
    {
        synchronized (origin.attributes)
        {
            attributes = Collections.synchronizedMap(new HashMap<>(origin.attributes));
        }
        errhandler = origin.errhandler;
        info = origin.info;
    }

    static int newKeyval()
    {
        return LAST_KEYVAL.incrementAndGet();
    }

    static void checkKeyval(final int keyval) throws MPIException
    {
        if (keyval < 0 || keyval > LAST_KEYVAL.get())
        {
            throw new MPIException(MPI.ERR_KEYVAL, "no such key: found=" + keyval);
        }
    }

    final Object attribute(final int keyval) throws MPIException
    {
        check();
        checkKeyval(keyval);
        return keyval == MPI.TAG_UB ? Integer.MAX_VALUE : keyval == MPI.HOST ? (Object)MPI.PROC_NULL :
            keyval == MPI.IO ? (Object)MPI.ANY_SOURCE : keyval == MPI.WTIME_IS_GLOBAL ? (Object)false : attributes.get(keyval);
    }

    final Map<Integer, Object> attributes(final int keyval) throws MPIException
    {
        check();
        checkKeyval(keyval);
        if (keyval <= MPI.WTIME_IS_GLOBAL)
        {
            throw new MPIException(MPI.ERR_KEYVAL, "a key of the library: found=" + keyval);
        }
        return attributes;
    }

    final Errhandler errhandler()
    {
        return errhandler;
    }

    final void errhandler(final Errhandler value)
    {
        errhandler = value;
    }

    final Info info()
    {
        return info;
    }

    final void info(final Info value)
    {
        info = value;
    }

    final String name()
    {
        return name;
    }

    final void name(final String value)
    {
        name = value;
    }
}
