// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;

/** Runs at the sender of a request when an answer with a block of bytes comes. It sends nothing and does not block. */
@FunctionalInterface
public interface LongReplyHandler
{
    /**
     * An answer. What it throws goes to the error handler of the context.
     *
     * @param source rank that has answered.
     * @param a      first word of the answer.
     * @param b      second word.
     * @param buffer with the block; valid until this call returns, not to be written.
     * @param offset of the block in bytes.
     * @param length of the block in bytes, at most {@link ActiveMessages#MAX_BLOCK_LENGTH}.
     */
    void onReply(int source, int a, int b, DirectBuffer buffer, int offset, int length);
}
