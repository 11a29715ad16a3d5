// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.handshake;

import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.BULK_SESSION_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.HIGH_SESSION_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.INITIATOR_NONCE_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.NONCE_LENGTH;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.PROOF_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.RESPONDER_NONCE_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.SESSION_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.TEXT_LENGTH_OFFSET;
import static org.tallypost.transportaeron.internal.wire.HandshakeDescriptor.TEXT_OFFSET;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.HandshakeDescriptor;

/**
 * A step of the handshake as an object: connecting is no hot path.
 *
 * @param kind           of the step.
 * @param version        of the wire format.
 * @param sourceNode     that writes.
 * @param destNode       that reads.
 * @param groupHash      of the writer's terms.
 * @param receiverEpoch  link epoch that the reader gave, 0 if the writer knows none.
 * @param senderEpoch    link epoch that the writer gives.
 * @param sessions       of the writer's streams.
 * @param initiatorNonce as long as a nonce.
 * @param responderNonce as long as a nonce, zeros if there is none yet.
 * @param proof          as long as a proof, zeros if there is none.
 * @param text           terms, or what differs; empty if there is none.
 */
public record HandshakeMessage(
    int kind, int version, int sourceNode, int destNode, int groupHash, int receiverEpoch, int senderEpoch, Sessions sessions,
    byte[] initiatorNonce, byte[] responderNonce, byte[] proof, byte[] text)
{
    static boolean isHandshake(final int kind)
    {
        return kind >= BatchDescriptor.KIND_HELLO && kind <= BatchDescriptor.KIND_CALL;
    }

    /** Aeron session of the stream by which the writer sends its steps. */
    int session()
    {
        return sessions.messages();
    }

    public byte[] encode()
    {
        final byte[] bytes = new byte[TEXT_OFFSET + text.length];
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        BatchDescriptor.putHeader(buffer, 0, kind, sourceNode, destNode, groupHash);
        buffer.putByte(BatchDescriptor.VERSION_OFFSET, (byte)version);
        BatchDescriptor.putEpochs(buffer, 0, receiverEpoch, senderEpoch);
        buffer.putInt(SESSION_OFFSET, sessions.messages(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(BULK_SESSION_OFFSET, sessions.bulk(), ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(HIGH_SESSION_OFFSET, sessions.high(), ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(INITIATOR_NONCE_OFFSET, initiatorNonce);
        buffer.putBytes(RESPONDER_NONCE_OFFSET, responderNonce);
        buffer.putBytes(PROOF_OFFSET, proof);
        buffer.putShort(TEXT_LENGTH_OFFSET, (short)text.length, ByteOrder.LITTLE_ENDIAN);
        buffer.putBytes(TEXT_OFFSET, text);
        return bytes;
    }

    /**
     * Reads a step. Which node it is of, and whether it is true, is for the handshake to find out.
     *
     * @return null if it is malformed; a message of another version has only what stays the same in all of them.
     */
    public static HandshakeMessage decode(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < BatchDescriptor.HEADER_LENGTH || length > HandshakeDescriptor.MAX_LENGTH || offset < 0 ||
            offset > buffer.capacity() - length)
        {
            return null;
        }
        final int version = BatchDescriptor.version(buffer, offset);
        final boolean isForeign = version != BatchDescriptor.VERSION;
        if (!isForeign && (length < TEXT_OFFSET || !isSound(buffer, offset, length)))
        {
            return null;
        }
        final int textLength = isForeign ? 0 : length - TEXT_OFFSET;
        return new HandshakeMessage(
            BatchDescriptor.kind(buffer, offset), version,
            BatchDescriptor.sourceNode(buffer, offset), BatchDescriptor.destNode(buffer, offset),
            BatchDescriptor.groupHash(buffer, offset), BatchDescriptor.receiverEpoch(buffer, offset),
            BatchDescriptor.senderEpoch(buffer, offset),
            isForeign ? Sessions.NONE : sessions(buffer, offset),
            bytes(buffer, offset + INITIATOR_NONCE_OFFSET, isForeign ? 0 : NONCE_LENGTH),
            bytes(buffer, offset + RESPONDER_NONCE_OFFSET, isForeign ? 0 : NONCE_LENGTH),
            bytes(buffer, offset + PROOF_OFFSET, isForeign ? 0 : GroupSecret.PROOF_LENGTH),
            bytes(buffer, offset + TEXT_OFFSET, textLength));
    }

    private static Sessions sessions(final DirectBuffer buffer, final int offset)
    {
        return new Sessions(
            buffer.getInt(offset + SESSION_OFFSET, ByteOrder.LITTLE_ENDIAN),
            buffer.getInt(offset + BULK_SESSION_OFFSET, ByteOrder.LITTLE_ENDIAN),
            buffer.getInt(offset + HIGH_SESSION_OFFSET, ByteOrder.LITTLE_ENDIAN));
    }

    private static boolean isSound(final DirectBuffer buffer, final int offset, final int length)
    {
        return isHandshake(BatchDescriptor.kind(buffer, offset)) &&
            BatchDescriptor.zero(buffer, offset) == 0 && BatchDescriptor.sequence(buffer, offset) == 0 &&
            buffer.getShort(offset + HandshakeDescriptor.ZERO_OFFSET) == 0 &&
            (buffer.getShort(offset + TEXT_LENGTH_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF) == length - TEXT_OFFSET &&
            (isProven(BatchDescriptor.kind(buffer, offset)) || isZero(buffer, offset + RESPONDER_NONCE_OFFSET));
    }

    /** Whether a step has a nonce of the responder and a proof. */
    private static boolean isProven(final int kind)
    {
        return kind == BatchDescriptor.KIND_CHALLENGE || kind == BatchDescriptor.KIND_RESPONSE ||
            kind == BatchDescriptor.KIND_WELCOME;
    }

    private static boolean isZero(final DirectBuffer buffer, final int offset)
    {
        long bits = 0;
        for (int i = 0; i < NONCE_LENGTH + GroupSecret.PROOF_LENGTH; i += Long.BYTES)
        {
            bits |= buffer.getLong(offset + i);
        }
        return bits == 0;
    }

    private static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        if (length > 0)
        {
            buffer.getBytes(offset, bytes);
        }
        return bytes;
    }
}
