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
import org.tallypost.endpoint.RankState;
import org.tallypost.endpoint.SendListener;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;

/**
 * What is left of a messenger that is closed while its endpoint goes on. It says goodbye to the ranks that the messenger had met,
 * and to those that greet it later, until another messenger takes its channels. So none of them waits for an answer. What
 * else comes is dropped. The polls of the endpoint carry on what waits for credits. For the thread that polls.
 */
final class ClosedMessenger implements SendListener
{
    private static final FragmentListener NO_FRAGMENTS = (source, message, tag, totalLength, position, buffer, offset, length) ->
    {
    };

    private final Endpoint endpoint;
    private final MessengerCounters counters;
    private final int firstChannel;
    private final int goodbyeTag;
    private final Int2ObjectHashMap<Goodbye> goodbyes = new Int2ObjectHashMap<>();
    /**
     * Those that wait for the other side to let this endpoint in or to take the last answer, or for the one before to be out.
     */
    private int dueCount;
    private boolean isListening;

    /** The last that one rank gets to hear. */
    private static final class Goodbye
    {
        final LongSend send;
        final int rank;
        final UnsafeBuffer head = new UnsafeBuffer(new byte[HeadDescriptor.GOODBYE_LENGTH]);
        /** Session of this side as a sender; 0 if there was none. */
        long left;
        /** Session of the other side as a sender; 0 if there was none. */
        long heard;
        /** Of the last answer of high priority, as {@link Pair} has them. */
        long answerPosition = -1;
        int answeredIncarnation;
        boolean isDue;

        Goodbye(final LongSend send, final int rank)
        {
            this.send = send;
            this.rank = rank;
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
        goodbyeTag = shared.tag(MessageKind.GOODBYE, 0);
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
            goodbye.answerPosition = pair.in.answerPosition;
            goodbye.answeredIncarnation = pair.in.answeredIncarnation;
            setDue(goodbye, true);
        }
    }

    private Goodbye of(final int rank)
    {
        Goodbye goodbye = goodbyes.get(rank);
        if (goodbye == null)
        {
            goodbye = new Goodbye(endpoint.newSend(this), rank);
            goodbyes.put(rank, goodbye);
        }
        return goodbye;
    }

    private void setDue(final Goodbye goodbye, final boolean isDue)
    {
        dueCount += isDue == goodbye.isDue ? 0 : isDue ? 1 : -1;
        goodbye.isDue = isDue;
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
            setDue(goodbye, true);
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
        if (!goodbye.isDue || goodbye.send.isActive() || !isAnswerTaken(goodbye))
        {
            return;
        }
        goodbye.head.putLong(HeadDescriptor.LEFT_SESSION_OFFSET, goodbye.left, LITTLE_ENDIAN);
        goodbye.head.putLong(HeadDescriptor.HEARD_SESSION_OFFSET, goodbye.heard, LITTLE_ENDIAN);
        long code = start(goodbye);
        if (code == Endpoint.PEER_GONE)
        {
            // perhaps that was said of the incarnation before
            code = start(goodbye);
        }
        setDue(goodbye, code == Endpoint.NOT_CONNECTED);
    }

    /** An answer of high priority has another way than the goodbye, which must not come first: it ends what was answered. */
    private boolean isAnswerTaken(final Goodbye goodbye)
    {
        if (goodbye.answerPosition >= 0 &&
            goodbye.answeredIncarnation == RankState.incarnation(endpoint.rankState(goodbye.rank)) &&
            !endpoint.isHighTaken(goodbye.rank, goodbye.answerPosition))
        {
            return false;
        }
        goodbye.answerPosition = -1;
        return true;
    }

    private long start(final Goodbye goodbye)
    {
        return goodbye.send.start(goodbye.rank, goodbyeTag, goodbye.head, 0, HeadDescriptor.GOODBYE_LENGTH);
    }

    @Override
    public void onSendEnd(final LongSend send, final long result)
    {
        tell();
    }
}
