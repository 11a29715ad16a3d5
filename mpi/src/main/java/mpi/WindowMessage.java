// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * A message to a rank that has a part of a window: what to do with which bytes of it. Behind the head are the segments, which are
 * ranges of the window, and behind them the data for all of these. Numbers are in the machine's byte order.
 */
final class WindowMessage
{
    /** Most bytes of a message. */
    static final int MAX_LENGTH = 64 * 1024;
    /** Most bytes of data in one. An item of up to 16 bytes is never cut. */
    static final int MAX_DATA = 48 * 1024;
    static final int MAX_SEGMENTS = 512;

    /** Segments are read, changed, or both. */
    static final int UPDATE = 1;
    /** A segment is replaced if it is equal to the first half of the data, by the second half. */
    static final int COMPARE = 2;
    static final int LOCK_SHARED = 3;
    static final int LOCK_EXCLUSIVE = 4;
    static final int UNLOCK = 5;
    /** The sender lets the receiver access its part. */
    static final int POST = 6;
    /** The sender has done what it wanted with the receiver's part. */
    static final int COMPLETE = 7;

    /** Instead of a reduction: the data are stored, or nothing is. */
    static final int REPLACE = -1;
    static final int NO_CHANGE = -2;

    private static final int ACTION_OFFSET = 0;
    private static final int FETCH_OFFSET = 4;
    private static final int REDUCTION_OFFSET = 8;
    private static final int FIRST_KIND_OFFSET = 12;
    private static final int SECOND_KIND_OFFSET = 16;
    private static final int SEGMENTS_OFFSET = 20;
    private static final int DATA_LENGTH_OFFSET = 24;
    private static final int REPLY_TAG_OFFSET = 28;
    private static final int HEAD_LENGTH = 32;
    private static final int SEGMENT_LENGTH = 16;

    /** Reductions by the numbers that messages have. */
    private static final Op[] REDUCTIONS = {
        MPI.SUM, MPI.PROD, MPI.MIN, MPI.MAX, MPI.LAND, MPI.LOR, MPI.LXOR, MPI.BAND, MPI.BOR, MPI.BXOR, MPI.MINLOC, MPI.MAXLOC };
    private static final Kind[] KINDS = Kind.values();

    private final UnsafeBuffer buffer;
    private int length;

    WindowMessage(final byte[] bytes)
    {
        buffer = new UnsafeBuffer(bytes);
    }

    static int numberOf(final Op op) throws MPIException
    {
        for (int i = 0; i < REDUCTIONS.length; i++)
        {
            if (REDUCTIONS[i] == op)
            {
                return i;
            }
        }
        throw new MPIException(MPI.ERR_OP, "a window takes the reductions of the library: found=" + op);
    }

    static Op op(final int reduction)
    {
        return REDUCTIONS[reduction];
    }

    /** Whether it takes numbers with their places. */
    static boolean isOfPairs(final int reduction)
    {
        return reduction >= 0 && (REDUCTIONS[reduction] == MPI.MINLOC || REDUCTIONS[reduction] == MPI.MAXLOC);
    }

    static int lengthOf(final int segments, final int dataLength)
    {
        return HEAD_LENGTH + segments * SEGMENT_LENGTH + dataLength;
    }

    void head(
        final int action, final boolean isFetching, final int reduction, final Kind first, final Kind second, final int segments,
        final int dataLength, final int replyTag)
    {
        buffer.putInt(ACTION_OFFSET, action);
        buffer.putInt(FETCH_OFFSET, isFetching ? 1 : 0);
        buffer.putInt(REDUCTION_OFFSET, reduction);
        buffer.putInt(FIRST_KIND_OFFSET, first == null ? -1 : first.ordinal());
        buffer.putInt(SECOND_KIND_OFFSET, second == null ? -1 : second.ordinal());
        buffer.putInt(SEGMENTS_OFFSET, segments);
        buffer.putInt(DATA_LENGTH_OFFSET, dataLength);
        buffer.putInt(REPLY_TAG_OFFSET, replyTag);
    }

    void segment(final int number, final long begin, final int byteCount)
    {
        buffer.putLong(HEAD_LENGTH + number * SEGMENT_LENGTH, begin);
        buffer.putInt(HEAD_LENGTH + number * SEGMENT_LENGTH + 8, byteCount);
    }

    /** Whether what has come is a message of this kind; checks all numbers but those of the segments. */
    boolean isSound(final int came)
    {
        length = came;
        if (came < HEAD_LENGTH || came > buffer.capacity() || segments() < 0 || segments() > MAX_SEGMENTS ||
            dataLength() < 0 || dataLength() > MAX_DATA || replyTag() < 1)
        {
            return false;
        }
        final int data =
            action() == COMPARE ? 2 * dataLength() : action() == UPDATE && reduction() == NO_CHANGE ? 0 : dataLength();
        return came == lengthOf(segments(), data) && reduction() >= NO_CHANGE && reduction() < REDUCTIONS.length &&
            isKind(FIRST_KIND_OFFSET) && isKind(SECOND_KIND_OFFSET) && (reduction() < 0 || isReducible());
    }

    private boolean isKind(final int offset)
    {
        return buffer.getInt(offset) >= -1 && buffer.getInt(offset) < KINDS.length;
    }

    private boolean isReducible()
    {
        final Kind first = kind(true);
        final Kind second = kind(false);
        if (op() == MPI.MINLOC || op() == MPI.MAXLOC)
        {
            return first != null && second != null && first.elementType() != null && second.elementType() != null &&
                dataLength() % (first.size() + second.size()) == 0;
        }
        return first != null && first.elementType() != null && op().reducer().supports(first.elementType()) &&
            dataLength() % first.size() == 0;
    }

    int action()
    {
        return buffer.getInt(ACTION_OFFSET);
    }

    boolean isFetching()
    {
        return buffer.getInt(FETCH_OFFSET) == 1;
    }

    int reduction()
    {
        return buffer.getInt(REDUCTION_OFFSET);
    }

    Op op()
    {
        return op(reduction());
    }

    Kind kind(final boolean isFirst)
    {
        final int number = buffer.getInt(isFirst ? FIRST_KIND_OFFSET : SECOND_KIND_OFFSET);
        return number < 0 ? null : KINDS[number];
    }

    int segments()
    {
        return buffer.getInt(SEGMENTS_OFFSET);
    }

    int dataLength()
    {
        return buffer.getInt(DATA_LENGTH_OFFSET);
    }

    int replyTag()
    {
        return buffer.getInt(REPLY_TAG_OFFSET);
    }

    long begin(final int segment)
    {
        return buffer.getLong(HEAD_LENGTH + segment * SEGMENT_LENGTH);
    }

    int byteCount(final int segment)
    {
        return buffer.getInt(HEAD_LENGTH + segment * SEGMENT_LENGTH + 8);
    }

    /** Where the data begin. */
    int dataOffset()
    {
        return lengthOf(segments(), 0);
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    @Override
    public String toString()
    {
        return "WindowMessage{action=" + action() + ", reduction=" + reduction() + ", segments=" + segments() + ", dataLength=" +
            dataLength() + ", length=" + length + "}";
    }
}
