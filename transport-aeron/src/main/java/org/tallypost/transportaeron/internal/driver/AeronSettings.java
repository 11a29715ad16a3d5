// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.CommonContext;
import io.aeron.driver.Configuration;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.transportaeron.faults.NetworkFaults;
import org.tallypost.transportaeron.internal.handshake.GroupSecret;
import org.tallypost.transportaeron.internal.handshake.Handshake;

/**
 * What a transport was told, and what follows from it for each stream: its channel, the length of its terms and of its datagrams.
 * Setters return the settings; nothing is set after {@link #conclude}.
 */
public class AeronSettings
{
    /** Four of the longest runs fit, and a network with jumbo frames, of 9,000 bytes, carries it whole. */
    static final int DEFAULT_MTU_LENGTH = 8448;
    private static final int SOCKET_RECEIVE_BUFFER_LENGTH = 1 << 21;
    private static final int MIN_MTU_LENGTH = 1024;
    /** Most streams from a node to another: of messages, of bulk, and of messages of high priority. */
    static final int STREAMS = 3;
    /** Slots of a sender in a high ring that are not for data. */
    private static final int HIGH_CREDIT_SLOTS = 1;

    private final RankMap map;
    private final List<String> addresses;
    private final int node;
    private byte[] secret;
    private String aeronDirectory;
    private int streamBase = 1000;
    private int mtuLength = DEFAULT_MTU_LENGTH;
    private int termLength;
    private int bulkTermLength;
    private boolean highStream = true;
    private long lingerNs = 2_000_000_000L;
    private long admissionNs = 10_000_000_000L;
    private Starts starts = new Starts(() -> "", 0);
    private NetworkFaults faults;
    /** Terms of the logs from each other node: of all streams of messages, of bulk, of messages of high priority. */
    private int[] incomingTermLengths = new int[0];
    /** Of the files of an embedded driver, in bytes. */
    private long driverLength;

    /** Where streams begin: in Aeron's numbers, and in ours. */
    private record Starts(Supplier<String> parameters, long firstBatch)
    {
    }

    /**
     * The defaults.
     *
     * @param map       which rank is on which node.
     * @param addresses of the nodes, host and port.
     * @param node      index of this one.
     */
    public AeronSettings(final RankMap map, final List<String> addresses, final int node)
    {
        this.map = map;
        this.addresses = List.copyOf(addresses);
        this.node = node;
    }

    /** The settings of a driver of streams to all nodes: these are behind all other streams. */
    AeronSettings(final AeronSettings others, final int termLength)
    {
        this(others.map, others.addresses, others.node);
        secret = others.secret;
        aeronDirectory = others.aeronDirectory;
        streamBase = others.highStream(map.nodeCount());
        mtuLength = others.mtuLength;
        admissionNs = others.admissionNs;
        faults = others.faults;
        incomingTermLengths = new int[STREAMS * map.nodeCount()];
        Arrays.fill(incomingTermLengths, 0, map.nodeCount(), termLength);
        incomingTermLengths[node] = 0;
        driverLength = DriverFiles.FIXED_LENGTH + map.nodeCount() * DriverFiles.logLength(termLength);
    }

    /** Null if there is none; copied. */
    public AeronSettings secret(final byte[] value)
    {
        secret = value == null ? null : value.clone();
        return this;
    }

    /** Null for an embedded driver. */
    public AeronSettings aeronDirectory(final String value)
    {
        aeronDirectory = value;
        return this;
    }

    /** Number of the stream of node 0. */
    public AeronSettings streamBase(final int value)
    {
        streamBase = value;
        return this;
    }

    /** Longest datagram, in bytes. */
    public AeronSettings mtuLength(final int value)
    {
        mtuLength = value;
        return this;
    }

    /** In bytes, 0 for the shortest that will do. */
    public AeronSettings termLength(final int value)
    {
        termLength = value;
        return this;
    }

    /** Of bulk streams in bytes, 0 if there are none. */
    public AeronSettings bulkTermLength(final int value)
    {
        bulkTermLength = value;
        return this;
    }

    /** Whether messages of high priority have a stream of their own. */
    public AeronSettings highStream(final boolean value)
    {
        highStream = value;
        return this;
    }

    /** How long a node that closes waits for its last messages to arrive. */
    public AeronSettings lingerNs(final long value)
    {
        lingerNs = value;
        return this;
    }

