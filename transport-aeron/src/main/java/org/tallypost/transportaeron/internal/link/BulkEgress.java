// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.transportaeron.internal.wire.BulkDescriptor;
import org.tallypost.transportaeron.internal.wire.BulkEncoder;
import org.tallypost.transportaeron.internal.wire.BulkFrame;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;

/**
 * Operations of ranks here on memory of the other node: sent, and noted until the other node says that they are over, which it
 * does in order. A link that ends ends all of them. For the agent's thread.
 */
final class BulkEgress
{
    /** Frames without bytes in a duty cycle: the rest of the agent's work waits no longer. */
    static final int MAX_FRAMES = 64;

    private final BulkPort port;
    private final BulkEncoder encoder;
    private final BulkPacing pacing;
    private final Drops drops;
    private final BulkFrame frame = new BulkFrame();
    private final BulkOperations operations = new BulkOperations();
    private boolean isUp;
    private long link;
    private long sentBytes;
    private long writtenBytes;
    /** Queue with an operation that has frames to send, 0 if there is none: no frames of another one go between them. */
    private int turn;
    private int framesLeft;
    private long operationCount;
    private long lostCount;

    BulkEgress(final BulkPort port, final BulkEncoder encoder, final BulkPacing pacing, final Drops drops)
    {
        this.pacing = pacing;
        this.port = port;
        this.encoder = encoder;
        this.drops = drops;
    }

    void open()
    {
        isUp = true;
        link++;
        operations.clear();
        sentBytes = 0;
        writtenBytes = 0;
        turn = 0;
    }

    /** The link is over: what has become of its operations is not known. */
    void close()
    {
        isUp = false;
        while (!operations.isEmpty())
        {
            final long first = operations.first();
            operations.removeFirst();
            lostCount++;
            port.complete(operations.queue(first), operations.number(first), BulkResult.LINK_DOWN, 0);
        }
    }

    /** A duty cycle begins. */
    void beginCycle()
    {
        framesLeft = MAX_FRAMES;
    }

    /** Sends an operation, or some of it; false if there is more to be sent. */
    boolean onOperation(final BulkOperation operation)
    {
        if (operation.link == 0)
        {
            if (!isUp)
            {
                lostCount++;
                port.complete(operation.queue, operation.number, BulkResult.LINK_DOWN, 0);
                return true;
            }
            if (turn != 0 || framesLeft == 0 || operation.kind == BulkOperation.PUT && !pacing.isDue() || operations.isFull())
            {
                return false;
            }
            begin(operation);
        }
        // of a link that is over: it has been completed
        return operation.link != link || !isUp || sendFrames(operation);
    }

    private void begin(final BulkOperation operation)
    {
        operation.link = link;
        operation.linkNumber = operations.add(operation);
        turn = operation.queue;
        operationCount++;
    }

    private boolean sendFrames(final BulkOperation operation)
    {
        final boolean isPut = operation.kind == BulkOperation.PUT;
        boolean isDone = false;
        while (!isDone && framesLeft > 0 && (!isPut || pacing.isDue()))
        {
            final int left = operation.length - operation.progress;
            final int length = isPut ? Math.min(left, encoder.maxBytes()) : operation.length;
            isDone = !isPut || length == left;
            frame.type = operation.kind;
            frame.isLast = isDone;
            frame.length = length;
            frame.number = operation.linkNumber;
            frame.owner = operation.owner;
            frame.entry = operation.entry;
            frame.at = operation.at + operation.progress;
            frame.first = operation.first;
            frame.second = operation.second;
            frame.bytes = operation.bytes();
            frame.offset = operation.progress;
            framesLeft--;
            if (!encoder.write(frame))
            {
                // no room in the stream's window: in the next cycle
                framesLeft = 0;
                return false;
            }
            if (isPut)
            {
                pacing.sent();
                operation.progress += length;
                sentBytes += length;
            }
        }
        turn = isDone ? 0 : turn;
        return isDone;
    }

    /** A queue is gone: the other node learns by the next operation that one without a last frame is over. */
    void onQueueGone(final int queue)
    {
        turn = turn == queue ? 0 : turn;
    }

    /**
     * An answer has come.
     *
     * @return false if it cannot be: the other node counts in another way, and the link cannot go on.
     */
    boolean onAnswer(final BulkFrame answer)
    {
        if (answer.type == BulkDescriptor.TYPE_ACK)
        {
            return onAck(answer.number, answer.at);
        }
        if (!operations.isUnderWay(answer.number))
        {
            drops.add(Drop.COUNT);
            return false;
        }
        if (answer.type == BulkDescriptor.TYPE_FAIL)
        {
            final boolean isOne = BulkResult.isRefusal(answer.first) || answer.first == Endpoint.PEER_GONE;
            operations.set(answer.number, isOne ? answer.first : BulkResult.DAMAGED, 0);
        }
        else if (answer.type == BulkDescriptor.TYPE_VALUE)
        {
            final boolean isSet = operations.kind(answer.number) == BulkOperation.COMPARE && answer.second != 0;
            operations.set(answer.number, isSet ? 1 : 0, answer.first);
        }
        else
        {
            onPiece(answer);
        }
        return true;
    }

    private void onPiece(final BulkFrame piece)
    {
        final long number = piece.number;
        if (operations.kind(number) == BulkOperation.GET && piece.at == operations.received(number) && port.putPiece(
            operations.queue(number), operations.number(number), piece.at, piece.bytes, piece.offset, piece.length))
        {
            operations.addReceived(number, piece.length);
        }
        else
        {
            drops.add(Drop.FRAME_LENGTH);
        }
    }

    private boolean onAck(final long count, final long bytes)
    {
        if (!operations.isCount(count) || bytes < writtenBytes || bytes > sentBytes)
        {
            drops.add(Drop.COUNT);
            return false;
        }
        writtenBytes = bytes;
        while (operations.first() != count)
        {
            final long first = operations.first();
            operations.removeFirst();
            port.complete(operations.queue(first), operations.number(first),
                operations.isShort(first) ? BulkResult.DAMAGED : operations.result(first), operations.value(first));
        }
        return true;
    }

    boolean isQuiet()
    {
        return operations.isEmpty();
    }

    @Override
    public String toString()
    {
        return "bulk operations=" + operationCount + ", lost=" + lostCount + ", under way=" + operations.count();
    }
}
