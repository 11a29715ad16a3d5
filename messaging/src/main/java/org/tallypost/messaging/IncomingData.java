// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;

/**
 * The bytes of announced messages, which go straight into the buffers of their receives: whole parts, or run by run. Runs of
 * several parts come mixed; the endpoint's number of a part tells them apart. Whatever they say is checked. One thread.
 */
final class IncomingData
{
    private final MessengerState shared;
    private final IncomingMessages incoming;

    IncomingData(final MessengerState shared, final IncomingMessages incoming)
    {
        this.shared = shared;
        this.incoming = incoming;
    }

    /** All of a part; one without bytes says that the rest will not come, also of a part that has begun. */
    void onWhole(final int source, final long id, final long position, final DirectBuffer buffer, final int offset,
        final int length)
    {
        final ReceiveRequest request = find(source, id, length);
        if (request == null || length > 0 && position != request.received)
        {
            shared.refuse();
        }
        else if (length == 0)
        {
            incoming.end(request, RequestResult.FAILED);
        }
        else
        {
            fill(request, buffer, offset, length);
        }
    }

    /** The receive that waits for a part; null if none does. */
    private ReceiveRequest find(final int source, final long id, final int length)
    {
        final ReceiveRequest request = incoming.table().find(id);
        if (request == null || request.state != RequestState.MOVING || request.placed != null || request.matchedSource != source)
        {
            return null;
        }
        // the sender has no use for the staging area
        incoming.declineArea(request);
        return length >= 0 && length <= request.wanted - request.received ? request : null;
    }

    /** The buffer has no room any more: the rest of the message is dropped as it comes. */
    private void fill(final ReceiveRequest request, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!request.hasRoom(length))
        {
            incoming.end(request, RequestResult.FAILED);
            return;
        }
        boolean hasThrown = true;
        try
        {
            request.buffer.putBytes(request.offset + request.received, buffer, offset, length);
            hasThrown = false;
        }
        finally
        {
            if (hasThrown)
            {
                incoming.end(request, RequestResult.FAILED);
            }
        }
        request.received += length;
        if (request.received == request.wanted)
        {
            incoming.finish(request);
        }
    }

    /** A part begins that comes in several runs: false if it is none that a receive waits for. */
    boolean begin(final int source, final int number, final long id, final long position, final int partLength)
    {
        final Pair.Incoming in = shared.pair(source).in;
        final ReceiveRequest request = find(source, id, partLength);
        final boolean isNext = request != null && position == request.received;
        in.current[number] = isNext ? request : null;
        in.currentIds[number] = id;
        if (!isNext)
        {
            shared.refuse();
        }
        return isNext;
    }

    /** Further bytes of a part that has begun; nothing if its receive has ended meanwhile. */
    void onRun(final int source, final int number, final DirectBuffer buffer, final int offset, final int length)
    {
        final Pair.Incoming in = shared.pair(source).in;
        final ReceiveRequest request = in.current[number];
        if (request == null)
        {
            return;
        }
        if (request.id != in.currentIds[number] || length > request.wanted - request.received)
        {
            in.current[number] = null;
            shared.refuse();
            return;
        }
        fill(request, buffer, offset, length);
        if (request.id != in.currentIds[number])
        {
            in.current[number] = null;
        }
    }

    /** The rest of a part will not come. Its sender says so by a part without bytes; or it is gone or closed, which is told. */
    void onLost(final int source, final int number)
    {
        shared.pair(source).in.current[number] = null;
    }
}
