// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.rma.RegionKey;

/** What the ranks of a window have told about their parts, and the locks of these. */
final class WindowParts
{
    /** What a rank tells about its part: its bytes, those of its unit, the key of its region, its place there. */
    private static final int KEY = 2;
    private static final int OFFSET = KEY + RegionKey.LENGTH / Integer.BYTES;
    /** The same of the words that the part is locked by. */
    private static final int LOCK_KEY = OFFSET + 1;
    private static final int REGION_LENGTH = LOCK_KEY - KEY;
    private static final int PART_LENGTH = LOCK_KEY + REGION_LENGTH;

    private final Intracomm comm;
    private final WindowRanks ranks;
    /** The program's memory: it stays as long as the window. */
    private final Buffer base;
    /** The words that this rank's part is locked by; null if locks are messages. */
    private final Buffer lockMemory;
    /** By rank: what it has told about its part. */
    private final int[][] told;
    private WindowLocks locks;

    /** Tells the other ranks of this rank's part, and gets to know theirs. */
    WindowParts(final Intracomm comm, final Buffer base, final long address, final int length, final int unit)
        throws MPIException
    {
        this.comm = comm;
        this.base = base;
        ranks = new WindowRanks(comm.world().endpoint(), comm.local().ranks());
        lockMemory = comm.world().newMapped(WindowLock.lengthFor(comm.local().size()));
        told = comm.exchangeAll(tell(address, length, unit));
    }

    /** One turn of a loop that waits for a lock. */
    interface Turn
    {
        void pass() throws MPIException;
    }

    /** Without a region the place there is -1. */
    private int[] tell(final long address, final int length, final int unit) throws MPIException
    {
        final int[] numbers = new int[PART_LENGTH];
        numbers[0] = length;
        numbers[1] = unit;
        tellRegion(numbers, KEY, address, length);
        tellRegion(numbers, LOCK_KEY, lockMemory == null ? 0 : new Place().set(lockMemory, 0, 0).address(),
            lockMemory == null || numbers[OFFSET] < 0 ? 0 : lockMemory.capacity());
        return numbers;
    }

    private void tellRegion(final int[] numbers, final int at, final long address, final int length)
    {
        final MappedBuffers.Part part = length == 0 ? null : comm.world().findMapped(address, length);
        numbers[at + REGION_LENGTH - 1] = -1;
        if (part != null)
        {
            final UnsafeBuffer key = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
            part.key(new RegionKey()).encode(key, 0);
            for (int i = 0; i < RegionKey.LENGTH / Integer.BYTES; i++)
            {
                numbers[at + i] = key.getInt(i * Integer.BYTES);
            }
            numbers[at + REGION_LENGTH - 1] = part.offset(address);
        }
    }

    int count()
    {
        return told.length;
    }

    /** Bytes of a rank's part. */
    int length(final int rank)
    {
        return told[rank][0];
    }

    /** Bytes that a displacement counts there. */
    int unit(final int rank)
    {
        return told[rank][1];
    }

    /** By rank: its part, if that can be reached from here. */
    WindowRegion[] regions()
    {
        return regions(KEY);
    }

    private WindowRegion[] regions(final int at)
    {
        final WindowRegion[] regions = new WindowRegion[told.length];
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
        final RegionKey key = new RegionKey();
        for (int rank = 0; rank < told.length; rank++)
        {
            for (int i = 0; i < RegionKey.LENGTH / Integer.BYTES; i++)
            {
                bytes.putInt(i * Integer.BYTES, told[rank][at + i]);
            }
            key.decode(bytes, 0);
            final int offset = told[rank][at + REGION_LENGTH - 1];
            if (offset >= 0 && key.rank() == comm.local().ranks()[rank])
            {
                regions[rank] = WindowRegion.tryAttach(comm.world().regionMemory(), key, rank, offset,
                    at == KEY ? told[rank][0] : WindowLock.lengthFor(told.length));
            }
        }
        return regions;
    }

    /** Agrees with the other ranks on the parts that are locked in memory; behind it all of them listen. */
    void meet() throws MPIException
    {
        final WindowRegion[] words = regions(LOCK_KEY);
        locks = new WindowLocks(words, comm.exchangeAll(WindowLocks.reached(words)), ranks, comm.ownRank());
    }

    /** The ranks that have the parts. */
    WindowRanks ranks()
    {
        return ranks;
    }

    /** Waits for the lock of a rank's part. False if that goes by messages: then nothing was done. */
    boolean tryLock(final int rank, final boolean isExclusive, final Turn turn) throws MPIException
    {
        final WindowLock lock = locks.of(rank);
        if (lock == null)
        {
            return false;
        }
        boolean isTaken = false;
        try
        {
            while (!lock.tryTake(isExclusive))
            {
                turn.pass();
            }
            isTaken = true;
        }
        finally
        {
            if (!isTaken)
            {
                // also if a function of the program has thrown in a turn
                lock.leave(isExclusive);
            }
        }
        return true;
    }

    /** Gives the lock of a rank's part back. False if that goes by messages. */
    boolean tryUnlock(final int rank, final boolean isExclusive) throws MPIException
    {
        final WindowLock lock = locks.of(rank);
        if (lock != null)
        {
            lock.giveBack(isExclusive);
        }
        return lock != null;
    }

    @Override
    public String toString()
    {
        return "WindowParts{" + told.length + " ranks, base=" + base + "}";
    }
}
