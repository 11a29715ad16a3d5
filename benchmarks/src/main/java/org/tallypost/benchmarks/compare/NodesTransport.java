// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.workload.Polled;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/**
 * Our endpoints on two nodes, one in each process, as users call them: {@link Endpoint#offer} and {@link Endpoint#poll}.
 */
final class NodesTransport implements Transport
{
    private static final byte[] SECRET = "the secret of a comparison".getBytes(StandardCharsets.US_ASCII);
    private static final int NODES = 2;
    /** Parties wait for each other in probes and barriers; silence means nothing. */
    private static final long LIVENESS_NS = 60_000_000_000L;
    /** Of raw Aeron as well where messages are long. */
    static final int BULK_TERM_LENGTH = 1 << 20;
    private static final long LINGER_NS = 20_000_000L;

    private final Node node;
    private final int party;
    private final NetworkTurns turns;
    private final int length;
    private final boolean isBatched;
    private final LinkSpec spec;

    NodesTransport(final LinkSpec spec, final File directory, final LoopbackPorts ports, final int party)
    {
        this.party = party;
        this.spec = spec;
        length = spec.length();
        isBatched = spec.transport() == TransportKind.TALLYPOST_BATCH;
        final Topology topology = Topology.blocks(List.of(
            new NodeAddress(ports.transport(0).getHostString(), ports.transport(0).getPort()),
            new NodeAddress(ports.transport(1).getHostString(), ports.transport(1).getPort())), new int[]{1, 1});
        final boolean isInvoked = spec.isDriverInvoked(Runtime.getRuntime().availableProcessors());
        node = Node.launch(new NodeContext()
            .directory(new File(directory, "node-" + party))
            .groupName("compare")
            .rankCount(NODES)
            .slotsPerSender(spec.slots() / NODES)
            .flow(spec.flow())
            .livenessIntervalNs(LIVENESS_NS)
            .transport(new AeronTransport(topology, party).secret(SECRET).mtuLength(spec.mtuLength())
                .bulkTermLength(isBulk(spec.transport()) ? BULK_TERM_LENGTH : 0)
                .lingerNs(LINGER_NS))
            .transportSettings(new TransportSettings().thread(!isInvoked).idleStrategy(NetworkTurns.idleStrategy())));
        turns = isInvoked ? new NetworkTurns(node::transportWork) : NetworkTurns.NONE;
    }

    private static boolean isBulk(final TransportKind kind)
    {
        return kind == TransportKind.TALLYPOST_REGIONS || kind == TransportKind.TALLYPOST_ENDPOINT_BESIDE;
    }

    @Override
    public Link open(final int number)
    {
        if (spec.transport() == TransportKind.TALLYPOST_REGIONS)
        {
            return new RegionLink(node, node.open(party), spec, party, turns);
        }
        if (spec.transport() == TransportKind.TALLYPOST_ENDPOINT_BESIDE)
        {
            final Endpoint endpoint = node.open(party);
            return new BesideLink(endpoint, 1 - party, turns, new PutsBeside(node, endpoint, 1 - party));
        }
        return isBatched ? new BatchLink(node.open(party), 1 - party, turns, length) :
            new NodesLink(node.open(party), 1 - party, turns);
    }

    @Override
    public long bufferBytes()
    {
        return (long)node.context().ringSlots() * MailboxDescriptor.SLOT_LENGTH;
    }

    @Override
    public void close()
    {
        node.close();
    }

    private static class NodesLink implements Link, MessageListener
    {
        final Endpoint endpoint;
        final int destination;
        private final NetworkTurns turns;
        private Inlet inlet;

        NodesLink(final Endpoint endpoint, final int destination, final NetworkTurns turns)
        {
            this.endpoint = endpoint;
            this.destination = destination;
            this.turns = turns;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            return isSent(endpoint.offer(destination, 0, buffer, offset, length), 1);
        }

        final boolean isSent(final long result, final int count)
        {
            if (result >= 0)
            {
                turns.onSend(count);
                return true;
            }
            if (result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED)
            {
                return false;
            }
            throw new IllegalStateException(Endpoint.errorString(result));
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return Polled.work(endpoint.poll(this, limit));
        }

        @Override
        public void work()
        {
            turns.work();
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

    /** Puts into memory of the other party go beside the messages. */
    private static final class BesideLink extends NodesLink
    {
        private final PutsBeside puts;

        BesideLink(final Endpoint endpoint, final int destination, final NetworkTurns turns, final PutsBeside puts)
        {
            super(endpoint, destination, turns);
            this.puts = puts;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            return puts.isMet() && super.send(buffer, offset, length);
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            if (!puts.isMet())
            {
                return 0;
            }
            puts.work();
            return super.poll(taker, limit);
        }

        /** Until the parties have met, the meeting alone polls: its message is none of those that are measured. */
        @Override
        public void onRefused()
        {
            if (puts.isMet())
            {
                super.onRefused();
            }
        }

        @Override
        public long bytesBeside()
        {
            return puts.bytes();
        }
    }

    /** Messages that are handed over together when there are enough. */
    private static final class BatchLink extends NodesLink
    {
        private static final int CAPACITY = 16;

        private final MessageBatch batch = new MessageBatch(CAPACITY);
        private final UnsafeBuffer messages;
        private final int stride;

        BatchLink(final Endpoint endpoint, final int destination, final NetworkTurns turns, final int length)
        {
            super(endpoint, destination, turns);
            stride = BitUtil.align(length, MailboxDescriptor.SLOT_LENGTH);
            messages = new UnsafeBuffer(BufferUtil.allocateDirectAligned(CAPACITY * stride, MailboxDescriptor.SLOT_LENGTH));
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            if (batch.size() == CAPACITY && !flush())
            {
                return false;
            }
            final int at = batch.size() * stride;
            messages.putBytes(at, buffer, offset, length);
            return batch.add(0, messages, at, length);
        }

        @Override
        public boolean flush()
        {
            if (batch.size() > 0)
            {
                if (!isSent(endpoint.offer(destination, batch), batch.size()))
                {
                    return false;
                }
                batch.clear();
            }
            return true;
        }
    }
}
