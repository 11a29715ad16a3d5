// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.concurrent.AgentTerminationException;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;

/**
 * What a messenger does from its launch to its end. It hears messages, and which ranks come and go. It sends what waits, and
 * calls the listeners of requests that are done. One thread.
 */
final class MessengerLoop
{
    private final MessengerState shared;
    private final IncomingMessages incoming;
    private final OutgoingMessages outgoing;
    private final LocalSends localSends;
    private final ChannelListeners channels;
    private final MessageListener others;
    private final MembershipListener membership = new PairMembershipListener();

    MessengerLoop(
        final MessengerState shared, final IncomingMessages incoming, final OutgoingMessages outgoing,
        final LocalSends localSends)
    {
        this.shared = shared;
        this.incoming = incoming;
        this.outgoing = outgoing;
        this.localSends = localSends;
        channels = new ChannelListeners(shared, incoming, outgoing);
        others = shared.context.otherMessages() != null ? shared.context.otherMessages() :
            (source, tag, buffer, offset, length) -> shared.refuse();
    }

    /** Hears which ranks are gone. */
    private final class PairMembershipListener implements MembershipListener
    {
        @Override
        public void onOpen(final int rank, final int incarnation)
        {
            shared.pair(rank).in.goneIncarnation = 0;
        }

        @Override
        public void onGone(final int rank, final int incarnation)
        {
            final Pair pair = shared.pair(rank);
            incoming.onGone(pair, incarnation);
            outgoing.onGone(pair, incarnation);
        }
    }

    /** Takes the channels. */
    void open()
    {
        try
        {
            channels.open();
        }
        catch (final RuntimeException ex)
        {
            channels.close();
            throw ex;
        }
        shared.endpoint.addMembershipListener(membership);
    }

    /** As {@link Messenger#doWork()}. */
    int doWork()
    {
        return doWork(Integer.MAX_VALUE);
    }

    /** As {@link Messenger#doWork()}, with so many messages at most. */
    int doWork(final int limit)
    {
        shared.checkNotAsking();
        shared.throwKept();
        if (shared.isClosed)
        {
            return workOnEnd();
        }
        shared.onRound();
        final int polled = shared.endpoint.poll(others, Math.min(limit, shared.context.pollLimit()));
        if (polled == Endpoint.CLOSED)
        {
            end();
            return 1;
        }
        // a listener of other messages may have closed the messenger
        return polled + (shared.isClosed ? 0 : progress()) + shared.callListeners();
    }

    private int workOnEnd()
    {
        final int told = shared.callListeners();
        if (told == 0)
        {
            throw new AgentTerminationException("the messenger is closed: " + shared.endpoint);
        }
        return told;
    }

    private int progress()
    {
        int work = 0;
        Pair pair = shared.takeListed();
        try
        {
            while (pair != null)
            {
                final Pair current = pair;
                pair = current.nextListed;
                work += progress(current);
            }
        }
        finally
        {
            // what threw has ended its own request: the pairs behind it have their turn in the next round
            while (pair != null)
            {
                final Pair next = pair.nextListed;
                pair.isListed = false;
                shared.list(pair);
                pair = next;
            }
        }
        // a round without work may park its thread
        return work + incoming.progressStaged() + outgoing.progressStaged() + (shared.isHeldBack() ? 1 : 0);
    }

    private int progress(final Pair pair)
    {
        pair.isListed = false;
        pair.nextListed = null;
        try
        {
            return incoming.progress(pair) +
                (pair.rank == shared.own ? localSends.progress() : outgoing.progress(pair));
        }
        finally
        {
            if (pair.hasWork())
            {
                shared.list(pair);
            }
        }
    }

    private void end()
    {
        shared.isClosed = true;
        outgoing.close();
        incoming.close();
    }

    /** As {@link Messenger#close()}. */
    void close()
    {
        shared.checkNotAsking();
        final ClosedMessenger rest =
            shared.isClosed || shared.endpoint.isClosed() ? null : new ClosedMessenger(shared);
        if (rest != null)
        {
            for (final Pair pair : shared.pairs())
            {
                if (pair != null)
                {
                    rest.add(pair);
                }
            }
        }
        if (!shared.isClosed)
        {
            end();
        }
        shared.endpoint.removeMembershipListener(membership);
        if (rest != null)
        {
            channels.close();
            rest.open();
        }
    }
}
