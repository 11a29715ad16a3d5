// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.schedule;

/**
 * What a process does in a collective operation with the blocks of its data. Moves up to the next {@link #waitAll} may be done at
 * the same time; those behind it come later. Both ends of a message name the same blocks, so no message carries a length.
 */
public interface Moves
{
    /**
     * Sends blocks to a process.
     *
     * @param peer  the receiver.
     * @param first the first block.
     * @param count how many; 0 for a message without data.
     */
    void send(int peer, int first, int count);

    /**
     * Receives blocks from a process, into their places.
     *
     * @param peer  the sender.
     * @param first the first block.
     * @param count how many; 0 for a message without data.
     */
    void receive(int peer, int first, int count);

    /**
     * Receives blocks from a process, and reduces them with what is in their places. A block that is sent at the same time is
     * sent as it was before.
     *
     * @param peer     the sender.
     * @param first    the first block.
     * @param count    how many.
     * @param isBefore whether what the peer has comes before what is here in the order of the operands.
     */
    void reduce(int peer, int first, int count, boolean isBefore);

    /**
     * Reduces a block with another one, which stays as it is. Between two waits it is alone.
     *
     * @param from     the block that stays.
     * @param to       the block with the result.
     * @param isBefore whether what stays comes before in the order of the operands.
     */
    void fold(int from, int to, boolean isBefore);

    /** All that was named before has to be done. */
    void waitAll();
}
