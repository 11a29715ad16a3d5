// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.util.Arrays;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.Request;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;

/**
 * What a rank does in transfers, by matched messages. For the thread of the messenger.
 */
final class ImbTransfers
{
    private static final int TAG = 1;
    private static final Runnable NOTHING = () -> {};

    private final Messenger messenger;
    private final int rank;
    private final int ranks;
    private final UnsafeBuffer in;
    private final UnsafeBuffer out;
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[1]);
    private final long timeoutNs;
    private final SendRequest[] sends = new SendRequest[ImbCall.WINDOW];
    private final ReceiveRequest[] receives = new ReceiveRequest[ImbCall.WINDOW];

    ImbTransfers(final Messenger messenger, final ImbRank place, final long timeoutNs)
    {
        this.messenger = messenger;
        this.timeoutNs = timeoutNs;
        rank = place.rank();
        ranks = place.ranks();
        in = place.in();
        out = place.out();
        Arrays.setAll(sends, (i) -> new SendRequest());
        Arrays.setAll(receives, (i) -> new ReceiveRequest());
    }

    /** One repetition. */
    Runnable of(final ImbCall call, final int length)
    {
        if (rank >= call.active(ranks))
        {
            return NOTHING;
        }
        final int half = ranks / 2;
        final int next = (rank + 1) % ranks;
        final int last = (rank + ranks - 1) % ranks;
        return switch (call)
        {
            case PINGPONG -> rank == 0 ? () -> ping(length) : () -> pong(length);
            case PINGPING -> () -> pass(1 - rank, 1 - rank, length);
            case SENDRECV -> () -> pass(next, last, length);
            case EXCHANGE -> () -> exchange(next, last, length);
            case UNIBAND -> rank < half ? () -> window(rank + half, length, true, false) :
                () -> window(rank - half, length, false, true);
            default -> () -> window(rank < half ? rank + half : rank - half, length, true, true);
        };
    }

    private void ping(final int length)
    {
        send(0, 1, in, length);
        await(sends[0]);
        receive(0, 1, out, 0, length);
        await(receives[0]);
    }

    private void pong(final int length)
    {
        receive(0, 0, out, 0, length);
        await(receives[0]);
        send(0, 0, in, length);
        await(sends[0]);
    }

    private void pass(final int dest, final int source, final int length)
    {
        send(0, dest, in, length);
        receive(0, source, out, 0, length);
        await(receives[0]);
        await(sends[0]);
    }

    private void exchange(final int next, final int last, final int length)
    {
        send(0, next, in, length);
        send(1, last, in, length);
        receive(0, last, out, 0, length);
        await(receives[0]);
        receive(1, next, out, length, length);
        await(receives[1]);
        await(sends[0]);
        await(sends[1]);
    }

    private void window(final int peer, final int length, final boolean isSending, final boolean isReceiving)
    {
        final int places = ImbCall.places(length);
        for (int i = 0; isReceiving && i < ImbCall.WINDOW; i++)
        {
            receive(i, peer, out, i % places * length, length);
        }
        for (int i = 0; isSending && i < ImbCall.WINDOW; i++)
        {
            send(i, peer, in, length);
        }
        for (int i = 0; isReceiving && i < ImbCall.WINDOW; i++)
        {
            await(receives[i]);
        }
        for (int i = 0; isSending && i < ImbCall.WINDOW; i++)
        {
            await(sends[i]);
        }
        if (rank < ranks / 2)
        {
            receive(0, peer, answer, 0, 1);
            await(receives[0]);
        }
        else
        {
            send(0, peer, answer, 1);
            await(sends[0]);
        }
    }

    private void send(final int number, final int dest, final UnsafeBuffer buffer, final int length)
    {
        messenger.send(sends[number], messenger.world(), dest, TAG, buffer, 0, length);
    }

    private void receive(final int number, final int source, final UnsafeBuffer buffer, final int offset, final int length)
    {
        messenger.receive(receives[number], messenger.world(), source, TAG, buffer, offset, length);
    }

    private void await(final Request request)
    {
        if (!request.isDone() && !messenger.await(request, timeoutNs))
        {
            throw new IllegalStateException("timeout: rank " + rank + " waited for " + request);
        }
        if (request.result() != RequestResult.SUCCESS)
        {
            throw new IllegalStateException("rank " + rank + ": " + request + " ended with " + request.result());
        }
    }
}
