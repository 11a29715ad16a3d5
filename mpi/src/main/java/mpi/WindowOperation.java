// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayDeque;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a rank does with another one's part of a window: messages with segments, and replies. It goes on in all calls of this rank
 * that wait or test. Operations with one part send their messages in the order of their starts.
 */
final class WindowOperation extends Transfer
{
    private static final int MOST_UNDER_WAY = 8;

    private final Win window;
    private final int target;
    private final int action;
    private int reduction = WindowMessage.REPLACE;
    private boolean isFetching;
    private Kind first;
    private Kind second;
    /** Segments of the target, and the data for them. */
    private long[] begins = new long[0];
    private int[] lengths = new int[0];
    private UnsafeBuffer data = new UnsafeBuffer(new byte[0]);
    private int dataLength;
    private Items result;
    private UnsafeBuffer fetched;
    /** Must have sent all before this one sends. */
    private WindowOperation previous;
    private int nextSegment;
    private int nextData;
    private boolean isAllSent;
    private final ArrayDeque<Part> underWay = new ArrayDeque<>();

    WindowOperation(final Win window, final int target, final int action)
    {
        this.window = window;
        this.target = target;
        this.action = action;
    }

    /** A message and its reply. */
    private static final class Part
    {
        private final SendTransfer send = new SendTransfer();
        private final ReceiveTransfer receive = new ReceiveTransfer();
        private byte[] reply;
        private int at;
    }

    int target()
    {
        return target;
    }

    /** Behind another one with the same part of the window. */
    WindowOperation behind(final WindowOperation before)
    {
        previous = before;
        return this;
    }

    /** Which bytes of the target, and what is done with them. */
    WindowOperation segments(final long[] at, final int[] byteCounts, final Datatype type, final int how)
    {
        begins = at;
        lengths = byteCounts;
        first = type.map().kind(0);
        second = type.map().runs() > 1 ? type.map().kind(1) : first;
        reduction = how;
        for (final int count : byteCounts)
        {
            dataLength += count;
        }
        return this;
    }

    /** Packed items for the segments; of a comparison what is compared is before them. */
    WindowOperation data(final UnsafeBuffer packed)
    {
        data = packed;
        return this;
    }

    /** What was in the segments is for the program. */
    WindowOperation fetch(final Items into)
    {
        isFetching = true;
        result = into;
        fetched = new UnsafeBuffer(new byte[dataLength]);
        return this;
    }

    @Override
    boolean isCarriedOn()
    {
        return true;
    }

    @Override
    void begin()
    {
        nextSegment = 0;
        nextData = 0;
        isAllSent = false;
    }

    private boolean isTurn()
    {
        if (previous != null && (previous.isAllSent || previous.failure() != null))
        {
            previous = null;
        }
        return previous == null;
    }

    @Override
    boolean advance() throws MPIException
    {
        while (!underWay.isEmpty() && underWay.peek().send.progress() && underWay.peek().receive.progress())
        {
            end(underWay.poll());
        }
        while (!isAllSent && isTurn() && underWay.size() < MOST_UNDER_WAY)
        {
            send();
        }
        if (!isAllSent || !underWay.isEmpty())
        {
            return false;
        }
        if (result != null)
        {
            new Payload().unpack(result, fetched, 0);
        }
        return true;
    }

    private void send() throws MPIException
    {
        int segments = 0;
        int length = 0;
        while (nextSegment + segments < lengths.length && segments < WindowMessage.MAX_SEGMENTS &&
            length + lengths[nextSegment + segments] <= WindowMessage.MAX_DATA)
        {
            length += lengths[nextSegment + segments];
            segments++;
        }
        final int sent = action == WindowMessage.COMPARE ? 2 * length : reduction == WindowMessage.NO_CHANGE ? 0 : length;
        final byte[] bytes = new byte[WindowMessage.lengthOf(segments, sent)];
        final WindowMessage message = new WindowMessage(bytes);
        final int tag = window.nextReplyTag();
        message.head(action, isFetching, reduction, first, second, segments, length, tag);
        for (int i = 0; i < segments; i++)
        {
            message.segment(i, begins[nextSegment + i], lengths[nextSegment + i]);
        }
        if (sent > 0)
        {
            message.buffer().putBytes(message.dataOffset(), data, nextData, sent);
        }
        final Part part = new Part();
        part.at = nextData;
        part.reply = new byte[Integer.BYTES + (isFetching ? length : 0)];
        part.receive.items(part.reply, 0, 0, part.reply.length, MPI.BYTE).from(window.channels(), false, target, tag, 0).start();
        part.send.items(bytes, 0, 0, bytes.length, MPI.BYTE)
            .to(window.channels(), false, SendTransfer.Mode.STANDARD, target, Win.REQUEST_TAG).start();
        underWay.add(part);
        nextSegment += segments;
        nextData += length;
        isAllSent = nextSegment == lengths.length;
    }

    private void end(final Part part) throws MPIException
    {
        part.send.throwFailure();
        part.receive.throwFailure();
        final UnsafeBuffer reply = new UnsafeBuffer(part.reply);
        final int status = part.receive.length < Integer.BYTES ? MPI.ERR_WIN : reply.getInt(0);
        if (status != MPI.SUCCESS)
        {
            throw new MPIException(status, "rank " + target + " has refused what was to be done with its part of a window");
        }
        if (isFetching)
        {
            fetched.putBytes(part.at, reply, Integer.BYTES, part.receive.length - Integer.BYTES);
        }
    }
}
