// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Team;

/**
 * A rank with what it has before an operation and what it has afterwards, in memory off the heap, the same for all cells. What it
 * has depends on the turn, so that nothing that is left of another turn is taken for right.
 */
final class ImbRank
{
    private static final int ELEMENTS = 16;
    private static final byte NEVER_SENT = -1;

    private final int rank;
    private final int ranks;
    private final UnsafeBuffer in;
    private final UnsafeBuffer out;

    /** All members of the team make theirs together. */
    ImbRank(final ImbSpec spec, final int rank, final Team team)
    {
        this.rank = rank;
        ranks = spec.ranks();
        int most = 1;
        int mostOut = 1;
        for (final ImbSpec.Cell cell : spec.cells())
        {
            most = Math.max(most, cell.call().inLength(cell.length(), ranks));
            mostOut = Math.max(mostOut, cell.call().outLength(cell.length(), ranks));
        }
        in = spec.memory().allocate(team, most);
        out = ImbMemory.local(mostOut);
    }

    int rank()
    {
        return rank;
    }

    int ranks()
    {
        return ranks;
    }

    UnsafeBuffer in()
    {
        return in;
    }

    UnsafeBuffer out()
    {
        return out;
    }

    private static byte content(final int source, final int at, final long step)
    {
        return (byte)(source * 31 + at * 7 + step * 13);
    }

    private static float element(final int source, final int index, final long step)
    {
        return (source + index + step) % ELEMENTS;
    }

    /** What this rank has before the operations of a turn. */
    void fill(final ImbSpec.Cell cell, final long step)
    {
        final int length = cell.call().inLength(cell.length(), ranks);
        if (cell.call().isReduction())
        {
            for (int i = 0; i < length / Float.BYTES; i++)
            {
                in.putFloat(i * Float.BYTES, element(rank, i, step));
            }
        }
        else
        {
            for (int i = 0; i < length; i++)
            {
                in.putByte(i, content(rank, i, step));
            }
        }
        out.setMemory(0, cell.call().outLength(cell.length(), ranks), NEVER_SENT);
    }

    /** Whether this rank has afterwards what it should. */
    boolean isRight(final ImbSpec.Cell cell, final long step)
    {
        final ImbCall call = cell.call();
        final int length = cell.length();
        final int last = (rank + ranks - 1) % ranks;
        if (rank >= call.active(ranks))
        {
            return true;
        }
        return switch (call)
        {
            case PINGPONG, PINGPING, RAW_PINGPONG -> isSent(1 - rank, 0, 0, length, step);
            case SENDRECV -> isSent(last, 0, 0, length, step);
            case EXCHANGE -> isSent(last, 0, 0, length, step) && isSent((rank + 1) % ranks, 0, length, length, step);
            case UNIBAND -> rank < ranks / 2 || isWindow(length, step);
            case BIBAND -> isWindow(length, step);
            case BCAST -> rank == 0 || isSent(0, 0, 0, length, step);
            case REDUCE -> rank != 0 || isSum(0, length / Float.BYTES, step);
            case ALLREDUCE -> isSum(0, length / Float.BYTES, step);
            case REDUCE_SCATTER -> isSum(ImbCall.firstOfShare(length / Float.BYTES, rank, ranks),
                ImbCall.share(length / Float.BYTES, rank, ranks), step);
            case SCATTER, SCATTERV -> isSent(0, rank * length, 0, length, step);
            case GATHER, GATHERV -> rank != 0 || isFromAll(0, length, step);
            case ALLGATHER, ALLGATHERV -> isFromAll(0, length, step);
            case ALLTOALL, ALLTOALLV -> isFromAll(rank * length, length, step);
            case BARRIER, RAW_LINES -> true;
        };
    }

    private boolean isWindow(final int length, final long step)
    {
        final int half = ranks / 2;
        boolean isRight = true;
        for (int place = 0; place < ImbCall.places(length); place++)
        {
            isRight &= isSent(rank < half ? rank + half : rank - half, 0, place * length, length, step);
        }
        return isRight;
    }

    private boolean isFromAll(final int from, final int length, final long step)
    {
        boolean isRight = true;
        for (int source = 0; source < ranks; source++)
        {
            isRight &= isSent(source, from, source * length, length, step);
        }
        return isRight;
    }

    private boolean isSent(final int source, final int from, final int to, final int length, final long step)
    {
        for (int i = 0; i < length; i++)
        {
            if (out.getByte(to + i) != content(source, from + i, step))
            {
                return false;
            }
        }
        return true;
    }

    private boolean isSum(final int first, final int count, final long step)
    {
        for (int i = 0; i < count; i++)
        {
            float sum = 0;
            for (int source = 0; source < ranks; source++)
            {
                sum += element(source, first + i, step);
            }
            if (out.getFloat(i * Float.BYTES) != sum)
            {
                return false;
            }
        }
        return true;
    }
}
