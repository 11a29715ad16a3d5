// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import org.agrona.DirectBuffer;

/**
 * Receives the frames of a batch that are well formed and addressed to this node by the node that sent them. Whether the epochs
 * are those of the day, and whether a packet is paid for, is for the handler to look at.
 */
@FunctionalInterface
public interface FrameHandler
{
    /**
     * A frame. Ranks are those of the group, source on the sending node and destination on this one; MEMBER frames have no
     * destination, BEAT frames neither.
     *
     * @param type        one of the frame types.
     * @param flags       that the type allows.
     * @param source      rank.
     * @param dest        rank.
     * @param value       of the type.
     * @param sourceEpoch low 16 bits.
     * @param destEpoch   low 16 bits.
     * @param buffer      that holds the bytes; valid during the call.
     * @param offset      of the bytes.
     * @param length      of the bytes.
     */
    void onFrame(
        int type, int flags, int source, int dest, int value, int sourceEpoch, int destEpoch,
        DirectBuffer buffer, int offset, int length);

    /**
     * What receives the frames of pairs of high rings, asked before each of them.
     *
     * @return null if there are no priorities: such a frame is malformed then.
     */
    default FrameHandler high()
    {
        return null;
    }

    /**
     * Several data frames of one pair follow each other, and are handed on next; unless one of them is malformed, or the memory
     * that holds them changes meanwhile.
     *
     * @param source      rank.
     * @param dest        rank.
     * @param sourceEpoch of all of them, low 16 bits.
     * @param destEpoch   of all of them, low 16 bits.
     * @param slots       that they take in a mailbox together.
     * @return true if {@link #onNextRun} is to have them, false if {@link #onFrame}.
     */
    default boolean onRunsAhead(
        final int source, final int dest, final int sourceEpoch, final int destEpoch, final int slots)
    {
        return false;
    }

    /**
     * The next of the data frames that were announced.
     *
     * @param flags  that a data frame allows.
     * @param value  tag or offset.
     * @param buffer that holds the bytes; valid during the call.
     * @param offset of the bytes.
     * @param length of the bytes.
     * @return false if it is not as it was announced: then {@link #onFrame} has it.
     */
    default boolean onNextRun(
        final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        return false;
    }
}
