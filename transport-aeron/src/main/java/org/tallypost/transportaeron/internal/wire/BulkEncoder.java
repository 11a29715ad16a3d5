// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.concurrent.UnsafeBuffer;

/** Writes frames of a bulk stream, one in each message, in sequence. For one thread. */
public final class BulkEncoder
{
    private final int sourceNode;
    private final int destNode;
    private final int groupHash;
    private final int maxBytes;
    private final BulkSink sink;
    private final UnsafeBuffer header = new UnsafeBuffer(new byte[BulkDescriptor.HEADER_LENGTH]);
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
        final int sourceNode, final int destNode, final int groupHash, final int mtuLength, final BulkSink sink)
    {
        this.sourceNode = sourceNode;
        this.destNode = destNode;
        this.groupHash = groupHash;
        this.sink = sink;
        maxBytes = maxBytes(mtuLength);
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
        BatchDescriptor.putHeader(header, 0, BatchDescriptor.KIND_BULK, sourceNode, destNode, groupHash);
        BatchDescriptor.putEpochs(header, 0, receiverEpoch, senderEpoch);
        sequence = 0;
    }

    /**
     * Writes a frame.
     *
     * @return false if the stream does not take it now: nothing happened.
     */
    public boolean write(final BulkFrame frame)
    {
        BatchDescriptor.putSequence(header, 0, sequence);
        BulkDescriptor.put(header, frame);
        final int length = BulkDescriptor.hasBytes(frame.type) ? frame.length : 0;
        if (sink.offer(header, BulkDescriptor.HEADER_LENGTH, length == 0 ? null : frame.bytes, frame.offset, length) < 0)
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
