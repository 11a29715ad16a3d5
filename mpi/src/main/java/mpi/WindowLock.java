// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * The lock of a rank's part of a window: words in memory that all ranks of the window map, so none needs the help of the rank
 * that has the part. The first word has the number of the rank that has the lock for itself, and 1 more; 0 if none has. Behind it
 * is a bit for each rank that shares the lock. Ranks take the lock in no order, but one that wants it for itself is next when
 * those that share it have given it back. What a rank has is taken from it when it is gone.
 */
final class WindowLock
{
    private static final int OWNER = 0;
    private static final int FREE = 0;
    private static final int SHARES = Long.BYTES;

    private final WindowRegion region;
    private final WindowRanks ranks;
    private final int part;
    private final int own;

    /** Of the part of a rank, for another rank or the same one; both numbers are of the window's communicator. */
    WindowLock(final WindowRegion region, final WindowRanks ranks, final int part, final int own)
    {
        this.region = region;
        this.ranks = ranks;
        this.part = part;
        this.own = own;
    }

    /** Bytes of the words for so many ranks. */
    static int lengthFor(final int ranks)
    {
        return SHARES + (ranks + Long.SIZE - 1) / Long.SIZE * Long.BYTES;
    }

    private static int wordOf(final int rank)
    {
        return SHARES + rank / Long.SIZE * Long.BYTES;
    }

    /**
     * Whether this rank has the lock from here on. To be called until it has: then what others did with the lock is seen.
     *
     * @throws MPIException if the rank that has the part is gone, or the one that had the lock for itself. The next call goes on
     *                      without the latter.
     */
    boolean tryTake(final boolean isExclusive) throws MPIException
    {
        final long owner = region.word(OWNER);
        if (owner != FREE && !(isExclusive && owner == own + 1))
        {
            takeFromOneThatIsGone(owner);
            return false;
        }
        return isExclusive ? tryTakeForOne(owner) : tryShare();
    }

    private boolean tryTakeForOne(final long owner) throws MPIException
    {
        if (owner == FREE && !region.compareAndSet(OWNER, FREE, own + 1L))
        {
            return false;
        }
        // SYNC POINT window-lock: the owner is set before shares are looked for; one that shares does it the other way round
        region.flush();
        for (int word = SHARES; word < lengthFor(ranks.count()); word += Long.BYTES)
        {
            if (isShared(word))
            {
                return false;
            }
        }
        return true;
    }

    /** Whether a rank of a word of shares has one; ranks that are gone have none from here on. */
    private boolean isShared(final int word) throws MPIException
    {
        for (long shares = region.word(word); shares != 0; shares &= shares - 1)
        {
            final int rank = (word - SHARES) * Byte.SIZE + Long.numberOfTrailingZeros(shares);
            checkRank(rank);
            if (!ranks.isGone(rank))
            {
                return true;
            }
            share(rank, false);
        }
        return false;
    }

    private boolean tryShare() throws MPIException
    {
        share(own, true);
        // SYNC POINT window-lock: pairs with the one above
        region.flush();
        if (region.word(OWNER) == FREE)
        {
            return true;
        }
        share(own, false);
        return false;
    }

    private void share(final int rank, final boolean isToShare) throws MPIException
    {
        final int at = wordOf(rank);
        final long bit = 1L << rank;
        long word = region.word(at);
        while (!region.compareAndSet(at, word, isToShare ? word | bit : word & ~bit))
        {
            word = region.word(at);
        }
    }

    private void checkRank(final long rank) throws MPIException
    {
        if (rank < 0 || rank >= ranks.count())
        {
            throw new MPIException(MPI.ERR_OTHER,
                "the lock of the part of rank " + part + " of a window is damaged: found=rank " + rank +
                ", expected=0 to " + (ranks.count() - 1));
        }
    }

    /** One of those that wait does it, and fails. */
    private void takeFromOneThatIsGone(final long owner) throws MPIException
    {
        checkRank(owner - 1);
        if (ranks.isGone((int)owner - 1) && region.compareAndSet(OWNER, owner, FREE))
        {
            ProcessEnd.ofThisProcess().beforeFailure(true);
            throw new MPIException(MPI.ERR_OTHER, "the other rank is gone: found=rank " + (owner - 1) +
                " of the window's communicator had the lock of the part of rank " + part +
                " for itself; what it changed there may be incomplete, and the lock is free");
        }
    }

    /** Gives the lock back: what this rank has done is seen by those that get it then. */
    void giveBack(final boolean isExclusive) throws MPIException
    {
        if (!isExclusive)
        {
            share(own, false);
        }
        else if (!region.compareAndSet(OWNER, own + 1L, FREE))
        {
            throw new MPIException(MPI.ERR_OTHER,
                "the lock of the part of rank " + part + " of a window was taken from this rank");
        }
    }

    /** Behind a failure: this rank waits no more. */
    void leave(final boolean isExclusive)
    {
        try
        {
            if (isExclusive)
            {
                region.compareAndSet(OWNER, own + 1L, FREE);
            }
        }
        catch (final MPIException ex)
        {
            // the part is gone, and so is its lock
        }
    }
}
