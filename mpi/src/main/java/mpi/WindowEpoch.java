// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** When a rank may access which parts of a window: between fences, from start to complete, or from lock to unlock. */
final class WindowEpoch
{
    private static final int[] NONE = new int[0];

    private final boolean[] isLocked;
    private final boolean[] isExclusive;
    private boolean isFenced;
    private int[] started;
    private int[] posted;

    WindowEpoch(final int ranks)
    {
        isLocked = new boolean[ranks];
        isExclusive = new boolean[ranks];
    }

    private static MPIException wrong(final String what)
    {
        return new MPIException(MPI.ERR_RMA_SYNC, what);
    }

    void checkAccess(final int rank) throws MPIException
    {
        boolean isOpen = isFenced || isLocked[rank];
        for (final int each : started == null ? NONE : started)
        {
            isOpen |= each == rank;
        }
        if (!isOpen)
        {
            throw wrong("the part of rank " + rank + " is not open: call fence, start or lock first");
        }
    }

    void fence(final boolean isFollowed)
    {
        isFenced = isFollowed;
    }

    void start(final int... ranks) throws MPIException
    {
        if (started != null)
        {
            throw wrong("start was called before: call complete first");
        }
        started = ranks;
    }

    /** The ranks that start has named. */
    int[] complete() throws MPIException
    {
        if (started == null)
        {
            throw wrong("complete without start");
        }
        final int[] ranks = started;
        started = null;
        return ranks;
    }

    void post(final int... ranks) throws MPIException
    {
        if (posted != null)
        {
            throw wrong("post was called before: wait for its end first");
        }
        posted = ranks;
    }

    int[] posted() throws MPIException
    {
        if (posted == null)
        {
            throw wrong("a wait without post");
        }
        return posted;
    }

    void end()
    {
        posted = null;
    }

    void lock(final int rank, final boolean isForOne) throws MPIException
    {
        if (isLocked[rank])
        {
            throw wrong("the part of rank " + rank + " is locked by this rank already");
        }
        isLocked[rank] = true;
        isExclusive[rank] = isForOne;
    }

    /** Fails if this rank has a lock: others may wait for it, and for nothing else. */
    void checkNotLocked() throws MPIException
    {
        for (int rank = 0; rank < isLocked.length; rank++)
        {
            if (isLocked[rank])
            {
                throw wrong("the part of rank " + rank + " is locked by this rank: call unlock first");
            }
        }
    }

    /** Returns whether the lock was an exclusive one. */
    boolean unlock(final int rank) throws MPIException
    {
        if (!isLocked[rank])
        {
            throw wrong("the part of rank " + rank + " is not locked");
        }
        isLocked[rank] = false;
        return isExclusive[rank];
    }
}
