// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;

/** Runs at the receiver of a request with a block of bytes. What a {@link RequestHandler} may do, it may do. */
@FunctionalInterface
public interface LongRequestHandler
{
    /**
     * A request.
     *
     * @param token  by which it is answered; valid until this call returns.
     * @param a      first word of the sender.
     * @param b      second word.
     * @param buffer with the block; valid until this call returns, not to be written.
     * @param offset of the block in bytes.
     * @param length of the block in bytes, at most {@link ActiveMessages#MAX_BLOCK_LENGTH}.
     */
    void onRequest(RequestToken token, int a, int b, DirectBuffer buffer, int offset, int length);
}
