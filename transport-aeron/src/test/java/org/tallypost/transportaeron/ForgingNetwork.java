// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import org.agrona.CloseHelper;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * Somebody on the way from a node to another one: hands datagrams on in both directions, and writes into a batch what its
 * sender never wrote. For one thread.
 */
final class ForgingNetwork implements AutoCloseable
{
    private static final int MAX_DATAGRAM = 1 << 16;
    private static final int TYPE_OFFSET = 6;
    private static final int STREAM_OFFSET = 16;
    private static final int DATA_OFFSET = 32;
    private static final short TYPE_DATA = 1;

    private final DatagramChannel channel;
    private final InetSocketAddress to;
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(MAX_DATAGRAM).order(ByteOrder.LITTLE_ENDIAN);
    private SocketAddress from;
    private int stream;
    private long behind;
    private boolean isForging;

    /** A way to a node. */
    ForgingNetwork(final NodeAddress to)
    {
        this.to = new InetSocketAddress(to.host(), to.port());
        try
        {
            channel = DatagramChannel.open();
            channel.bind(new InetSocketAddress(to.host(), 0)).configureBlocking(false);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** What the sending node takes for the address of the other one. */
    NodeAddress address()
    {
        return new NodeAddress(to.getHostString(), channel.socket().getLocalPort());
    }

    /** The next batch of a stream says that it comes behind so many of the other one. */
    void forge(final int ofStream, final long count)
    {
        stream = ofStream;
        behind = count;
        isForging = true;
    }

    boolean isForging()
    {
        return isForging;
    }

    /** Hands on what has come; returns how much. */
    int work()
    {
        int count = 0;
        try
        {
            for (SocketAddress source = receive(); source != null; source = receive())
            {
                count++;
                handOn(source);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return count;
    }

    private SocketAddress receive() throws IOException
    {
        datagram.clear();
        final SocketAddress source = channel.receive(datagram);
        datagram.flip();
        return source;
    }

    private void handOn(final SocketAddress source) throws IOException
    {
        final boolean isAnswer = source.equals(to);
        if (!isAnswer)
        {
            from = source;
            write();
        }
        channel.send(datagram, isAnswer ? from : to);
    }

    private void write()
    {
        final int at = DATA_OFFSET + BatchDescriptor.HEADER_LENGTH;
        // a datagram without bytes says that its sender is there
        if (isForging && datagram.limit() > at + Long.BYTES && datagram.getShort(TYPE_OFFSET) == TYPE_DATA &&
            datagram.getInt(STREAM_OFFSET) == stream && datagram.get(DATA_OFFSET + 1) == BatchDescriptor.KIND_BATCH)
        {
            datagram.putLong(at, behind);
            isForging = false;
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(channel);
    }
}
