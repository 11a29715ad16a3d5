// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.TakenChannelException;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * Named services over an endpoint: a rank serves a name, other ranks send requests to the name, and each request gets one answer,
 * or ends by its deadline at the latest.
 *
 * <pre>
 *   services.serve("prices", (request, buffer, offset, length) -&gt; request.answer(price, 0, 8));
 *
 *   final Service prices = services.service("prices");
 *   services.request(prices, item, 0, 8, System.nanoTime() + 50_000_000, listener);
 * </pre>
 *
 * <p>Each rank tells the others which names it serves, those of other nodes too. A client does not know where a service is: if
 * its process ends and another rank serves the name, requests go there.
 *
 * <p>For one thread, the one that polls the endpoint; {@link #ask} and {@link #counters()} for any thread. After the start
 * nothing is allocated for a request and its answer that are short enough for one run and go at once.
 */
public final class Services implements Agent, AutoCloseable
{
    /** Longest request and longest answer, in bytes. */
    public static final int MAX_LENGTH = Endpoint.MAX_MESSAGE_LENGTH - MessageDescriptor.REQUEST_LENGTH;

    private final ServicesContext context;
    private final Endpoint endpoint;
    private final ServicesCounters counters = new ServicesCounters();
    private final Outbox outbox;
    private final Directory directory;
    private final Announcements announcements;
    private final Server server;
    private final Client client;
    private final MessageListener others;
    private final Channel channel;
    private final ConcurrentLinkedQueue<Asked> asked = new ConcurrentLinkedQueue<>();
    private volatile boolean isClosed;

    private Services(final ServicesContext context)
    {
        this.context = context;
        endpoint = context.endpoint();
        outbox = new Outbox(endpoint, context.channel(), context.rankCount(), context.maxStored(), counters);
        directory = new Directory(context.rankCount(), counters);
        announcements = new Announcements(
            outbox, endpoint.rank(), context.rankCount(), directory, counters, context.errorHandler(), this::forget);
        server = new Server(outbox, counters, context.errorHandler(), context.rankCount());
        client = new Client(context.maxRequests(), outbox, directory, announcements, counters,
            context.errorHandler());
        others = context.otherMessages() != null ? context.otherMessages() :
            (source, tag, buffer, offset, length) -> counters.add(Counter.REFUSED);
        channel = TakenChannelException.named("ServicesContext.channel",
            () -> endpoint.channel(context.channel(), this::onMessage));
        endpoint.addMembershipListener(announcements);
    }

    /**
     * Takes a channel of an endpoint for services.
     *
     * @param context with at least an endpoint and the number of ranks.
     * @return the services of this rank.
     * @throws IllegalArgumentException if a setting is missing or out of range.
     * @throws IllegalStateException    if the channel is taken, or another thread polls the endpoint.
     */
    public static Services launch(final ServicesContext context)
    {
        context.conclude();
        return new Services(context);
    }

    /** The services of a rank are over. */
    private void forget(final int rank)
    {
        outbox.drop(rank);
        directory.forget(rank);
        server.onGone(rank);
        client.onGone(rank);
    }

    private void onMessage(final int source, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source >= context.rankCount() || length < MessageDescriptor.leastLength(kind))
        {
            counters.add(Counter.REFUSED);
            return;
        }
        switch (kind)
        {
            case MessageDescriptor.REQUEST:
                server.onRequest(source, buffer, offset, length);
                break;
            case MessageDescriptor.ANSWER:
                client.onAnswer(source, buffer, offset, length);
                break;
            case MessageDescriptor.REFUSED:
                client.onRefused(source, buffer, offset);
                break;
            default:
                announcements.onMessage(source, kind, buffer, offset, length);
                break;
        }
    }

    /**
     * Serves a name from now on.
     *
     * @param name     of the service, 1 to 100 characters of ASCII without blanks.
     * @param listener that serves requests.
     * @throws IllegalArgumentException if there can be no such name.
     * @throws IllegalStateException    if a rank is known to serve it, this rank serves 64 names, or this is closed.
     */
    public void serve(final String name, final RequestListener listener)
    {
        checkOpen();
        final Directory.Entry other = directory.find(Directory.check(name));
        if (other != null)
        {
            throw new IllegalStateException("a name is served once: '" + name + "' is by rank " + other.rank);
        }
        final int number = server.add(name, listener);
        if (number < 0)
        {
            throw new IllegalStateException("too many services of a rank: found " + MessageDescriptor.MAX_SERVICES +
                ", expected fewer; end one, or tell kinds of requests apart by their first byte");
        }
        directory.enter(name, endpoint.rank(), number);
        announcements.changed(number);
    }

    /**
     * Ends a service of this rank. Requests that come later are refused as {@link RequestFailure#NO_SERVICE}.
     *
     * @param name of the service.
     * @throws IllegalStateException if this rank does not serve it, or this is closed.
     */
    public void end(final String name)
    {
        checkOpen();
        for (int number = 0; number < MessageDescriptor.MAX_SERVICES; number++)
        {
            final Directory.Entry entry = directory.find(endpoint.rank(), number);
            if (entry != null && entry.name.equals(name))
            {
                directory.withdraw(endpoint.rank(), number);
                server.remove(number);
                announcements.changed(number);
                return;
            }
        }
        throw new IllegalStateException("this rank does not serve it: found='" + name + "'");
    }

    /**
     * A service that requests can be sent to as soon as a rank serves it.
     *
     * @param name of the service.
     * @return the service, a new object each time.
     * @throws IllegalArgumentException if there can be no such name.
     */
    public Service service(final String name)
    {
        return new Service(Directory.check(name), directory);
    }

    /**
     * Sends a request, or nothing. It does not poll and does not wait.
     *
     * @param service    that is asked.
     * @param buffer     that holds the request; it may be used again when this returns.
     * @param offset     of the request in bytes.
     * @param length     of the request in bytes, at most {@link #MAX_LENGTH}.
     * @param deadlineNs when its time is over, on the clock of {@link System#nanoTime()}.
     * @param listener   that hears what comes of it, once.
     * @return the number of the request, at least 0; or {@link Endpoint#NO_CREDIT}: poll and try again; {@link
     *         Endpoint#NOT_CONNECTED}: no rank serves the name; {@link Endpoint#PEER_GONE}, {@link Endpoint#CLOSED}.
     * @throws IndexOutOfBoundsException if the request lies outside its buffer.
     * @throws IllegalArgumentException  if it is too long.
     */
    public long request(
        final Service service, final DirectBuffer buffer, final int offset, final int length, final long deadlineNs,
        final AnswerListener listener)
    {
        check(buffer, offset, length);
        return isClosed ? Endpoint.CLOSED : client.request(service, buffer, offset, length, deadlineNs, listener);
    }

    /**
     * Sends a request from any thread. It waits for the service and for credits within its time.
     *
     * @param name    of the service.
     * @param request bytes that are not changed any more.
     * @param timeout time for all of it.
     * @return the answer's bytes; it fails with a {@link RequestFailedException}. Its functions run on the thread that polls.
     * @throws IllegalArgumentException if there can be no such name, or the request is too long.
     */
    public CompletableFuture<byte[]> ask(final String name, final byte[] request, final Duration timeout)
    {
        final long deadlineNs = System.nanoTime() + timeout.toNanos();
        final Asked one = new Asked(new Service(Directory.check(name), directory), request, deadlineNs);
        check(one.request, 0, request.length);
        asked.add(one);
        if (isClosed && asked.remove(one))
        {
            one.onFailed(0, RequestFailure.CLOSED);
        }
        endpoint.wakeup();
        return one.future;
    }

    /** A request of another thread, until it is sent, and then until it is answered. */
    private static final class Asked implements AnswerListener
    {
        private final Service service;
        private final UnsafeBuffer request;
        private final long deadlineNs;
        private final CompletableFuture<byte[]> future = new CompletableFuture<>();

        Asked(final Service service, final byte[] request, final long deadlineNs)
        {
            this.service = service;
            this.request = new UnsafeBuffer(request);
            this.deadlineNs = deadlineNs;
        }

        @Override
        public void onAnswer(final long number, final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            future.complete(bytes);
        }

        @Override
        public void onFailed(final long number, final RequestFailure failure)
        {
            future.completeExceptionally(new RequestFailedException(service.name(), failure));
        }
    }

    private int sendAsked(final long nowNs)
    {
        int work = 0;
        for (int i = asked.size(); i > 0; i--)
        {
            final Asked one = asked.poll();
            final long result = one.deadlineNs - nowNs <= 0 ? Long.MIN_VALUE :
                request(one.service, one.request, 0, one.request.capacity(), one.deadlineNs, one);
            if (result == Long.MIN_VALUE)
            {
                one.onFailed(0, RequestFailure.TIMED_OUT);
            }
            else if (result < 0)
            {
                asked.add(one);
            }
            work += result < 0 ? 0 : 1;
        }
        return work;
    }

    /**
     * Answers a request that was kept.
     *
     * @param request that was kept.
     * @param buffer  that holds the answer; it may be used again when this returns.
     * @param offset  of the answer in bytes.
     * @param length  of the answer in bytes, at most {@link #MAX_LENGTH}.
     * @return true if it is on its way, or its client is gone; false if {@link ServicesContext#maxStored(int)} messages wait
     *         already: try again.
     * @throws IllegalStateException     if it was answered.
     * @throws IndexOutOfBoundsException if the answer lies outside its buffer.
     * @throws IllegalArgumentException  if it is too long.
     */
    public boolean answer(final KeptRequest request, final DirectBuffer buffer, final int offset, final int length)
    {
        return server.answer(request, buffer, offset, length);
    }

    static void check(final DirectBuffer buffer, final int offset, final int length)
    {
        if ((offset | length) < 0 || offset > buffer.capacity() - length)
        {
            throw new IndexOutOfBoundsException("bytes lie outside of their buffer: found offset=" + offset + ", length=" +
                length + ", expected=0 to " + buffer.capacity());
        }
        if (length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("too long: found=" + length + " bytes, expected at most " + MAX_LENGTH);
        }
    }

    private void checkOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException("the services are closed: " + endpoint);
        }
    }

    /**
     * Polls the endpoint, calls listeners, sends what waits, and ends requests that are overdue.
     *
     * @return amount of work that was done.
     * @throws AgentTerminationException if this or the endpoint is closed.
     */
    @Override
    public int doWork()
    {
        final int polled = isClosed ? (int)Endpoint.CLOSED : endpoint.poll(others, context.pollLimit());
        if (polled == Endpoint.CLOSED)
        {
            close();
            throw new AgentTerminationException("the services are closed: " + endpoint);
        }
        if (isClosed)
        {
            return polled;
        }
        final long nowNs = System.nanoTime();
        return polled + announcements.work() + outbox.work() + client.expire(nowNs) + (asked.isEmpty() ? 0 : sendAsked(nowNs));
    }

    /**
     * Requests of this rank that have no answer yet.
     *
     * @return their number.
     */
    public int pendingCount()
    {
        return client.pendingCount();
    }

    /**
     * Whether messages wait for credits here.
     *
     * @return true if some do.
     */
    public boolean hasStored()
    {
        return !outbox.isEmpty();
    }

    /**
     * What was counted.
     *
     * @return the counters. Any thread may read them.
     */
    public ServicesCounters counters()
    {
        return counters;
    }

    /**
     * Ends the channel; the endpoint stays open. Requests without answer end as {@link RequestFailure#CLOSED}, and requests of
     * others to this rank by their deadlines, unless the endpoint is closed too. Idempotent.
     */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        client.close();
        for (Asked one = asked.poll(); one != null; one = asked.poll())
        {
            one.onFailed(0, RequestFailure.CLOSED);
        }
        outbox.close();
        endpoint.removeMembershipListener(announcements);
        if (!endpoint.isClosed())
        {
            channel.close();
        }
    }

    @Override
    public String roleName()
    {
        return "services of " + endpoint.rank();
    }

    @Override
    public String toString()
    {
        return "Services{rank=" + endpoint.rank() + ", pending=" + pendingCount() + ", closed=" + isClosed + '}';
    }
}
