// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.rma.Loan;
import org.tallypost.messaging.rma.LoanedMessage;

/**
 * Messages that are matched to receives by context, source and tag, as MPI does it, over an {@link Endpoint}.
 *
 * <pre>
 *   messenger.receive(receive, world, ANY_SOURCE, 7, buffer, 0, 100);
 *   messenger.send(send, world, 1, 7, message, 0, 8);
 *   messenger.await(receive, Messenger.FOREVER);
 * </pre>
 *
 * <p><b>Threads.</b> All methods are for one thread, the one that polls the endpoint. Nothing happens but in {@link #doWork()}
 * and in calls that start something. No call blocks but those with names that begin with {@code await}.
 *
 * <p><b>Order.</b> Of two messages from one rank in one context that both fit a receive, the one that was sent first is matched
 * first, whether they are short or long. Of two receives that fit a message, the one that was posted first gets it.
 *
 * <p><b>Memory.</b> Messages that no receive is there for take at most {@link MessengerContext#maxUnexpectedBytes()}, whatever
 * the senders do: a sender that has used up its window keeps its messages. Nothing is allocated for a message after the start,
 * but when more requests are active, or more messages wait, than ever before.
 *
 * <p><b>Progress.</b> A message that goes with its bytes needs nothing further from its sender. One that was announced goes when
 * sender and receiver both call {@link #doWork()}. A sender with more announcements than {@link MessengerContext#announcements()}
 * waits until a receive has matched one of them, so a receive must not wait for a later one alone. So does a rank with
 * {@link MessengerContext#maxRequests()} sends that wait for an answer, whatever ranks these and further ones are for.
 *
 * <p><b>The end.</b> When a messenger is closed, or its endpoint is, requests to it at other ranks end with
 * {@link RequestResult#PEER_GONE}. To begin anew, launch another one on the same endpoint, or open the rank again.
 */
public final class Messenger implements Agent, AutoCloseable
{
    /** As a timeout: without end. */
    public static final long FOREVER = Long.MAX_VALUE;

    private static final int ROUNDS_FOR_A_LOOK = 8;

    private final MessengerState shared;
    private final OutgoingMessages outgoing;
    private final IncomingMessages incoming;
    private final LocalSends localSends;
    private final MessengerLoop loop;
    private final BufferedSends buffered = new BufferedSends();
    private final DeadlineIdleStrategy idle;
    private final Communicator world;
    private int passes;

    private Messenger(final MessengerContext context)
    {
        shared = new MessengerState(context);
        outgoing = new OutgoingMessages(shared);
        incoming = new IncomingMessages(shared, outgoing);
        localSends = new LocalSends(shared, incoming.own(), outgoing);
        loop = new MessengerLoop(shared, incoming, outgoing, localSends);
        idle = shared.endpoint.newIdleStrategy();
        world = new Communicator(shared, 0);
        shared.communicators.add(world);
    }

    /**
     * A messenger over an endpoint that was not polled yet, or that has had a messenger which is closed.
     *
     * @param context that is concluded here.
     * @return the messenger.
     * @throws IllegalArgumentException if a setting is out of range.
     * @throws IllegalStateException if a channel is in use, or the endpoint is closed.
     */
    public static Messenger launch(final MessengerContext context)
    {
        context.conclude();
        final Messenger messenger = new Messenger(context);
        messenger.loop.open();
        return messenger;
    }

    MessengerState state()
    {
        return shared;
    }

    /**
     * The settings in effect.
     *
     * @return the context that the messenger was launched with.
     */
    public MessengerContext context()
    {
        return shared.context;
    }

    /**
     * The counters.
     *
     * @return the counters.
     */
    public MessengerCounters counters()
    {
        return shared.counters;
    }

    /**
     * All ranks of the endpoint's group, with context 0.
     *
     * @return the communicator.
     */
    public Communicator world()
    {
        return world;
    }

    /**
     * Makes a communicator of some ranks. All members do so with the same arguments.
     *
     * @param context of its messages, not in use here, at least 1.
     * @param ranks   of the members in the group of the endpoint, the own one among them.
     * @return the communicator.
     * @throws IllegalArgumentException if the context is in use, or the ranks cannot be.
     */
    public Communicator communicator(final int context, final int... ranks)
    {
        shared.communicators.checkFree(context);
        return enter(new Communicator(shared, context, ranks));
    }

    private Communicator enter(final Communicator made)
    {
        incoming.store().purge(made.context(), made);
        shared.communicators.add(made);
        return made;
    }

