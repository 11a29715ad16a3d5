// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.Priority;

/** Puts messages on the wire: all that this rank sends passes here, and is slowed down here if LogGP knobs are on. One thread. */
final class Wire
{
    private final Endpoint endpoint;
    /** Null without knobs. */
    private final Injection injection;
    /** No knob is set, and nothing waits to be on the wire: so it is without knobs too. */
    private boolean isDirect;

    Wire(final Shared shared)
    {
        endpoint = shared.endpoint;
        injection = shared.knobs == null ? null : new Injection(shared.knobs);
        isDirect = injection == null;
    }

    /** A knob was set. */
    void onKnobs()
    {
        isDirect = false;
    }

    static void shortHead(
        final UnsafeBuffer head, final int id, final int a, final int b, final int c, final int d, final int e)
    {
        head.putInt(MessageDescriptor.ID_OFFSET, id, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.A_OFFSET, a, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.B_OFFSET, b, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.C_OFFSET, c, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.D_OFFSET, d, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.E_OFFSET, e, LITTLE_ENDIAN);
        head.putLong(MessageDescriptor.TIME_OFFSET, 0, LITTLE_ENDIAN);
    }

    static void longHead(final UnsafeBuffer head, final int id, final int a, final int b)
    {
        head.putInt(MessageDescriptor.ID_OFFSET, id, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.A_OFFSET, a, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.B_OFFSET, b, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.C_OFFSET, 0, LITTLE_ENDIAN);
        head.putLong(MessageDescriptor.LONG_TIME_OFFSET, 0, LITTLE_ENDIAN);
    }

    static void storeHead(final UnsafeBuffer head, final int id, final int segment, final long place)
    {
        head.putInt(MessageDescriptor.ID_OFFSET, id, LITTLE_ENDIAN);
        head.putInt(MessageDescriptor.SEGMENT_OFFSET, segment, LITTLE_ENDIAN);
        head.putLong(MessageDescriptor.PLACE_OFFSET, place, LITTLE_ENDIAN);
        head.putLong(MessageDescriptor.LONG_TIME_OFFSET, 0, LITTLE_ENDIAN);
    }

    /** Sends a short message; its time is written into it. Returns what {@link Endpoint#offer} does. */
    long offerShort(final int dest, final int tag, final UnsafeBuffer message, final int offset)
    {
        if (isOff())
        {
            message.putLong(offset + MessageDescriptor.TIME_OFFSET, 0, LITTLE_ENDIAN);
            return endpoint.offer(dest, tag, message, offset, MessageDescriptor.SHORT_LENGTH);
        }
        if (!injection.hasRoom())
        {
            return Endpoint.NO_CREDIT;
        }
        injection.overhead();
        message.putLong(offset + MessageDescriptor.TIME_OFFSET, injection.time(0), LITTLE_ENDIAN);
        return sent(endpoint.offer(dest, tag, message, offset, MessageDescriptor.SHORT_LENGTH), 0);
    }

    private boolean isOff()
    {
        if (!isDirect)
        {
            isDirect = injection.isOff();
        }
        return isDirect;
    }

    /**
     * Sends a short answer: with high priority where there is one, past what waits in the mailbox of the other rank. That an
     * incarnation was lost is told once, perhaps to the first answer for the next one. So it is offered again.
     *
     * @return as {@link #offerShort}.
     */
    long answerShort(final Peer to, final int tag, final UnsafeBuffer message, final int offset)
    {
        final long result = offerAnswer(to, tag, message, offset);
        return result == Endpoint.PEER_GONE ? offerAnswer(to, tag, message, offset) : result;
    }

    private long offerAnswer(final Peer to, final int tag, final UnsafeBuffer message, final int offset)
    {
        return to.takesHigh ?
            endpoint.offer(to.rank, tag, Priority.HIGH, message, offset, MessageDescriptor.SHORT_LENGTH) :
            offerShort(to.rank, tag, message, offset);
    }

    /** Sends head and block in one run, or nothing. */
    long offerLong(
        final int dest, final int tag, final UnsafeBuffer head, final DirectBuffer block, final int offset, final int length)
    {
        if (isOff())
        {
            head.putLong(MessageDescriptor.LONG_TIME_OFFSET, 0, LITTLE_ENDIAN);
            return endpoint.offer(dest, tag, head, 0, MessageDescriptor.BLOCK_OFFSET, block, offset, length);
        }
        if (!injection.hasRoom())
        {
            return Endpoint.NO_CREDIT;
        }
        injection.overhead();
        head.putLong(MessageDescriptor.LONG_TIME_OFFSET, injection.time(length), LITTLE_ENDIAN);
        return sent(endpoint.offer(dest, tag, head, 0, MessageDescriptor.BLOCK_OFFSET, block, offset, length), length);
    }

    /** Begins to send head and block by what there are credits for, or goes on with it. */
    long sendLong(
        final LongSend send, final int dest, final int tag, final UnsafeBuffer head, final int headOffset,
        final DirectBuffer block, final int offset, final int length)
    {
        if (send.isActive())
        {
            return send.progress();
        }
        if (isOff())
        {
            head.putLong(headOffset + MessageDescriptor.LONG_TIME_OFFSET, 0, LITTLE_ENDIAN);
            return send.start(dest, tag, head, headOffset, MessageDescriptor.BLOCK_OFFSET, block, offset, length);
        }
        if (!injection.hasRoom())
        {
            return Endpoint.NO_CREDIT;
        }
        injection.overhead();
        head.putLong(headOffset + MessageDescriptor.LONG_TIME_OFFSET, injection.time(length), LITTLE_ENDIAN);
        final long result = send.start(dest, tag, head, headOffset, MessageDescriptor.BLOCK_OFFSET, block, offset, length);
        sent(send.isActive() ? 0 : result, length);
        return result;
    }

    private long sent(final long result, final int length)
    {
        if (result >= 0)
        {
            injection.sent(length);
        }
        return result;
    }
}
