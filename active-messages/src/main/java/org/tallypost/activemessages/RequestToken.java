// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;

/**
 * Answers the request that a handler was called with. Valid until the handler returns, and used again for the next request. An
 * answer goes at once, or waits in a store that has room for it: it never waits for requests, so that handlers of all ranks may
 * answer at the same time.
 */
public final class RequestToken
{
    private final Responder responder;
    private int source;
    private boolean isOpen;

    RequestToken(final Responder responder)
    {
        this.responder = responder;
    }

    void open(final int fromRank)
    {
        source = fromRank;
        isOpen = true;
    }

    /** True if it was not answered. */
    boolean close()
    {
        final boolean wasOpen = isOpen;
        isOpen = false;
        return wasOpen;
    }

    /**
     * Rank that has sent the request.
     *
     * @return the rank.
     */
    public int source()
    {
        return source;
    }

    /**
     * Answers by a short message.
     *
     * @param handler number of a {@link ReplyHandler} at the rank that has sent the request.
     * @param a       first word.
     * @param b       second word.
     * @param c       third word.
     * @param d       fourth word.
     * @param e       fifth word.
     * @throws IllegalStateException    if the request was answered, or its handler has returned.
     * @throws IllegalArgumentException if there can be no handler of that number.
     */
    public void reply(final int handler, final int a, final int b, final int c, final int d, final int e)
    {
        answer(handler);
        responder.reply(handler, a, b, c, d, e);
    }

    /**
     * Answers by a block of bytes.
     *
     * @param handler number of a {@link LongReplyHandler} at the rank that has sent the request.
     * @param a       first word.
     * @param b       second word.
     * @param buffer  that holds the block; it may be used again when this returns.
     * @param offset  of the block in bytes.
     * @param length  of the block in bytes, at most {@link ActiveMessages#MAX_BLOCK_LENGTH}.
     * @throws IllegalStateException     if the request was answered, or its handler has returned.
     * @throws IllegalArgumentException  if there can be no handler of that number, or the block is too long.
     * @throws IndexOutOfBoundsException if the block lies outside its buffer.
     */
    public void replyLong(
        final int handler, final int a, final int b, final DirectBuffer buffer, final int offset, final int length)
    {
        ActiveMessages.checkBlock(buffer, offset, length);
        answer(handler);
        responder.replyLong(handler, a, b, buffer, offset, length);
    }

    private void answer(final int handler)
    {
        Handlers.check(handler);
        if (!isOpen)
        {
            throw new IllegalStateException("a request is answered once, by its handler: this one of rank " + source +
                " was answered, or its handler has returned");
        }
        isOpen = false;
    }
}
