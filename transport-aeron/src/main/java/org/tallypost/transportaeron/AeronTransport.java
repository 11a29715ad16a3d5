// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.transport.Multicast;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.transportaeron.faults.NetworkFaults;
import org.tallypost.transportaeron.internal.driver.AeronMulticast;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.driver.MulticastSettings;
import org.tallypost.transportaeron.internal.link.LinkAgent;

/**
 * Packets between nodes by Aeron UDP: one stream for each ordered pair of nodes, and one more for messages of high priority if
 * there are any. Setters return the transport; nothing may be
 * set after the node was launched. One object for each node.
 *
 * <pre>
 *   new NodeContext().directory(directory).rankCount(32)
 *       .transport(new AeronTransport(Topology.blocks(addresses, new int[]{16, 16}), 0).secret(secret))
 * </pre>
 */
public final class AeronTransport implements Transport
{
    private final Topology topology;
    private final AeronSettings settings;
    private MulticastSettings multicast;
    private volatile NodeView view;
    private volatile LinkAgent agent;

    /**
     * A transport with the defaults; {@link #secret} has to be set.
     *
     * @param topology nodes, their addresses, and their ranks.
     * @param node     index of this node.
     */
    public AeronTransport(final Topology topology, final int node)
    {
        this.topology = topology;
        settings = new AeronSettings(
            topology.map(), IntStream.range(0, topology.nodeCount()).mapToObj((of) -> topology.address(of).toString()).toList(),
                node);
    }

    /**
     * The secret that all nodes of the group share: a node without it is not admitted.
     *
     * @param value at least 16 bytes, best random ones; null if there is none, which is refused for several nodes.
     * @return this.
     */
    public AeronTransport secret(final byte[] value)
    {
        settings.secret(value);
        return this;
    }

    /**
     * Directory of a media driver, Java or C, of its own. While none runs there, now or later, the error handler is told, and
     * one is waited for. Default null: a driver is embedded in the process that carries the node's packets, on the same
     * thread.
     *
     * @param value the driver's directory.
     * @return this.
     */
    public AeronTransport aeronDirectory(final String value)
    {
        settings.aeronDirectory(value);
        return this;
    }

    /**
     * Packets from node n travel on the stream of this number plus n (group), what it does with memory of others on that of
     * this number plus all nodes plus n, and messages of high priority on that of this number plus twice all nodes plus n.
     * Default 1,000.
     *
     * @param value number of the first stream.
     * @return this.
     */
    public AeronTransport streamBase(final int value)
    {
        settings.streamBase(value);
        return this;
    }

    /**
     * Longest datagram in bytes, a multiple of 32. Default 8,448: fewer system calls for each byte, and room for four of the
     * longest runs. A network with a smaller MTU makes fragments of it, of which one that is lost costs all: choose 1,408 there.
     * Where terms are short datagrams are no longer than an eighth of a term. The same on all nodes.
     *
     * @param value from 1,024 to 65,504.
     * @return this.
     */
    public AeronTransport mtuLength(final int value)
    {
        settings.mtuLength(value);
        return this;
    }

    /**
     * Length of a term of Aeron's log in bytes, a power of two; the log has three. Default 0: the shortest with a half that holds
     * all that credits allow to be under way to a node.
     *
     * @param value the length, or 0.
     * @return this.
     */
    public AeronTransport termLength(final int value)
    {
        settings.termLength(value);
        return this;
    }

    /**
     * Length of a term of the streams by which ranks use memory of ranks of other nodes, in bytes: a power of two from 64 KiB.
     * Half of it may be under way to a node, or 128 KiB if that is less. Default 0: there are no such streams. They take three
     * terms for each other node and direction. The same on all nodes; 1 MiB is enough.
     *
     * @param value the length, or 0.
     * @return this.
     */
    public AeronTransport bulkTermLength(final int value)
    {
        settings.bulkTermLength(value);
        return this;
    }

