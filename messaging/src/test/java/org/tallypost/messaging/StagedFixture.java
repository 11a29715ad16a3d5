// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.messaging.internal.wire.StagingDescriptor;
import org.tallypost.messaging.rma.RegionMemory;

/** Messengers of one node with staging areas for each other. */
class StagedFixture extends MessengerFixture
{
    static final int TAG = 3;
    static final int FIRST_CHANNEL = 0xF0;
    static final int AREA = MessengerContext.MIN_STAGING_LENGTH;
    static final int RING = AREA - StagingDescriptor.RING_OFFSET;
    static final int LONG = 1_000_003;
    static final MessageListener NOTHING = (source, tag, buffer, offset, length) ->
    {
    };

    RegionMemory[] memories;
    final SendRequest send = new SendRequest();
    final ReceiveRequest receive = new ReceiveRequest();
    /** Of each rank. */
    int copyRoom = 1;
    private int stagingLength;

    void launchWith(final int ranks, final int lengthOfAreas)
    {
        memories = new RegionMemory[ranks];
        stagingLength = lengthOfAreas;
        launch(Flow.DYNAMIC, ranks, 64, this::set);
    }

    void set(final MessengerContext context)
    {
        final int rank = context.endpoint().rank();
        if (memories[rank] == null || memories[rank].isClosed())
        {
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 24, 256, 1);
        }
        context.regionMemory(memories[rank]).copyRoom(copyRoom).stagingLength(stagingLength);
    }

    /** The next incarnation of a rank, in a process that has the former one behind it. */
    void reopen(final int rank)
    {
        closeRank(rank);
        open(rank, this::set);
    }

    /** As a process that ends without a word: nothing is said by the messenger. */
    void closeRank(final int rank)
    {
        endpoints[rank].close();
        if (messengers[rank] != null)
        {
            messengers[rank].close();
            messengers[rank] = null;
        }
        memories[rank].close();
    }

    SendRequest send(final int from, final int to, final int tag, final UnsafeBuffer bytes, final int length)
    {
        final SendRequest request = new SendRequest();
        messengers[from].send(request, messengers[from].world(), to, tag, bytes, 0, length);
        return request;
    }

    ReceiveRequest receive(final int at, final int from, final int tag, final UnsafeBuffer to)
    {
        final ReceiveRequest request = new ReceiveRequest();
        messengers[at].receive(request, messengers[at].world(), from, tag, to, 0, to.capacity());
        return request;
    }

    /** The fixture lets it work no more. */
    void closeMessenger(final int rank)
    {
        messengers[rank].close();
        messengers[rank] = null;
    }

    /** On an endpoint that is open. */
    void relaunch(final int rank)
    {
        final MessengerContext context = new MessengerContext().endpoint(endpoints[rank]).rankCount(endpoints.length);
        set(context);
        messengers[rank] = Messenger.launch(context);
    }

    boolean pollEndpoint(final int rank)
    {
        endpoints[rank].poll(NOTHING, 10);
        return true;
    }

    /** Rank 1 gets a message of rank 0. */
    void exchange(final int length, final long salt)
    {
        final UnsafeBuffer room = room(length);
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, room, 0, length);
        messengers[0].send(send, messengers[0].world(), 1, TAG, bytes(length, salt), 0, length);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, send.result());
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 0, length, salt);
    }

    long staged()
    {
        return messengers[1].counters().staged();
    }
}