    /** How long a stream is let in without a proof. */
    public AeronSettings admissionNs(final long value)
    {
        admissionNs = value;
        return this;
    }

    /** Null for a network as it is. */
    public AeronSettings faults(final NetworkFaults value)
    {
        faults = value;
        return this;
    }

    /** Where streams begin, for tests: asked for each new one. */
    public AeronSettings startParameters(final Supplier<String> value)
    {
        starts = new Starts(value, starts.firstBatch());
        return this;
    }

    /** Number of the first batch of each stream of messages, for tests: the same on all nodes. */
    public AeronSettings firstBatch(final long value)
    {
        starts = new Starts(starts.parameters(), value);
        return this;
    }

    /**
     * Checks the settings, and computes what an embedded driver needs room for.
     *
     * @param settings of the node.
     * @throws IllegalArgumentException that names the value, found and expected, and what to change.
     */
    public void conclude(final NodeView view)
    {
        if (map.nodeCount() > 1 && secret == null)
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
            mtuLength % FrameDescriptor.FRAME_ALIGNMENT != 0)
        {
            throw new IllegalArgumentException("mtuLength out of range: found=" + mtuLength + ", expected=" + MIN_MTU_LENGTH +
                " to " + Configuration.MAX_UDP_PAYLOAD_LENGTH + ", a multiple of 32");
        }
        if (bulkTermLength != 0 && (Integer.bitCount(bulkTermLength) != 1 ||
            bulkTermLength < LogBufferDescriptor.TERM_MIN_LENGTH || bulkTermLength > LogBufferDescriptor.TERM_MAX_LENGTH))
        {
            throw new IllegalArgumentException("bulkTermLength out of range: found=" + bulkTermLength + ", expected=0, or a " +
                "power of two from " + LogBufferDescriptor.TERM_MIN_LENGTH + " to " + LogBufferDescriptor.TERM_MAX_LENGTH);
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
        final int nodes = map.nodeCount();
        final int[] incoming = new int[STREAMS * nodes];
        long length = DriverFiles.FIXED_LENGTH;
        for (int peer = 0; peer < nodes; peer++)
        {
            if (peer != node)
            {
                incoming[peer] = termLength(view, peer, node);
                length += DriverFiles.logLength(termLength(view, node, peer)) + DriverFiles.logLength(incoming[peer]);
                incoming[nodes + peer] = bulkTermLength;
                length += hasBulk() ? 2 * DriverFiles.logLength(bulkTermLength) : 0;
                if (hasHigh(view))
                {
                    incoming[2 * nodes + peer] = highTermLength(view, peer, node);
                    length += DriverFiles.logLength(highTermLength(view, node, peer)) +
                        DriverFiles.logLength(incoming[2 * nodes + peer]);
                }
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
    public int incomingTermLength(final int stream)
    {
        final int index = stream - streamBase;
        return index < 0 || index >= incomingTermLengths.length ? 0 : incomingTermLengths[index];
    }

    /** Length of the terms from one node to another. */
    public int termLength(final NodeView view, final int from, final int to)
    {
        final int senders = map.rankCount(from);
        final int receivers = map.rankCount(to);
        final long slots = WindowSizing.creditBound(
            view.isFlowDynamic() ? Flow.DYNAMIC : Flow.STATIC, view.slotsPerSender(), view.creditSlots(),
                view.rankCount(), senders, receivers);
        // the pairs of the high rings have control frames of their own; they go this way until their stream has come
        final long bound = WindowSizing.windowBound(slots, senders, receivers) + highBound(view, from, to);
        return WindowSizing.termLength(termLength, bound, from, to);
    }

    /** Bytes that may be under way of messages of high priority, from one node to another. */
    private long highBound(final NodeView view, final int from, final int to)
    {
        final int senders = map.rankCount(from);
        final int receivers = map.rankCount(to);
        return view.highSlots() == 0 ? 0 : WindowSizing.windowBound(WindowSizing.creditBound(
            Flow.STATIC, view.highSlots(), HIGH_CREDIT_SLOTS, view.rankCount(), senders, receivers), senders, receivers);
    }

    /** Length of the terms of the stream of messages of high priority from one node to another: the shortest that will do. */
    public int highTermLength(final NodeView view, final int from, final int to)
    {
        return WindowSizing.termLength(0, highBound(view, from, to), from, to);
    }

    public GroupSecret newSecret()
    {
        return new GroupSecret(secret);
    }

    /** A guard of the streams that come to this node, null if there are no other nodes. */
    StreamGuard newGuard()
    {
        return secret == null ? null :
            new StreamGuard(newSecret(), streamBase, map.nodeCount(), node, receiver(), admissionNs);
    }

    /** In the tags of streams that come: this node. */
    int receiver()
    {
        return node;
    }

    public RankMap map()
    {
        return map;
    }

    public int node()
    {
        return node;
    }

    /** Where a node receives. */
    public String address(final int of)
    {
        return addresses.get(of);
    }

    public int mtuLength()
    {
        return mtuLength;
    }

    /** Longest datagram from one node to another: Aeron takes none that is longer than its longest message. */
    public int mtuLength(final NodeView view, final int from, final int to)
    {
        return Math.min(mtuLength, FrameDescriptor.computeMaxMessageLength(termLength(view, from, to)));
    }

    /** Length of the terms of bulk streams, 0 if there are none. */
    public int bulkTermLength()
    {
        return bulkTermLength;
    }

    public boolean hasBulk()
    {
        return bulkTermLength > 0;
    }

    /** Whether messages of high priority have streams of their own, if there are any. */
    public boolean highStream()
    {
        return highStream;
    }

    /** Whether there are streams of messages of high priority. */
    public boolean hasHigh(final NodeView view)
    {
        return highStream && view.highSlots() > 0;
    }

    /** Longest datagram of such a stream from one node to another. */
    public int highMtuLength(final NodeView view, final int from, final int to)
    {
        return Math.min(mtuLength, FrameDescriptor.computeMaxMessageLength(highTermLength(view, from, to)));
    }

    /** Longest datagram of a bulk stream. */
    public int bulkMtuLength()
    {
        return Math.min(mtuLength, FrameDescriptor.computeMaxMessageLength(bulkTermLength));
    }

    public long firstBatch()
    {
        return starts.firstBatch();
    }

    public long lingerNs()
    {
        return lingerNs;
    }

    public long admissionNs()
    {
        return admissionNs;
    }

    public NetworkFaults faults()
    {
        return faults;
    }

    public String aeronDirectory()
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
    public String channel(final int to)
    {
        return CommonContext.UDP_CHANNEL + "?endpoint=" + address(to);
    }

    /** The same with what must not depend on how a driver is set: the window is all that credits allow. */
    public String publicationChannel(final NodeView view, final int to)
    {
        final int length = termLength(view, node, to);
        return publicationChannel(to, node, length, length / 2, mtuLength(view, node, to));
    }

    /** The same for the bulk stream: its window is one of Aeron's receivers, as what is in it goes before later messages. */
    public String bulkChannel(final int to)
    {
        return publicationChannel(to, map.nodeCount() + node, bulkTermLength,
            Math.min(bulkTermLength / 2, Configuration.INITIAL_WINDOW_LENGTH_DEFAULT), bulkMtuLength());
    }

    /** The same for the stream of messages of high priority. */
    public String highChannel(final NodeView view, final int to)
    {
        final int length = highTermLength(view, node, to);
        return publicationChannel(to, 2 * map.nodeCount() + node, length, length / 2, highMtuLength(view, node, to));
    }

    private String publicationChannel(
        final int to, final int index, final int length, final int windowLength, final int datagramLength)
    {
        return channel(to) + "|" + CommonContext.MTU_LENGTH_PARAM_NAME + "=" + datagramLength + "|" +
            CommonContext.TERM_LENGTH_PARAM_NAME + "=" + length + "|" +
            CommonContext.PUBLICATION_WINDOW_LENGTH_PARAM_NAME + "=" + windowLength + "|" +
            CommonContext.SESSION_ID_PARAM_NAME + "=" +
            StreamGuard.session(newSecret(), index, to, ByteBuffer.wrap(Handshake.newNonce()).getInt()) +
            starts.parameters().get();
    }

    /** Number of the stream of messages from a node. */
    public int stream(final int from)
    {
        return streamBase + from;
    }

    /** Number of the bulk stream from a node: behind those of all messages. */
    public int bulkStream(final int from)
    {
        return streamBase + map.nodeCount() + from;
    }

    /** Whether a stream is one of bulk. */
    boolean isBulkStream(final int stream)
    {
        return stream >= bulkStream(0) && stream < highStream(0);
    }

    /** Number of the stream of messages of high priority from a node: behind those of bulk. */
    public int highStream(final int from)
    {
        return streamBase + 2 * map.nodeCount() + from;
    }
}