    /**
     * Whether messages of high priority go between nodes by a stream of their own, if {@code NodeContext.highSlots} is not 0: so
     * they do not wait behind batches of other messages in Aeron's logs. Such a stream takes three terms of 64 KiB or more for
     * each other node and direction. The same on all nodes. Default true.
     *
     * @param value false for one stream for both priorities.
     * @return this.
     */
    public AeronTransport highStream(final boolean value)
    {
        settings.highStream(value);
        return this;
    }

    /**
     * Where nodes send to all others at once: collectives broadcast by it, if all nodes hear each other so. A rank that speaks
     * for its node has a media driver for it, embedded unless {@link #aeronDirectory} is set, with some 50 MiB of files. The
     * same on all nodes. Default null: everything goes from node to node.
     *
     * @param group            multicast address with an odd last byte, as Aeron wants it, and a UDP port. The next address is
     *                         used by the receivers' answers.
     * @param networkInterface address of this node's network interface, such as "10.0.0.5" or "10.0.0.0/24".
     * @return this.
     */
    public AeronTransport multicast(final NodeAddress group, final String networkInterface)
    {
        multicast = group == null ? null : new MulticastSettings(group.toString(), networkInterface);
        return this;
    }

    /**
     * How long a node that closes waits for its last messages to arrive, in nanoseconds. Default 2 s.
     *
     * @param value the time.
     * @return this.
     */
    public AeronTransport lingerNs(final long value)
    {
        settings.lingerNs(value);
        return this;
    }

    /**
     * How long somebody may send to this node without having proven that it knows the secret: then its stream is rejected.
     * What it sends until then is dropped. Time for which this node's transport stood still does not count. Default 10 s.
     *
     * @param value nanoseconds.
     * @return this.
     */
    public AeronTransport admissionNs(final long value)
    {
        settings.admissionNs(value);
        return this;
    }

    /**
     * A bad network, for tests and benchmarks; for an embedded driver only. Default null.
     *
     * @param value the faults.
     * @return this.
     */
    public AeronTransport faults(final NetworkFaults value)
    {
        settings.faults(value);
        return this;
    }

    /** Where streams begin, for tests: asked for each new one. */
    AeronTransport startParameters(final Supplier<String> value)
    {
        settings.startParameters(value);
        return this;
    }

    /** Number of the first batch of each stream of messages, for tests: the same on all nodes. */
    AeronTransport firstBatch(final long value)
    {
        settings.firstBatch(value);
        return this;
    }

    @Override
    public RankMap rankMap()
    {
        return topology.map();
    }

    @Override
    public int node()
    {
        return settings.node();
    }

    @Override
    public boolean hasBulk()
    {
        return settings.hasBulk();
    }

    @Override
    public boolean hasMulticast()
    {
        return multicast != null && topology.nodeCount() > 1;
    }

    @Override
    public Multicast openMulticast(final int rank, final ErrorHandler onError)
    {
        return new AeronMulticast(settings, multicast, view, rank, onError);
    }

    @Override
    public void conclude(final NodeView concluded)
    {
        settings.conclude(concluded);
        if (multicast != null)
        {
            multicast.check();
        }
        view = concluded;
    }

    @Override
    public Agent start(final NodePort port)
    {
        final LinkAgent started = new LinkAgent(settings, port);
        agent = started;
        return started;
    }

    /**
     * What was counted on the links of this node: batches and frames in both directions, what was dropped and why. Any thread;
     * may be a little old.
     *
     * @return the text, null if another process carries the packets.
     */
    public String counts()
    {
        final LinkAgent started = agent;
        return started == null ? null : started.toString();
    }

    /**
     * Receive buffer of an embedded media driver's sockets: 2 MiB, or what the system allows (on Linux net.core.rmem_max), or
     * what the property {@code aeron.socket.so_rcvbuf} asks for if that is more. Aeron's own default, 128 KiB, holds some
     * fifteen datagrams of the default MTU, and a burst of one window loses some of them.
     *
     * @return length in bytes.
     */
    public static int socketReceiveBufferLength()
    {
        return AeronSettings.socketReceiveBufferLength();
    }

    /** What the transport was told, for tests. */
    AeronSettings settings()
    {
        return settings;
    }
}
