// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Stands for Aeron's exclusive publication. */
public final class SimulatedPublication implements AutoCloseable
{
    static final long NOT_CONNECTED = -1;
    static final long BACK_PRESSURED = -2;
    static final long CLOSED = -4;

    final SimulatedConnection connection;
    final int stream;
    final int from;
    final int to;
    private final Network network;
    private final int session;
    /** When a receiver had joined it last. */
    long heardNs;
    boolean isHeard;
    private long position;
    private boolean closed;

    SimulatedPublication(
        final Network network, final SimulatedConnection connection, final int stream, final int to, final int session)
    {
        this.network = network;
        this.connection = connection;
        this.stream = stream;
        from = network.fromNode(stream);
        this.to = to;
        this.session = session;
    }

    /**
     * Number of the stream.
     *
     * @return the session: one stream has it.
     */
    public long registrationId()
    {
        return sessionId();
    }

    /**
     * Number of the session.
     *
     * @return one that no other has.
     */
    public int sessionId()
    {
        return session;
    }

    /**
     * Sends a message.
     *
     * @param buffer with it.
     * @param offset of it.
     * @param length of it.
     * @return a position, or a negative code of Aeron's.
     */
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        final long code = closed ? CLOSED : network.send(this, buffer, offset, length);
        if (code < 0)
        {
            return code;
        }
        position += length;
        return position;
    }

    /**
     * Sends a message of two parts.
     *
     * @param head       first part of it.
     * @param headOffset of that.
     * @param headLength of that.
     * @param body       second part of it.
     * @param bodyOffset of that.
     * @param bodyLength of that.
     * @return a position, or a negative code of Aeron's.
     */
    public long offer(
        final DirectBuffer head, final int headOffset, final int headLength, final DirectBuffer body, final int bodyOffset,
        final int bodyLength)
    {
        final UnsafeBuffer whole = new UnsafeBuffer(new byte[headLength + bodyLength]);
        whole.putBytes(0, head, headOffset, headLength);
        whole.putBytes(headLength, body, bodyOffset, bodyLength);
        return offer(whole, 0, whole.capacity());
    }

    /**
     * Whether there is a receiver.
     *
     * @return true if so.
     */
    public boolean isConnected()
    {
        return !closed && network.receiver(this) != null;
    }

    /**
     * Whether it was closed.
     *
     * @return true if so.
     */
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public void close()
    {
        closed = true;
    }
}
