// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Carrier;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageHandler;
import org.tallypost.endpoint.Node;
import org.tallypost.mailbox.MailboxDescriptor;

/**
 * What users call: {@link Endpoint#offer} and {@link Endpoint#poll}. The mailbox is as large as the peers' buffers, and
 * divided among all ranks, the receiver's own included.
 */
final class EndpointTransport implements Transport
{
    private static final int DEFAULT_CREDIT_SLOTS = 2;

    private final ForkSpec spec;
    private final Node node;

    EndpointTransport(final ForkSpec spec, final File directory)
    {
        this.spec = spec;
        final int slotsPerSender = spec.slots() / spec.parties();
        final Node.Context context = new Node.Context()
            .directory(new File(directory, "node"))
            .groupName("compare")
            .rankCount(spec.parties())
            .slotsPerSender(slotsPerSender)
            .creditSlots(Math.max(1, Math.min(DEFAULT_CREDIT_SLOTS, slotsPerSender / 4)))
            .flow(spec.flow())
            .carrier(Carrier.DIRECT);
        if (spec.flow() == Flow.NONE)
        {
            context.ringSlots(spec.slots());
        }
        node = Node.launch(context);
    }

    @Override
    public Link open(final int party)
    {
        return new EndpointLink(node.open(party), party == 0 ? 1 : 0);
    }

    @Override
    public long bufferBytes()
    {
        final Node.Context context = node.context();
        return (long)(context.ringSlots() + context.expressLanes() * context.laneSlots()) * MailboxDescriptor.SLOT_LENGTH;
    }

    @Override
    public void close()
    {
        node.close();
    }

    private static final class EndpointLink implements Link, MessageHandler
    {
        private final Endpoint endpoint;
        private final int destination;
        private Inlet inlet;

        EndpointLink(final Endpoint endpoint, final int destination)
        {
            this.endpoint = endpoint;
            this.destination = destination;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            final long result = endpoint.offer(destination, 0, buffer, offset, length);
            if (result >= 0)
            {
                return true;
            }
            if (result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED)
            {
                return false;
            }
            throw new IllegalStateException(Endpoint.errorString(result) + ", length=" + length);
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return endpoint.poll(this, limit);
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
