// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Layout of the header that every Aeron message between two nodes begins with. Little-endian.
 *
 * <pre>
 *  offset   length   field
 *  ---------------------------------------------------------------------------------------------------
 *       0        1   version of the wire format
 *       1        1   kind: frames, a step of the handshake, or a frame of the bulk stream
 *       2        2   index of the node that sends
 *       4        4   group hash: first bytes of the digest of the group's terms
 *       8        4   link epoch that the receiving node gave, 0 if none yet
 *      12        4   link epoch that the sending node gave
 *      16        4   sequence in its stream, from 0 for each pair of link epochs; 0 in a handshake
 *      20        2   index of the node that receives
 *      22        2   zero
 *      24            kind BULK: {@link BulkDescriptor}; of the handshake: {@link HandshakeDescriptor}
 *      24        8   kind BATCH: how many batches of the link's other stream of messages are taken before it
 *      32            frames, {@link FrameDescriptor}
 * </pre>
 *
 * A link has one stream of messages each way, or a second one for those of high priority. Batches of both are counted from the
 * beginning of the link. The count is of 64 bits, so it does not wrap. It is 0 where the order does not matter.
 *
 * <p>The first 24 bytes stay as they are in all versions, so that nodes of different versions can tell one another.
 */
public final class BatchDescriptor
{
    public static final int VERSION = 6;

    public static final int KIND_BATCH = 1;
    public static final int KIND_HELLO = 2;
    public static final int KIND_CHALLENGE = 3;
    public static final int KIND_RESPONSE = 4;
    public static final int KIND_WELCOME = 5;
    public static final int KIND_REFUSE = 6;
    public static final int KIND_CALL = 7;
    /** A frame of the bulk stream. */
    public static final int KIND_BULK = 8;

    public static final int VERSION_OFFSET = 0;
    static final int KIND_OFFSET = VERSION_OFFSET + Byte.BYTES;
    static final int SOURCE_NODE_OFFSET = KIND_OFFSET + Byte.BYTES;
    static final int GROUP_HASH_OFFSET = SOURCE_NODE_OFFSET + Short.BYTES;
    static final int RECEIVER_EPOCH_OFFSET = GROUP_HASH_OFFSET + Integer.BYTES;
    static final int SENDER_EPOCH_OFFSET = RECEIVER_EPOCH_OFFSET + Integer.BYTES;
    static final int SEQUENCE_OFFSET = SENDER_EPOCH_OFFSET + Integer.BYTES;
    static final int DEST_NODE_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;
    static final int ZERO_OFFSET = DEST_NODE_OFFSET + Short.BYTES;
    public static final int HEADER_LENGTH = ZERO_OFFSET + Short.BYTES;
    static final int BEHIND_OFFSET = HEADER_LENGTH;
    /** Of a batch: where its frames begin. */
    public static final int BATCH_HEADER_LENGTH = BEHIND_OFFSET + Long.BYTES;

    /** Most nodes of a group: their indices are 16 bits. */
    public static final int MAX_NODES = 1 << 16;

    private static final int NODE_MASK = MAX_NODES - 1;

    private BatchDescriptor()
    {
    }

    /**
     * Longest batch: it fills one datagram, or as many as the longest frame needs, and leaves none of them half empty. Of several
     * datagrams it is shorter than twice {@link BatchAssembler#MIN_BATCH_LENGTH}.
     */
    public static int maxLength(final int mtuLength)
    {
        final int payloadLength = mtuLength - DataHeaderFlyweight.HEADER_LENGTH;
        return (BatchAssembler.MIN_BATCH_LENGTH + payloadLength - 1) / payloadLength * payloadLength;
    }

    public static void putHeader(
        final MutableDirectBuffer buffer, final int offset, final int kind, final int sourceNode, final int destNode,
        final int groupHash)
    {
        buffer.putByte(offset + VERSION_OFFSET, (byte)VERSION);
        buffer.putByte(offset + KIND_OFFSET, (byte)kind);
        buffer.putShort(offset + SOURCE_NODE_OFFSET, (short)sourceNode, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(offset + GROUP_HASH_OFFSET, groupHash, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + DEST_NODE_OFFSET, (short)destNode, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(offset + ZERO_OFFSET, (short)0, ByteOrder.LITTLE_ENDIAN);
        putEpochs(buffer, offset, 0, 0);
        putSequence(buffer, offset, 0);
    }

    public static void putEpochs(
        final MutableDirectBuffer buffer, final int offset, final int receiverEpoch, final int senderEpoch)
    {
        buffer.putInt(offset + RECEIVER_EPOCH_OFFSET, receiverEpoch, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(offset + SENDER_EPOCH_OFFSET, senderEpoch, ByteOrder.LITTLE_ENDIAN);
    }

    static void putSequence(final MutableDirectBuffer buffer, final int offset, final int sequence)
    {
        buffer.putInt(offset + SEQUENCE_OFFSET, sequence, ByteOrder.LITTLE_ENDIAN);
    }

    /** How many batches of the other stream are taken before this one. */
    static void putBehind(final MutableDirectBuffer buffer, final int offset, final long count)
    {
        buffer.putLong(offset + BEHIND_OFFSET, count, ByteOrder.LITTLE_ENDIAN);
    }

    public static int version(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + VERSION_OFFSET) & 0xFF;
    }

    public static int kind(final DirectBuffer buffer, final int offset)
    {
        return buffer.getByte(offset + KIND_OFFSET) & 0xFF;
    }

    public static int sourceNode(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + SOURCE_NODE_OFFSET, ByteOrder.LITTLE_ENDIAN) & NODE_MASK;
    }

    public static int destNode(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + DEST_NODE_OFFSET, ByteOrder.LITTLE_ENDIAN) & NODE_MASK;
    }

    public static int groupHash(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + GROUP_HASH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int receiverEpoch(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + RECEIVER_EPOCH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int senderEpoch(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + SENDER_EPOCH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int sequence(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset + SEQUENCE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    static long behind(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + BEHIND_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    public static int zero(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + ZERO_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }
}
