// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Priority;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.wire.MessageKind;

/** What a receiver tells the senders of its messages. One thread. */
final class Answers
{
    private final MessengerState shared;
    private final Endpoint endpoint;
    private final OutgoingMessages outgoing;
    private final UnsafeBuffer nothing = new UnsafeBuffer(0, 0);

    Answers(final MessengerState shared, final OutgoingMessages outgoing)
    {
        this.shared = shared;
        endpoint = shared.endpoint;
        this.outgoing = outgoing;
    }

    /**
     * Offers what a receiver tells a sender: with high priority where there is one and a credit for it, past what waits in the
     * sender's mailbox. It names what it answers, so it may come before or behind other messages. The endpoint says once of each
     * incarnation that was lost that it is gone, also if the sender that is to be told is the next one. So it is offered again.
     * If its sender is gone, {@link IncomingMessages#onGone} ends what waits for it.
     *
     * @return as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}.
     */
    long tell(final Pair pair, final int kind, final DirectBuffer answer, final int length)
    {
        final int tag = shared.tag(kind, 0);
        final long high = pair.takesHigh ? tellHigh(pair, tag, answer, length) : NO_CREDIT;
        if (high != NO_CREDIT)
        {
            return high;
        }
        return outgoing.tell(pair, tag, answer, length);
    }

    /** Tells what {@link OutgoingMessages#look} could not. */
    int tellLook(final Pair pair)
    {
        if (!pair.isLookDue)
        {
            return 0;
        }
        final long code = tell(pair, MessageKind.LOOK, nothing, 0);
        pair.isLookDue = code < 0 && code != PEER_GONE;
        return pair.isLookDue ? 0 : 1;
    }

    /** A loss is told for each priority, so perhaps when the next incarnation was greeted: it ends no sends here. */
    private long tellHigh(final Pair pair, final int tag, final DirectBuffer answer, final int length)
    {
        long code = endpoint.offer(pair.rank, tag, Priority.HIGH, answer, 0, length);
        code = code == PEER_GONE ? endpoint.offer(pair.rank, tag, Priority.HIGH, answer, 0, length) : code;
        if (code >= 0)
        {
            shared.counters.add(Counter.ANSWERED_HIGH, 1);
        }
        return code;
    }
}
