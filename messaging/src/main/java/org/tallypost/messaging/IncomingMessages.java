// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.ANNOUNCEMENTS_LIMIT_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.ANSWERED_ID_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.BYTES_LIMIT_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.CTS_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.CTS_STAGED_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.DONE_LENGTH;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.RECEIVE_ID_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.SESSION_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.WANTED_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.WINDOW_LENGTH;

import java.util.concurrent.ThreadLocalRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.RankState;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.matching.PostedReceives;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;
import org.tallypost.messaging.internal.window.ReceiveWindow;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * Messages that come, and the receives for them. Whatever a message says is checked before it is used. One thread.
 */
final class IncomingMessages
{
    private final MessengerState shared;
    private final Answers answers;
    private final UnexpectedStore store;
    private final PostedReceives posted;
    private final RequestTable<ReceiveRequest> table;
    private final PlacedReceives places;
    private final StagedReceives staged;
    private final LocalMessages own;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HeadDescriptor.MAX_LENGTH]);

    IncomingMessages(final MessengerState shared, final OutgoingMessages outgoing)
    {
        this.shared = shared;
        answers = new Answers(shared, outgoing);
        store = new UnexpectedStore(shared);
        table = new RequestTable<>("receives", shared.context.maxRequests(),
            1 + ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE), new ReceiveRequest[0]);
        places = new PlacedReceives(shared, this);
        staged = new StagedReceives(shared, this, outgoing);
        posted = new PostedReceives(table.capacity());
        own = new LocalMessages(shared, this, outgoing, places.room());
    }

    /** Messages to the own rank. */
    LocalMessages own()
    {
        return own;
    }

    /** Receives that wait for a message. */
    int posted()
    {
        return posted.size();
    }

    /** The receive that a message is for, out of those that are posted; null if there is none. */
    ReceiveRequest match(final int context, final int source, final int tag)
    {
        final int number = posted.match(context, source, tag);
        return number == PostedReceives.NONE ? null : table.at(number);
    }

    /** The receive that a listener gives a message which no posted receive is for; null if it is to be kept. */
    ReceiveRequest ask(final int context, final int source, final int tag, final int length)
    {
        if (table.isFull() || isBehindAnother(context))
        {
            return null;
        }
        shared.isAsking = true;
        try
        {
            return shared.communicators.ask(context, source, tag, length);
        }
        finally
        {
            shared.isAsking = false;
        }
    }

    private boolean isBehindAnother(final int context)
    {
        final UnexpectedMessages messages = store.messages();
        return messages.size() > 0 &&
            messages.find(context, Communicator.ANY_SOURCE, Communicator.ANY_TAG) != UnexpectedMessages.NONE;
    }

    /** Whether a listener takes a message that is here as a whole, which no posted receive is for. */
    private boolean give(
        final int context, final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isBehindAnother(context))
        {
            return false;
        }
        shared.isAsking = true;
        try
        {
            return shared.communicators.give(context, source, tag, buffer, offset, length);
        }
        finally
        {
            shared.isAsking = false;
        }
    }

    /** Goes on with messages that come into staging areas: 0 if there are none. */
    int progressStaged()
    {
        return staged.progress();
    }

    /** The bytes of a receive come as DATA: it has no use for its staging area. */
    void declineArea(final ReceiveRequest request)
    {
        staged.decline(request);
    }

    UnexpectedStore store()
    {
        return store;
    }

    RequestTable<ReceiveRequest> table()
    {
        return table;
    }

    /** Gives a receive its message, or posts it. */
    void start(final ReceiveRequest request)
    {
        final int entry = store.find(request.communicator.context(), request.peer, request.tag);
        if (entry != UnexpectedMessages.NONE)
        {
            store.unlink(entry);
            take(request, entry);
        }
        else if (request.peer != Communicator.ANY_SOURCE && isGone(shared.pair(request.peer)))
        {
            end(request, RequestResult.PEER_GONE);
        }
        else
        {
            table.add(request);
            posted.grow(table.capacity());
            posted.post(RequestTable.number(request.id), request.communicator.context(), request.peer, request.tag);
            request.state = RequestState.POSTED;
        }
    }

    /** Whether nothing can come: the next incarnation may be open before this side has heard of it. */
    private boolean isGone(final Pair pair)
    {
        if (pair.in.goneIncarnation == 0)
        {
            return false;
        }
        final long rankState = shared.endpoint.rankState(pair.rank);
        return RankState.of(rankState) != RankState.OPEN || RankState.incarnation(rankState) <= pair.in.goneIncarnation;
    }

    /** Gives a receive a message that was unexpected and is out of matching. */
    void take(final ReceiveRequest request, final int entry)
    {
        final UnexpectedMessages messages = store.messages();
        final Pair pair = shared.pair(messages.source(entry));
        final long id = messages.id(entry);
        final boolean isAnnounced = messages.isAnnounced(entry);
        try
        {
            load(request, entry);
        }
        finally
        {
            taken(request, pair, entry, id, isAnnounced);
        }
    }

    /** The message is the receive's now, also if the copy of its bytes threw. */
    private void taken(
        final ReceiveRequest request, final Pair pair, final int entry, final long id, final boolean isAnnounced)
    {
        shared.counters.add(Counter.MATCHED_LATER, 1);
        final boolean isPlaced = places.put(request, store.messages(), entry);
        store.release(pair, entry);
        if (isAnnounced && pair.rank == shared.own)
        {
            own.take(request, id);
        }
        else if (isPlaced)
        {
            places.read(pair, request, id);
        }
        else if (id != 0)
        {
            answer(pair, request, id, isAnnounced);
        }
        else
        {
            finish(request);
        }
    }

    /** Matches a receive with a message that was unexpected, and copies its bytes if they are here. What throws fails it. */
    private void load(final ReceiveRequest request, final int entry)
    {
        final UnexpectedMessages messages = store.messages();
        request.match(messages.source(entry), messages.tag(entry), messages.length(entry));
        if (!messages.isAnnounced(entry))
        {
            request.isFailed = true;
            places.makeRoom(request);
            request.checkRoom(request.wanted);
            messages.load(entry, request.buffer, request.offset, request.wanted);
            request.isFailed = false;
        }
    }

    /** As {@link #take}, for a message that was held meanwhile: its sender may be gone, and its window with it. */
    void takeHeld(final ReceiveRequest request, final int entry, final long life)
    {
        final UnexpectedMessages messages = store.messages();
        final Pair pair = shared.pair(messages.source(entry));
        if (store.letGo(pair, entry, life))
        {
            take(request, entry);
            return;
        }
        final boolean isAnnounced = messages.isAnnounced(entry);
        try
        {
            load(request, entry);
        }
        finally
        {
            store.releaseLate(entry);
            if (isAnnounced)
            {
                end(request, RequestResult.PEER_GONE);
            }
            else
            {
                finish(request);
            }
        }
    }

    /** A short message. */
    void onEager(
        final int source, final int context, final int tag, final long id, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final Pair pair = shared.pair(source);
        final int cost = UnexpectedMessages.cost(length);
        if (!isSound(pair, context, tag) || !pair.in.window.onArrived(cost))
        {
            shared.refuse();
            return;
        }
        shared.onShort();
        ReceiveRequest request = match(context, source, tag);
        boolean isTaken = false;
        try
        {
            isTaken = request == null && id == 0 && give(context, source, tag, buffer, offset, length);
            request = request == null && !isTaken ? ask(context, source, tag, length) : request;
        }
        finally
        {
            // also if a listener throws
            if (request == null && !isTaken)
            {
                store.keep(pair, context, tag, id, buffer, offset, length);
            }
        }
        if (isTaken)
        {
            shared.counters.add(Counter.MATCHED_AT_ARRIVAL, 1);
            shared.counters.add(Counter.RECEIVED_BYTES, length);
            pair.in.window.onReleased(cost);
            listIfDue(pair);
        }
        else if (request != null)
        {
            land(pair, request, id, tag, buffer, offset, length);
        }
    }

    /** The bytes of a short message go to its receive. */
    private void land(
        final Pair pair, final ReceiveRequest request, final long id, final int tag, final DirectBuffer buffer, final int offset,
        final int length)
    {
        request.match(pair.rank, tag, length);
        shared.counters.add(Counter.MATCHED_AT_ARRIVAL, 1);
        try
        {
            request.isFailed = true;
            places.makeRoom(request);
            request.checkRoom(request.wanted);
            request.buffer.putBytes(request.offset, buffer, offset, request.wanted);
            request.isFailed = false;
        }
        finally
        {
            received(pair, request, id, UnexpectedMessages.cost(length));
        }
    }

    /** A short message has left the endpoint, also if the copy of its bytes threw. */
    private void received(final Pair pair, final ReceiveRequest request, final long id, final int cost)
    {
        pair.in.window.onReleased(cost);
        listIfDue(pair);
        if (id == 0)
        {
            finish(request);
        }
        else
        {
            answer(pair, request, id, false);
        }
    }

    private boolean isSound(final Pair pair, final int context, final int tag)
    {
        return pair.in.isKnown && context >= 0 && tag >= 0 && shared.communicators.admits(context, pair.rank);
    }

    private void listIfDue(final Pair pair)
    {
        if (pair.in.isWindowDue())
        {
            shared.list(pair);
        }
    }

    /** The announcement of a message, of the kind RTS, or of another one with the place of the bytes. */
    void onReadyToSend(
        final int source, final int context, final int tag, final long id, final long length, final int kind,
        final DirectBuffer place, final int offset)
    {
        final Pair pair = shared.pair(source);
        final boolean isPlaced = kind != MessageKind.RTS;
        if (!isSound(pair, context, tag) || id == 0 || length < 0 || length > Integer.MAX_VALUE ||
            !(isPlaced ? pair.in.window.onArrived(UnexpectedMessages.PLACED_COST) : pair.in.window.onAnnounced()))
        {
            shared.refuse();
            return;
        }
        ReceiveRequest request = match(context, source, tag);
        try
        {
            request = request == null ? ask(context, source, tag, (int)length) : request;
        }
        finally
        {
            if (request == null && isPlaced)
            {
                store.place(pair, context, tag, id, (int)length, kind, place, offset);
            }
            else if (request == null)
            {
                store.announce(pair, context, tag, id, (int)length);
            }
        }
        if (request == null)
        {
            return;
        }
        request.match(source, tag, (int)length);
        shared.counters.add(Counter.MATCHED_AT_ARRIVAL, 1);
        if (isPlaced)
        {
            pair.in.window.onReleased(UnexpectedMessages.PLACED_COST);
            listIfDue(pair);
            places.put(request, kind, place, offset);
            places.read(pair, request, id);
        }
        else
        {
            pair.in.window.onAnswered();
            listIfDue(pair);
            answer(pair, request, id, true);
        }
    }

    /** Tells the sender of a message that it is matched, now or as soon as there is a credit. */
    void answer(final Pair pair, final ReceiveRequest request, final long id, final boolean isAnnounced)
    {
        if (isAnnounced)
        {
            places.makeRoom(request);
        }
        request.state = RequestState.ANSWERING;
        request.sendId = id;
        request.isAnnounced = isAnnounced;
        if (request.id == 0)
        {
            table.add(request);
        }
        if (!isAnnounced || staged.admit(pair, request))
        {
            queueAnswer(pair, request);
        }
    }

    /** An answer is complete: it goes now, or as soon as there is a credit. */
    void queueAnswer(final Pair pair, final ReceiveRequest request)
    {
        pair.in.answers.add(request);
        if (pair.in.answers.first() != request || offerAnswer(pair, request) < 0)
        {
            shared.list(pair);
        }
    }

    private long offerAnswer(final Pair pair, final ReceiveRequest request)
    {
        head.putLong(ANSWERED_ID_OFFSET, request.sendId, LITTLE_ENDIAN);
        head.putLong(RECEIVE_ID_OFFSET, request.id, LITTLE_ENDIAN);
        head.putLong(WANTED_OFFSET, request.wanted, LITTLE_ENDIAN);
        if (request.area != null)
        {
            request.area.put(head);
        }
        final long code = request.isAnnounced ?
            answers.tell(pair, MessageKind.CTS, head, request.area == null ? CTS_LENGTH : CTS_STAGED_LENGTH) :
            answers.tell(pair, request.isFailed ? MessageKind.CANCELLED : MessageKind.DONE, head, DONE_LENGTH);
        if (code < 0)
        {
            return code;
        }
        pair.in.answers.remove(request);
        if (request.isAnnounced && request.wanted > 0)
        {
            request.state = RequestState.MOVING;
        }
        else
        {
            finish(request);
        }
        return 0;
    }

    /** The work for a receive that is matched threw. It ends, and its sender hears of it if it waits for an answer. */
    void fail(final Pair pair, final ReceiveRequest request, final long sendId)
    {
        request.isFailed = true;
        if (request.queue != null)
        {
            request.queue.remove(request);
        }
        places.free(request);
        if (sendId == 0)
        {
            finish(request);
        }
        else
        {
            answer(pair, request, sendId, false);
        }
    }

    /** All bytes that a receive gets are here, or it has failed. */
    void finish(final ReceiveRequest request)
    {
        if (request.isFailed)
        {
            end(request, RequestResult.FAILED);
            return;
        }
        places.give(request);
        final boolean isTruncated = request.messageLength > request.length;
        shared.counters.add(Counter.RECEIVED_BYTES, request.wanted);
        shared.counters.add(Counter.TRUNCATED, isTruncated ? 1 : 0);
        end(request, isTruncated ? RequestResult.TRUNCATED : RequestResult.SUCCESS);
    }

    /** Ends a request, and takes it out of where it is. */
    void end(final ReceiveRequest request, final RequestResult result)
    {
        if (request.queue != null)
        {
            request.queue.remove(request);
        }
        if (request.id != 0)
        {
            if (request.state == RequestState.POSTED && request.matchedSource < 0)
            {
                posted.remove(RequestTable.number(request.id));
            }
            table.remove(request);
        }
        places.end(request);
        staged.end(request);
        shared.complete(request, result);
    }

    /** Ends a receive that is not matched. */
    boolean cancel(final ReceiveRequest request)
    {
        if (request.state != RequestState.POSTED)
        {
            return false;
        }
        shared.counters.add(Counter.CANCELLED, 1);
        end(request, RequestResult.CANCELLED);
        return true;
    }

    /** Sends what is to be told to a pair. */
    int progress(final Pair pair)
    {
        int work = tellWindow(pair) + answers.tellLook(pair) + places.progress(pair);
        for (Request first = pair.in.answers.first(); first != null; first = pair.in.answers.first())
        {
            if (offerAnswer(pair, (ReceiveRequest)first) < 0)
            {
                return work;
            }
            work++;
        }
        return work + tellCancelled(pair);
    }

    private int tellWindow(final Pair pair)
    {
        if (!pair.in.isWindowDue())
        {
            return 0;
        }
        final ReceiveWindow window = pair.in.window;
        head.putLong(SESSION_OFFSET, window.session(), LITTLE_ENDIAN);
        head.putLong(BYTES_LIMIT_OFFSET, window.bytesLimit(), LITTLE_ENDIAN);
        head.putLong(ANNOUNCEMENTS_LIMIT_OFFSET, window.announcementsLimit(), LITTLE_ENDIAN);
        if (answers.tell(pair, MessageKind.WINDOW, head, WINDOW_LENGTH) < 0)
        {
            return 0;
        }
        window.onTold();
        shared.counters.add(Counter.WINDOWS_TOLD, 1);
        return 1;
    }

    private int tellCancelled(final Pair pair)
    {
        int work = 0;
        while (pair.in.cancelled != UnexpectedMessages.NONE)
        {
            final int entry = pair.in.cancelled;
            head.putLong(ANSWERED_ID_OFFSET, store.messages().id(entry), LITTLE_ENDIAN);
            if (answers.tell(pair, MessageKind.CANCELLED, head, DONE_LENGTH) < 0)
            {
                return work;
            }
            pair.in.cancelled = store.messages().pop(entry);
            store.release(pair, entry);
            work++;
        }
        return work;
    }

    /** A sender has come, or has begun anew. */
    void onHello(final int source, final long session, final long version)
    {
        final Pair pair = shared.pair(source);
        if (source == shared.own || session == 0 || version != HeadDescriptor.VERSION ||
            pair.in.isKnown && session == pair.in.window.session())
        {
            shared.refuse();
            return;
        }
        store.forget(pair, true);
        pair.in.forgetCurrent();
        pair.in.window.reset(session);
        pair.in.isKnown = true;
        pair.in.goneIncarnation = 0;
        shared.list(pair);
        loseMatched(pair);
    }

    /**
     * The messenger of a sender is closed. One that has never greeted is known by the session that it has heard of.
     *
     * @return false if it means another session.
     */
    boolean onGoodbye(final int source, final long session, final boolean hasHeard)
    {
        final Pair pair = shared.pair(source);
        final boolean isMeant = pair.in.isKnown ? session == pair.in.window.session() : hasHeard && session == 0;
        if (isMeant)
        {
            onGone(pair, RankState.incarnation(shared.endpoint.rankState(source)));
        }
        return isMeant;
    }

    /** An incarnation is over, and all that it has sent is here. What came with its bytes may still be received. */
    void onGone(final Pair pair, final int incarnation)
    {
        store.forget(pair, false);
        pair.in.isKnown = false;
        pair.in.goneIncarnation = incarnation;
        pair.in.forgetCurrent();
        for (int i = table.end() - 1; i >= 0; i--)
        {
            final ReceiveRequest request = table.at(i);
            if (request != null && request.state == RequestState.POSTED && request.peer == pair.rank)
            {
                end(request, RequestResult.PEER_GONE);
            }
        }
        loseMatched(pair);
    }

    /** Ends all receives that wait for bytes of a rank, or for a credit to answer it, also if the copy of one throws. */
    private void loseMatched(final Pair pair)
    {
        RuntimeException thrown = null;
        for (int i = table.end() - 1; i >= 0; i--)
        {
            final ReceiveRequest request = table.at(i);
            if (request != null && request.state != RequestState.POSTED && request.matchedSource == pair.rank)
            {
                try
                {
                    loseMatched(request);
                }
                catch (final RuntimeException ex)
                {
                    thrown = ex;
                    if (request.isActive())
                    {
                        end(request, RequestResult.FAILED);
                    }
                }
            }
        }
        staged.onLeft(pair);
        if (thrown != null)
        {
            throw thrown;
        }
    }

    private void loseMatched(final ReceiveRequest request)
    {
        if (!request.isAnnounced)
        {
            // its bytes are here
            finish(request);
        }
        else if (!staged.takeRest(request))
        {
            end(request, RequestResult.PEER_GONE);
        }
    }

    /** Ends all receives. */
    void close()
    {
        for (int i = table.end() - 1; i >= 0; i--)
        {
            if (table.at(i) != null)
            {
                end(table.at(i), RequestResult.CLOSED);
            }
        }
        staged.close();
    }
}
