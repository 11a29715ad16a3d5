// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.DirectBuffer;

/**
 * Sends to all other nodes of a group at once, and gets what they send so: in the order of each sender, and each piece once. What
 * is lost on the way is repaired; what was sent before a node has come, or after it has gone for too long, does not reach it.
 * The program finds that out by numbers of its own. One object for each process that does it, for one thread at a time, which
 * does all the work: while it does not call, nothing is sent, repaired or received.
 */
public interface Multicast extends AutoCloseable
{
    /** A piece cannot be sent now. */
    int NOT_NOW = -1;
    /** Not all other nodes are there to receive. */
    int NOT_CONNECTED = -2;

    /**
     * Longest piece.
     *
     * @return in bytes.
     */
    int maxLength();

    /**
     * Sends a piece to all other nodes, in two parts.
     *
     * @param head       of the piece.
     * @param headLength of that in bytes, from its beginning.
     * @param data       that follow.
     * @param offset     of the data.
     * @param length     of the data in bytes, 0 or more.
     * @return 0 if it is under way; {@link #NOT_NOW}; {@link #NOT_CONNECTED}.
     */
    int offer(DirectBuffer head, int headLength, DirectBuffer data, int offset, int length);

    /**
     * Does what there is to do for pieces under way.
     *
     * @return 0 if there was nothing.
     */
    int work();

    /**
     * Hands on pieces that a node has sent, without any check: they may come from anything that can send to the address.
     *
     * @param node    that has sent them.
     * @param handler of the pieces. It throws nothing.
     * @param limit   most pieces.
     * @return number of pieces.
     */
    int poll(int node, Handler handler, int limit);

    @Override
    void close();

    /** Gets pieces. */
    @FunctionalInterface
    interface Handler
    {
        /**
         * A piece has come.
         *
         * @param buffer that holds it, during the call.
         * @param offset of the piece.
         * @param length of the piece in bytes.
         */
        void onPiece(DirectBuffer buffer, int offset, int length);
    }
}
