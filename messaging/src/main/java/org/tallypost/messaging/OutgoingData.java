// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.tallypost.endpoint.Endpoint.FAILED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * The bytes of announced messages that are matched. Several messages of a pair go at the same time, each in parts that the polls
 * of the endpoint carry on, by turns and as there are credits. One thread.
 *
 * <pre>
 *   CTS -&gt; ready -&gt; moving: part after part -&gt; DONE
 *            ready &lt;- it cannot go: a part without bytes -&gt; DONE
 * </pre>
 */
final class OutgoingData
{
    private final MessengerState shared;
    private final OutgoingMessages outgoing;
    private final int tag;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HeadDescriptor.DATA_LENGTH]);
    private DataSend free;

    OutgoingData(final MessengerState shared, final OutgoingMessages outgoing)
    {
        this.shared = shared;
        this.outgoing = outgoing;
        tag = shared.tag(MessageKind.DATA, 0);
    }

    /** A message is matched: its bytes go as soon as there is a turn for them. */
    void add(final Pair pair, final SendRequest request)
    {
        request.state = RequestState.MOVING;
        pair.out.ready.add(request);
        shared.list(pair);
    }

    /** Begins with as many messages of a pair as may go. */
    int start(final Pair pair)
    {
        int work = 0;
        while (!pair.out.ready.isEmpty() && pair.out.maySendMore())
        {
            final SendRequest request = (SendRequest)pair.out.ready.first();
            if (request.isFailed)
            {
                if (!tellFailed(pair, request))
                {
                    return work;
                }
                work++;
                continue;
            }
            pair.out.ready.remove(request);
            pair.out.moving.add(request);
            pair.out.movingCount++;
            shared.onBeginToMove();
            request.data = take();
            if (!startPart(pair, request))
            {
                return work;
            }
            work++;
        }
        return work;
    }

    /** The bytes of a message that is matched cannot go: it ends once its receiver has heard of it. */
    void fail(final Pair pair, final SendRequest request)
    {
        stop(request);
        if (request.queue != null)
        {
            request.queue.remove(request);
        }
        request.isFailed = true;
        add(pair, request);
    }

    /** Tells the receiver of a message that the rest of it will not come, by a part without bytes: false if it has to wait. */
    private boolean tellFailed(final Pair pair, final SendRequest request)
    {
        head.putLong(HeadDescriptor.ASKING_ID_OFFSET, request.receiveId, LITTLE_ENDIAN);
        head.putLong(HeadDescriptor.POSITION_OFFSET, request.moved, LITTLE_ENDIAN);
        final long code = shared.endpoint.offer(request.peer, tag, head, 0, HeadDescriptor.DATA_LENGTH);
        if (code == PEER_GONE)
        {
            outgoing.lose(pair, RequestResult.PEER_GONE);
        }
        else if (code >= 0)
        {
            outgoing.end(request, RequestResult.FAILED);
        }
        return code >= 0 || code == PEER_GONE;
    }

    private DataSend take()
    {
        final DataSend data = free;
        if (data == null)
        {
            return new DataSend(shared.endpoint, this, tag);
        }
        free = data.next;
        data.next = null;
        return data;
    }

    /** Begins the next part of a message, and those behind it that are out at once: false if it cannot go now. */
    private boolean startPart(final Pair pair, final SendRequest request)
    {
        long code = 0;
        boolean hasThrown = true;
        try
        {
            while (code >= 0 && request.data != null)
            {
                code = request.data.start(request);
                onResult(pair, request, code);
            }
            hasThrown = false;
        }
        finally
        {
            if (hasThrown && request.isActive())
            {
                fail(pair, request);
            }
        }
        return code >= 0 || code == NO_CREDIT;
    }

    private void onResult(final Pair pair, final SendRequest request, final long code)
    {
        if (code >= 0)
        {
            request.moved += request.data.partLength();
            shared.counters.add(Counter.SENT_BYTES, request.data.partLength());
            if (request.moved == request.wanted)
            {
                outgoing.end(request, RequestResult.SUCCESS);
            }
        }
        else if (code == PEER_GONE)
        {
            outgoing.lose(pair, RequestResult.PEER_GONE);
        }
        else if (code == FAILED)
        {
            fail(pair, request);
        }
        else if (code != NO_CREDIT)
        {
            // nothing of this part has gone
            stop(request);
            request.queue.remove(request);
            pair.out.ready.add(request);
        }
    }

    /** As {@link org.tallypost.endpoint.SendListener#mostUnread}: little while parts are short. */
    int mostUnread(final boolean hasMoved)
    {
        if (hasMoved)
        {
            shared.onPart();
        }
        return shared.partLength(Integer.MAX_VALUE);
    }

    /** A part that was not out at once is out, or lost. */
    void onEnd(final SendRequest request, final long result)
    {
        final Pair pair = shared.pair(request.peer);
        onResult(pair, request, result);
        if (request.data != null)
        {
            startPart(pair, request);
        }
        shared.list(pair);
    }

    /** Nothing further of a request goes. */
    void stop(final SendRequest request)
    {
        final DataSend data = request.data;
        if (data != null)
        {
            request.data = null;
            shared.pair(request.peer).out.movingCount--;
            shared.onEndToMove();
            data.stop();
            data.next = free;
            free = data;
        }
    }
}
