// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;
import static org.tallypost.endpoint.Endpoint.TOO_LONG;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.CONTEXT_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.EXTENDED_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.HELLO_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.MESSAGE_LENGTH_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PLACED_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.RTS_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.SEND_ID_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.SESSION_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.SYNC_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.TAG_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.VERSION;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.VERSION_OFFSET;

import java.util.concurrent.ThreadLocalRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * Sends to other ranks: which way each message goes, the order of those to one rank, and what their receivers answer. One thread.
 */
final class OutgoingMessages
{
    /** The window is used up: there is nothing to do until the receiver tells more. */
    private static final long NO_WINDOW = -100;
    /** A message for which there was no room in the window, or in one run, as often as this is announced. */
    private static final int MAX_REFUSALS = 64;
    /** Stands for all ranks. */
    private static final int ALL = -1;
    /** What fits into one slot is never refused for its length. */
    private static final int ONE_SLOT_LENGTH = 48;

    private final MessengerState shared;
    private final Endpoint endpoint;
    private final RequestTable<SendRequest> table;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HeadDescriptor.MAX_LENGTH]);
    private final SendPlaces places;
    private final OutgoingData data;
    private final StagedSends staged;

    OutgoingMessages(final MessengerState shared)
    {
        this.shared = shared;
        endpoint = shared.endpoint;
        places = new SendPlaces(shared);
        table = new RequestTable<>("sends", shared.context.maxRequests(),
            1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), new SendRequest[0]);
        data = new OutgoingData(shared, this);
        staged = new StagedSends(shared, this, data);
    }

    RequestTable<SendRequest> table()
    {
        return table;
    }

    /** Goes on with messages that go by the bulk stream: 0 if there are none. */
    int progressStaged()
    {
        return staged.progress();
    }

    /** Sends a message, or leaves it behind those that wait for the same rank. */
    void start(final SendRequest request)
    {
        final Pair pair = shared.pair(request.peer);
        request.state = RequestState.QUEUED;
        if (!pair.out.waiting.isEmpty() || !isSettled(pair, request, attempt(pair.out, request)))
        {
            pair.out.waiting.add(request);
            shared.list(pair);
        }
    }

    /** As {@link Messenger#trySend}. */
    RequestResult trySend(
        final int context, final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final Pair pair = shared.pair(dest);
        final int cost = UnexpectedMessages.cost(length);
        // what fits into one slot is never refused for its length
        if (dest == shared.own || length > ONE_SLOT_LENGTH || length > shared.context.limitOf(dest) || !pair.out.isGreeted ||
            !pair.out.waiting.isEmpty() || !MessageKind.isCompact(context, tag) || !pair.out.window.admits(cost))
        {
            return RequestResult.NONE;
        }
        final long code = endpoint.offer(dest, shared.tag(MessageKind.EAGER, MessageKind.compact(context, tag)), buffer, offset,
            length);
        if (code >= 0)
        {
            onEagerSent(pair.out, cost, length);
            return RequestResult.SUCCESS;
        }
        if (code == PEER_GONE)
        {
            lose(pair, RequestResult.PEER_GONE);
            return RequestResult.PEER_GONE;
        }
        return RequestResult.NONE;
    }

    private void onEagerSent(final Pair.Outgoing out, final int cost, final int length)
    {
        out.refusals = 0;
        out.window.onSent(cost);
        shared.onShort();
        shared.counters.add(Counter.SENT_EAGER, 1);
        shared.counters.add(Counter.SENT_BYTES, length);
    }

    /** Whether an attempt has come to an end, good or bad. */
    private boolean isSettled(final Pair pair, final SendRequest request, final long code)
    {
        if (code == PEER_GONE)
        {
            lose(pair, RequestResult.PEER_GONE);
            if (request.isActive())
            {
                end(request, RequestResult.PEER_GONE);
            }
            return true;
        }
        return code >= 0;
    }

    /** An attempt that throws ends its request, and those behind it go on. */
    private long attempt(final Pair.Outgoing out, final SendRequest request)
    {
        boolean hasThrown = true;
        try
        {
            final long code = send(out, request);
            hasThrown = false;
            return code;
        }
        finally
        {
            if (hasThrown && request.isActive())
            {
                end(request, RequestResult.FAILED);
            }
        }
    }

    private long send(final Pair.Outgoing out, final SendRequest request)
    {
        if (!out.isGreeted)
        {
            final long code = meet(out, request.peer);
            if (code < 0)
            {
                return code;
            }
        }
        // one that was refused so often is announced, if it may be: a refused offer to another node spends the credits that are
        // left. Announcements may all be of messages that the receiver takes only behind this one.
        if (isEager(request) && (request.refusals <= MAX_REFUSALS || !out.window.admitsAnnouncement()))
        {
            final int cost = UnexpectedMessages.cost(request.length);
            if (out.window.admits(cost))
            {
                out.refusals = 0;
                final long code = offerEager(out, request, cost);
                final boolean isRefusedForLength = code == NO_CREDIT && request.length > ONE_SLOT_LENGTH &&
                    ++request.refusals > MAX_REFUSALS;
                if (code != TOO_LONG && !isRefusedForLength)
                {
                    return code;
                }
            }
            else if (out.refusals < MAX_REFUSALS)
            {
                // an announcement takes three messages, and a receiver that keeps up opens the window sooner
                out.refusals++;
                return NO_WINDOW;
            }
        }
        if (out.window.admits(UnexpectedMessages.PLACED_COST) && places.find(request))
        {
            return announcePlaced(out, request);
        }
        return out.window.admitsAnnouncement() ? announce(out, request) : NO_WINDOW;
    }

    /** Announces a message, and says where it lies. */
    private long announcePlaced(final Pair.Outgoing out, final SendRequest request)
    {
        if (!hasId(request))
        {
            places.leave(request);
            return NO_WINDOW;
        }
        putHead(request);
        places.put(head);
        final long code = endpoint.offer(request.peer,
            shared.tag(places.kind(), 0), head, 0, PLACED_LENGTH);
        if (code < 0)
        {
            places.leave(request);
            return code;
        }
        out.window.onSent(UnexpectedMessages.PLACED_COST);
        shared.counters.add(Counter.SENT_ANNOUNCED, 1);
        places.count(shared.counters, request);
        request.isAnnounced = true;
        request.isPlaced = true;
        request.state = RequestState.ANNOUNCED;
        return code;
    }

    /**
     * Greets a rank. The endpoint says once of each incarnation that was lost that it is gone, also if the next one is open: what
     * was sent to that one has ended before, and this message is for the one that is open.
     */
    private long meet(final Pair.Outgoing out, final int dest)
    {
        final long code = greet(out, dest);
        return code == PEER_GONE && RankState.of(endpoint.rankState(dest)) == RankState.OPEN ? greet(out, dest) : code;
    }

    private long greet(final Pair.Outgoing out, final int dest)
    {
        final int incarnation = RankState.incarnation(endpoint.rankState(dest));
        final long session = shared.newSession();
        head.putLong(SESSION_OFFSET, session, LITTLE_ENDIAN);
        head.putLong(VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        final long code = endpoint.offer(dest, shared.tag(MessageKind.HELLO, 0), head, 0, HELLO_LENGTH);
        if (code >= 0)
        {
            out.window.reset(session);
            out.isGreeted = true;
            out.goodbyes = 0;
            out.incarnation = incarnation;
        }
        return code;
    }

    private boolean isEager(final SendRequest request)
    {
        final int headLength = request.isSynchronous() ? SYNC_LENGTH :
            MessageKind.isCompact(request.communicator.context(), request.tag) ? 0 : EXTENDED_LENGTH;
        return !request.isLoan() &&
            request.length <= Math.min(shared.context.limitOf(request.peer), Endpoint.MAX_RUN_LENGTH - headLength) &&
            !places.isBetterThanEager(request);
    }

    private long offerEager(final Pair.Outgoing out, final SendRequest request, final int cost)
    {
        final int context = request.communicator.context();
        final long code;
        if (request.isSynchronous())
        {
            if (!hasId(request))
            {
                return NO_WINDOW;
            }
            code = offerBehindHead(request, MessageKind.EAGER_SYNC, SYNC_LENGTH);
        }
        else if (MessageKind.isCompact(context, request.tag))
        {
            code = endpoint.offer(request.peer, shared.tag(MessageKind.EAGER, MessageKind.compact(context, request.tag)),
                request.buffer, request.offset, request.length);
        }
        else
        {
            code = offerBehindHead(request, MessageKind.EAGER_EXTENDED, EXTENDED_LENGTH);
        }
        if (code >= 0)
        {
            onEagerSent(out, cost, request.length);
            request.state = RequestState.ANNOUNCED;
            if (!request.isSynchronous())
            {
                end(request, RequestResult.SUCCESS);
            }
        }
        return code;
    }

    private long offerBehindHead(final SendRequest request, final int kind, final int headLength)
    {
        putHead(request);
        return endpoint.offer(request.peer, shared.tag(kind, 0), head, 0, headLength, request.buffer, request.offset,
            request.length);
    }

    private void putHead(final SendRequest request)
    {
        head.putInt(CONTEXT_OFFSET, request.communicator.context(), LITTLE_ENDIAN);
        head.putInt(TAG_OFFSET, request.tag, LITTLE_ENDIAN);
        head.putLong(SEND_ID_OFFSET, request.id, LITTLE_ENDIAN);
        head.putLong(MESSAGE_LENGTH_OFFSET, request.length, LITTLE_ENDIAN);
    }

    private boolean hasId(final SendRequest request)
    {
        if (request.id == 0 && !table.isFull())
        {
            table.add(request);
        }
        return request.id != 0;
    }

    private long announce(final Pair.Outgoing out, final SendRequest request)
    {
        if (!hasId(request))
        {
            return NO_WINDOW;
        }
        putHead(request);
        final long code = endpoint.offer(request.peer, shared.tag(MessageKind.RTS, 0), head, 0, RTS_LENGTH);
        if (code >= 0)
        {
            out.window.onAnnounced();
            shared.counters.add(Counter.SENT_ANNOUNCED, 1);
            request.isAnnounced = true;
            request.state = RequestState.ANNOUNCED;
        }
        return code;
    }

    /** Sends on what waits for a pair. */
    int progress(final Pair pair)
    {
        return tellCancels(pair) + data.start(pair) + sendWaiting(pair);
    }

    private int tellCancels(final Pair pair)
    {
        int work = 0;
        for (Request first = pair.out.cancels.first(); first != null; first = pair.out.cancels.first())
        {
            final SendRequest request = (SendRequest)first;
            putHead(request);
            final long code = endpoint.offer(pair.rank, shared.tag(MessageKind.CANCEL, 0), head, 0, SYNC_LENGTH);
            if (code == PEER_GONE)
            {
                lose(pair, RequestResult.PEER_GONE);
            }
            else if (code < 0)
            {
                return work;
            }
            else
            {
                pair.out.cancels.remove(request);
            }
            work++;
        }
        return work;
    }

    private int sendWaiting(final Pair pair)
    {
        int work = 0;
        for (Request first = pair.out.waiting.first(); first != null; first = pair.out.waiting.first())
        {
            final SendRequest request = (SendRequest)first;
            final long code = attempt(pair.out, request);
            if (!isSettled(pair, request, code))
            {
                return work;
            }
            if (request.queue == pair.out.waiting)
            {
                pair.out.waiting.remove(request);
            }
            work++;
        }
        return work;
    }

    /** Ends a request, and takes it out of where it is. */
    void end(final SendRequest request, final RequestResult result)
    {
        data.stop(request);
        staged.stop(request);
        if (request.queue != null)
        {
            request.queue.remove(request);
        }
        if (request.id != 0)
        {
            table.remove(request);
        }
        places.end(request, result);
        shared.complete(request, result);
    }

    /** Begins to cancel. */
    void cancel(final SendRequest request)
    {
        final Pair pair = shared.pair(request.peer);
        if (request.state == RequestState.QUEUED)
        {
            shared.counters.add(Counter.CANCELLED, 1);
            end(request, RequestResult.CANCELLED);
        }
        else if (request.state == RequestState.ANNOUNCED && !request.isCancelWanted)
        {
            request.isCancelWanted = true;
            pair.out.cancels.add(request);
            shared.list(pair);
        }
    }

    /** An announced message is matched: with the head that names a staging area, or null. */
    void onClearToSend(
        final int source, final long id, final long receiveId, final long wanted, final DirectBuffer staging, final int offset)
    {
        final SendRequest request = answered(source, id);
        if (request == null || !request.isAnnounced || wanted < 0 || wanted > request.length)
        {
            shared.refuse();
            return;
        }
        final boolean isHere = places.leave(request);
        if (!isHere)
        {
            shared.refuse();
        }
        if (wanted == 0)
        {
            end(request, isHere ? RequestResult.SUCCESS : RequestResult.FAILED);
            return;
        }
        final Pair pair = shared.pair(source);
        if (request.queue != null)
        {
            request.queue.remove(request);
        }
        request.receiveId = receiveId;
        request.wanted = (int)wanted;
        request.moved = 0;
        if (!isHere)
        {
            data.fail(pair, request);
        }
        else if (staging == null || !staged.begin(pair, request, staging, offset))
        {
            data.add(pair, request);
        }
    }

    /** A synchronous message is matched, or the receiver has read a message where it lies. */
    void onDone(final int source, final long id)
    {
        final SendRequest request = answered(source, id);
        if (request == null || request.isAnnounced && !request.isPlaced)
        {
            shared.refuse();
            return;
        }
        shared.counters.add(Counter.SENT_BYTES, request.isPlaced ? request.length : 0);
        end(request, RequestResult.SUCCESS);
    }

    /** A message is forgotten: as this side has asked, since the receiver has freed its context, or since its receive failed. */
    void onCancelled(final int source, final long id)
    {
        final SendRequest request = table.find(id);
        if (request == null || request.peer != source || request.state != RequestState.ANNOUNCED && request.staged == null)
        {
            shared.refuse();
            return;
        }
        shared.counters.add(Counter.CANCELLED, 1);
        end(request, RequestResult.CANCELLED);
    }

    private SendRequest answered(final int source, final long id)
    {
        final SendRequest request = table.find(id);
        return request != null && request.peer == source && request.state == RequestState.ANNOUNCED ? request : null;
    }

    /** A receiver tells how far this side may go. */
    void onLimits(final int source, final long session, final long bytes, final long announcements)
    {
        final Pair pair = shared.pair(source);
        if (!pair.out.isGreeted || !pair.out.window.onLimits(session, bytes, announcements))
        {
            shared.counters.add(Counter.OUTDATED, 1);
        }
    }

    /**
     * The messenger of a receiver is closed.
     *
     * @return false if it means another session.
     */
    boolean onGoodbye(final int source, final long session, final int part)
    {
        final Pair pair = shared.pair(source);
        final boolean isMeant = pair.out.isGreeted && session == pair.out.window.session();
        if (isMeant)
        {
            pair.out.goodbyes |= part & HeadDescriptor.GOODBYE_ALL;
        }
        if (isMeant && pair.out.goodbyes == HeadDescriptor.GOODBYE_ALL)
        {
            lose(pair, RequestResult.PEER_GONE);
        }
        return isMeant;
    }

    /** Whether a rank was greeted last with a session, which may be over. */
    boolean hasGreeted(final int source, final long session)
    {
        return session != 0 && session == shared.pair(source).out.window.session();
    }

    /** An incarnation is over: what it was to get is lost. */
    void onGone(final Pair pair, final int incarnation)
    {
        if (pair.out.isGreeted && pair.out.incarnation <= incarnation)
        {
            lose(pair, RequestResult.PEER_GONE);
        }
    }

    /**
     * The endpoint has said that a rank is gone, to a message that is no send of the program's. That is said of the incarnation
     * that was greeted. If none was, nothing of this side is lost: sends that wait are for the incarnation that they will greet.
     */
    void onPeerGone(final Pair pair)
    {
        if (pair.out.isGreeted)
        {
            lose(pair, RequestResult.PEER_GONE);
        }
    }

    /**
     * Tells a rank something that is no send of the program's. That a rank is gone is said once: so what was sent to it ends
     * here, and this is offered to the next incarnation, if there is one.
     *
     * @return as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}.
     */
    long tell(final Pair pair, final int tag, final DirectBuffer bytes, final int length)
    {
        final long code = endpoint.offer(pair.rank, tag, bytes, 0, length);
        if (code != PEER_GONE)
        {
            return code;
        }
        onPeerGone(pair);
        return endpoint.offer(pair.rank, tag, bytes, 0, length);
    }

    /** Wakes a rank that has staged messages to look after: now, as the program may do no further round for long. */
    void look(final Pair pair)
    {
        final long code = tell(pair, shared.tag(MessageKind.LOOK, 0), head, 0);
        pair.isLookDue = code < 0 && code != PEER_GONE;
        if (pair.isLookDue)
        {
            shared.list(pair);
        }
    }

    /** Ends all requests to a rank; the next one greets it anew. */
    void lose(final Pair pair, final RequestResult result)
    {
        pair.out.isGreeted = false;
        endKnown(pair.rank, result);
        for (Request first = pair.out.waiting.first(); first != null; first = pair.out.waiting.first())
        {
            end((SendRequest)first, result);
        }
    }

    /** Ends the requests to a rank that have an id, or all of these. */
    private void endKnown(final int peer, final RequestResult result)
    {
        for (int i = table.end() - 1; i >= 0; i--)
        {
            final SendRequest request = table.at(i);
            if (request != null && (peer == ALL || request.peer == peer))
            {
                end(request, result);
            }
        }
    }

    /** Ends all sends. */
    void close()
    {
        for (final Pair pair : shared.pairs())
        {
            if (pair != null)
            {
                lose(pair, RequestResult.CLOSED);
            }
        }
        // those to the own rank, which need not have met itself
        endKnown(ALL, RequestResult.CLOSED);
        places.close();
    }
}
