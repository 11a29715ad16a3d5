// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.matching.UnexpectedMessages;

/**
 * Receives that have to do with region memory: their message lies in that of its sender, or they want it in memory that is lent.
 * One thread.
 *
 * <pre>
 *   message      the receive has a buffer                  the receive wants a loan
 *   in a region  one copy, DONE                            one copy into a loan to the own rank, DONE
 *   of a far one gets by the bulk stream, DONE             the same, into a loan to the own rank, DONE
 *   in memory    one copy by the kernel, DONE              the same, into a loan to the own rank, DONE
 *   lent         one copy, release, DONE                   no copy, DONE; the program releases
 *   else         as ever                                   as ever, into a loan to the own rank
 * </pre>
 *
 * A place that cannot be read is an announcement without one: the receive asks for the bytes.
 */
final class PlacedReceives
{
    private final MessengerState shared;
    private final IncomingMessages incoming;
    private final LoanRoom room;
    private final UnsafeBuffer place = new UnsafeBuffer(new byte[PlacedMessage.PLACE_LENGTH]);
    private PlacedMessage free;

    PlacedReceives(final MessengerState shared, final IncomingMessages incoming)
    {
        this.shared = shared;
        this.incoming = incoming;
        room = new LoanRoom(shared);
    }

    LoanRoom room()
    {
        return room;
    }

    /** A receive that wants a loan gets memory of the own rank, if it has no buffer yet. */
    void makeRoom(final ReceiveRequest request)
    {
        room.make(request);
    }

    /** Gives a receive that is matched the place of its message, as it came. */
    void put(final ReceiveRequest request, final int kind, final DirectBuffer buffer, final int offset)
    {
        PlacedMessage placed = free;
        if (placed == null)
        {
            placed = new PlacedMessage();
        }
        else
        {
            free = placed.next;
        }
        placed.decode(buffer, offset, kind);
        request.placed = placed;
        shared.onBeginToMove();
    }

    /** Gives a receive that is matched the place of its message, as it was kept: false if there is none. */
    boolean put(final ReceiveRequest request, final UnexpectedMessages messages, final int entry)
    {
        if (!messages.isPlaced(entry))
        {
            return false;
        }
        messages.load(entry, place, 0, place.capacity());
        put(request, messages.placeKind(entry), place, 0);
        return true;
    }

    /** Reads a message where it lies: the first part now, the others in {@link #progress}. */
    void read(final Pair pair, final ReceiveRequest request, final long id)
    {
        if (!begin(pair, request))
        {
            incoming.answer(pair, request, id, true);
            return;
        }
        request.sendId = id;
        request.isAnnounced = true;
        request.state = RequestState.MOVING;
        if (request.id == 0)
        {
            incoming.table().add(request);
        }
        pair.in.copying.add(request);
        if (pair.in.copying.first() == request)
        {
            progress(pair);
        }
        if (!pair.in.copying.isEmpty())
        {
            shared.list(pair);
        }
    }

    /** Copies a part of the first message of a pair that is read where it lies. */
    int progress(final Pair pair)
    {
        final ReceiveRequest request = (ReceiveRequest)pair.in.copying.first();
        if (request == null)
        {
            return 0;
        }
        final boolean isRead = copyOrFail(pair, request);
        if (!isRead || request.received == request.wanted)
        {
            pair.in.copying.remove(request);
            free(request);
            incoming.answer(pair, request, request.sendId, !isRead);
        }
        return 1;
    }

    /** Begins to read a message where it lies: false if it cannot be, and the receive has to ask for the bytes. */
    private boolean begin(final Pair pair, final ReceiveRequest request)
    {
        if (shared.endpoint.isSameNode(pair.rank) ? !room.attach(request) : !room.isReadable(request))
        {
            refuse(request);
            return false;
        }
        if (!request.isHandedOver())
        {
            room.make(request);
        }
        return true;
    }

    private boolean copyOrFail(final Pair pair, final ReceiveRequest request)
    {
        boolean hasThrown = true;
        try
        {
            final boolean isRead =
                shared.endpoint.isSameNode(pair.rank) ? copy(request) : readFar(pair, request);
            hasThrown = false;
            return isRead;
        }
        finally
        {
            if (hasThrown)
            {
                incoming.fail(pair, request, request.sendId);
            }
        }
    }

    /** Copies the next part: false if the place cannot be read any more, and the receive has to ask for all of the bytes. */
    private boolean copy(final ReceiveRequest request)
    {
        final int length = Math.min(shared.partLength(request.placed.partLength()), request.wanted - request.received);
        request.checkRoom(length);
        if (length > 0 &&
            request.placed.copy(request.received, request.buffer, request.offset + request.received, length) < 0)
        {
            refuse(request);
            request.received = 0;
            return false;
        }
        request.received += length;
        shared.onPart();
        return true;
    }

    /** As {@link #copy}, from another node: nothing counts as received before all is there. */
    private boolean readFar(final Pair pair, final ReceiveRequest request)
    {
        request.checkRoom(request.wanted);
        final FarRead far = pair.in.far == null ? room.newFarRead() : pair.in.far;
        pair.in.far = far;
        final long result = far.progress(request);
        if (result < 0)
        {
            refuse(request);
            return false;
        }
        if (result == FarRead.ALL)
        {
            request.received = request.wanted;
            shared.counters.add(Counter.READ_BY_BULK, 1);
        }
        return true;
    }

    private void refuse(final ReceiveRequest request)
    {
        shared.refusePlace();
        free(request);
    }

    /** Gives back what a receive has of this; nothing if its message lies nowhere. */
    void free(final ReceiveRequest request)
    {
        final PlacedMessage placed = request.placed;
        if (placed != null)
        {
            final FarRead far = shared.pair(request.matchedSource).in.far;
            if (far != null)
            {
                far.end(request);
            }
            request.placed = null;
            shared.onEndToMove();
            placed.end();
            placed.next = free;
            free = placed;
        }
    }

    /** A receive has all of its message: what it has borrowed is the program's now. */
    void give(final ReceiveRequest request)
    {
        room.give(request);
    }

    /** A receive is over: what it has borrowed and did not give to the program goes back. */
    void end(final ReceiveRequest request)
    {
        free(request);
        room.end(request);
    }
}
