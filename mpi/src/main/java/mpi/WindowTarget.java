// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * This rank's part of a window: does what others ask for, one message after the other, so each is atomic. It goes on in all calls
 * of this rank that wait or test.
 */
final class WindowTarget extends Transfer
{
    private final Channels channels;
    private final UnsafeBuffer memory;
    /** The same memory, if the others of the node use it too; null if not. */
    private final WindowRegion region;
    private final ReceiveTransfer request = new ReceiveTransfer();
    private final byte[] room = new byte[WindowMessage.MAX_LENGTH];
    private final WindowMessage message = new WindowMessage(room);
    private final UnsafeBuffer old = new UnsafeBuffer(new byte[WindowMessage.MAX_DATA]);
    private final UnsafeBuffer data = new UnsafeBuffer(0, 0);
    private final WindowAnswers answers;
    /** By rank: how often it has posted, or completed, and this rank has not waited for that yet. */
    private final int[] posts;
    private final int[] completions;
    private boolean isClosing;
    private long dropped;
    private long updates;

    /** A part of a window; the memory of the program is used as long as the window is there. */
    WindowTarget(
        final Channels channels, final UnsafeBuffer memory, final WindowRegion region, final WindowAnswers answers,
        final int ranks)
    {
        this.channels = channels;
        this.region = region;
        this.memory = memory;
        this.answers = answers;
        posts = new int[ranks];
        completions = new int[ranks];
    }

    @Override
    boolean isCarriedOn()
    {
        return true;
    }

    @Override
    boolean isAwaitedAtTheEnd()
    {
        return false;
    }

    @Override
    void begin() throws MPIException
    {
        letGo();
        listen();
    }

    @Override
    String whatHasFailed()
    {
        return "its part of a window hears no more";
    }

    /** Messages that were none to a window. */
    long dropped()
    {
        return dropped;
    }

    /** Messages by which others have read or changed this part. */
    long updates()
    {
        return updates;
    }

    private void listen() throws MPIException
    {
        request.items(room, 0, 0, room.length, MPI.BYTE).from(channels, false, MPI.ANY_SOURCE, Win.REQUEST_TAG, 0).start();
    }

    @Override
    boolean advance() throws MPIException
    {
        answers.progress();
        while (!isClosing && request.progress())
        {
            takeOrDrop(request.failure());
            listen();
        }
        return isClosing && request.progress() && answers.areOut();
    }

    /** All ranks have done what they wanted. */
    void close() throws MPIException
    {
        isClosing = true;
        request.cancel();
    }

    private void takeOrDrop(final MPIException failure) throws MPIException
    {
        final boolean isTooLong = failure != null && failure.getErrorClass() == MPI.ERR_TRUNCATE;
        if (!isTooLong)
        {
            request.throwFailure();
        }
        if (!isTooLong && message.isSound(request.length))
        {
            take(request.source);
            return;
        }
        dropped++;
        // a rank that sends many of them does not fill the output
        if (Long.bitCount(dropped) == 1)
        {
            System.err.println("rank " + channels.world().rank() + " drops what is no message to its part of a window: found=" +
                (isTooLong ? "more than " : "") + request.length + " bytes from rank " + request.source +
                " of the window's communicator; dropped so far: " + dropped);
        }
    }

    private void take(final int source) throws MPIException
    {
        switch (message.action())
        {
            case WindowMessage.UPDATE:
            case WindowMessage.COMPARE:
                update(source);
                break;
            case WindowMessage.LOCK_SHARED:
            case WindowMessage.LOCK_EXCLUSIVE:
                answers.askForLock(source, message.replyTag(), message.action() == WindowMessage.LOCK_EXCLUSIVE);
                break;
            case WindowMessage.UNLOCK:
                answers.giveBackLock(source, message.replyTag());
                break;
            case WindowMessage.POST:
                posts[source]++;
                answers.reply(source, message.replyTag(), MPI.SUCCESS);
                break;
            case WindowMessage.COMPLETE:
                completions[source]++;
                answers.reply(source, message.replyTag(), MPI.SUCCESS);
                break;
            default:
                answers.reply(source, message.replyTag(), MPI.ERR_WIN);
        }
    }

