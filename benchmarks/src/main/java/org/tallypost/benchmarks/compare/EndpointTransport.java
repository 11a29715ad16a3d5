// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.workload.Polled;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * What users call: {@link Endpoint#offer} and {@link Endpoint#poll}, or what matches messages on top of them. The mailbox is as
 * large as the peers' buffers, and divided among all ranks, the receiver's own included.
 */
final class EndpointTransport implements Transport
{
    private static final int DEFAULT_CREDIT_SLOTS = 2;

    private final LinkSpec spec;
    private final Node node;

    EndpointTransport(final LinkSpec spec, final File directory)
    {
        this.spec = spec;
        final int slotsPerSender = spec.slots() / spec.parties();
        final NodeContext context = new NodeContext()
            .directory(new File(directory, "node"))
            .groupName("compare")
            .rankCount(spec.parties())
            .slotsPerSender(slotsPerSender)
            .creditSlots(Math.max(1, Math.min(DEFAULT_CREDIT_SLOTS, slotsPerSender / 4)))
            .flow(spec.flow())
            .creditReturn(CreditReturn.DIRECT);
        if (spec.flow() == Flow.NONE)
        {
            context.ringSlots(spec.slots());
        }
        node = Node.launch(context);
    }

    @Override
    public Link open(final int party)
    {
        final Endpoint endpoint = node.open(party);
        return switch (spec.transport())
        {
            case TALLYPOST_MESSAGING, TALLYPOST_MESSAGING_BESIDE -> new MatchedLink(endpoint, spec, party);
            case TALLYPOST_MESSAGING_REGIONS, TALLYPOST_MESSAGING_REGIONS_BESIDE ->
                MatchedLink.inRegions(node, endpoint, spec, party);
            case TALLYPOST_REGIONS -> new RegionLink(node, endpoint, spec, party, NetworkTurns.NONE);
            case TALLYPOST_LOANS, TALLYPOST_LOANS_48 -> new LoanLink(node, endpoint, spec, party);
            case TALLYPOST_PUT, TALLYPOST_GET ->
                new WordLink.InRegion(node, endpoint, party, spec.transport() == TransportKind.TALLYPOST_GET);
            default -> open(endpoint, party);
        };
    }

    private Link open(final Endpoint endpoint, final int party)
    {
        return spec.mode() == Mode.ALLTOALL ? new Rank(endpoint) :
            spec.length() > Endpoint.MAX_RUN_LENGTH ? new LongLink(endpoint, party == 0 ? 1 : 0) :
            new EndpointLink(endpoint, party == 0 ? 1 : 0, spec.mode() == Mode.RATE ? spec.batch() : 1);
    }

    @Override
    public long bufferBytes()
    {
        final NodeContext context = node.context();
        return (long)(context.ringSlots() + context.expressLanes() * context.laneSlots()) * MailboxDescriptor.SLOT_LENGTH;
    }

    @Override
    public void close()
    {
        node.close();
    }

    private static boolean isSent(final long result, final int length)
    {
        if (result >= 0)
        {
            return true;
        }
        if (result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED)
        {
            return false;
        }
        throw new IllegalStateException(Endpoint.errorString(result) + ", length or messages=" + length);
    }

    /** A rank that sends to all others. */
    static final class Rank implements Link, MessageListener
    {
        private final Endpoint endpoint;
        private Inlet inlet;

        Rank(final Endpoint endpoint)
        {
            this.endpoint = endpoint;
        }

        boolean send(final int dest, final DirectBuffer buffer, final int offset, final int length)
        {
            return isSent(endpoint.offer(dest, 0, buffer, offset, length), length);
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            throw new UnsupportedOperationException("a rank of an alltoall has no single destination");
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return Polled.work(endpoint.poll(this, limit));
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }

    /** Messages that are too long for an offer go by a handle, in pieces as there is room. */
    private static final class LongLink implements Link, MessageListener
    {
        private final Endpoint endpoint;
        private final int destination;
        private final LongSend send;
        private boolean isUnderWay;
        private Inlet inlet;

        LongLink(final Endpoint endpoint, final int destination)
        {
            this.endpoint = endpoint;
            this.destination = destination;
            send = endpoint.newSend();
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            final long result = isUnderWay ? send.progress() : send.start(destination, 0, buffer, offset, length);
            isUnderWay = result == Endpoint.NO_CREDIT;
            return isSent(result, length);
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return Polled.work(endpoint.poll(this, limit));
        }

        @Override
        public void onRefused()
        {
            endpoint.poll(this, 1);
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }

    private static final class EndpointLink implements Link, MessageListener
    {
        private final Endpoint endpoint;
        private final int destination;
        /** Null if each message is offered by itself. */
        private final MessageBatch batch;
        private final int batchSize;
        private Inlet inlet;

        EndpointLink(final Endpoint endpoint, final int destination, final int batchSize)
        {
            this.batchSize = batchSize;
            batch = batchSize == 1 ? null : new MessageBatch(batchSize);
            this.endpoint = endpoint;
            this.destination = destination;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            if (batch != null)
            {
                return sendInBatch(buffer, offset, length);
            }
            return isSent(endpoint.offer(destination, 0, buffer, offset, length), length);
        }

        /** Stays where it is until the batch goes: the payload has more places than a batch. */
        private boolean sendInBatch(final DirectBuffer buffer, final int offset, final int length)
        {
            if (batch.size() == batchSize && !flush())
            {
                return false;
            }
            batch.add(0, buffer, offset, length);
            if (batch.size() == batchSize)
            {
                flush();
            }
            return true;
        }

        @Override
        public boolean flush()
        {
            if (batch != null && batch.size() > 0)
            {
                if (!isSent(endpoint.offer(destination, batch), batch.size()))
                {
                    return false;
                }
                batch.clear();
            }
            return true;
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return Polled.work(endpoint.poll(this, limit));
        }

        @Override
        public void onRefused()
        {
            endpoint.poll(this, 1);
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }
}
