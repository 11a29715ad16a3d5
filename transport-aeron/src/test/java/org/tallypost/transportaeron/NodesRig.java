// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.agrona.CloseHelper;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.internal.driver.AeronSettings;

/** Several nodes in this process, on loopback ports, each with a directory of its own. */
public final class NodesRig implements AutoCloseable
{
    /** On a busy machine two nodes may need longer than the defaults to prove themselves, and to hand over the last messages. */
    static final long LONG_NS = 600_000_000_000L;
    public static final byte[] SECRET = "a secret of the tests, not random".getBytes(java.nio.charset.StandardCharsets.US_ASCII);

    public Topology topology;
    public final List<Node> nodes = new ArrayList<>();
    public final AeronTransport[] transports;
    final Endpoint[] endpoints;
    public final Queue<TransportEvent> events = new ConcurrentLinkedQueue<>();
    public final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final File directory;
    private BiConsumer<NodeContext, AeronTransport> tuning = (context, transport) -> {};

    public NodesRig(final File directory, final int nodeCount, final int ranksPerNode)
    {
        this(directory, Collections.nCopies(nodeCount, ranksPerNode));
    }

    public NodesRig(final File directory, final List<Integer> ranksOfNodes)
    {
        this.directory = directory;
        topology = topology(ranksOfNodes.stream().mapToInt(Integer::intValue).toArray());
        endpoints = new Endpoint[topology.rankCount()];
        transports = new AeronTransport[ranksOfNodes.size()];
        nodes.addAll(Collections.nCopies(ranksOfNodes.size(), null));
    }

    /** Nodes with so many ranks, on loopback ports that are free now. */
    public static Topology topology(final int... ranksOfNodes)
    {
        return Topology.blocks(addresses(ranksOfNodes.length), ranksOfNodes);
    }

    private static List<NodeAddress> addresses(final int count)
    {
        final List<DatagramSocket> sockets = new ArrayList<>();
        final List<NodeAddress> found = new ArrayList<>();
        try
        {
            for (int i = 0; i < count; i++)
            {
                final DatagramSocket socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0));
                sockets.add(socket);
                found.add(new NodeAddress("127.0.0.1", socket.getLocalPort()));
            }
            return found;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            CloseHelper.closeAll(sockets);
        }
    }

    /** What a node's transport was told. */
    public AeronSettings settings(final int node)
    {
        return transports[node].settings();
    }

    /** The defaults of a transport. */
    public static AeronSettings settings(final Topology topology, final int node)
    {
        return new AeronTransport(topology, node).settings();
    }

    public NodesRig tuned(final BiConsumer<NodeContext, AeronTransport> value)
    {
        tuning = value;
        return this;
    }

    /** Puts another name in the place of a node's address; before any is launched. */
    NodesRig withHost(final int node, final String host)
    {
        final List<NodeAddress> addresses = new ArrayList<>();
        for (int i = 0; i < topology.nodeCount(); i++)
        {
            final NodeAddress address = topology.address(i);
            addresses.add(i == node ? new NodeAddress(host, address.port()) : address);
        }
        topology = new Topology(addresses, java.util.stream.IntStream.range(0, topology.rankCount())
            .map(topology::nodeOf).toArray());
        return this;
    }

    public NodesRig launchAll()
    {
        for (int node = 0; node < nodes.size(); node++)
        {
            launch(node);
        }
        return this;
    }

    public Node launch(final int node)
    {
        final AeronTransport transport = new AeronTransport(topology, node).secret(SECRET).admissionNs(LONG_NS);
        final NodeContext context = new NodeContext()
            .directory(new File(directory, "node-" + node))
            .groupName("test")
            .rankCount(topology.rankCount())
            .slotsPerSender(16)
            .flow(Flow.DYNAMIC)
            .checkInvariants(true)
            .deleteOnClose(true)
            .livenessIntervalNs(10_000_000_000L)
            .maxSendingThreads(64)
            .maxProcesses(16)
            .transport(transport)
            .transportSettings(new TransportSettings().eventHandler(events::add))
            .errorHandler(errors::add);
        transports[node] = transport;
        tuning.accept(context, transport);
        final Node launched = Node.launch(context);
        nodes.set(node, launched);
        for (final int rank : topology.map().ranks(node))
        {
            endpoints[rank] = launched.open(rank);
        }
        return launched;
    }

    public Endpoint endpoint(final int rank)
    {
        return endpoints[rank];
    }

    /** Gives all endpoints a turn. */
    int poll(final MessageListener handler)
    {
        int work = 0;
        for (final Endpoint endpoint : endpoints)
        {
            work += endpoint == null ? 0 : endpoint.poll(handler, 16);
        }
        return work;
    }

    public void pollUntil(final String what, final MessageListener handler, final java.util.function.BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", events=" + events + ", errors=" + errors);
        while (!condition.getAsBoolean())
        {
            if (poll(handler) > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    public long count(final TransportEvent.Kind kind)
    {
        return events.stream().filter((event) -> event.kind() == kind).count();
    }

    void close(final int node)
    {
        CloseHelper.close(nodes.set(node, null));
        for (final int rank : topology.map().ranks(node))
        {
            endpoints[rank] = null;
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(nodes);
    }
}
