// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import org.agrona.concurrent.UnsafeBuffer;

/** What a rank does with parts of a window that lie in regions: at once, and by no message. Within a call. */
final class WindowAccess
{
    /** By rank: its part; null if that takes messages. */
    private final WindowRegion[] regions;
    private final Payload out = new Payload();
    private final Payload in = new Payload();
    /** What is compared, and what is stored. */
    private final UnsafeBuffer pair = new UnsafeBuffer(new byte[2 * Long.BYTES]);
    private long operations;

    WindowAccess(final WindowRegion... regions)
    {
        this.regions = regions;
    }

    /** The part of a rank; null if what is done with it goes by messages. */
    WindowRegion region(final int rank)
    {
        return regions[rank];
    }

    /** Operations that were done so. */
    long operations()
    {
        return operations;
    }

    /**
     * Whether an operation on a part goes so. What has to be atomic does for elements that lie in words each: one that is longer,
     * or lies in two words, is changed by the rank that has it, whichever rank asks.
     */
    boolean isPossible(
        final int rank, final long begin, final Datatype type, final int reduction, final boolean isAtomic)
    {
        final WindowRegion region = regions[rank];
        if (region == null || !isAtomic)
        {
            return region != null;
        }
        final TypeMap map = type.map();
        final Kind kind = map.runs() == 1 ? map.kind(0) : map.kind();
        // a number and its place are one, and so may others be that are stored or fetched together
        if (kind == null || WindowMessage.isOfPairs(reduction) || reduction < 0 && type.size() != kind.size())
        {
            return false;
        }
        boolean isAligned = region.isAligned(begin, kind.size()) && type.extent() % kind.size() == 0;
        for (int run = 0; run < map.runs(); run++)
        {
            isAligned &= map.begin(run) % kind.size() == 0;
        }
        return isAligned;
    }

    /** Stores or reduces items, if there are some, and fetches what was there, if there is a place for it. */
    void change(
        final Buffer origin, final int orgCount, final Datatype orgType, final Buffer result, final int resultCount,
        final Datatype resultType, final int rank, final long begin, final int count, final Datatype type, final int reduction,
        final boolean isAtomic) throws MPIException
    {
        final boolean isChange = reduction != WindowMessage.NO_CHANGE;
        if (isChange)
        {
            out.out(origin, 0, 0, orgCount, orgType, 0);
            checkLength(out.length(), count, type);
        }
        if (resultType != null)
        {
            in.in(result, 0, 0, resultCount, resultType);
            checkLength(in.length(), count, type);
        }
        if (type.isContiguous())
        {
            change(rank, begin, 0, count * type.size(), type.map().kind(0), reduction, isAtomic, resultType != null);
        }
        else
        {
            changeRuns(rank, begin, count, type, reduction, isAtomic, resultType != null);
        }
        if (resultType != null)
        {
            in.received(in.length());
        }
        operations++;
    }

    private void changeRuns(
        final int rank, final long begin, final int count, final Datatype type, final int reduction, final boolean isAtomic,
        final boolean isFetching) throws MPIException
    {
        final TypeMap map = type.map();
        int done = 0;
        for (int item = 0; item < count; item++)
        {
            for (int run = 0; run < map.runs(); run++)
            {
                change(rank, begin + item * type.extent() + map.begin(run), done, map.length(run), map.kind(run), reduction,
                    isAtomic, isFetching);
                done += map.length(run);
            }
        }
    }

    private void change(
        final int rank, final long at, final int packedAt, final int length, final Kind kind, final int reduction,
        final boolean isAtomic, final boolean isFetching) throws MPIException
    {
        final WindowRegion region = regions[rank];
        if (isAtomic)
        {
            region.change(at, length, kind, reduction, out.bytes, packedAt, isFetching ? in.bytes : null, packedAt);
        }
        else if (isFetching)
        {
            region.get(at, in.bytes, packedAt, length);
        }
        else
        {
            region.put(at, out.bytes, packedAt, length);
        }
    }

    /** Stores an item in the place of one that is equal to another one, and fetches what was there. */
    void compareAndSwap(
        final Buffer origin, final Buffer compared, final Buffer result, final Datatype type, final int rank, final long begin)
        throws MPIException
    {
        in.in(result, 0, 0, 1, type);
        final int size = type.size();
        out.out(compared, 0, 0, 1, type, 0);
        pair.putBytes(0, out.bytes, 0, size);
        out.out(origin, 0, 0, 1, type, 0);
        pair.putBytes(size, out.bytes, 0, size);
        regions[rank].compareAndSwap(begin, size, pair, 0, in.bytes);
        in.received(size);
        operations++;
    }

    static void checkLength(final long origin, final int count, final Datatype type) throws MPIException
    {
        if (origin != (long)count * type.size())
        {
            throw new MPIException(MPI.ERR_ARG, "origin and target have different lengths: found=" + origin + " and " +
                (long)count * type.size() + " bytes");
        }
    }
}
