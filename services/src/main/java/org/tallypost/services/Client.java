// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.services.ServicesCounters.Counter;

/** Sends requests, and hears what comes of them. One thread. */
final class Client
{
    private final PendingRequests pending;
    private final Outbox outbox;
    private final Directory directory;
    private final Announcements announcements;
    private final ServicesCounters counters;
    private final ErrorHandler errors;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[MessageDescriptor.REQUEST_LENGTH]);
    private final PendingRequests.End timedOut;
    private final PendingRequests.End serverGone;
    private final PendingRequests.End closed;

    Client(
        final int maxRequests, final Outbox outbox, final Directory directory, final Announcements announcements,
        final ServicesCounters counters, final ErrorHandler errors)
    {
        pending = new PendingRequests(maxRequests, System.nanoTime());
        this.outbox = outbox;
        this.directory = directory;
        this.announcements = announcements;
        this.counters = counters;
        this.errors = errors;
        timedOut = (listener, correlation) ->
        {
            counters.add(Counter.TIMEOUTS);
            fail(listener, correlation, RequestFailure.TIMED_OUT);
        };
        serverGone = (listener, correlation) -> fail(listener, correlation, RequestFailure.SERVER_GONE);
        closed = (listener, correlation) -> fail(listener, correlation, RequestFailure.CLOSED);
    }

    long request(
        final Service service, final DirectBuffer buffer, final int offset, final int length, final long deadlineNs,
        final AnswerListener listener)
    {
        final Directory.Entry entry = directory.find(service.name());
        if (entry == null || pending.isFull() || !announcements.meet(entry.rank))
        {
            return entry == null ? Endpoint.NOT_CONNECTED : Endpoint.NO_CREDIT;
        }
        final long correlation = pending.next();
        head.putLong(MessageDescriptor.CORRELATION_OFFSET, correlation, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.SERVICE_OFFSET, entry.number, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.NAME_HASH_OFFSET, service.name().hashCode(), LITTLE_ENDIAN);
        final long result = outbox.send(entry.rank, MessageDescriptor.REQUEST, head, MessageDescriptor.REQUEST_LENGTH, buffer,
            offset, length, false);
        if (result < 0)
        {
            return result;
        }
        pending.add(entry.rank, listener, deadlineNs);
        counters.add(Counter.REQUESTS);
        return correlation;
    }

    void onAnswer(final int source, final DirectBuffer buffer, final int offset, final int length)
    {
        final long correlation = buffer.getLong(offset + MessageDescriptor.CORRELATION_OFFSET, LITTLE_ENDIAN);
        final AnswerListener listener = pending.take(source, correlation);
        if (listener == null)
        {
            counters.add(Counter.LATE_ANSWERS);
            return;
        }
        counters.add(Counter.ANSWERS);
        try
        {
            listener.onAnswer(correlation, buffer, offset + MessageDescriptor.ANSWER_LENGTH,
                length - MessageDescriptor.ANSWER_LENGTH);
        }
        catch (final Throwable t)
        {
            errors.onError(t);
        }
    }

    void onRefused(final int source, final DirectBuffer buffer, final int offset)
    {
        final long correlation = buffer.getLong(offset + MessageDescriptor.CORRELATION_OFFSET, LITTLE_ENDIAN);
        final AnswerListener listener = pending.take(source, correlation);
        if (listener == null)
        {
            counters.add(Counter.LATE_ANSWERS);
            return;
        }
        fail(listener, correlation,
            RequestFailure.of(buffer.getInt(offset + MessageDescriptor.REASON_OFFSET, LITTLE_ENDIAN)));
    }

    private void fail(final AnswerListener listener, final long correlation, final RequestFailure failure)
    {
        counters.add(Counter.FAILURES);
        try
        {
            listener.onFailed(correlation, failure);
        }
        catch (final Throwable t)
        {
            errors.onError(t);
        }
    }

    int expire(final long nowNs)
    {
        return pending.expire(nowNs, timedOut);
    }

    void onGone(final int rank)
    {
        pending.endAll(rank, serverGone);
    }

    void close()
    {
        pending.endAll(-1, closed);
    }

    int pendingCount()
    {
        return pending.count();
    }
}
