// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * A rank's part of a window that lies in a region: it is read and changed where it is, by all ranks of its node, without the help
 * of that rank. An element is changed by one atomic operation on the word of 8 bytes that it lies in.
 */
final class WindowRegion
{
    private final RemoteRegion region = new RemoteRegion();
    /** A word as it was found, and as it is to be. */
    private final UnsafeBuffer found = new UnsafeBuffer(new byte[Long.BYTES]);
    private final UnsafeBuffer wanted = new UnsafeBuffer(new byte[Long.BYTES]);
    private final int rank;
    private final long first;

    private WindowRegion(final int rank, final long first)
    {
        this.rank = rank;
        this.first = first;
    }

    /** The part of a rank of the window, by what that rank has told; null if it cannot be reached so from here. */
    static WindowRegion tryAttach(
        final RegionMemory memory, final RegionKey key, final int rank, final long first, final int length)
    {
        if (memory == null || !memory.endpoint().isSameNode(key.rank()))
        {
            return null;
        }
        final WindowRegion made = new WindowRegion(rank, first);
        return made.region.attach(memory, key) == 0 && first >= 0 && first <= made.region.length() - length ? made : null;
    }

    /** Whether elements of a size from a byte of the part on lie in words each. */
    boolean isAligned(final long at, final int size)
    {
        return (first + at) % size == 0;
    }

    private long check(final long result) throws MPIException
    {
        if (result < 0)
        {
            ProcessEnd.ofThisProcess().beforeFailure(result == Endpoint.PEER_GONE);
            throw new MPIException(result == RegionResult.OUT_OF_BOUNDS ? MPI.ERR_DISP : MPI.ERR_OTHER,
                (result == Endpoint.PEER_GONE ? "the other rank is gone: " : "its part of the window cannot be used: ") +
                "found=" + RegionResult.text(result) + ", rank " + rank + " of the window's communicator");
        }
        return result;
    }

    /** Orders what this thread does before and after it; fails if the rank is gone. */
    void flush() throws MPIException
    {
        check(region.flush());
    }

    /** A word of 8 bytes; what the thread does behind it is ordered behind it. */
    long word(final long at) throws MPIException
    {
        check(region.getAcquire(first + at));
        return region.value();
    }

    /** Replaces a word of 8 bytes if it is as expected; orders what this thread does before and after it. */
    boolean compareAndSet(final long at, final long expected, final long word) throws MPIException
    {
        return check(region.compareAndSet(first + at, expected, word)) == 1;
    }

    void put(final long at, final UnsafeBuffer from, final int offset, final int length) throws MPIException
    {
        check(region.put(first + at, from, offset, length));
    }

    void get(final long at, final UnsafeBuffer to, final int offset, final int length) throws MPIException
    {
        check(region.get(first + at, to, offset, length));
    }

    /** Changes elements of a kind by a reduction's number, each at once; what was there goes to other bytes, if there are any. */
    void change(
        final long at, final int length, final Kind kind, final int reduction, final UnsafeBuffer data, final int dataAt,
        final UnsafeBuffer old, final int oldAt) throws MPIException
    {
        int part;
        for (int done = 0; done < length; done += part)
        {
            final long word = first + at + done & -Long.BYTES;
            final int skip = (int)(first + at + done - word);
            part = Math.min(Long.BYTES - skip, length - done);
            boolean isDone = false;
            while (!isDone)
            {
                check(region.getAcquire(word));
                found.putLong(0, region.value());
                isDone = reduction == WindowMessage.NO_CHANGE;
                if (!isDone)
                {
                    wanted.putLong(0, region.value());
                    combine(kind, reduction, skip, part, data, dataAt + done);
                    isDone = check(region.compareAndSet(word, found.getLong(0), wanted.getLong(0))) == 1;
                }
            }
            if (old != null)
            {
                old.putBytes(oldAt + done, found, skip, part);
            }
        }
    }

    private void combine(
        final Kind kind, final int reduction, final int skip, final int part, final UnsafeBuffer data, final int dataAt)
    {
        if (reduction == WindowMessage.REPLACE)
        {
            wanted.putBytes(skip, data, dataAt, part);
        }
        else
        {
            WindowMessage.op(reduction).reducer().reduce(kind.elementType(), wanted, skip, data, dataAt, part / kind.size());
        }
    }

    /** Replaces an element that is equal to the first one of the data by the second one; what was there goes to other bytes. */
    void compareAndSwap(final long at, final int size, final UnsafeBuffer data, final int dataAt, final UnsafeBuffer old)
        throws MPIException
    {
        final long word = first + at & -Long.BYTES;
        final int skip = (int)(first + at - word);
        boolean isDone = false;
        while (!isDone)
        {
            check(region.getAcquire(word));
            found.putLong(0, region.value());
            wanted.putLong(0, region.value());
            // puts the one that is expected where it would be
            wanted.putBytes(skip, data, dataAt, size);
            isDone = wanted.getLong(0) != found.getLong(0);
            if (!isDone)
            {
                wanted.putBytes(skip, data, dataAt + size, size);
                isDone = check(region.compareAndSet(word, found.getLong(0), wanted.getLong(0))) == 1;
            }
        }
        old.putBytes(0, found, skip, size);
    }
}
