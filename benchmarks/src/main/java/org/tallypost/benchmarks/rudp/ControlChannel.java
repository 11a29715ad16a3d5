// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/**
 * Control messages over a connection, without blocking: {@code length | kind | first | second | bytes}, four numbers of 4 bytes.
 * What cannot be is an error that says what was found. One thread.
 */
final class ControlChannel implements AutoCloseable
{
    /** A session begins: 32 bytes of settings. */
    static final int SESSION = 1;
    /** The receiver is ready. */
    static final int READY = 2;
    /** The sender asks: burst and round. */
    static final int LAST = 3;
    /** A receiver answers: burst, round, and the bitmap of what is missing. */
    static final int ANSWER = 4;
    /** The session ends. */
    static final int END = 5;
    /** So many bytes follow on the connection itself; their receiver says {@link #END}. */
    static final int BYTES = 6;

    private static final int HEAD_LENGTH = 16;
    private static final int MAX_LENGTH = HEAD_LENGTH + 8192;
    private static final int BUFFER_LENGTH = 4 * MAX_LENGTH;

    private final SocketChannel channel;
    private final String name;
    private final ByteBuffer in = ByteBuffer.allocate(BUFFER_LENGTH);
    private final ByteBuffer out = ByteBuffer.allocate(BUFFER_LENGTH);

    /** Takes control messages. */
    @FunctionalInterface
    interface Handler
    {
        void onMessage(int kind, int first, int second, ByteBuffer bytes) throws IOException;
    }

    ControlChannel(final SocketChannel channel, final Selector selector) throws IOException
    {
        this.channel = channel;
        name = String.valueOf(channel.getRemoteAddress());
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, SelectionKey.OP_READ);
    }

    static ControlChannel connect(final InetSocketAddress address, final Selector selector) throws IOException
    {
        final SocketChannel channel = SocketChannel.open();
        try
        {
            channel.connect(address);
            return new ControlChannel(channel, selector);
        }
        catch (final IOException ex)
        {
            channel.close();
            throw new IOException("no connection to " + address + ": " + ex.getMessage(), ex);
        }
    }

    SocketChannel channel()
    {
        return channel;
    }

    String name()
    {
        return name;
    }

    /** Sends a message, or as much of it as goes; the rest goes with the next {@link #poll}. */
    void send(final int kind, final int first, final int second, final byte[] bytes) throws IOException
    {
        if (out.remaining() < HEAD_LENGTH + bytes.length)
        {
            throw new IOException(name + " does not read its control messages: " + out.position() + " bytes wait");
        }
        out.putInt(HEAD_LENGTH + bytes.length).putInt(kind).putInt(first).putInt(second).put(bytes);
        flush();
    }

    private void flush() throws IOException
    {
        out.flip();
        channel.write(out);
        out.compact();
    }

    /** Hands on what has come. Returns false at the end of the connection. */
    boolean poll(final Handler handler) throws IOException
    {
        if (out.position() > 0)
        {
            flush();
        }
        final int read = channel.read(in);
        in.flip();
        while (in.remaining() >= HEAD_LENGTH)
        {
            final int length = in.getInt(in.position());
            if (length < HEAD_LENGTH || length > MAX_LENGTH)
            {
                throw new IOException("control message of " + name + ": found a length of " + length + ", expected " +
                    HEAD_LENGTH + " to " + MAX_LENGTH);
            }
            if (in.remaining() < length)
            {
                break;
            }
            in.getInt();
            final int kind = in.getInt();
            final int first = in.getInt();
            final int second = in.getInt();
            final ByteBuffer bytes = in.slice(in.position(), length - HEAD_LENGTH);
            in.position(in.position() + length - HEAD_LENGTH);
            handler.onMessage(kind, first, second, bytes);
            if (kind == BYTES)
            {
                break;
            }
        }
        in.compact();
        return read >= 0;
    }

    /** What came behind the last message: bytes that are no messages. */
    int takeRest(final ByteBuffer to)
    {
        in.flip();
        final int taken = Math.min(in.remaining(), to.remaining());
        to.put(in.slice(in.position(), taken));
        in.position(in.position() + taken);
        in.compact();
        return taken;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
    }
}
