// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Memory that ranks of this node give to others, and what ranks of this node want to do with such memory on other nodes. <b>All
 * for the one thread that runs the transport's agent.</b> Numbers that come from a network may be anything: they are checked
 * here.
 */
public interface BulkPort
{
    /** Most operations of a queue that are not completed. */
    int MAX_OPERATIONS = 256;
    /** Most bytes of an operation. */
    int MAX_LENGTH = 1 << 15;

    /**
     * Hands on what the ranks of this node have asked for, for each rank in order, until the handler does not take it.
     *
     * @param handler for the operations.
     * @return number of operations that were done with.
     */
    int poll(BulkHandler handler);

    /**
     * An operation is over. Its rank learns of it when it polls.
     *
     * @param queue  that it came by; if that is gone nothing happens.
     * @param number of the operation in its queue.
     * @param result 0, what the operation returns, or why it failed.
     * @param value  that was found, if it is of a kind that finds one.
     */
    void complete(int queue, long number, long result, long value);

    /**
     * Some bytes of a get have come.
     *
     * @param queue    that it came by; if that is gone nothing happens.
     * @param number   of the operation in its queue.
     * @param position of the bytes within those that were asked for.
     * @param buffer   that holds them.
     * @param offset   of them.
     * @param length   of them.
     * @return false if they are not of the get; nothing was written then.
     */
    boolean putPiece(int queue, long number, long position, DirectBuffer buffer, int offset, int length);

    /**
     * Looks for bytes of a region of this node, with all checks that a key needs: nothing of it is believed. For one use at once:
     * the owner may close the region.
     *
     * @param owner  rank (32 bits) and epoch (32).
     * @param entry  entry (32 bits) and generation (32).
     * @param rights that are needed.
     * @param at     offset in the region in bytes.
     * @param length of the bytes.
     * @return their offset in {@link #memory()}, or one of {@link BulkResult}, or
     *         {@link org.tallypost.endpoint.Endpoint#PEER_GONE} if the owner's incarnation is over.
     */
    long locate(long owner, long entry, int rights, long at, long length);

    /**
     * Where {@link #locate} has found something.
     *
     * @return the memory; only the bytes that were looked for may be touched.
     */
    UnsafeBuffer memory();

    /**
     * What {@link #locate} has found: length and rights of the region.
     *
     * @return rights (32 bits) and length (32).
     */
    long description();
}
