// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.activemessages.Shared.Caller;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * Active messages over an endpoint, as GAM has them (seed 004, pages 21 and 22): a request names a function of its receiver, its
 * handler, which runs when the request comes. Each request gets exactly one answer. That runs a handler of the sender, or is
 * empty.
 *
 * <pre>
 *   messages.onRequest(READ, (token, index, b, c, d, e) -&gt; token.reply(VALUE, index, table[index], 0, 0, 0));
 *   messages.onReply(VALUE, (source, index, value, c, d, e) -&gt; sum += value);
 *   messages.request(dest, READ, 17, 0, 0, 0, 0);
 *   messages.awaitReplies();
 * </pre>
 *
 * <p>A rank may have {@link ActiveMessagesContext#window(int)} requests without answer at each receiver. Calls that send poll
 * before they send and while they wait, and so run handlers. Requests from one rank to another one are carried out in their
 * order, and so are answers. All ranks may send requests to all at the same time: no circle of ranks waits for one another.
 *
 * <p>For one thread, the one that polls the endpoint; {@link #counters()} for any thread. Nothing is allocated for a message
 * after the first ones to and from a rank. A pair takes some 1,000 bytes, 4,120 bytes more each for requests and for answers with
 * blocks that come, and a window times 4,120 bytes if answers with blocks have had to wait.
 */
public final class ActiveMessages implements Agent, AutoCloseable
{
    /** Longest block of a request or an answer, in bytes. A {@link #store} may be longer. */
    public static final int MAX_BLOCK_LENGTH = MessageDescriptor.MAX_BLOCK_LENGTH;
    /** Handlers and segments have numbers below this. */
    public static final int HANDLERS = MessageDescriptor.HANDLERS;

    private static final int LOOKS_FOR_A_YIELD = 256;

    private final Shared shared;
    private final Handlers handlers = new Handlers();
    private final Segments segments = new Segments();
    private final Requester requester;
    private final Responder responder;
    private final Arrivals arrivals;
    private final MessageListener others;
    private final DeadlineIdleStrategy idle;
    private int vainLooks;

    private ActiveMessages(final ActiveMessagesContext context)
    {
        shared = new Shared(context);
        final Wire wire = new Wire(shared);
        requester = new Requester(shared, handlers, wire);
        responder = new Responder(shared, handlers, segments, wire);
        arrivals = new Arrivals(shared, requester, responder, wire);
        others = context.otherMessages() != null ? context.otherMessages() :
            (source, tag, buffer, offset, length) -> shared.refuse();
        idle = context.endpoint().newIdleStrategy();
    }

    /**
     * Takes a channel of an endpoint for active messages.
     *
     * @param context with at least an endpoint and the number of ranks.
     * @return the active messages of this rank.
     * @throws IllegalArgumentException if a setting is missing or out of range.
     * @throws IllegalStateException    if the channel is taken, or another thread polls the endpoint.
     */
    public static ActiveMessages launch(final ActiveMessagesContext context)
    {
        context.conclude();
        final ActiveMessages messages = new ActiveMessages(context);
        messages.arrivals.open();
        return messages;
    }

    /**
     * Sets the handler of short requests of a number; all ranks set theirs before the first request comes.
     *
     * @param number  from 0 to 255.
     * @param handler that runs; null for none.
     * @throws IllegalStateException    if there is one.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public void onRequest(final int number, final RequestHandler handler)
    {
        handlers.request(number, handler);
    }

    /**
     * Sets the handler of requests with blocks. As {@link #onRequest(int, RequestHandler)}.
     *
     * @param number  from 0 to 255.
     * @param handler that runs; null for none.
     */
    public void onLongRequest(final int number, final LongRequestHandler handler)
    {
        handlers.longRequest(number, handler);
    }

    /**
     * Sets the handler of short answers. As {@link #onRequest(int, RequestHandler)}.
     *
     * @param number  from 0 to 255.
     * @param handler that runs; null for none.
     */
    public void onReply(final int number, final ReplyHandler handler)
    {
        handlers.reply(number, handler);
    }

    /**
     * Sets the handler of answers with blocks. As {@link #onRequest(int, RequestHandler)}.
     *
     * @param number  from 0 to 255.
     * @param handler that runs; null for none.
     */
    public void onLongReply(final int number, final LongReplyHandler handler)
    {
        handlers.longReply(number, handler);
    }

    /**
     * Lets others store to memory of this rank. They may write all of it, at any time that this rank polls.
     *
     * @param number of the segment, from 0 to 255.
     * @param memory all of it is the segment; null for none.
     * @throws IllegalArgumentException if the number is out of range.
     */
    public void segment(final int number, final MutableDirectBuffer memory)
    {
        segments.set(number, memory);
    }

    /**
     * Sends a short request, and polls until it can go.
     *
     * @param dest    rank of the receiver; the own rank is allowed.
     * @param handler number of the receiver's handler.
     * @param a       first word.
     * @param b       second word.
     * @param c       third word.
     * @param d       fourth word.
     * @param e       fifth word.
     * @return 0 if it went; {@link Endpoint#PEER_GONE} or {@link Endpoint#CLOSED}.
     * @throws IllegalStateException    from within a handler.
     * @throws IllegalArgumentException if there is no such rank, or can be no such handler.
     * @throws RequestTimeoutException  if the receiver lets nothing go for {@link ActiveMessagesContext#timeoutNs(long)}.
     */
    public long request(final int dest, final int handler, final int a, final int b, final int c, final int d, final int e)
    {
        begin(dest, handler);
        work();
        long result = requester.tryRequest(dest, handler, a, b, c, d, e);
        if (isToWait(result))
        {
            final long deadline = beginWait();
            do
            {
                waitFor(dest, result, deadline);
                result = requester.tryRequest(dest, handler, a, b, c, d, e);
            }
            while (isToWait(result));
        }
        return result;
    }

    /**
     * Sends a short request if it can go at once, without a poll. Otherwise as {@link #request}.
     *
     * @param dest    rank of the receiver.
     * @param handler number of the receiver's handler.
     * @param a       first word.
     * @param b       second word.
     * @param c       third word.
     * @param d       fourth word.
     * @param e       fifth word.
     * @return 0 if it went; {@link Endpoint#NO_CREDIT} if the window is in use or there is no credit: poll and try again; or
     *         {@link Endpoint#NOT_CONNECTED}, {@link Endpoint#PEER_GONE}, {@link Endpoint#CLOSED}.
     */
    public long tryRequest(
        final int dest, final int handler, final int a, final int b, final int c, final int d, final int e)
    {
        begin(dest, handler);
        arrivals.look();
        return requester.tryRequest(dest, handler, a, b, c, d, e);
    }

    /**
     * Sends a request with a block, and polls until it is out.
     *
     * @param dest    rank of the receiver.
     * @param handler number of the receiver's {@link LongRequestHandler}.
     * @param a       first word.
     * @param b       second word.
     * @param buffer  that holds the block; handlers that run meanwhile must not change it.
     * @param offset  of the block in bytes.
     * @param length  of the block in bytes, at most {@link #MAX_BLOCK_LENGTH}.
     * @return as {@link #request}.
     * @throws IndexOutOfBoundsException if the block lies outside its buffer.
     * @throws IllegalArgumentException  if it is too long; otherwise as {@link #request}.
     */
    public long requestLong(
        final int dest, final int handler, final int a, final int b, final DirectBuffer buffer, final int offset,
        final int length)
    {
        begin(dest, handler);
        checkBlock(buffer, offset, length);
        requester.prepareLong(dest, handler, a, b, buffer, offset, length);
        return sendLong(dest);
    }

    private long sendLong(final int dest)
    {
        boolean isOut = false;
        try
        {
            work();
            final long deadline = deadlineNs();
            long result = requester.trySendLong();
            while (isToWait(result))
            {
                waitFor(dest, result, deadline);
                result = requester.trySendLong();
            }
            isOut = result >= 0;
            return result;
        }
        finally
        {
            // not out: its time is over, the receiver is gone, or something was thrown
            if (!isOut)
            {
                requester.abortLong();
            }
        }
    }

    /**
     * Writes bytes into a segment of the receiver, in requests of {@link #MAX_BLOCK_LENGTH} bytes, and polls until they are out.
     * They are in the segment before a request of this rank that is sent afterwards runs its handler. That some of them were
     * refused, since the segment is not there or too short, is said to the {@link FailureListener}.
     *
     * @param dest    rank of the receiver.
     * @param segment number of the receiver's segment.
     * @param place   offset in the segment in bytes.
     * @param buffer  that holds the bytes; handlers that run meanwhile must not change them.
     * @param offset  of the bytes in the buffer.
     * @param length  of them.
     * @return as {@link #request}.
     * @throws IndexOutOfBoundsException if the bytes lie outside their buffer.
     * @throws IllegalArgumentException  as {@link #request}; or if the place is negative.
     */
    public long store(
        final int dest, final int segment, final long place, final DirectBuffer buffer, final int offset, final int length)
    {
        begin(dest, segment);
        within(buffer, offset, length);
        if (place < 0)
        {
            throw new IllegalArgumentException("place is out of range: found=" + place + ", expected at least 0");
        }
        long result = 0;
        for (int done = 0; done < length && result >= 0; done += MAX_BLOCK_LENGTH)
        {
            requester.prepareStore(
                dest, segment, place + done, buffer, offset + done, Math.min(MAX_BLOCK_LENGTH, length - done));
            result = sendLong(dest);
        }
        return result;
    }

    private void beginPoll()
    {
        if (shared.running != Caller.PROGRAM)
        {
            throw new IllegalStateException("a handler does not poll: found=" + shared.running +
                "; doWork and awaitReplies are for the program, when the handler has returned");
        }
    }

    private void begin(final int dest, final int handler)
    {
        if (shared.running != Caller.PROGRAM)
        {
            throw new IllegalStateException("a handler sends no requests: found=" + shared.running + ", dest=" + dest +
                ", handler=" + handler + "; a request handler may answer by its token, and the program may send after the poll");
        }
        if (dest < 0 || dest >= shared.rankCount())
        {
            throw new IllegalArgumentException("dest is out of range: found=" + dest + ", expected=0 to " +
                (shared.rankCount() - 1));
        }
        Handlers.check(handler);
    }

    static void checkBlock(final DirectBuffer buffer, final int offset, final int length)
    {
        within(buffer, offset, length);
        if (length > MAX_BLOCK_LENGTH)
        {
            throw new IllegalArgumentException("a block is too long: found=" + length + " bytes, expected at most " +
                MAX_BLOCK_LENGTH + "; use store");
        }
    }

    private static void within(final DirectBuffer buffer, final int offset, final int length)
    {
        if ((offset | length) < 0 || offset > buffer.capacity() - length)
        {
            throw new IndexOutOfBoundsException("bytes lie outside of their buffer: found offset=" + offset + ", length=" +
                length + ", expected=0 to " + buffer.capacity());
        }
    }

    private static boolean isToWait(final long result)
    {
        return result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED;
    }

    private long beginWait()
    {
        shared.counters.add(Counter.WAITS);
        return deadlineNs();
    }

    private long deadlineNs()
    {
        return System.nanoTime() + shared.context.timeoutNs();
    }

    /** One turn of a loop that waits for a rank. */
    private void waitFor(final int dest, final long result, final long deadlineNs)
    {
        final long now = System.nanoTime();
        if (now - deadlineNs >= 0)
        {
            throw new RequestTimeoutException("rank " + dest + " takes no request: waited " +
                shared.context.timeoutNs() / 1_000_000 + " ms, " + shared.peer(dest).window.unansweredCount() +
                " of " + shared.context.window() + " requests are without answer, last result=" + Endpoint.errorString(result) +
                "; does the rank poll? ActiveMessagesContext.timeoutNs sets the time");
        }
        turn(deadlineNs);
    }

    private void turn(final long deadlineNs)
    {
        final int work = work();
        if (arrivals.isSlowedDown())
        {
            // a park would add to the times that are set
            rest(work);
        }
        else
        {
            idle.idle(work, deadlineNs);
        }
    }

    /** Looks again soon. Where ranks share a core the other one has to have a turn. */
    private void rest(final int work)
    {
        vainLooks = work > 0 ? 0 : vainLooks + 1;
        if (vainLooks % LOOKS_FOR_A_YIELD == LOOKS_FOR_A_YIELD - 1)
        {
            Thread.yield();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /**
     * Polls until all requests of this rank were answered, and all answers that it owes have gone.
     *
     * @return 0; {@link Endpoint#CLOSED} if the endpoint is closed.
     * @throws IllegalStateException   from within a handler.
     * @throws RequestTimeoutException if a rank does not answer for {@link ActiveMessagesContext#timeoutNs(long)}.
     */
    public long awaitReplies()
    {
        beginPoll();
        final long deadline = deadlineNs();
        work();
        while (!shared.isClosed && (unanswered() > 0 || responder.hasStored()))
        {
            if (System.nanoTime() - deadline >= 0)
            {
                throw new RequestTimeoutException("requests are without answer: waited " +
                    shared.context.timeoutNs() / 1_000_000 + " ms, found=" + unanswered() + ", the first one at rank " +
                    firstUnanswered() + "; does it poll? ActiveMessagesContext.timeoutNs sets the time");
            }
            turn(deadline);
        }
        return shared.isClosed ? Endpoint.CLOSED : 0;
    }

    /**
     * Requests of this rank that are without answer.
     *
     * @return their number.
     */
    public int unanswered()
    {
        int count = 0;
        for (int rank = 0; rank < shared.rankCount(); rank++)
        {
            final Peer peer = shared.peerOrNull(rank);
            count += peer == null ? 0 : peer.window.unansweredCount();
        }
        return count;
    }

    private int firstUnanswered()
    {
        int rank = 0;
        while (rank < shared.rankCount() - 1 &&
            (shared.peerOrNull(rank) == null || shared.peerOrNull(rank).window.unansweredCount() == 0))
        {
            rank++;
        }
        return rank;
    }

    /**
     * Polls the endpoint, runs the handlers of what has come, and sends answers that had to wait.
     *
     * @return amount of work that was done.
     * @throws IllegalStateException     from within a handler.
     * @throws AgentTerminationException if this or the endpoint is closed.
     */
    @Override
    public int doWork()
    {
        if (shared.isClosed)
        {
            throw new AgentTerminationException("the active messages are closed: " + shared.endpoint);
        }
        beginPoll();
        return work();
    }

    private int work()
    {
        if (shared.isClosed)
        {
            return 0;
        }
        arrivals.look();
        final int polled = shared.endpoint.poll(others, shared.context.pollLimit());
        if (polled == Endpoint.CLOSED)
        {
            end();
            return 1;
        }
        return polled + arrivals.work() + responder.work();
    }

    private void end()
    {
        shared.isClosed = true;
        for (int rank = 0; rank < shared.rankCount(); rank++)
        {
            final Peer peer = shared.peerOrNull(rank);
            if (peer != null)
            {
                requester.failAll(peer, RequestFailure.CLOSED);
                peer.forgetRequests();
            }
        }
    }

    /**
     * What was counted.
     *
     * @return the counters. Any thread may read them.
     */
    public ActiveMessagesCounters counters()
    {
        return shared.counters;
    }

    /**
     * Ends the channel; the endpoint stays open. Requests without answer are told as {@link RequestFailure#CLOSED}. What others
     * asked for and was not answered stays without answer: a program ends when all ranks are done. Idempotent.
     */
    @Override
    public void close()
    {
        if (!shared.isClosed)
        {
            end();
        }
        arrivals.close();
    }

    @Override
    public String roleName()
    {
        return "active messages of " + shared.endpoint.rank();
    }

    @Override
    public String toString()
    {
        return "ActiveMessages{rank=" + shared.endpoint.rank() + ", window=" + shared.context.window() + ", unanswered=" +
            unanswered() + ", closed=" + shared.isClosed + '}';
    }
}