    /**
     * Makes a communicator of the same ranks with another context.
     *
     * @param of      ranks of this one.
     * @param context of its messages, not in use here, at least 1.
     * @return the communicator.
     * @throws IllegalArgumentException if the context is in use, or the communicator is of another messenger.
     */
    public Communicator duplicate(final Communicator of, final int context)
    {
        of.checkOwner(shared);
        of.check();
        shared.communicators.checkFree(context);
        return enter(of.members() == null ? new Communicator(shared, context) :
            new Communicator(shared, context, of.members()));
    }

    /**
     * Ends a communicator. Unexpected messages of its context are dropped.
     *
     * @param communicator that is not the world.
     * @throws IllegalStateException if it was freed, a request of it is active, or a message of it is held by
     *         {@link #matchedProbe}: receive it before.
     * @throws IllegalArgumentException if it is of another messenger.
     */
    public void free(final Communicator communicator)
    {
        shared.checkNotAsking();
        communicator.checkOwner(shared);
        communicator.check();
        if (communicator == world)
        {
            throw new IllegalStateException("the world is never freed: close the messenger");
        }
        communicator.free();
        shared.communicators.remove(communicator);
        incoming.store().purge(communicator.context(), null);
    }

    /**
     * Sends a message: it is done when the buffer may be used again.
     *
     * @param request      that is free.
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it; the own one is allowed.
     * @param tag          at least 0.
     * @param buffer       that holds the message.
     * @param offset       of the message in bytes.
     * @param length       of the message in bytes.
     * @return true if it is done; {@link Request#result()} says how.
     * @throws IllegalStateException if the request is active, or the communicator was freed.
     * @throws IllegalArgumentException if rank, tag or length cannot be.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     */
    public boolean send(
        final SendRequest request, final Communicator communicator, final int dest, final int tag, final DirectBuffer buffer,
        final int offset, final int length)
    {
        request.prepare(SendMode.STANDARD, communicator, dest, tag, buffer, offset, length);
        start(request);
        return request.isDone();
    }

    /**
     * Sends a short message if it can go at once with its bytes, and needs no request for that: to another rank, by a context and
     * a tag that cost no bytes, and past nothing that waits for the same rank.
     *
     * @param communicator of the message.
     * @param dest   rank of the receiver in the communicator.
     * @param tag    of the message.
     * @param buffer with the message, which may be used again when this returns.
     * @param offset of the message in it.
     * @param length of the message in bytes.
     * @return SUCCESS if it has gone, PEER_GONE if it never will; NONE if it has not, and {@link #send} is to be called.
     * @throws IllegalArgumentException  if there is no such rank or tag, or the communicator is of another messenger.
     * @throws IndexOutOfBoundsException if the bytes lie outside of the buffer.
     * @throws IllegalStateException     if the communicator was freed.
     */
    public RequestResult trySend(
        final Communicator communicator, final int dest, final int tag, final DirectBuffer buffer, final int offset,
        final int length)
    {
        shared.checkNotAsking();
        communicator.checkOwner(shared);
        Request.check(communicator, dest, tag, 0);
        Request.checkRange(buffer, offset, length);
        return shared.isClosed ? RequestResult.NONE :
            outgoing.trySend(communicator.context(), communicator.endpointRank(dest), tag, buffer, offset, length);
    }

    /**
     * Sends a message that was written into a loan: {@link SendRequest#prepare(Communicator, int, int, Loan)}.
     *
     * @param request      that is free.
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it.
     * @param tag          at least 0.
     * @param loan         that is being written.
     * @return true if it is done.
     */
    public boolean send(
        final SendRequest request, final Communicator communicator, final int dest, final int tag, final Loan loan)
    {
        start(request.prepare(communicator, dest, tag, loan));
        return request.isDone();
    }

    /**
     * As {@link #send}, but it is not done before the message is matched.
     *
     * @param request      that is free.
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it.
     * @param tag          at least 0.
     * @param buffer       that holds the message.
     * @param offset       of the message in bytes.
     * @param length       of the message in bytes.
     * @return true if it is done.
     */
    public boolean sendSynchronous(
        final SendRequest request, final Communicator communicator, final int dest, final int tag, final DirectBuffer buffer,
        final int offset, final int length)
    {
        request.prepare(SendMode.SYNCHRONOUS, communicator, dest, tag, buffer, offset, length);
        start(request);
        return request.isDone();
    }

