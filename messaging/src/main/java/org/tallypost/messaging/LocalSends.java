// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

/**
 * Sends to the own rank in their order. One waits while as many sends as may have numbers have them, and those behind it wait
 * too, as to any other rank. One thread.
 */
final class LocalSends
{
    private final MessengerState shared;
    private final LocalMessages messages;
    private final OutgoingMessages outgoing;

    LocalSends(final MessengerState shared, final LocalMessages messages, final OutgoingMessages outgoing)
    {
        this.shared = shared;
        this.messages = messages;
        this.outgoing = outgoing;
    }

    /** Begins, or leaves it behind those that wait. One that throws ends. */
    void start(final SendRequest send)
    {
        final Pair pair = shared.pair(shared.own);
        send.state = RequestState.QUEUED;
        if (!pair.out.waiting.isEmpty() || !attempt(send))
        {
            pair.out.waiting.add(send);
            shared.list(pair);
        }
    }

    /** Goes on with those that wait. */
    int progress()
    {
        final RequestQueue waiting = shared.pair(shared.own).out.waiting;
        int work = 0;
        for (Request first = waiting.first(); first != null && attempt((SendRequest)first); first = waiting.first())
        {
            if (first.queue == waiting)
            {
                waiting.remove(first);
            }
            work++;
        }
        return work;
    }

    /** False if it has still to wait. One that throws ends, and those behind it go on. */
    private boolean attempt(final SendRequest send)
    {
        boolean hasThrown = true;
        boolean isBegun = false;
        send.state = RequestState.ANNOUNCED;
        try
        {
            send.checkBytes();
            isBegun = messages.begin(send);
            hasThrown = false;
        }
        finally
        {
            if (hasThrown && send.isActive())
            {
                outgoing.end(send, RequestResult.FAILED);
            }
        }
        if (!isBegun)
        {
            send.state = RequestState.QUEUED;
        }
        return isBegun;
    }
}
