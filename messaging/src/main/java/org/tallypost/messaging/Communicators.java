// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * The communicators of a messenger by context. One thread.
 */
final class Communicators
{
    private final Communicator[] compact = new Communicator[MessageKind.MAX_COMPACT_CONTEXT + 1];
    private final Int2ObjectHashMap<Communicator> others = new Int2ObjectHashMap<>();

    Communicator find(final int context)
    {
        return context < compact.length ? compact[context] : others.get(context);
    }

    /** Refuses a context that no communicator can get. */
    void checkFree(final int context)
    {
        if (context < 1 || find(context) != null)
        {
            throw new IllegalArgumentException("no such free context: found=" + context +
                (context < 1 ? "" : ", which is in use") + ", expected=1 to " + Communicator.MAX_TAG);
        }
    }

    void add(final Communicator communicator)
    {
        final int context = communicator.context();
        if (context < compact.length)
        {
            compact[context] = communicator;
        }
        else
        {
            others.put(context, communicator);
        }
    }

    void remove(final Communicator communicator)
    {
        final int context = communicator.context();
        if (context < compact.length)
        {
            compact[context] = null;
        }
        else
        {
            others.remove(context);
        }
    }

    /** Whether a message of a context may come from a rank. Of a context that is not there yet nobody knows. */
    boolean admits(final int context, final int source)
    {
        final Communicator communicator = find(context);
        return communicator == null || communicator.rankOf(source) >= 0;
    }

    /** Whether the listener of a communicator takes a message that is here as a whole. */
    boolean give(
        final int context, final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final Communicator communicator = find(context);
        final ArrivalListener listener = communicator == null ? null : communicator.arrivals();
        return listener != null && listener.onWhole(communicator.rankOf(source), tag, buffer, offset, length);
    }

    /**
     * Asks the listener of a communicator for the receive of a message that comes.
     *
     * @return a receive that has begun; null if there is none.
     */
    ReceiveRequest ask(final int context, final int source, final int tag, final int length)
    {
        final Communicator communicator = find(context);
        final ArrivalListener listener = communicator == null ? null : communicator.arrivals();
        final ReceiveRequest request =
            listener == null ? null : listener.onArrival(communicator.rankOf(source), tag, length);
        if (request == null)
        {
            return null;
        }
        request.checkPrepared();
        if (request.communicator != communicator || request.loaned != null)
        {
            throw new IllegalStateException("the receive is " + (request.loaned != null ? "one of a loan" :
                "for another communicator") + ": found=" + request + ", expected one of context " + context + " with a buffer");
        }
        request.result = RequestResult.NONE;
        communicator.activeCount++;
        request.clear();
        return request;
    }
}
