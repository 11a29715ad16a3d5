// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

/**
 * Layout of a step of the handshake, behind the header of {@link BatchDescriptor}. Little-endian.
 *
 * <pre>
 *  offset   length   field                                    HELLO  CHALLENGE  RESPONSE  WELCOME  REFUSE  CALL
 *  --------------------------------------------------------------------------------------------------------------
 *      24        4   Aeron session of the side that writes      x        x         x         x        x      x
 *      28        4   session of its bulk stream, 0 if none      x        x         x         x        x      x
 *      32       32   nonce of the initiator                     x        x         x         x        -      -
 *      64       32   nonce of the responder                     -        x         x         x        -      -
 *      96       32   proof, HMAC-SHA-256                        -        x         x         x        -      -
 *     128        2   length of the text, at most 2,048          x        x         0         0        x      0
 *     130        2   zero
 *     132        4   session of its high stream, 0 if none     x        x         x         x        x      x
 *     136            text, UTF-8: terms, or what differs        x        x                            x
 * </pre>
 *
 * Fields that a step does not have are zero. The nonce of the responder is a cookie, HMAC-SHA-256 with a key of that process
 * over: session of the initiator, link epoch that it gave, that the responder gave, nonce of the initiator. A HELLO has the
 * responder's link epoch in the header only if the initiator has a link that stands. A proof is made over: version, index of the
 * initiator, of the responder, link epoch that the initiator gave, that the responder gave, nonce of the initiator, of the
 * responder, Aeron session of the initiator, of the responder, of their bulk streams, of their high streams, SHA-256 of the
 * initiator's terms, of the responder's; that of a CHALLENGE also over the responder's link epoch of the HELLO, if it is not 0.
 */
public final class HandshakeDescriptor
{
    public static final int NONCE_LENGTH = 32;
    public static final int PROOF_LENGTH = 32;
    public static final int MAX_TEXT_LENGTH = 2048;

    public static final int SESSION_OFFSET = BatchDescriptor.HEADER_LENGTH;
    public static final int BULK_SESSION_OFFSET = SESSION_OFFSET + Integer.BYTES;
    public static final int INITIATOR_NONCE_OFFSET = BULK_SESSION_OFFSET + Integer.BYTES;
    public static final int RESPONDER_NONCE_OFFSET = INITIATOR_NONCE_OFFSET + NONCE_LENGTH;
    public static final int PROOF_OFFSET = RESPONDER_NONCE_OFFSET + NONCE_LENGTH;
    public static final int TEXT_LENGTH_OFFSET = PROOF_OFFSET + PROOF_LENGTH;
    public static final int ZERO_OFFSET = TEXT_LENGTH_OFFSET + Short.BYTES;
    public static final int HIGH_SESSION_OFFSET = ZERO_OFFSET + Short.BYTES;
    public static final int TEXT_OFFSET = HIGH_SESSION_OFFSET + Integer.BYTES;
    public static final int MAX_LENGTH = TEXT_OFFSET + MAX_TEXT_LENGTH;

    private HandshakeDescriptor()
    {
    }
}