    /**
     * Sends a copy of a message: the buffer may be used again at once. The copy lies in the buffer that was attached, until it
     * has gone.
     *
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it.
     * @param tag          at least 0.
     * @param buffer       that holds the message.
     * @param offset       of the message in bytes.
     * @param length       of the message in bytes.
     * @return {@link RequestResult#SUCCESS}; {@link RequestResult#NONE} if there is no room for the copy now, and nothing was
     *         sent; else how {@link #send} would have ended at once, as {@link RequestResult#CLOSED} or
     *         {@link RequestResult#PEER_GONE}.
     * @throws IllegalStateException if no buffer is attached.
     */
    public RequestResult sendBuffered(
        final Communicator communicator, final int dest, final int tag, final DirectBuffer buffer, final int offset,
        final int length)
    {
        Request.check(communicator, dest, tag, 0);
        Request.checkRange(buffer, offset, length);
        final SendRequest copy = buffered.copy(buffer, offset, length);
        if (copy == null)
        {
            return shared.isClosed ? RequestResult.CLOSED : RequestResult.NONE;
        }
        copy.prepare(SendMode.STANDARD, communicator, dest, tag, copy.buffer, copy.offset, length);
        start(copy);
        return copy.isDone() ? copy.result() : RequestResult.SUCCESS;
    }

    /**
     * Gives {@link #sendBuffered} memory for its copies.
     *
     * @param buffer with the memory.
     * @param offset of it.
     * @param length of it in bytes.
     * @throws IllegalStateException if a buffer is attached.
     */
    public void attachBuffer(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        buffered.attach(buffer, offset, length);
    }

    /**
     * Takes the buffer back, if all copies in it have gone; {@link #doWork()} sends them.
     *
     * @return false if some have not: the buffer is still in use.
     */
    public boolean detachBuffer()
    {
        if (!buffered.isEmpty())
        {
            return false;
        }
        buffered.detach();
        return true;
    }

    /**
     * Posts a receive, or gives it a message that is there.
     *
     * @param request      that is free.
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param tag          at least 0, or {@link Communicator#ANY_TAG}.
     * @param buffer       that gets the message.
     * @param offset       of the message in bytes.
     * @param capacity     most bytes that are written.
     * @return true if it is done; {@link Request#result()} says how.
     * @throws IllegalStateException if the request is active, the communicator was freed, or too many receives are active.
     * @throws IllegalArgumentException if rank, tag or capacity cannot be.
     * @throws IndexOutOfBoundsException if the room lies outside its buffer.
     */
    public boolean receive(
        final ReceiveRequest request, final Communicator communicator, final int source, final int tag,
        final MutableDirectBuffer buffer, final int offset, final int capacity)
    {
        request.prepare(communicator, source, tag, buffer, offset, capacity);
        start(request);
        return request.isDone();
    }

    /**
     * Posts a receive that gets its message in memory that is lent:
     * {@link ReceiveRequest#prepareLoaned(Communicator, int, int, LoanedMessage)}.
     *
     * @param request      that is free.
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param tag          at least 0, or {@link Communicator#ANY_TAG}.
     * @param message      that holds none; to be released by the program once the receive is done.
     * @return true if it is done.
     */
    public boolean receiveLoaned(
        final ReceiveRequest request, final Communicator communicator, final int source, final int tag,
        final LoanedMessage message)
    {
        start(request.prepareLoaned(communicator, source, tag, message));
        return request.isDone();
    }

    /**
     * Receives a message that was taken by {@link #matchedProbe}.
     *
     * @param request  that is free.
     * @param message  that is held; it is not after this.
     * @param buffer   that gets the message.
     * @param offset   of the message in bytes.
     * @param capacity most bytes that are written.
     * @return true if it is done.
     * @throws IllegalStateException if the request is active, no message is held, or too many receives are active.
     */
    public boolean receive(
        final ReceiveRequest request, final MatchedMessage message, final MutableDirectBuffer buffer, final int offset,
        final int capacity)
    {
        message.checkHeld(true);
        request.prepare(message.communicator, message.envelope().source(), message.envelope().tag(), buffer, offset, capacity);
        return receiveHeld(request, message);
    }

    /**
     * Receives a message that was taken by {@link #matchedProbe}, in memory that is lent, as {@link #receiveLoaned}.
     *
     * @param request that is free.
     * @param message that is held; it is not after this.
     * @param loaned  that holds none; to be released by the program once the receive is done.
     * @return true if it is done.
     */
    public boolean receiveLoaned(final ReceiveRequest request, final MatchedMessage message, final LoanedMessage loaned)
    {
        message.checkHeld(true);
        request.prepareLoaned(message.communicator, message.envelope().source(), message.envelope().tag(), loaned);
        return receiveHeld(request, message);
    }

