// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Writes frames of a bulk stream, one in each message, in sequence. For one thread.
 *
 * <p>Bytes come from shared files, which another program may cut off: a load then throws. In the midst of an offer that would
 * leave a torn frame in the stream's term, so all of a frame is in memory of this process before it is offered.
 */
public final class BulkEncoder
{
    private final int sourceNode;
    private final int destNode;
    private final int groupHash;
    private final int maxBytes;
    private final BatchSink sink;
    private final UnsafeBuffer message;
    private int sequence;
    private long frameCount;
    private long byteCount;
    private long refusedCount;

    /**
     * An encoder.
     *
     * @param sourceNode this node.
     * @param destNode   the other node.
     * @param groupHash  of the group's terms.
     * @param mtuLength  of the stream in bytes: a frame is not longer.
     * @param sink       takes the messages.
     */
    public BulkEncoder(
        final int sourceNode, final int destNode, final int groupHash, final int mtuLength, final BatchSink sink)
    {
        this.sourceNode = sourceNode;
        this.destNode = destNode;
        this.groupHash = groupHash;
        this.sink = sink;
        maxBytes = maxBytes(mtuLength);
        message = new UnsafeBuffer(new byte[BulkDescriptor.HEADER_LENGTH + maxBytes]);
    }

    /** Most bytes of a frame. */
    public static int maxBytes(final int mtuLength)
    {
        return mtuLength - DataHeaderFlyweight.HEADER_LENGTH - BulkDescriptor.HEADER_LENGTH;
    }

    public int maxBytes()
    {
        return maxBytes;
    }

    /** A link begins: sequence 0. */
    public void open(final int receiverEpoch, final int senderEpoch)
    {
        BatchDescriptor.putHeader(message, 0, BatchDescriptor.KIND_BULK, sourceNode, destNode, groupHash);
        BatchDescriptor.putEpochs(message, 0, receiverEpoch, senderEpoch);
        sequence = 0;
    }

    /**
     * Writes a frame.
     *
     * @return false if the stream does not take it now: nothing happened.
     * @throws InternalError if the file that holds the bytes was cut off: nothing happened.
     */
    public boolean write(final BulkFrame frame)
    {
        BatchDescriptor.putSequence(message, 0, sequence);
        BulkDescriptor.put(message, frame);
        final int length = BulkDescriptor.hasBytes(frame.type) ? frame.length : 0;
        if (length > 0)
        {
            message.putBytes(BulkDescriptor.HEADER_LENGTH, frame.bytes, frame.offset, length);
        }
        if (sink.offer(message, 0, BulkDescriptor.HEADER_LENGTH + length) < 0)
        {
            refusedCount++;
            return false;
        }
        sequence++;
        frameCount++;
        byteCount += length;
        return true;
    }

    /** Frames that the stream has taken. */
    public long frameCount()
    {
        return frameCount;
    }

    /** How many times the stream has not taken one. */
    public long refusedCount()
    {
        return refusedCount;
    }

    @Override
    public String toString()
    {
        return "bulk frames sent=" + frameCount + ", bulk bytes sent=" + byteCount + ", bulk refused=" + refusedCount;
    }
}
