// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.activemessages.Shared.Caller;
import org.tallypost.endpoint.Endpoint;

/**
 * Carries out the requests of others, and answers each of them exactly once. What cannot go at once is stored. A rank has at most
 * a window of requests without answer, so the store has room. So a handler always runs to its end, the mailbox is always emptied,
 * and no answer waits for a request: there is no fetch deadlock (seed 004, page 21). One thread.
 */
final class Responder
{
    private final Shared shared;
    private final Handlers handlers;
    private final Segments segments;
    private final Wire wire;
    private final RequestToken token = new RequestToken(this);
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[MessageDescriptor.SHORT_LENGTH]);
    /** The request that is being carried out. */
    private Peer peer;
    private int id;
    private Peer listed;

    Responder(final Shared shared, final Handlers handlers, final Segments segments, final Wire wire)
    {
        this.wire = wire;
        this.shared = shared;
        this.handlers = handlers;
        this.segments = segments;
    }

    /** A request of any kind, of a length that was checked. */
    void onRequest(
        final Peer from, final int kind, final int handler, final DirectBuffer buffer, final int offset, final int length)
    {
        shared.counters.add(Counter.RECEIVED_REQUESTS);
        final int requestId = buffer.getInt(offset + MessageDescriptor.ID_OFFSET, LITTLE_ENDIAN);
        final int slot = MessageDescriptor.slot(requestId);
        final long bit = 1L << slot;
        if ((from.openSlots & bit) != 0 || (from.refusedSlots & bit) != 0)
        {
            // its sender has not heard the end of the former request of this slot: no sender of ours does that
            shared.refuse();
            return;
        }
        if (slot >= shared.context.window())
        {
            shared.counters.add(Counter.BEYOND_WINDOW);
            from.refusedSlots |= bit;
            from.refusedIds[slot] = requestId;
            sendStored(from);
            return;
        }
        from.openSlots |= bit;
        peer = from;
        id = requestId;
        if (kind == MessageDescriptor.STORE)
        {
            store(buffer, offset, length);
        }
        else
        {
            call(kind, handler, buffer, offset, length);
        }
    }

    private void store(final DirectBuffer buffer, final int offset, final int length)
    {
        final int segment = MessageDescriptor.word(buffer, offset + MessageDescriptor.SEGMENT_OFFSET);
        final long place = buffer.getLong(offset + MessageDescriptor.PLACE_OFFSET, LITTLE_ENDIAN);
        final boolean isStored = segments.store(segment, place, buffer, offset + MessageDescriptor.BLOCK_OFFSET,
            length - MessageDescriptor.BLOCK_OFFSET);
        if (isStored)
        {
            replyShort(MessageDescriptor.EMPTY, 0, 0, 0, 0, 0, 0);
        }
        else
        {
            shared.counters.add(Counter.UNKNOWN_HANDLERS);
            refuse(RequestFailure.NO_SEGMENT);
        }
    }

    private void call(final int kind, final int handler, final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isLong = kind == MessageDescriptor.LONG_REQUEST;
        if (!handlers.hasRequest(isLong, handler))
        {
            shared.counters.add(Counter.UNKNOWN_HANDLERS);
            refuse(RequestFailure.UNKNOWN_HANDLER);
            return;
        }
        token.open(peer.rank);
        shared.running = Caller.REQUEST_HANDLER;
        boolean isDone = false;
        try
        {
            handlers.runRequest(isLong, handler, token, buffer, offset, length);
            isDone = true;
        }
        finally
        {
            // what was thrown goes on to the error handler
            shared.running = Caller.PROGRAM;
            if (token.close())
            {
                answerUnanswered(isDone);
            }
        }
    }

    private void answerUnanswered(final boolean isDone)
    {
        if (isDone)
        {
            replyShort(MessageDescriptor.EMPTY, 0, 0, 0, 0, 0, 0);
        }
        else
        {
            refuse(RequestFailure.HANDLER_FAILED);
        }
    }

    private void refuse(final RequestFailure failure)
    {
        replyShort(MessageDescriptor.REFUSED, 0, failure.ordinal(), 0, 0, 0, 0);
    }

    void reply(final int handler, final int a, final int b, final int c, final int d, final int e)
    {
        replyShort(MessageDescriptor.REPLY, handler, a, b, c, d, e);
    }

    private void replyShort(
        final int kind, final int handler, final int a, final int b, final int c, final int d, final int e)
    {
        Wire.shortHead(head, id, a, b, c, d, e);
        answer(shared.tag(kind, handler), MessageDescriptor.SHORT_LENGTH, head, 0, 0);
    }

    void replyLong(final int handler, final int a, final int b, final DirectBuffer buffer, final int offset, final int length)
    {
        Wire.longHead(head, id, a, b);
        answer(shared.tag(MessageDescriptor.LONG_REPLY, handler), MessageDescriptor.BLOCK_OFFSET, buffer, offset, length);
    }

    private void answer(final int tag, final int headLength, final DirectBuffer body, final int offset, final int length)
    {
        if (shared.isClosed)
        {
            return;
        }
        final boolean isShort = headLength == MessageDescriptor.SHORT_LENGTH;
        long result = Endpoint.NO_CREDIT;
        if (isShort && (peer.takesHigh || !peer.hasAnswers()))
        {
            result = wire.answerShort(peer, tag, head, 0);
        }
        else if (!isShort && !peer.hasAnswers() && headLength + length <= Endpoint.MAX_RUN_LENGTH)
        {
            result = wire.offerLong(peer.rank, tag, head, body, offset, length);
            result = result == Endpoint.PEER_GONE ? wire.offerLong(peer.rank, tag, head, body, offset, length) : result;
        }
        if (result >= 0)
        {
            countSent(peer, isShort);
            peer.openSlots &= ~(1L << MessageDescriptor.slot(id));
        }
        else if (result == Endpoint.PEER_GONE || result == Endpoint.CLOSED)
        {
            peer.openSlots &= ~(1L << MessageDescriptor.slot(id));
        }
        else
        {
            shared.counters.add(Counter.STORED_REPLIES);
            peer.replies.add(tag, head, headLength, body, offset, length);
            list(peer);
        }
    }

    private void countSent(final Peer to, final boolean isShort)
    {
        shared.counters.add(Counter.SENT_REPLIES);
        if (isShort && to.takesHigh)
        {
            shared.counters.add(Counter.HIGH_REPLIES);
        }
    }

    private void list(final Peer each)
    {
        if (!each.isListed)
        {
            each.isListed = true;
            each.nextListed = listed;
            listed = each;
        }
    }

    /** Sends what was stored; returns how many answers went. */
    int work()
    {
        int work = 0;
        Peer next = listed;
        listed = null;
        while (next != null)
        {
            final Peer each = next;
            next = each.nextListed;
            each.isListed = false;
            each.nextListed = null;
            work += sendStored(each);
        }
        return work;
    }

    boolean hasStored()
    {
        return listed != null;
    }

    private int sendStored(final Peer to)
    {
        int sent = 0;
        while (!to.replies.isEmpty())
        {
            final int slot = MessageDescriptor.slot(MessageDescriptor.word(to.replies.buffer(), to.replies.offset()));
            final long result = sendFirst(to);
            if (result == Endpoint.PEER_GONE || result == Endpoint.CLOSED)
            {
                to.forgetRequests();
                return sent;
            }
            if (result < 0)
            {
                list(to);
                return sent;
            }
            countSent(to, !to.replies.isLong());
            to.replies.remove();
            to.openSlots &= ~(1L << slot);
            sent++;
        }
        return sent + sendRefusals(to);
    }

    /** The first stored answer: in one run, or by what a sender has credits for. */
    private long sendFirst(final Peer to)
    {
        final StoredReplies replies = to.replies;
        if (!replies.isLong())
        {
            return wire.answerShort(to, replies.tag(), replies.buffer(), replies.offset());
        }
        to.replySend = to.replySend == null ? shared.endpoint.newSend() : to.replySend;
        final boolean isBegun = to.replySend.isActive();
        final long result = sendFirstLong(to);
        // told of an incarnation before this one
        return result == Endpoint.PEER_GONE && !isBegun ? sendFirstLong(to) : result;
    }

    private long sendFirstLong(final Peer to)
    {
        final StoredReplies replies = to.replies;
        return wire.sendLong(to.replySend, to.rank, replies.tag(), replies.buffer(), replies.offset(), replies.buffer(),
            replies.offset() + MessageDescriptor.BLOCK_OFFSET, replies.length() - MessageDescriptor.BLOCK_OFFSET);
    }

    private int sendRefusals(final Peer to)
    {
        int sent = 0;
        while (to.refusedSlots != 0)
        {
            final int slot = Long.numberOfTrailingZeros(to.refusedSlots);
            Wire.shortHead(head, to.refusedIds[slot], RequestFailure.WINDOW.ordinal(), 0, 0, 0, 0);
            final long result = wire.answerShort(to, shared.tag(MessageDescriptor.REFUSED, 0), head, 0);
            if (result < 0 && result != Endpoint.PEER_GONE && result != Endpoint.CLOSED)
            {
                list(to);
                return sent;
            }
            to.refusedSlots &= ~(1L << slot);
            sent++;
            countSent(to, true);
        }
        return sent;
    }
}
