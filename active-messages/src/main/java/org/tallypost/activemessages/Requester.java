// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.activemessages.Shared.Caller;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/** Sends requests within the window of each receiver, and hears their answers. One thread. */
final class Requester
{
    private final Shared shared;
    private final Handlers handlers;
    private final Wire wire;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[MessageDescriptor.SHORT_LENGTH]);
    private final LongSend longSend;
    /** The long request that is prepared: one at a time, since the call that sends it waits. */
    private final UnsafeBuffer longHead = new UnsafeBuffer(new byte[MessageDescriptor.BLOCK_OFFSET]);
    private Peer longPeer;
    private int longTag;
    private int longHandler;
    private DirectBuffer block;
    private int blockOffset;
    private int blockLength;
    private int longId;
    private boolean hasLongId;

    Requester(final Shared shared, final Handlers handlers, final Wire wire)
    {
        this.shared = shared;
        this.handlers = handlers;
        this.wire = wire;
        longSend = shared.endpoint.newSend();
    }

    /** Sends a short request, or nothing. */
    long tryRequest(
        final int dest, final int handler, final int a, final int b, final int c, final int d, final int e)
    {
        final Window window = shared.peer(dest).window;
        if (shared.isClosed)
        {
            return Endpoint.CLOSED;
        }
        if (!window.hasFree())
        {
            return Endpoint.NO_CREDIT;
        }
        final int id = window.take(handler);
        Wire.shortHead(head, id, a, b, c, d, e);
        final long result = wire.offerShort(dest, shared.tag(MessageDescriptor.REQUEST, handler), head, 0);
        if (result < 0)
        {
            window.giveBack(id);
            return result;
        }
        sent(window, id);
        return 0;
    }

    private void sent(final Window window, final int id)
    {
        window.sent(id);
        shared.counters.add(Counter.SENT_REQUESTS);
    }

    /** Prepares a request with a block. */
    void prepareLong(
        final int dest, final int handler, final int a, final int b, final DirectBuffer buffer, final int offset,
        final int length)
    {
        Wire.longHead(longHead, 0, a, b);
        prepare(dest, shared.tag(MessageDescriptor.LONG_REQUEST, handler), handler, buffer, offset, length);
    }

    /** Prepares a part of a store. */
    void prepareStore(
        final int dest, final int segment, final long place, final DirectBuffer buffer, final int offset, final int length)
    {
        Wire.storeHead(longHead, 0, segment, place);
        prepare(dest, shared.tag(MessageDescriptor.STORE, 0), -1, buffer, offset, length);
    }

    private void prepare(
        final int dest, final int tag, final int handler, final DirectBuffer buffer, final int offset, final int length)
    {
        longPeer = shared.peer(dest);
        longTag = tag;
        longHandler = handler;
        block = buffer;
        blockOffset = offset;
        blockLength = length;
    }

    /** Begins to send what was prepared, or goes on with it. */
    long trySendLong()
    {
        if (!hasLongId)
        {
            if (!longPeer.window.hasFree() || shared.isClosed)
            {
                return shared.isClosed ? Endpoint.CLOSED : Endpoint.NO_CREDIT;
            }
            longId = longPeer.window.take(longHandler);
            hasLongId = true;
            longHead.putInt(MessageDescriptor.ID_OFFSET, longId, LITTLE_ENDIAN);
        }
        final long result =
            wire.sendLong(longSend, longPeer.rank, longTag, longHead, 0, block, blockOffset, blockLength);
        if (result >= 0)
        {
            hasLongId = false;
            sent(longPeer.window, longId);
            return 0;
        }
        return result;
    }

    /** What was prepared is not wanted any more. */
    void abortLong()
    {
        if (longSend.isActive())
        {
            longSend.abort();
        }
        if (hasLongId)
        {
            hasLongId = false;
            longPeer.window.giveBack(longId);
        }
        block = null;
    }

    /** An answer of any kind, of a length that was checked. */
    void onAnswer(
        final Peer from, final int kind, final int handler, final DirectBuffer buffer, final int offset, final int length)
    {
        final int id = buffer.getInt(offset + MessageDescriptor.ID_OFFSET, LITTLE_ENDIAN);
        if (!from.window.answered(id))
        {
            shared.counters.add(Counter.STALE_REPLIES);
            return;
        }
        shared.counters.add(Counter.RECEIVED_REPLIES);
        shared.running = Caller.REPLY_HANDLER;
        try
        {
            if (kind == MessageDescriptor.REFUSED)
            {
                fail(from, id, RequestFailure.of(MessageDescriptor.word(buffer, offset + MessageDescriptor.A_OFFSET)));
            }
            else if (kind != MessageDescriptor.EMPTY)
            {
                call(from, id, kind == MessageDescriptor.LONG_REPLY, handler, buffer, offset, length);
            }
        }
        finally
        {
            shared.running = Caller.PROGRAM;
        }
    }

    private void call(
        final Peer from, final int id, final boolean isLong, final int handler, final DirectBuffer buffer, final int offset,
        final int length)
    {
        if (handlers.hasReply(isLong, handler))
        {
            handlers.runReply(isLong, handler, from.rank, buffer, offset, length);
        }
        else
        {
            shared.counters.add(Counter.UNKNOWN_HANDLERS);
            fail(from, id, RequestFailure.UNKNOWN_HANDLER);
        }
    }

    private void fail(final Peer to, final int id, final RequestFailure failure)
    {
        shared.counters.add(Counter.FAILED_REQUESTS);
        shared.context.failureListener().onFailed(to.rank, to.window.handler(id), failure);
    }

    /** No answer will come to what went to a rank. */
    void failAll(final Peer to, final RequestFailure failure)
    {
        while (to.window.hasUnanswered())
        {
            final int id = to.window.unanswered();
            to.window.answered(id);
            shared.running = Caller.REPLY_HANDLER;
            try
            {
                fail(to, id, failure);
            }
            finally
            {
                shared.running = Caller.PROGRAM;
            }
        }
    }
}
