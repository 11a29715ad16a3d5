// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.security.SecureRandom;
import java.util.function.Supplier;
import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;

/**
 * Packets between nodes by Aeron UDP: one stream for each ordered pair of nodes. Setters return the transport; nothing may be
 * set after the node was launched. One object for each node.
 *
 * <pre>
 *   new NodeContext().directory(directory).rankCount(32)
 *       .transport(new AeronTransport(Topology.blocks(addresses, new int[]{16, 16}), 0).secret(secret))
 * </pre>
 */
public final class AeronTransport implements Transport
{
    /** Four of the longest runs fit, and a network with jumbo frames, of 9,000 bytes, carries it whole. */
    static final int DEFAULT_MTU_LENGTH = 8448;
    private static final int SOCKET_RECEIVE_BUFFER_LENGTH = 1 << 21;
    private static final int MIN_MTU_LENGTH = 1024;

    private final Topology topology;
    private final int node;
    private byte[] secret;
    private String aeronDirectory;
    private int streamBase = 1000;
    private int mtuLength = DEFAULT_MTU_LENGTH;
    private int termLength;
    private long lingerNs = 2_000_000_000L;
    private long admissionNs = 10_000_000_000L;
    private Supplier<String> startParameters = () -> "";
    private NetworkFaults faults;
    /** Terms of the logs from each other node. */
    private int[] incomingTermLengths = new int[0];
    /** Of the files of an embedded driver, in bytes. */
    private long driverLength;
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
        this.node = node;
    }

    /**
     * A transport as it is configured by the program, a file or a launcher.
     *
     * @param launch the configuration.
     * @return the transport.
     */
    public static AeronTransport of(final LaunchConfiguration launch)
    {
        return new AeronTransport(launch.topology(), launch.node()).secret(launch.secret());
    }

    /**
     * The secret that all nodes of the group share: a node without it is not admitted.
     *
     * @param value at least 16 bytes, best random ones; null if there is none, which is refused for several nodes.
     * @return this.
     */
    public AeronTransport secret(final byte[] value)
    {
        secret = value == null ? null : value.clone();
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
        aeronDirectory = value;
        return this;
    }

    /**
     * Packets from node n travel on the stream of this number plus n (group). Default 1,000.
     *
     * @param value number of the first stream.
     * @return this.
     */
    public AeronTransport streamBase(final int value)
    {
        streamBase = value;
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
        mtuLength = value;
        return this;
    }

    /**
     * Length of a term of Aeron's log in bytes, a power of two; the log has three. Default 0: the shortest whose half holds
     * all that credits allow to be under way to a node.
     *
     * @param value the length, or 0.
     * @return this.
     */
    public AeronTransport termLength(final int value)
    {
        termLength = value;
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
        lingerNs = value;
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
        admissionNs = value;
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
        faults = value;
        return this;
    }

    /** Where streams begin, for tests: asked for each new one. */
    AeronTransport startParameters(final Supplier<String> value)
    {
        startParameters = value;
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
        return node;
    }

    @Override
    public void conclude(final NodeView settings)
    {
        if (topology.nodeCount() > 1 && secret == null)
        {
            throw new IllegalArgumentException("secret is not set: nodes admit only those that share one of at least " +
                GroupSecret.MIN_LENGTH + " bytes; set AeronTransport.secret(), secretFile in the launch file, or " +
                "TALLYPOST_SECRET_FILE");
        }
        if (secret != null)
        {
            newSecret();
        }
        if (mtuLength < MIN_MTU_LENGTH || mtuLength > Configuration.MAX_UDP_PAYLOAD_LENGTH ||
            mtuLength % io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT != 0)
        {
            throw new IllegalArgumentException("mtuLength out of range: found=" + mtuLength + ", expected=" + MIN_MTU_LENGTH +
                " to " + Configuration.MAX_UDP_PAYLOAD_LENGTH + ", a multiple of 32");
        }
        if (admissionNs <= 0)
        {
            throw new IllegalArgumentException("admissionNs out of range: found=" + admissionNs + ", expected at least 1");
        }
        if (aeronDirectory != null && aeronDirectory.isBlank())
        {
            throw new IllegalArgumentException("aeronDirectory has no name: found=\"" + aeronDirectory +
                "\", expected the directory of a media driver, or null for an embedded one");
        }
        if (faults != null && aeronDirectory != null)
        {
            throw new IllegalArgumentException("faults are for an embedded driver: found aeronDirectory=" + aeronDirectory);
        }
        final int[] incoming = new int[topology.nodeCount()];
        long length = DriverFiles.FIXED_LENGTH;
        for (int peer = 0; peer < topology.nodeCount(); peer++)
        {
            if (peer != node)
            {
                incoming[peer] = termLength(settings, peer, node);
                length += DriverFiles.logLength(termLength(settings, node, peer)) + DriverFiles.logLength(incoming[peer]);
            }
        }
        incomingTermLengths = incoming;
        driverLength = length;
    }

    /** Bytes of all files of an embedded driver: logs of both directions, and what it has for itself. */
    long driverLength()
    {
        return driverLength;
    }

    /**
     * Longest terms of a stream that comes in, as the other node computes them: an embedded driver reserves three of them for
     * whatever stream begins.
     *
     * @param stream of the other node.
     * @return the length in bytes, 0 if there is no such node.
     */
    int incomingTermLength(final int stream)
    {
        final int peer = stream - streamBase;
        return peer >= 0 && peer < incomingTermLengths.length ? incomingTermLengths[peer] : 0;
    }

    /** Length of the terms from one node to another. */
    int termLength(final NodeView settings, final int from, final int to)
    {
        final int senders = topology.map().rankCount(from);
        final int receivers = topology.map().rankCount(to);
        final long slots = WindowSizing.creditBound(
            settings.isFlowDynamic() ? Flow.DYNAMIC : Flow.STATIC, settings.slotsPerSender(), settings.creditSlots(),
                settings.rankCount(), senders, receivers);
        return WindowSizing.termLength(termLength, WindowSizing.windowBound(slots, senders, receivers), from, to);
    }

    @Override
    public Agent start(final NodePort port)
    {
        final LinkAgent started = new LinkAgent(this, port);
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

    GroupSecret newSecret()
    {
        return new GroupSecret(secret);
    }

    /** A guard of the streams that come to this node, null if there are no other nodes. */
    StreamGuard newGuard()
    {
        return secret == null ? null :
            new StreamGuard(newSecret(), streamBase, topology.nodeCount(), node, admissionNs);
    }

    static byte[] nonce()
    {
        final byte[] nonce = new byte[HandshakeDescriptor.NONCE_LENGTH];
        new SecureRandom().nextBytes(nonce);
        return nonce;
    }

    Topology topology()
    {
        return topology;
    }

    int mtuLength()
    {
        return mtuLength;
    }

    /** Longest datagram from one node to another: Aeron takes none that is longer than its longest message. */
    int mtuLength(final NodeView settings, final int from, final int to)
    {
        return Math.min(
            mtuLength, io.aeron.logbuffer.FrameDescriptor.computeMaxMessageLength(termLength(settings, from, to)));
    }

    long lingerNs()
    {
        return lingerNs;
    }

    long admissionNs()
    {
        return admissionNs;
    }

    NetworkFaults faults()
    {
        return faults;
    }

    String aeronDirectory()
    {
        return aeronDirectory;
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
        final int configured = Configuration.socketRcvbufLength();
        try (DatagramChannel probe = DatagramChannel.open())
        {
            probe.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_RECEIVE_BUFFER_LENGTH);
            return Math.max(configured, Math.min(
                SOCKET_RECEIVE_BUFFER_LENGTH, probe.getOption(StandardSocketOptions.SO_RCVBUF)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("no socket for datagrams", ex);
        }
    }

    /** Where the packets from one node to another go. */
    String channel(final int to)
    {
        return CommonContext.UDP_CHANNEL + "?endpoint=" + topology.address(to);
    }

    /** The same with what must not depend on how a driver is set: the window is all that credits allow. */
    String publicationChannel(final NodeView settings, final int to)
    {
        final int length = termLength(settings, node, to);
        return channel(to) + "|" + CommonContext.MTU_LENGTH_PARAM_NAME + "=" + mtuLength(settings, node, to) + "|" +
            CommonContext.TERM_LENGTH_PARAM_NAME + "=" + length + "|" +
            CommonContext.PUBLICATION_WINDOW_LENGTH_PARAM_NAME + "=" + length / 2 + "|" +
            CommonContext.SESSION_ID_PARAM_NAME + "=" +
            StreamGuard.session(newSecret(), node, to, ByteBuffer.wrap(nonce()).getInt()) + startParameters.get();
    }

    int stream(final int from)
    {
        return streamBase + from;
    }
}