    private boolean receiveHeld(final ReceiveRequest request, final MatchedMessage message)
    {
        message.communicator.checkOwner(shared);
        request.checkLoaned(shared.context.regionMemory());
        incoming.table().checkRoom();
        begin(request);
        request.clear();
        final int entry = message.entry;
        message.entry = UnexpectedMessages.NONE;
        message.communicator.heldCount--;
        if (shared.isClosed)
        {
            shared.complete(request, RequestResult.CLOSED);
            return true;
        }
        request.holdLoaned();
        incoming.takeHeld(request, entry, message.life);
        return request.isDone();
    }

    private void begin(final Request request)
    {
        shared.checkNotAsking();
        request.communicator.checkOwner(shared);
        request.communicator.check();
        request.result = RequestResult.NONE;
        request.communicator.activeCount++;
    }

    /**
     * Starts a send that was prepared ({@link SendRequest#prepare}).
     *
     * @param request that is free.
     * @throws IllegalStateException if it is active or was not prepared, or its communicator was freed.
     */
    public void start(final SendRequest request)
    {
        request.checkPrepared();
        request.checkLoan();
        begin(request);
        request.isAnnounced = false;
        request.isPlaced = false;
        request.isCancelWanted = false;
        request.isFailed = false;
        request.refusals = 0;
        if (shared.isClosed)
        {
            shared.complete(request, RequestResult.CLOSED);
            return;
        }
        request.holdLoan();
        if (request.peer == shared.own)
        {
            localSends.start(request);
        }
        else
        {
            outgoing.start(request);
        }
    }

    /**
     * Starts a receive that was prepared ({@link ReceiveRequest#prepare}).
     *
     * @param request that is free.
     * @throws IllegalStateException if it is active or was not prepared, its communicator was freed, or too many receives are
     *         active.
     */
    public void start(final ReceiveRequest request)
    {
        request.checkPrepared();
        request.checkLoaned(shared.context.regionMemory());
        incoming.table().checkRoom();
        begin(request);
        request.clear();
        if (shared.isClosed)
        {
            shared.complete(request, RequestResult.CLOSED);
        }
        else
        {
            request.holdLoaned();
            incoming.start(request);
        }
    }

    /**
     * Starts several requests, in their order.
     *
     * @param requests that were prepared.
     */
    public void startAll(final Request... requests)
    {
        for (final Request request : requests)
        {
            if (request instanceof SendRequest)
            {
                start((SendRequest)request);
            }
            else
            {
                start((ReceiveRequest)request);
            }
        }
    }

    /**
     * Cancels a receive that is not matched. It is done then.
     *
     * @param request to cancel.
     * @return false if it is matched or done: nothing has happened.
     * @throws IllegalArgumentException if it is a request of another messenger.
     */
    public boolean cancel(final ReceiveRequest request)
    {
        checkOwner(request);
        return incoming.cancel(request);
    }

    /**
     * Asks to cancel a send. If the receiver knows of the message it has to be asked; then the request goes on, and its result
     * says {@link RequestResult#CANCELLED}, or that it was matched before.
     *
     * @param request to cancel.
     * @return true if it is cancelled now.
     * @throws IllegalArgumentException if it is a request of another messenger.
     */
    public boolean cancel(final SendRequest request)
    {
        checkOwner(request);
        if (request.state == RequestState.ANNOUNCED && request.peer == shared.own)
        {
            if (incoming.store().cancelOwn(request))
            {
                outgoing.end(request, RequestResult.CANCELLED);
            }
        }
        else
        {
            outgoing.cancel(request);
        }
        return request.result == RequestResult.CANCELLED;
    }

    private void checkOwner(final Request request)
    {
        if (request.communicator != null)
        {
            request.communicator.checkOwner("request", shared);
        }
    }

    /** Misuse: this messenger never carries on a request of another one. Null stands for no request. */
    void checkOwners(final Request... requests)
    {
        for (final Request request : requests)
        {
            if (request != null)
            {
                checkOwner(request);
            }
        }
    }

    /**
     * Looks for a message that a receive with these arguments would get, and leaves it there.
     *
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param tag          at least 0, or {@link Communicator#ANY_TAG}.
     * @param envelope     gets source, tag and length.
     * @return false if there is none.
     */
    public boolean probe(final Communicator communicator, final int source, final int tag, final Envelope envelope)
    {
        communicator.checkOwner(shared);
        return incoming.store().probe(communicator, source, tag, envelope);
    }

