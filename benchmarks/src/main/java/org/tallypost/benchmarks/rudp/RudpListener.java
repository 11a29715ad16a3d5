// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

import org.tallypost.thesis.rudp.RudpReceiver;

/**
 * Receives broadcasts of a {@link RudpRoot}, one at a time. Datagrams of other sessions, and what cannot be, are counted and
 * dropped. One thread.
 */
public final class RudpListener implements AutoCloseable
{
    private static final long LOOK_MS = 1;
    private static final byte[] NOTHING = {};

    private final Selector selector = Selector.open();
    private final ServerSocketChannel server = ServerSocketChannel.open();
    private final DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET);
    private final ByteBuffer datagram = ByteBuffer.allocate(65_536);
    private final SplittableRandom random;
    private final double loss;
    private SessionTerms terms;
    private RudpReceiver receiver;
    private byte[] data;
    private boolean isEnded;
    private long foreign;
    private long lost;

    /**
     * Listens from now on.
     *
     * @param host     address for connections.
     * @param port     for connections; 0 for any.
     * @param dataPort for datagrams, which several listeners of a host may share; 0 for any.
     * @param loss     share of datagrams that it drops.
     * @param seed     of these.
     * @throws IOException if a port cannot be had.
     */
    public RudpListener(final InetAddress host, final int port, final int dataPort, final double loss, final long seed)
        throws IOException
    {
        this.loss = loss;
        random = new SplittableRandom(seed);
        server.bind(new InetSocketAddress(host, port));
        server.configureBlocking(false);
        server.register(selector, SelectionKey.OP_ACCEPT);
        channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 21);
        channel.bind(new InetSocketAddress(dataPort));
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
    }

    /**
     * Where it listens for connections.
     *
     * @return address and port.
     * @throws IOException if it is closed.
     */
    public InetSocketAddress address() throws IOException
    {
        return (InetSocketAddress)server.getLocalAddress();
    }

    /**
     * Port of its datagrams.
     *
     * @return the port.
     * @throws IOException if it is closed.
     */
    public int dataPort() throws IOException
    {
        return ((InetSocketAddress)channel.getLocalAddress()).getPort();
    }

    /**
     * Waits for a broadcast, and receives it.
     *
     * @param limitNs longest time for both.
     * @return its data.
     * @throws IOException if the sender goes away, sends what cannot be, or the limit is over.
     */
    public byte[] receive(final long limitNs) throws IOException
    {
        final long endNs = System.nanoTime() + limitNs;
        terms = null;
        receiver = null;
        data = null;
        isEnded = false;
        SocketChannel accepted = server.accept();
        while (accepted == null)
        {
            await(endNs, limitNs, "a connection");
            accepted = server.accept();
        }
        try (ControlChannel control = new ControlChannel(accepted, selector))
        {
            while (!isEnded)
            {
                final boolean isOpen =
                    control.poll((kind, first, second, bytes) -> onControl(control, kind, first, second, bytes));
                if (data != null && receiver == null)
                {
                    receiveBytes(control, endNs, limitNs);
                }
                final boolean hasMore = readDatagrams();
                if (!isOpen && !isEnded)
                {
                    throw new IOException("the sender is gone: " + control.name());
                }
                if (receiver != null)
                {
                    receiver.onTime(System.nanoTime());
                }
                if (!isEnded && !hasMore)
                {
                    await(endNs, limitNs, "the end of a broadcast of " + control.name());
                }
            }
            return data;
        }
    }

    private void await(final long endNs, final long limitNs, final String what) throws IOException
    {
        selector.select(LOOK_MS);
        selector.selectedKeys().clear();
        if (receiver == null)
        {
            // broadcasts to others come here, too, and would end each select at once
            readDatagrams();
        }
        if (System.nanoTime() - endNs > 0)
        {
            throw new IOException("waited " + TimeUnit.NANOSECONDS.toMillis(limitNs) + " ms (limitNs) for " + what);
        }
    }

    private void onControl(
        final ControlChannel control, final int kind, final int first, final int second, final ByteBuffer bytes)
        throws IOException
    {
        if (kind == ControlChannel.SESSION && data == null)
        {
            terms = SessionTerms.decoded(bytes);
            data = new byte[terms.length()];
            receiver = new RudpReceiver(terms.settings(), terms.length(), System.nanoTime(), (burst, round, missing) ->
                answer(control, burst, round, missing));
            control.send(ControlChannel.READY, 0, 0, NOTHING);
        }
        else if (kind == ControlChannel.BYTES && data == null)
        {
            if (first < 0 || first > SessionTerms.MAX_DATA_LENGTH)
            {
                throw new IOException(control.name() + ": found " + first + " bytes, expected 0 to " +
                    SessionTerms.MAX_DATA_LENGTH);
            }
            data = new byte[first];
        }
        else if (kind == ControlChannel.LAST && receiver != null)
        {
            // packets that came before the question lie in the socket
            readDatagrams();
            receiver.onAsk(first, second);
        }
        else if (kind == ControlChannel.END && receiver != null && receiver.isDone())
        {
            isEnded = true;
        }
        else
        {
            throw new IOException(control.name() + ": found a message of kind " + kind + (data == null ? " before" : " in") +
                " a session, which cannot be");
        }
    }

    private static void answer(final ControlChannel control, final int burst, final int round, final BitSet missing)
    {
        try
        {
            control.send(ControlChannel.ANSWER, burst, round, missing.toByteArray());
        }
        catch (final IOException ignore)
        {
            // the next poll finds the connection broken
        }
    }

    /** Reads what is there; false if there was nothing. */
    private boolean readDatagrams() throws IOException
    {
        boolean hasRead = false;
        datagram.clear();
        while (channel.receive(datagram) != null)
        {
            hasRead = true;
            datagram.flip();
            onDatagram();
            datagram.clear();
        }
        return hasRead;
    }

    private void onDatagram()
    {
        if (receiver == null || datagram.remaining() < SessionTerms.HEADER_LENGTH || datagram.getLong() != terms.session())
        {
            foreign++;
        }
        else if (loss > 0 && random.nextDouble() < loss)
        {
            lost++;
        }
        else
        {
            final int sequence = datagram.getInt();
            final int length = datagram.getInt();
            if (length != datagram.remaining())
            {
                foreign++;
            }
            else if (receiver.onPacket(sequence, length, System.nanoTime()))
            {
                datagram.get(data, sequence * terms.settings().packetLength(), length);
                receiver.onKept();
            }
        }
    }

    private void receiveBytes(final ControlChannel control, final long endNs, final long limitNs) throws IOException
    {
        final ByteBuffer left = ByteBuffer.wrap(data);
        control.takeRest(left);
        while (left.hasRemaining())
        {
            if (control.channel().read(left) < 0)
            {
                throw new IOException("the sender is gone, and " + left.remaining() + " bytes are missing: " + control.name());
            }
            if (left.hasRemaining())
            {
                await(endNs, limitNs, left.remaining() + " bytes of " + control.name());
            }
        }
        control.send(ControlChannel.END, 0, 0, NOTHING);
        isEnded = true;
    }

    /**
     * Datagrams of others, and such as cannot be.
     *
     * @return their number.
     */
    public long foreign()
    {
        return foreign;
    }

    /**
     * Datagrams that were dropped on purpose.
     *
     * @return their number.
     */
    public long lost()
    {
        return lost;
    }

    @Override
    public void close() throws IOException
    {
        selector.close();
        server.close();
        channel.close();
    }
}
