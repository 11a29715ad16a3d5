// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.node.Node;

/**
 * Messages that are matched: {@link Messenger#send} and receives that are posted again and again, as many as Open MPI has posted.
 * What arrives is handed on out of the buffer of its receive.
 */
final class MatchedLink implements Link
{
    /** Receives of a rate: two windows of the contestant for Open MPI. */
    private static final int RATE_RECEIVES = 128;
    private static final long BULK_LENGTH = 8 << 20;
    private static final int OTHER_LENGTH = 8;
    /** Of regions. */
    private static final int ENTRIES = 3;

    /** Null if messages lie in private memory. */
    private final RegionMemory memory;
    private final Messenger messenger;
    private final int destination;
    /** Sends that may wait for a receiver: fewer than a payload has places. */
    private final SendRequest[] sends;
    private final ReceiveRequest[] receives;
    private final int stride;
    /** Null if nothing goes beside. */
    private final LongBeside beside;
    private final UnsafeBuffer rooms;
    private int nextSend;
    private int nextReceive;

    MatchedLink(final Endpoint endpoint, final LinkSpec spec, final int party)
    {
        this(endpoint, spec, party, null);
    }

    /**
     * A link out of an own region.
     *
     * @param node     of the rank.
     * @param endpoint of the rank.
     * @param spec     of the cell.
     * @param party    of the cell.
     * @return the link.
     */
    static MatchedLink inRegions(final Node node, final Endpoint endpoint, final LinkSpec spec, final int party)
    {
        final int parts = BitUtil.findNextPositivePowerOfTwo(Payload.bulkSize(spec.length())) +
            BitUtil.findNextPositivePowerOfTwo(receiveCount(spec, party) * stride(spec) + RegionMemory.MIN_LENGTH) +
            (isBeside(spec) ? LongBeside.LENGTH : 0);
        return new MatchedLink(endpoint, spec, party, RegionMemory.open(node, endpoint, parts, ENTRIES, 1));
    }

    private static boolean isBeside(final LinkSpec spec)
    {
        return spec.transport() == TransportKind.TALLYPOST_MESSAGING_BESIDE ||
            spec.transport() == TransportKind.TALLYPOST_MESSAGING_REGIONS_BESIDE;
    }

    static int receiveCount(final LinkSpec spec, final int party)
    {
        return spec.mode().isRoundTrip() ? 1 : party != 0 ? 0 :
            (int)Math.max(2, Math.min(RATE_RECEIVES, BULK_LENGTH / spec.length()));
    }

    static int stride(final LinkSpec spec)
    {
        return BitUtil.align(spec.length(), BitUtil.CACHE_LINE_LENGTH);
    }

    private MatchedLink(final Endpoint endpoint, final LinkSpec spec, final int party, final RegionMemory memory)
    {
        this.memory = memory;
        destination = party == 0 ? 1 : 0;
        messenger = Messenger.launch(
            new MessengerContext().endpoint(endpoint).rankCount(spec.parties()).regionMemory(memory));
        sends = new SendRequest[spec.mode().isBulk() ? Payload.bulkPlaces(spec.length()) - 1 : LinkSpec.MAX_BATCH];
        for (int i = 0; i < sends.length; i++)
        {
            sends[i] = new SendRequest();
        }
        final boolean isReceiving = spec.mode().isRoundTrip() || party == 0;
        receives = new ReceiveRequest[receiveCount(spec, party)];
        stride = stride(spec);
        final int size = Math.max(1, receives.length) * stride;
        rooms = room(size);
        if (isReceiving)
        {
            postOthers(spec.others());
        }
        for (int i = 0; i < receives.length; i++)
        {
            final int source = spec.producers() == 1 ? destination : Communicator.ANY_SOURCE;
            receives[i] = new ReceiveRequest().prepare(
                messenger.world(), source, Beside.MESSAGE_TAG, rooms, i * stride, spec.length());
            messenger.start(receives[i]);
        }
        beside = isBeside(spec) ? new LongBeside(messenger, destination, party == 0, room(LongBeside.LENGTH)) : null;
    }

    private UnsafeBuffer room(final int size)
    {
        return memory != null ? memory.register(size, Region.READ).buffer() :
            new UnsafeBuffer(BufferUtil.allocateDirectAligned(size, 128));
    }

    private void postOthers(final Beside beside)
    {
        for (int i = 0; i < beside.posted() + (beside.wildcard() ? 1 : 0); i++)
        {
            final int source = i < beside.posted() ? destination : Communicator.ANY_SOURCE;
            messenger.receive(new ReceiveRequest(), messenger.world(), source, Beside.FIRST_TAG + i,
                new UnsafeBuffer(new byte[OTHER_LENGTH]), 0, OTHER_LENGTH);
        }
    }

    @Override
    public UnsafeBuffer messages(final int size)
    {
        return memory == null ? null : memory.register(size, Region.READ).buffer();
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        final SendRequest request = sends[nextSend];
        if (request.isActive())
        {
            return false;
        }
        if (messenger.send(request, messenger.world(), destination, Beside.MESSAGE_TAG, buffer, offset, length))
        {
            check(request.result());
        }
        // also if it is done: one that was announced may be behind by as many messages as the payload keeps, and not by more
        nextSend = nextSend + 1 == sends.length ? 0 : nextSend + 1;
        return true;
    }

    private static void check(final RequestResult result)
    {
        if (result != RequestResult.SUCCESS)
        {
            throw new IllegalStateException("a request ended with " + result + ", expected " + RequestResult.SUCCESS);
        }
    }

    @Override
    public int poll(final Inlet inlet, final int limit)
    {
        messenger.doWork();
        if (beside != null)
        {
            beside.work();
        }
        int count = 0;
        while (count < limit && receives[nextReceive].isDone())
        {
            final ReceiveRequest request = receives[nextReceive];
            check(request.result());
            inlet.onMessage(rooms, nextReceive * stride, request.length());
            messenger.start(request);
            nextReceive = nextReceive + 1 == receives.length ? 0 : nextReceive + 1;
            count++;
        }
        return count;
    }

    @Override
    public long bytesBeside()
    {
        return beside == null ? 0 : beside.bytes();
    }

    @Override
    public void onRefused()
    {
        messenger.doWork();
    }

    /** A message that waits for a window, or was announced, needs work of its sender. */
    @Override
    public boolean flush()
    {
        boolean isOut = true;
        for (final SendRequest request : sends)
        {
            isOut &= !request.isActive();
        }
        if (!isOut)
        {
            messenger.doWork();
        }
        return isOut;
    }
}
