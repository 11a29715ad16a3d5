// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.transportaeron.internal.wire.BulkDescriptor;
import org.tallypost.transportaeron.internal.wire.BulkEncoder;
import org.tallypost.transportaeron.internal.wire.BulkFrame;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * Does what ranks of the other node want to do with memory of ranks here, as their frames come, and answers in order. It waits
 * for nothing: what cannot be answered now is kept, for no more than {@link BulkOperations#MAX_OPERATIONS} operations, and the
 * bytes of a get are read when they can be sent. For the agent's thread.
 */
final class BulkAnswers
{
    private final BulkPort port;
    private final BulkEncoder encoder;
    private final BulkPacing pacing;
    private final Drops drops;
    private final BulkFrame frame = new BulkFrame();
    private final AnswerQueue answers = new AnswerQueue();
    /** Number of the next operation. */
    private long next;
    private boolean isWithin;
    private long failure;
    private long acknowledged;
    private long writtenBytes;
    private long operationCount;
    private long refusedCount;
    private long allBytes;

    BulkAnswers(final BulkPort port, final BulkEncoder encoder, final BulkPacing pacing, final Drops drops)
    {
        this.pacing = pacing;
        this.port = port;
        this.encoder = encoder;
        this.drops = drops;
    }

    void open()
    {
        answers.clear();
        next = 0;
        isWithin = false;
        acknowledged = 0;
        writtenBytes = 0;
    }

    /**
     * Does what a frame says.
     *
     * @return false if it cannot be: the other node counts in another way, and the link cannot go on.
     */
    boolean onRequest(final BulkFrame request)
    {
        final boolean isNew = request.number == next;
        if (!isNew && (!isWithin || request.number != next - 1 || request.type != BulkOperation.PUT) ||
            isNew && next - acknowledged == BulkOperations.MAX_OPERATIONS)
        {
            drops.add(Drop.COUNT);
            return false;
        }
        if (isNew)
        {
            // one before it without a last frame is over
            next++;
            operationCount++;
            failure = 0;
        }
        isWithin = request.type == BulkOperation.PUT && !request.isLast;
        // all that have come: also those that were refused
        writtenBytes += request.type == BulkOperation.PUT ? request.length : 0;
        try
        {
            perform(request);
        }
        catch (final InternalError error)
        {
            // another program has cut the file of the region off
            failure = BulkResult.DAMAGED;
            if (!isWithin)
            {
                fail(request.number, failure);
            }
        }
        return true;
    }

    private void perform(final BulkFrame request)
    {
        if (request.type == BulkOperation.PUT)
        {
            put(request);
        }
        else
        {
            answer(request);
        }
    }

    private void put(final BulkFrame request)
    {
        if (failure == 0)
        {
            final long at = port.locate(
                request.owner, request.entry, RegionDescriptor.RIGHT_WRITE, request.at, request.length);
            if (at >= 0)
            {
                port.memory().putBytes((int)at, request.bytes, request.offset, request.length);
                allBytes += request.length;
            }
            failure = Math.min(at, 0);
        }
        if (request.isLast && failure == 0 && request.first != BulkDescriptor.NO_COUNTER)
        {
            final long at = locateWord(request, RegionDescriptor.RIGHT_ATOMIC, request.first);
            if (at >= 0)
            {
                // SYNC POINT region-notify: pairs with the receiver's acquire load of the counter
                port.memory().getAndAddLong((int)at, 1);
            }
            failure = Math.min(at, 0);
        }
        if (request.isLast && failure < 0)
        {
            fail(request.number, failure);
        }
    }

    private long locateWord(final BulkFrame request, final int right, final long at)
    {
        final long found = port.locate(request.owner, request.entry, right, at, Long.BYTES);
        return found >= 0 && (at & Long.BYTES - 1) != 0 ? BulkResult.MISALIGNED : found;
    }

    private void fail(final long number, final long result)
    {
        refusedCount++;
        answers.add(BulkDescriptor.TYPE_FAIL, number, result, 0, 0, 0);
    }

    private void answer(final BulkFrame request)
    {
        if (request.type == BulkOperation.GET)
        {
            final long at = request.length > BulkPort.MAX_LENGTH ? BulkResult.OUT_OF_BOUNDS : port.locate(
                request.owner, request.entry, RegionDescriptor.RIGHT_READ, request.at, request.length);
            if (at < 0)
            {
                fail(request.number, at);
                return;
            }
            answers.add(
                BulkDescriptor.TYPE_PIECE, request.number, request.owner, request.entry, request.at, request.length);
        }
        else if (request.type == BulkOperation.LOOK_UP)
        {
            final long found = port.locate(request.owner, request.entry, 0, 0, 0);
            if (found < 0)
            {
                fail(request.number, found);
                return;
            }
            answers.add(BulkDescriptor.TYPE_VALUE, request.number, port.description(), 0, 0, 0);
        }
        else
        {
            changeWord(request);
        }
    }

    private void changeWord(final BulkFrame request)
    {
        final int type = request.type;
        final int right = type == BulkOperation.LOAD ? RegionDescriptor.RIGHT_READ :
            type == BulkOperation.STORE ? RegionDescriptor.RIGHT_WRITE : RegionDescriptor.RIGHT_ATOMIC;
        final long found = locateWord(request, right, request.at);
        if (found < 0)
        {
            fail(request.number, found);
            return;
        }
        final UnsafeBuffer memory = port.memory();
        final int at = (int)found;
        long value = 0;
        long result = 0;
        switch (type)
        {
            case BulkOperation.ADD:
                value = memory.getAndAddLong(at, request.first);
                break;
            case BulkOperation.SET:
                value = memory.getAndSetLong(at, request.first);
                break;
            case BulkOperation.COMPARE:
                result = memory.compareAndSetLong(at, request.first, request.second) ? 1 : 0;
                value = result;
                break;
            case BulkOperation.LOAD:
                // SYNC POINT staging-read: what the owner has copied may be written again
                value = memory.getLongAcquire(at);
                break;
            default:
                // SYNC POINT staging-written: the bytes that were put before come first
                memory.putLongRelease(at, request.first);
                break;
        }
        answers.add(BulkDescriptor.TYPE_VALUE, request.number, value, result, 0, 0);
    }

    /** Sends what can be sent of the answers, and behind them how many operations are over. */
    int send()
    {
        int left = BulkEgress.MAX_FRAMES;
        // what waits for its turn does not keep the count back
        boolean isTaken = true;
        while (isTaken && !answers.isEmpty() && left > 0)
        {
            left--;
            isTaken = sendFirst();
        }
        final long over = over();
        if (over != acknowledged)
        {
            frame.answer(BulkDescriptor.TYPE_ACK, over).at = writtenBytes;
            if (encoder.write(frame))
            {
                acknowledged = over;
                left--;
            }
        }
        return BulkEgress.MAX_FRAMES - left;
    }

    /** How many operations were done and answered. */
    private long over()
    {
        return !answers.isEmpty() ? answers.number() : isWithin ? next - 1 : next;
    }

    private boolean sendFirst()
    {
        frame.answer(answers.type(), answers.number());
        if (answers.type() != BulkDescriptor.TYPE_PIECE)
        {
            frame.first = answers.first();
            frame.second = answers.second();
            return sent(true);
        }
        if (!pacing.isDue())
        {
            return false;
        }
        final int position = answers.position();
        final int length = Math.min(answers.length() - position, encoder.maxBytes());
        // the region may have been closed since
        final long at = port.locate(
            answers.first(), answers.second(), RegionDescriptor.RIGHT_READ, answers.offset() + position, length);
        if (at < 0)
        {
            refusedCount++;
            frame.answer(BulkDescriptor.TYPE_FAIL, answers.number()).first = at;
            return sent(true);
        }
        frame.isLast = position + length == answers.length();
        frame.at = position;
        frame.length = length;
        frame.bytes = port.memory();
        frame.offset = (int)at;
        try
        {
            if (!sent(frame.isLast))
            {
                return false;
            }
        }
        catch (final InternalError error)
        {
            refusedCount++;
            frame.answer(BulkDescriptor.TYPE_FAIL, answers.number()).first = BulkResult.DAMAGED;
            return sent(true);
        }
        pacing.sent();
        if (!frame.isLast)
        {
            answers.advance(length);
        }
        return true;
    }

    private boolean sent(final boolean isAll)
    {
        final boolean isSent = encoder.write(frame);
        if (isSent && isAll)
        {
            answers.removeFirst();
        }
        return isSent;
    }

    boolean isQuiet()
    {
        return answers.isEmpty() && acknowledged == over();
    }

    @Override
    public String toString()
    {
        return "bulk operations done=" + operationCount + ", bulk bytes written=" + allBytes + ", bulk operations refused=" +
            refusedCount;
    }
}