    private void update(final int source) throws MPIException
    {
        final int length = message.dataLength();
        if (!areSegmentsWithin(length))
        {
            answers.reply(source, message.replyTag(), MPI.ERR_DISP);
            return;
        }
        updates++;
        if (region != null && isByElements())
        {
            updateElements();
            answers.reply(source, message.replyTag(), MPI.SUCCESS, old, message.isFetching() ? length : 0);
            return;
        }
        int at = 0;
        for (int i = 0; i < message.segments(); i++)
        {
            old.putBytes(at, memory, (int)message.begin(i), message.byteCount(i));
            at += message.byteCount(i);
        }
        answers.reply(source, message.replyTag(), MPI.SUCCESS, old, message.isFetching() ? length : 0);
        if (message.action() == WindowMessage.COMPARE)
        {
            data.wrap(message.buffer(), message.dataOffset(), length);
            if (isEqual(length))
            {
                store(message.buffer(), message.dataOffset() + length);
            }
        }
        else if (message.reduction() == WindowMessage.REPLACE)
        {
            store(message.buffer(), message.dataOffset());
        }
        else if (message.reduction() != WindowMessage.NO_CHANGE)
        {
            data.wrap(message.buffer(), message.dataOffset(), length);
            reduce(length);
            store(old, 0);
        }
    }

    /** Whether others change the same elements where they are, as {@link WindowAccess#isPossible} says. */
    private boolean isByElements()
    {
        final Kind kind = message.kind(true);
        boolean is = kind != null && kind.elementType() != null && !WindowMessage.isOfPairs(message.reduction()) &&
            (message.action() == WindowMessage.UPDATE ||
            message.segments() == 1 && message.byteCount(0) == kind.size());
        for (int i = 0; is && i < message.segments(); i++)
        {
            is = region.isAligned(message.begin(i), kind.size()) && message.byteCount(i) % kind.size() == 0;
        }
        return is;
    }

    private void updateElements() throws MPIException
    {
        final Kind kind = message.kind(true);
        if (message.action() == WindowMessage.COMPARE)
        {
            region.compareAndSwap(message.begin(0), kind.size(), message.buffer(), message.dataOffset(), old);
            return;
        }
        int at = 0;
        for (int i = 0; i < message.segments(); i++)
        {
            region.change(message.begin(i), message.byteCount(i), kind, message.reduction(), message.buffer(),
                message.dataOffset() + at, old, at);
            at += message.byteCount(i);
        }
    }

    private boolean areSegmentsWithin(final int length)
    {
        long total = 0;
        for (int i = 0; i < message.segments(); i++)
        {
            final long begin = message.begin(i);
            final int count = message.byteCount(i);
            if (begin < 0 || count < 0 || begin > memory.capacity() - count)
            {
                return false;
            }
            total += count;
        }
        return total == length;
    }

    private boolean isEqual(final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (old.getByte(i) != data.getByte(i))
            {
                return false;
            }
        }
        return true;
    }

    private void store(final UnsafeBuffer from, final int offset)
    {
        int at = offset;
        for (int i = 0; i < message.segments(); i++)
        {
            memory.putBytes((int)message.begin(i), from, at, message.byteCount(i));
            at += message.byteCount(i);
        }
    }

    private void reduce(final int length)
    {
        final Kind first = message.kind(true);
        final Op op = message.op();
        if (op == MPI.MINLOC || op == MPI.MAXLOC)
        {
            final UnsafeBuffer left = new UnsafeBuffer(old, 0, length);
            Locations.take(op == MPI.MINLOC, first, message.kind(false), left, data);
            return;
        }
        op.reducer().reduce(first.elementType(), old, 0, data, 0, length / first.size());
    }

    /** Whether a rank has posted since this rank has taken its last post; it is taken then. */
    boolean takePost(final int rank)
    {
        return posts[rank] > 0 && posts[rank]-- > 0;
    }

    boolean hasCompleted(final int rank)
    {
        return completions[rank] > 0;
    }

    void takeCompletion(final int rank)
    {
        completions[rank]--;
    }
}
