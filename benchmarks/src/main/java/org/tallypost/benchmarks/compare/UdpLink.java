// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One party's end of a pair of UDP sockets, with nothing round them: what the kernel's network allows. Round trips are one
 * message in one datagram; a stream packs messages into datagrams as long as those of the others and keeps as many under way as
 * the receiver's socket holds, so that none is lost.
 *
 * <pre>
 *   message | message | ...        a datagram of a stream, or one message of a round trip
 *   8 bytes                        the answer to some datagrams of a stream: how many have come so far
 * </pre>
 */
final class UdpLink implements Link, AutoCloseable
{
    /** Of the MTU, what Aeron's header takes of those of the others. */
    private static final int HEADER_LENGTH = 32;
    private static final int WINDOW = 8;
    private static final int ANSWER_INTERVAL = 2;

    private final DatagramChannel channel;
    private final int length;
    private final boolean isPacked;
    private final ByteBuffer out;
    private final ByteBuffer in;
    private final ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
    private final UnsafeBuffer inBuffer;
    private int inOffset;
    private int inLength;
    private long sent;
    private long acknowledged;
    private long received;

    UdpLink(
        final InetSocketAddress own, final InetSocketAddress peer, final int length, final int mtuLength, final boolean isPacked)
    {
        this.length = length;
        this.isPacked = isPacked;
        out = ByteBuffer.allocateDirect(mtuLength - HEADER_LENGTH);
        in = ByteBuffer.allocateDirect(mtuLength - HEADER_LENGTH);
        inBuffer = new UnsafeBuffer(in);
        try
        {
            channel = DatagramChannel.open().bind(own);
            channel.configureBlocking(false);
            channel.connect(peer);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        if (out.remaining() < messageLength && !flush())
        {
            return false;
        }
        buffer.getBytes(offset, out, out.position(), messageLength);
        out.position(out.position() + messageLength);
        return isPacked || flush() || takeBack();
    }

    private boolean takeBack()
    {
        out.clear();
        return false;
    }

    @Override
    public boolean flush()
    {
        if (out.position() == 0)
        {
            return true;
        }
        if (isPacked && sent - acknowledged >= WINDOW && !readAnswers())
        {
            return false;
        }
        final int end = out.position();
        out.flip();
        if (write(out) == 0)
        {
            out.limit(out.capacity()).position(end);
            return false;
        }
        out.clear();
        sent++;
        return true;
    }

    private boolean readAnswers()
    {
        answer.clear();
        while (read(answer) == Long.BYTES)
        {
            acknowledged = Math.max(acknowledged, answer.getLong(0));
            answer.clear();
        }
        return sent - acknowledged < WINDOW;
    }

    @Override
    public int poll(final Inlet inlet, final int limit)
    {
        if (inOffset == inLength && !receive())
        {
            return 0;
        }
        int count = 0;
        while (count < limit && inOffset < inLength)
        {
            final int at = inOffset;
            inOffset += length;
            inlet.onMessage(inBuffer, at, length);
            count++;
        }
        return count;
    }

    private boolean receive()
    {
        in.clear();
        inOffset = 0;
        inLength = Math.max(0, read(in));
        if (inLength == 0)
        {
            return false;
        }
        if (isPacked && ++received % ANSWER_INTERVAL == 0)
        {
            answer.clear();
            answer.putLong(0, received);
            write(answer);
        }
        return true;
    }

    private int read(final ByteBuffer to)
    {
        try
        {
            return channel.read(to);
        }
        catch (final PortUnreachableException ex)
        {
            // the other party is not there yet, or not any more
            return 0;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private int write(final ByteBuffer from)
    {
        try
        {
            return channel.write(from);
        }
        catch (final PortUnreachableException ex)
        {
            return 0;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(channel);
    }
}