    /**
     * Looks for a message as {@link #probe}, and takes it out of matching, so that no other receive gets it.
     *
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param tag          at least 0, or {@link Communicator#ANY_TAG}.
     * @param message      that holds none; gets the message.
     * @return false if there is none.
     * @throws IllegalStateException if a message is held.
     */
    public boolean matchedProbe(final Communicator communicator, final int source, final int tag, final MatchedMessage message)
    {
        message.checkHeld(false);
        communicator.checkOwner(shared);
        return incoming.store().hold(communicator, source, tag, message);
    }

    /**
     * Polls the endpoint, sends what waits, and calls the listeners of requests that are done.
     *
     * @return amount of work that was done.
     * @throws AgentTerminationException if the messenger or its endpoint is closed, and all requests have ended.
     */
    @Override
    public int doWork()
    {
        return loop.doWork();
    }

    /**
     * Waits for a request; {@link Requests} waits for several.
     *
     * @param request   to wait for.
     * @param timeoutNs longest time, in nanoseconds; {@link #FOREVER} for no limit.
     * @return false if the time is over, and it is still active.
     * @throws IllegalArgumentException if it is a request of another messenger.
     */
    public boolean await(final Request request, final long timeoutNs)
    {
        checkOwner(request);
        // a look at the clock takes as long as a short message: none before the first round, and then one for some rounds
        if (timeoutNs > 0 && request.isActive() && !shared.isClosed)
        {
            work(request);
        }
        if (!request.isActive())
        {
            return true;
        }
        final long deadlineNs = deadline(timeoutNs);
        boolean isOver = isOver(deadlineNs);
        for (int rounds = 1; request.isActive() && !isOver; rounds++)
        {
            idle.idle(work(request), deadlineNs);
            isOver = shared.isClosed || rounds % ROUNDS_FOR_A_LOOK == 0 && isOver(deadlineNs);
        }
        return !request.isActive();
    }

    /**
     * A round for a request. A receive takes no more messages than receives are posted: those behind would be kept for receives
     * to come, which costs a copy.
     */
    private int work(final Request request)
    {
        return loop.doWork(request instanceof ReceiveRequest ? Math.max(1, incoming.posted()) : Integer.MAX_VALUE);
    }

    /**
     * Waits for a message as {@link #probe} finds it.
     *
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param tag          at least 0, or {@link Communicator#ANY_TAG}.
     * @param envelope     gets source, tag and length.
     * @param timeoutNs    longest time, in nanoseconds; {@link #FOREVER} for no limit.
     * @return false if the time is over, and there is none.
     */
    public boolean awaitProbe(
        final Communicator communicator, final int source, final int tag, final Envelope envelope, final long timeoutNs)
    {
        final long deadlineNs = deadline(timeoutNs);
        boolean isFound = probe(communicator, source, tag, envelope);
        while (!isFound && pass(deadlineNs))
        {
            isFound = probe(communicator, source, tag, envelope);
        }
        return isFound;
    }

    static long deadline(final long timeoutNs)
    {
        return timeoutNs == FOREVER ? DeadlineIdleStrategy.NO_DEADLINE : System.nanoTime() + timeoutNs;
    }

    private boolean isOver(final long deadlineNs)
    {
        return shared.isClosed || deadlineNs != DeadlineIdleStrategy.NO_DEADLINE && System.nanoTime() - deadlineNs >= 0;
    }

    /** A turn of a loop that waits: false if there will be none. */
    boolean pass(final long deadlineNs)
    {
        if (shared.isClosed || ++passes % ROUNDS_FOR_A_LOOK == 0 && isOver(deadlineNs))
        {
            return false;
        }
        idle.idle(doWork(), deadlineNs);
        return true;
    }

    /**
     * How a thread that has nothing to do passes the time: {@link Endpoint#newIdleStrategy(Endpoint...)}.
     *
     * @return a strategy for a loop around {@link #doWork()}.
     */
    public DeadlineIdleStrategy newIdleStrategy()
    {
        return shared.endpoint.newIdleStrategy();
    }

    /** Name of the agent: the rank. */
    @Override
    public String roleName()
    {
        return "tallypost-messenger-" + shared.own;
    }

    @Override
    public void onClose()
    {
        close();
    }

    /**
     * Ends all active requests with {@link RequestResult#CLOSED}. What waits to be sent is lost: wait for it before. The endpoint
     * stays open, and its channels may be opened by others. Until they are, the ranks that the messenger has met hear that it is
     * closed, and so do those that send to it later: as long as the endpoint is polled. The thread of the messenger;
     * idempotent.
     */
    @Override
    public void close()
    {
        loop.close();
    }
}
