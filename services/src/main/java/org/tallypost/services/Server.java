// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.services.ServicesCounters.Counter;

/** Serves the requests of other ranks by the listeners of this one. One thread. */
final class Server
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final RequestListener[] listeners = new RequestListener[MessageDescriptor.MAX_SERVICES];
    private final Outbox outbox;
    /** Of the names of the services. */
    private final int[] hashes = new int[MessageDescriptor.MAX_SERVICES];
    private final ServicesCounters counters;
    private final ErrorHandler errors;
    /** How many incarnations of each rank are gone. */
    private final int[] gone;
    private final ServedRequest request = new ServedRequest(this);
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[MessageDescriptor.REQUEST_LENGTH]);

    Server(final Outbox outbox, final ServicesCounters counters, final ErrorHandler errors, final int ranks)
    {
        this.outbox = outbox;
        this.counters = counters;
        this.errors = errors;
        gone = new int[ranks];
    }

    /** The number of a new service; -1 if there are too many. */
    int add(final String name, final RequestListener listener)
    {
        for (int number = 0; number < listeners.length; number++)
        {
            if (listeners[number] == null)
            {
                listeners[number] = listener;
                hashes[number] = name.hashCode();
                return number;
            }
        }
        return -1;
    }

    void remove(final int number)
    {
        listeners[number] = null;
    }

    void onRequest(final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        counters.add(Counter.SERVED);
        final long correlation = buffer.getLong(offset + MessageDescriptor.CORRELATION_OFFSET, LITTLE_ENDIAN);
        final int number = buffer.getInt(offset + MessageDescriptor.SERVICE_OFFSET, LITTLE_ENDIAN);
        final RequestListener listener = number < 0 || number >= listeners.length ? null : listeners[number];
        // one that was ended before its clients knew may have left its number to another
        if (listener == null || hashes[number] != buffer.getInt(offset + MessageDescriptor.NAME_HASH_OFFSET, LITTLE_ENDIAN))
        {
            refuse(source, correlation, RequestFailure.NO_SERVICE);
            return;
        }
        request.open(source, correlation);
        RequestFailure failure = RequestFailure.NO_ANSWER;
        try
        {
            listener.onRequest(request, buffer, offset + MessageDescriptor.REQUEST_LENGTH,
                length - MessageDescriptor.REQUEST_LENGTH);
        }
        catch (final Throwable t)
        {
            failure = RequestFailure.FAILED;
            errors.onError(t);
        }
        finally
        {
            if (request.close())
            {
                refuse(source, correlation, failure);
            }
        }
    }

    private void refuse(final int source, final long correlation, final RequestFailure failure)
    {
        head.putLong(MessageDescriptor.CORRELATION_OFFSET, correlation, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.REASON_OFFSET, failure.ordinal(), LITTLE_ENDIAN);
        // if there is no room the client's time runs out
        outbox.send(source, MessageDescriptor.REFUSED, head, MessageDescriptor.REFUSED_LENGTH, NOTHING, 0, 0, true);
    }

    /** False if there is no room for it. */
    boolean answer(final int source, final long correlation, final DirectBuffer buffer, final int offset, final int length)
    {
        Services.check(buffer, offset, length);
        head.putLong(MessageDescriptor.CORRELATION_OFFSET, correlation, LITTLE_ENDIAN);
        final long result = outbox.send(
            source, MessageDescriptor.ANSWER, head, MessageDescriptor.ANSWER_LENGTH, buffer, offset, length, true);
        return result >= 0 || result == Endpoint.PEER_GONE || result == Endpoint.CLOSED;
    }

    boolean answer(final KeptRequest kept, final DirectBuffer buffer, final int offset, final int length)
    {
        if (kept.isOver)
        {
            throw new IllegalStateException("a request is answered once: this one of rank " + kept.source + " was");
        }
        Services.check(buffer, offset, length);
        // nobody waits for it if its client is gone
        kept.isOver = kept.incarnation != gone[kept.source] || answer(kept.source, kept.correlation, buffer, offset, length);
        return kept.isOver;
    }

    int incarnation(final int rank)
    {
        return gone[rank];
    }

    void onGone(final int rank)
    {
        gone[rank]++;
    }
}
