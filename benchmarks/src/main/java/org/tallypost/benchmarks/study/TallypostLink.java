// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.compare.LoopbackPorts;
import org.tallypost.benchmarks.workload.Polled;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/**
 * Two nodes: rank 0 on the one sends to the ranks on the other. Each thread does the transport's work of its node.
 */
final class TallypostLink implements SharedLink
{
    private static final String LOCAL_HOST = "127.0.0.1";
    private static final byte[] SECRET = "two nodes of one process".getBytes(StandardCharsets.US_ASCII);

    private final Node near;
    private final Node far;
    private final Endpoint sender;
    private final Endpoint[] receivers;
    private final MessageListener[] handlers;
    private final AtomicIntegerArray full;
    private Taker inlet;

    TallypostLink(final int count, final int slots, final File directory)
    {
        final Topology topology = Topology.blocks(
            LoopbackPorts.free(2).stream().map((port) -> new NodeAddress(LOCAL_HOST, port)).toList(),
            new int[]{1, count});
        near = launch(topology, 0, slots, new File(directory, "near"));
        try
        {
            far = launch(topology, 1, slots, new File(directory, "far"));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(near);
            throw ex;
        }
        sender = near.open(0);
        receivers = new Endpoint[count];
        handlers = new MessageListener[count];
        full = new AtomicIntegerArray(count);
        for (int i = 0; i < count; i++)
        {
            final int receiver = i;
            receivers[i] = far.open(1 + i);
            handlers[i] = (source, tag, buffer, offset, length) -> inlet.onMessage(receiver, buffer, offset, length);
        }
    }

    private static Node launch(final Topology topology, final int node, final int slots, final File directory)
    {
        return Node.launch(new NodeContext()
            .directory(directory)
            .rankCount(topology.rankCount())
            .slotsPerSender(slots)
            .livenessIntervalNs(TimeUnit.SECONDS.toNanos(10))
            .deleteOnClose(true)
            .transport(new AeronTransport(topology, node).secret(SECRET).lingerNs(0))
            .transportSettings(new TransportSettings().thread(false)));
    }

    @Override
    public boolean send(final int receiver, final DirectBuffer buffer, final int length)
    {
        final long result = sender.offer(1 + receiver, 0, buffer, 0, length);
        if (result < 0 && result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
        {
            throw new IllegalStateException(Endpoint.errorString(result));
        }
        full.lazySet(receiver, result < 0 ? 1 : 0);
        return result >= 0;
    }

    @Override
    public boolean isFull(final int receiver)
    {
        return full.get(receiver) != 0;
    }

    @Override
    public int sendingWork()
    {
        return near.transportWork();
    }

    @Override
    public int receivingWork()
    {
        return far.transportWork();
    }

    @Override
    public int poll(final int receiver, final Taker taker, final int limit)
    {
        inlet = taker;
        return Polled.work(receivers[receiver].poll(handlers[receiver], limit));
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(near, far);
    }
}
