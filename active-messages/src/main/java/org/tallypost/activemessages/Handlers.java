// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.tallypost.activemessages.MessageDescriptor.word;

import org.agrona.DirectBuffer;

/** The functions of a program that run when messages come, by their numbers. One thread. */
final class Handlers
{
    private final RequestHandler[] requests = new RequestHandler[MessageDescriptor.HANDLERS];
    private final LongRequestHandler[] longRequests = new LongRequestHandler[MessageDescriptor.HANDLERS];
    private final ReplyHandler[] replies = new ReplyHandler[MessageDescriptor.HANDLERS];
    private final LongReplyHandler[] longReplies = new LongReplyHandler[MessageDescriptor.HANDLERS];

    private static <T> void set(final T[] handlers, final int number, final T handler)
    {
        check(number);
        if (handlers[number] != null && handler != null)
        {
            throw new IllegalStateException("handler " + number + " is set: found=" + handlers[number] +
                "; take another number, or set it to null first");
        }
        handlers[number] = handler;
    }

    void request(final int number, final RequestHandler handler)
    {
        set(requests, number, handler);
    }

    void longRequest(final int number, final LongRequestHandler handler)
    {
        set(longRequests, number, handler);
    }

    void reply(final int number, final ReplyHandler handler)
    {
        set(replies, number, handler);
    }

    void longReply(final int number, final LongReplyHandler handler)
    {
        set(longReplies, number, handler);
    }

    boolean hasRequest(final boolean isLong, final int number)
    {
        return isLong ? longRequests[number] != null : requests[number] != null;
    }

    boolean hasReply(final boolean isLong, final int number)
    {
        return isLong ? longReplies[number] != null : replies[number] != null;
    }

    void runRequest(
        final boolean isLong, final int number, final RequestToken token, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final int a = word(buffer, offset + MessageDescriptor.A_OFFSET);
        final int b = word(buffer, offset + MessageDescriptor.B_OFFSET);
        if (isLong)
        {
            longRequests[number].onRequest(token, a, b, buffer, offset + MessageDescriptor.BLOCK_OFFSET,
                length - MessageDescriptor.BLOCK_OFFSET);
        }
        else
        {
            requests[number].onRequest(token, a, b, word(buffer, offset + MessageDescriptor.C_OFFSET),
                word(buffer, offset + MessageDescriptor.D_OFFSET), word(buffer, offset + MessageDescriptor.E_OFFSET));
        }
    }

    void runReply(
        final boolean isLong, final int number, final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        final int a = word(buffer, offset + MessageDescriptor.A_OFFSET);
        final int b = word(buffer, offset + MessageDescriptor.B_OFFSET);
        if (isLong)
        {
            longReplies[number].onReply(source, a, b, buffer, offset + MessageDescriptor.BLOCK_OFFSET,
                length - MessageDescriptor.BLOCK_OFFSET);
        }
        else
        {
            replies[number].onReply(source, a, b, word(buffer, offset + MessageDescriptor.C_OFFSET),
                word(buffer, offset + MessageDescriptor.D_OFFSET), word(buffer, offset + MessageDescriptor.E_OFFSET));
        }
    }

    static void check(final int number)
    {
        if (number < 0 || number >= MessageDescriptor.HANDLERS)
        {
            throw new IllegalArgumentException("handler is out of range: found=" + number + ", expected=0 to " +
                (MessageDescriptor.HANDLERS - 1));
        }
    }
}
