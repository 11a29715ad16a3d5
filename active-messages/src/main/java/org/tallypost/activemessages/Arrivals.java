// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.SystemNanoClock;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.TakenChannelException;

/**
 * Takes what comes by the channel, puts long messages together, and hands each to the side that it is for: requests to the
 * responder, answers to the requester. With LogGP knobs it holds messages back until they are due. One thread.
 */
final class Arrivals implements FragmentListener, MembershipListener
{
    /** A message is at most that far ahead of its time; more would be forged. */
    private static final long MAX_AHEAD_NS = 20 * LoggpKnobs.MAX_NS;

    /** A message takes at most that long by itself; what is more it has waited for its receiver. */
    private static final long MAX_WAY_NS = 2_000;

    private final Shared shared;
    private final Requester requester;
    private final Responder responder;
    private final Wire wire;
    /** Null without knobs. */
    private final KnobValues knobs;
    private final DelayedMessages[] delayed;
    private int delayedCount;
    /** No knob is set, and no message is held back: so it is without knobs too. */
    private boolean isDirect;
    private Channel channel;

    Arrivals(final Shared shared, final Requester requester, final Responder responder, final Wire wire)
    {
        this.shared = shared;
        this.requester = requester;
        this.responder = responder;
        this.wire = wire;
        knobs = shared.knobs;
        delayed = new DelayedMessages[knobs == null ? 0 : shared.rankCount()];
        choose();
    }

    /** Whatever follows, up to the next poll, goes by the knobs of now. */
    void look()
    {
        if (knobs != null && knobs.look())
        {
            choose();
            wire.onKnobs();
        }
    }

    /** Whether a knob was set at the last look. */
    boolean isSlowedDown()
    {
        return knobs != null && knobs.isOn();
    }

    private void choose()
    {
        isDirect = knobs == null || !knobs.isOn() && delayedCount == 0;
    }

    void open()
    {
        channel = TakenChannelException.named("ActiveMessagesContext.channel",
            () -> shared.endpoint.channel(shared.context.channel(), this::onMessage, this));
        shared.endpoint.addMembershipListener(this);
    }

    void close()
    {
        shared.endpoint.removeMembershipListener(this);
        if (!shared.endpoint.isClosed())
        {
            channel.close();
        }
    }

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source >= shared.rankCount() || !MessageDescriptor.isLength(MessageDescriptor.kind(tag), length))
        {
            shared.refuse();
        }
        else if (isDirect && (knobs == null || hasNoTime(tag, buffer, offset)))
        {
            dispatch(source, tag, buffer, offset, length);
        }
        else
        {
            delay(source, tag, buffer, offset, length);
        }
    }

    /** No knob is set at the sender. */
    private static boolean hasNoTime(final int tag, final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + timeOffset(tag), LITTLE_ENDIAN) == 0;
    }

    private static int timeOffset(final int tag)
    {
        return MessageDescriptor.isShort(MessageDescriptor.kind(tag)) ? MessageDescriptor.TIME_OFFSET :
            MessageDescriptor.LONG_TIME_OFFSET;
    }

    private void dispatch(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final Peer peer = shared.peer(source);
        final int kind = MessageDescriptor.kind(tag);
        try
        {
            if (MessageDescriptor.isAnswer(kind))
            {
                requester.onAnswer(peer, kind, MessageDescriptor.handler(tag), buffer, offset, length);
            }
            else
            {
                responder.onRequest(peer, kind, MessageDescriptor.handler(tag), buffer, offset, length);
            }
        }
        catch (final Throwable t)
        {
            // of a handler: the message is delivered, and its sender was answered
            shared.context.errorHandler().onError(t);
        }
    }

    private void delay(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        DelayedMessages messages = delayed[source];
        if (messages == null)
        {
            messages = new DelayedMessages(shared.context.window());
            delayed[source] = messages;
        }
        if (messages.isFull())
        {
            shared.refuse();
            return;
        }
        delayedCount++;
        isDirect = false;
        messages.add(onWireNs(source, tag, buffer, offset), tag, buffer, offset, length);
    }

    private long onWireNs(final int source, final int tag, final DirectBuffer buffer, final int offset)
    {
        final long now = System.nanoTime();
        if (!shared.endpoint.isSameNode(source))
        {
            // another host has another clock
            return now;
        }
        final long onWire = buffer.getLong(offset + timeOffset(tag), LITTLE_ENDIAN);
        return onWire == 0 || Math.abs(onWire - now) >= MAX_AHEAD_NS ? now : onWire;
    }

    /** Delivers what is due; returns how much it was. */
    int work()
    {
        return isDirect ? 0 : deliver();
    }

    private int deliver()
    {
        int work = 0;
        for (int source = 0; delayedCount > 0 && source < delayed.length; source++)
        {
            final DelayedMessages messages = delayed[source];
            if (messages == null)
            {
                continue;
            }
            messages.time(System.nanoTime(), MAX_WAY_NS, knobs.latencyNs());
            while (!messages.isEmpty())
            {
                final long nowNs = System.nanoTime();
                if (messages.dueNs() - nowNs > 0)
                {
                    break;
                }
                Injection.spin(SystemNanoClock.INSTANCE, nowNs, knobs.overheadNs());
                delayedCount--;
                work++;
                try
                {
                    dispatch(source, messages.tag(), messages.buffer(), messages.offset(), messages.length());
                }
                finally
                {
                    // the error handler may have thrown
                    messages.remove();
                }
            }
        }
        choose();
        return work;
    }

    @Override
    public void onFragment(
        final int source, final int message, final int tag, final int totalLength, final int position, final DirectBuffer buffer,
        final int offset, final int length)
    {
        final int kind = MessageDescriptor.kind(tag);
        if (source >= shared.rankCount() || MessageDescriptor.isShort(kind) || !MessageDescriptor.isLength(kind, totalLength))
        {
            if (position == 0)
            {
                shared.refuse();
            }
            return;
        }
        final Peer peer = shared.peer(source);
        final LongMessage whole = whole(peer, kind);
        if (whole.put(message, totalLength, position, buffer, offset, length))
        {
            onMessage(source, tag, whole.bytes(), 0, totalLength);
        }
    }

    private static LongMessage whole(final Peer peer, final int kind)
    {
        return kind == MessageDescriptor.LONG_REPLY ? peer.longReply : peer.longRequest;
    }

    @Override
    public void onLost(final int source, final int message, final int tag, final int totalLength, final int position)
    {
        final Peer peer = shared.peerOrNull(source);
        if (peer != null)
        {
            whole(peer, MessageDescriptor.kind(tag)).lost(message);
        }
    }

    @Override
    public void onOpen(final int rank, final int incarnation)
    {
        // what was under way with a former incarnation ended when that was gone
    }

    @Override
    public void onGone(final int rank, final int incarnation)
    {
        final Peer peer = shared.peerOrNull(rank);
        if (peer == null)
        {
            return;
        }
        if (rank < delayed.length && delayed[rank] != null)
        {
            delayedCount -= delayed[rank].clear();
        }
        peer.forgetRequests();
        requester.failAll(peer, RequestFailure.PEER_GONE);
    }
}
