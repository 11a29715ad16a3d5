// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.rma.RegionResult;

/**
 * Messages of private memory that go into staging areas of their receivers. Between nodes they go by the bulk stream: all of them
 * take turns, and share the bulk queue of the rank. On one node they are put there one after the other, and LOOK wakes the
 * receiver. What cannot go on goes as DATA, from its beginning. One thread.
 */
final class StagedSends
{
    /** Most operations of one message that are under way. */
    private static final int MAX_UNDER_WAY = 24;
    /** Of all messages: as many pieces as the bulk queue has slots for. */
    private static final int MAX_ALL_UNDER_WAY = 64;
    private static final int LEAST_UNDER_WAY = 3;
    /** Of a message on this node in one round, so that short messages do not wait for the rest. */
    private static final int NEAR_PIECES = 2;

    private final MessengerState shared;
    private final OutgoingMessages outgoing;
    private final OutgoingData data;
    private final StagedSendStore store;
    private final RequestQueue active = new RequestQueue();
    private int activeCount;

    StagedSends(final MessengerState shared, final OutgoingMessages outgoing, final OutgoingData data)
    {
        this.shared = shared;
        this.outgoing = outgoing;
        this.data = data;
        store = new StagedSendStore(shared);
    }

    /**
     * Begins with a message that is matched.
     *
     * @param pair    of it.
     * @param request of it.
     * @param head    of the receiver's answer, which says where the area is: nothing of that is believed.
     * @param offset  of the head.
     * @return false if it has to go as DATA.
     */
    boolean begin(final Pair pair, final SendRequest request, final DirectBuffer head, final int offset)
    {
        final StagedSend send = store.take(pair.rank, request, head, offset);
        if (send == null)
        {
            return false;
        }
        request.staged = send;
        request.state = RequestState.MOVING;
        active.add(request);
        activeCount++;
        return true;
    }

    /** Goes on with all messages, another one first each time: 0 if there are none. */
    int progress()
    {
        if (activeCount == 0)
        {
            return 0;
        }
        if (shared.isNear)
        {
            return progressNear();
        }
        store.poll();
        final int most = Math.max(LEAST_UNDER_WAY, Math.min(MAX_UNDER_WAY, MAX_ALL_UNDER_WAY / activeCount));
        final Request first = active.first();
        active.remove(first);
        active.add(first);
        Request request = active.first();
        for (int left = activeCount; left > 0 && request != null; left--)
        {
            final Request next = request.next;
            progress((SendRequest)request, most);
            request = next;
        }
        return 1;
    }

    /** Puts a part of the first message that has room for it: 0 if all of them wait for their receivers. */
    private int progressNear()
    {
        Request request = active.first();
        while (request != null)
        {
            final SendRequest send = (SendRequest)request;
            request = request.next;
            final StagedSend staging = send.staged;
            final Pair pair = shared.pair(send.peer);
            final int before = send.moved;
            progress(send, NEAR_PIECES);
            final boolean isOver = send.staged != staging;
            if (isOver || send.moved > before)
            {
                if (before == 0 || isOver || staging.isFull())
                {
                    outgoing.look(pair);
                }
                return 1;
            }
        }
        return 0;
    }

    private void progress(final SendRequest request, final int most)
    {
        final Pair pair = shared.pair(request.peer);
        boolean hasThrown = true;
        long result = 0;
        try
        {
            result = request.staged.progress(most);
            hasThrown = false;
        }
        finally
        {
            if (hasThrown)
            {
                stop(request);
                data.fail(pair, request);
            }
        }
        if (result == StagedSend.ALL)
        {
            shared.counters.add(Counter.SENT_BYTES, request.wanted);
            shared.counters.add(Counter.SENT_BY_BULK, 1);
            outgoing.end(request, RequestResult.SUCCESS);
        }
        else if (result < 0)
        {
            stop(request);
            active.remove(request);
            request.moved = 0;
            if (result == RegionResult.STALE)
            {
                // the receive is over: CANCELLED says so, or what ends the pair
                request.state = RequestState.ANNOUNCED;
            }
            else
            {
                // a link that is down ends it there; else the receiver takes the bytes from the beginning
                data.add(pair, request);
            }
        }
    }

    /** Nothing further of a request goes by this. */
    void stop(final SendRequest request)
    {
        final StagedSend send = request.staged;
        if (send != null)
        {
            request.staged = null;
            activeCount--;
            store.give(send);
        }
    }
}
