// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.SendListener;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * What is left of a messenger that is closed while its endpoint goes on. It says goodbye to the ranks that the messenger had met,
 * and to those that greet it later, until another messenger takes its channels. So none of them waits for an answer. What
 * else comes is dropped. The polls of the endpoint carry on what waits for credits. Where answers go with high priority, there
 * is a goodbye behind what went with each priority. For the thread that polls.
 */
final class ClosedMessenger implements SendListener
{
    private static final FragmentListener NO_FRAGMENTS = (source, message, tag, totalLength, position, buffer, offset, length) ->
    {
    };

    private final Endpoint endpoint;
    private final MessengerCounters counters;
    private final int firstChannel;
    private final int onlyTag;
    private final int highTag;
    private final int lowTag;
    private final UnsafeBuffer highHead = new UnsafeBuffer(new byte[HeadDescriptor.GOODBYE_LENGTH]);
    private final Int2ObjectHashMap<Goodbye> goodbyes = new Int2ObjectHashMap<>();
    /** Those that wait for the other side to let this endpoint in, for a credit, or for the one before to be out. */
    private int dueCount;
    private boolean isListening;

    /** The last that one rank gets to hear. */
    private static final class Goodbye
    {
        final LongSend send;
        final int rank;
        final boolean takesHigh;
        final UnsafeBuffer head = new UnsafeBuffer(new byte[HeadDescriptor.GOODBYE_LENGTH]);
        /** Session of this side as a sender; 0 if there was none. */
        long left;
        /** Session of the other side as a sender; 0 if there was none. */
        long heard;
        boolean isDue;
        /** As {@link #isDue}, of the one with high priority. */
        boolean isHighDue;

        Goodbye(final LongSend send, final int rank, final boolean takesHigh)
        {
            this.send = send;
            this.rank = rank;
            this.takesHigh = takesHigh;
        }
    }

    /**
     * Tries again what the other side has not let in. The poll after a listener was added tells it of all ranks that are open, so
     * this hears of the next poll, also if another messenger has the channels by then.
     */
    private final class PollListener implements MembershipListener
    {
        @Override
        public void onOpen(final int rank, final int incarnation)
        {
            endpoint.removeMembershipListener(this);
            isListening = false;
            tell();
        }

        @Override
        public void onGone(final int rank, final int incarnation)
        {
            // what is left for it is given up at the next attempt
        }
    }

    ClosedMessenger(final MessengerState shared)
    {
        endpoint = shared.endpoint;
        counters = shared.counters;
        firstChannel = shared.context.firstChannel();
        onlyTag = shared.tag(MessageKind.GOODBYE, HeadDescriptor.GOODBYE_ALL);
        highTag = shared.tag(MessageKind.GOODBYE, HeadDescriptor.GOODBYE_HIGH);
        lowTag = shared.tag(MessageKind.GOODBYE, HeadDescriptor.GOODBYE_LOW);
    }

    /** A rank is to hear it, if the two have met. */
    void add(final Pair pair)
    {
        final long left = pair.out.isGreeted ? pair.out.window.session() : 0;
        final long heard = pair.in.isKnown ? pair.in.window.session() : 0;
        if (left != 0 || heard != 0)
        {
            final Goodbye goodbye = of(pair.rank);
            goodbye.left = left;
            goodbye.heard = heard;
            setDue(goodbye);
        }
    }

    private Goodbye of(final int rank)
    {
        Goodbye goodbye = goodbyes.get(rank);
        if (goodbye == null)
        {
            goodbye = new Goodbye(endpoint.newSend(this), rank, endpoint.takesHigh(rank));
            goodbyes.put(rank, goodbye);
        }
        return goodbye;
    }

    private void setDue(final Goodbye goodbye)
    {
        setDue(goodbye, true);
        setHighDue(goodbye, goodbye.takesHigh && goodbye.heard != 0);
    }

    private void setDue(final Goodbye goodbye, final boolean isDue)
    {
        dueCount += isDue == goodbye.isDue ? 0 : isDue ? 1 : -1;
        goodbye.isDue = isDue;
    }

    private void setHighDue(final Goodbye goodbye, final boolean isDue)
    {
        dueCount += isDue == goodbye.isHighDue ? 0 : isDue ? 1 : -1;
        goodbye.isHighDue = isDue;
    }

    /** Takes the channels, which any layer may open, and tells those that have met the messenger. */
    void open()
    {
        final MessageListener other = (source, tag, buffer, offset, length) -> counters.add(Counter.DROPPED, 1);
        for (int kind = 0; kind < MessageKind.COUNT; kind++)
        {
            endpoint.channel(firstChannel + kind, kind == MessageKind.HELLO ? this::onHello : other, NO_FRAGMENTS).leave();
        }
        tell();
    }

    /** It has not heard that the messenger is closed. */
    private void onHello(final int source, final int none, final DirectBuffer buffer, final int offset, final int length)
    {
        final long session = length < HeadDescriptor.HELLO_LENGTH ? 0 :
            buffer.getLong(offset + HeadDescriptor.SESSION_OFFSET, LITTLE_ENDIAN);
        if (session != 0)
        {
            final Goodbye goodbye = of(source);
            goodbye.heard = session;
            setDue(goodbye);
        }
        tell();
    }

    /** Tells all that are due. */
    private void tell()
    {
        if (dueCount > 0)
        {
            goodbyes.values().forEach(this::tell);
        }
        if (dueCount > 0 && !isListening)
        {
            isListening = true;
            endpoint.addMembershipListener(new PollListener());
        }
    }

    private void tell(final Goodbye goodbye)
    {
        if (goodbye.isHighDue)
        {
            tellHigh(goodbye);
        }
        if (goodbye.isDue && !goodbye.send.isActive())
        {
            putHead(goodbye.head, goodbye);
            long code = start(goodbye);
            if (code == Endpoint.PEER_GONE)
            {
                // perhaps that was said of the incarnation before
                code = start(goodbye);
            }
            setDue(goodbye, code == Endpoint.NOT_CONNECTED);
        }
    }

    /** Behind the last answer of high priority. */
    private void tellHigh(final Goodbye goodbye)
    {
        putHead(highHead, goodbye);
        long code = endpoint.offer(goodbye.rank, highTag, Priority.HIGH, highHead, 0, HeadDescriptor.GOODBYE_LENGTH);
        if (code == Endpoint.PEER_GONE)
        {
            code = endpoint.offer(goodbye.rank, highTag, Priority.HIGH, highHead, 0, HeadDescriptor.GOODBYE_LENGTH);
        }
        setHighDue(goodbye, code == Endpoint.NOT_CONNECTED || code == Endpoint.NO_CREDIT);
    }

    private static void putHead(final UnsafeBuffer head, final Goodbye goodbye)
    {
        head.putLong(HeadDescriptor.LEFT_SESSION_OFFSET, goodbye.left, LITTLE_ENDIAN);
        head.putLong(HeadDescriptor.HEARD_SESSION_OFFSET, goodbye.heard, LITTLE_ENDIAN);
    }

    private long start(final Goodbye goodbye)
    {
        return goodbye.send.start(goodbye.rank, goodbye.takesHigh ? lowTag : onlyTag, goodbye.head, 0,
            HeadDescriptor.GOODBYE_LENGTH);
    }

    @Override
    public void onSendEnd(final LongSend send, final long result)
    {
        tell();
    }
}
