// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.tallypost.transportaeron.internal.handshake.GroupTerms;
import org.tallypost.transportaeron.internal.handshake.HandshakeMessage;
import org.tallypost.transportaeron.internal.handshake.Sessions;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * A sender without the secret. It knows all else of a group, and sends datagrams to both nodes until it is closed: streams that
 * begin, steps of the handshake on them, parts of batches, damaged headers, and random bytes. A thread of its own sends.
 */
final class SoakStranger implements AutoCloseable
{
    private static final int HEADER_LENGTH = 32;
    private static final int SETUP_LENGTH = 40;
    private static final short TYPE_DATA = 1;
    private static final short TYPE_SETUP = 5;
    private static final int TYPES = 8;
    private static final int STREAM_BASE = 1000;
    private static final int SESSIONS = 6;
    private static final int TERM_LENGTH = 1 << 16;
    private static final int MTU = 1408;

    private final Topology topology;
    private final Random random;
    private final byte[] terms;
    private final int hash;
    private final long pauseNs;
    private final int[] sessions = new int[SESSIONS];
    private final ByteBuffer frame = ByteBuffer.allocate(4096).order(ByteOrder.LITTLE_ENDIAN);
    private final Thread thread;
    private volatile boolean isRunning = true;
    private volatile long sent;
    private volatile IOException failure;

    SoakStranger(final Topology topology, final GroupTerms terms, final long seed, final long pauseNs)
    {
        this.topology = topology;
        this.terms = terms.encode();
        this.pauseNs = pauseNs;
        hash = terms.hash();
        random = new Random(seed);
        thread = new Thread(this::run, "stranger");
        thread.setDaemon(true);
        thread.start();
    }

    /** Datagrams that were sent so far. */
    long sent()
    {
        return sent;
    }

    private void run()
    {
        try (DatagramChannel channel = DatagramChannel.open())
        {
            while (isRunning)
            {
                final int victim = random.nextInt(topology.nodeCount());
                frame.clear();
                write(victim, 1 - victim);
                frame.flip();
                send(channel, new InetSocketAddress("127.0.0.1", topology.address(victim).port()));
                LockSupport.parkNanos(pauseNs);
            }
        }
        catch (final IOException ex)
        {
            failure = ex;
        }
    }

    private void send(final DatagramChannel channel, final InetSocketAddress to) throws IOException
    {
        try
        {
            channel.send(frame, to);
            sent++;
        }
        catch (final PortUnreachableException ignore)
        {
            // the node that listened there was killed, and is not back yet
        }
    }

    private void write(final int victim, final int as)
    {
        final int index = random.nextInt(SESSIONS);
        switch (random.nextInt(6))
        {
            case 0:
                sessions[index] = random.nextInt();
                setup(sessions[index], STREAM_BASE + as, TERM_LENGTH);
                break;
            case 1:
                setup(random.nextInt(), STREAM_BASE + random.nextInt(4) - 1, 1 << random.nextInt(31));
                break;
            case 2:
            case 3:
                data(sessions[index], STREAM_BASE + as, step(victim, as, sessions[index]));
                break;
            case 4:
                data(sessions[index], STREAM_BASE + as, bytes(random.nextInt(200)));
                break;
            default:
                garbage();
                break;
        }
    }

    private byte[] bytes(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** A step of the handshake with all that can be known, and a proof that cannot. */
    private byte[] step(final int victim, final int as, final int session)
    {
        final int kinds = BatchDescriptor.KIND_CALL - BatchDescriptor.KIND_HELLO + 1;
        final int kind = BatchDescriptor.KIND_HELLO + random.nextInt(kinds);
        final boolean isText = kind == BatchDescriptor.KIND_HELLO || kind == BatchDescriptor.KIND_CHALLENGE;
        final boolean isProof = kind == BatchDescriptor.KIND_CHALLENGE || kind == BatchDescriptor.KIND_RESPONSE ||
            kind == BatchDescriptor.KIND_WELCOME;
        return new HandshakeMessage(kind, BatchDescriptor.VERSION, as, victim, hash, random.nextInt(), random.nextInt(),
            new Sessions(session, random.nextInt(), random.nextInt()), bytes(32),
            isProof ? bytes(32) : new byte[32], isProof ? bytes(32) : new byte[32],
            isText ? terms : new byte[0])
            .encode();
    }

    private void setup(final int session, final int stream, final int termLength)
    {
        frame.putInt(SETUP_LENGTH).put((byte)0).put((byte)0).putShort(TYPE_SETUP).putInt(0).putInt(session).putInt(stream)
            .putInt(1).putInt(1).putInt(termLength).putInt(MTU).putInt(0);
    }

    private void data(final int session, final int stream, final byte[] payload)
    {
        frame.putInt(HEADER_LENGTH + payload.length).put((byte)0).put((byte)0xC0).putShort(TYPE_DATA).putInt(0).putInt(session)
            .putInt(stream).putInt(1).putLong(0).put(payload);
    }

    /** Random bytes, half of them behind the beginning of a sound header. */
    private void garbage()
    {
        final byte[] some = bytes(random.nextInt(300));
        if (random.nextBoolean())
        {
            frame.putInt(random.nextInt(400) - 40).put((byte)0).put((byte)random.nextInt());
            frame.putShort((short)random.nextInt(TYPES));
        }
        frame.put(some);
    }

    @Override
    public void close()
    {
        isRunning = false;
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            throw new AssertionError(ex);
        }
        if (failure != null)
        {
            throw new AssertionError("the stranger cannot send", failure);
        }
    }
}
