// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

/**
 * Why something that came from the network was not handed on.
 */
public enum Drop
{
    /** Shorter than its header, or than its header says. */
    TRUNCATED,
    /** Longer than anything that is sent. */
    OVERSIZED,
    /** Another version of the wire format. */
    VERSION,
    /** A kind of message that there is not, or not here. */
    KIND,
    /** From or for another node. */
    NODE,
    /** Of another group. */
    GROUP,
    /** Of an earlier or unknown link. */
    LINK_EPOCH,
    /** A batch that was received before. */
    REPEATED,
    /** Batches before it are missing. */
    GAP,
    /** A frame of a type that there is not, or with bits set that are zero. */
    FRAME_TYPE,
    /** A frame with flags that its type does not have. */
    FRAME_FLAGS,
    /** A frame with a length that its type does not have, or that ends outside its batch. */
    FRAME_LENGTH,
    /** A frame of or for a rank that is not on the node. */
    RANK,
    /** A frame of or for another incarnation of a rank. */
    RANK_EPOCH,
    /** A packet without a credit. */
    NO_CREDIT,
    /** A count that cannot be. */
    COUNT,
    /** A batch from a session that was not admitted. */
    NOT_ADMITTED,
    /** A step of the handshake that does not fit, or comes a second time. */
    HANDSHAKE,
    /** A proof of the secret that is wrong. */
    PROOF,
    /** Terms that differ. */
    TERMS
}
