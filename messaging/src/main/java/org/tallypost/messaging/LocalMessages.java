// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.messaging.MessengerCounters.Counter;

/**
 * Messages to the own rank: no mailbox has them. A short one is kept if there is no receive for it; the bytes of any other stay
 * with its send until there is one. Such a send needs a number. One thread.
 */
final class LocalMessages
{
    private final MessengerState shared;
    private final IncomingMessages incoming;
    private final OutgoingMessages outgoing;
    private final LoanRoom room;

    LocalMessages(
        final MessengerState shared, final IncomingMessages incoming, final OutgoingMessages outgoing, final LoanRoom room)
    {
        this.shared = shared;
        this.incoming = incoming;
        this.outgoing = outgoing;
        this.room = room;
    }

    /** Begins with a message; false if it has to wait for a number. */
    boolean begin(final SendRequest send)
    {
        final boolean isShort = !send.isSynchronous() && !send.isLoan() && send.length <= shared.context.limitOf(shared.own);
        ReceiveRequest request = incoming.match(send.context(), shared.own, send.tag);
        // a listener is asked once, for a message that is kept if it leaves it
        if (request == null && outgoing.table().isFull() && !(isShort && incoming.store().hasRoomForOwn(send.length)))
        {
            return false;
        }
        shared.counters.add(Counter.SENT_TO_SELF, 1);
        shared.counters.add(Counter.SENT_BYTES, send.length);
        request = request == null ? ask(send) : request;
        if (request != null)
        {
            request.match(shared.own, send.tag, send.length);
            shared.counters.add(Counter.MATCHED_AT_ARRIVAL, 1);
            take(request, send);
        }
        else if (isShort && incoming.store().keepOwn(send))
        {
            outgoing.end(send, RequestResult.SUCCESS);
        }
        else
        {
            outgoing.table().add(send);
            send.isAnnounced = true;
            incoming.store().announceOwn(send);
        }
        return true;
    }

    /** What a listener throws is no affair of the sender's: the message is kept, as one of another rank is. */
    private ReceiveRequest ask(final SendRequest send)
    {
        try
        {
            return incoming.ask(send.context(), shared.own, send.tag, send.length);
        }
        catch (final Throwable t)
        {
            shared.keepThrown(t);
            return null;
        }
    }

    /** Gives a receive the message of a send that waits for it. */
    void take(final ReceiveRequest request, final long sendId)
    {
        take(request, outgoing.table().find(sendId));
    }

    /** A copy that throws ends both. */
    private void take(final ReceiveRequest request, final SendRequest send)
    {
        RequestResult result = RequestResult.FAILED;
        request.isFailed = true;
        try
        {
            if (!room.handOver(request, send))
            {
                send.checkBytes();
                result = RequestResult.CANCELLED;
                room.make(request);
                request.checkRoom(request.wanted);
                request.buffer.putBytes(request.offset, send.buffer, send.offset, request.wanted);
            }
            result = RequestResult.SUCCESS;
            request.isFailed = false;
        }
        finally
        {
            outgoing.end(send, result);
            incoming.finish(request);
        }
    }
}
