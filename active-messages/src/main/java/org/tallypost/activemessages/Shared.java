// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.endpoint.Endpoint;

/** What both sides of the active messages of a rank use. One thread. */
final class Shared
{
    /** Which code of the program runs now. */
    enum Caller
    {
        PROGRAM, REQUEST_HANDLER, REPLY_HANDLER
    }

    final ActiveMessagesContext context;
    final Endpoint endpoint;
    final ActiveMessagesCounters counters = new ActiveMessagesCounters();
    Caller running = Caller.PROGRAM;
    boolean isClosed;
    /** Null without knobs. */
    final KnobValues knobs;
    private final Peer[] peers;

    Shared(final ActiveMessagesContext context)
    {
        this.context = context;
        endpoint = context.endpoint();
        knobs = context.knobs() == null ? null : context.knobs().values();
        peers = new Peer[context.rankCount()];
    }

    /** The other rank of a pair; the caller has checked the number. */
    Peer peer(final int rank)
    {
        Peer peer = peers[rank];
        if (peer == null)
        {
            // a knob delays what comes, in the order in which it comes: so all has one way there
            peer = new Peer(rank, knobs == null && endpoint.takesHigh(rank), context.window());
            peers[rank] = peer;
        }
        return peer;
    }

    /** Null if nothing went or came. */
    Peer peerOrNull(final int rank)
    {
        return rank < peers.length ? peers[rank] : null;
    }

    int rankCount()
    {
        return peers.length;
    }

    int tag(final int kind, final int handler)
    {
        return MessageDescriptor.tag(context.channel(), kind, handler);
    }

    void refuse()
    {
        counters.add(Counter.REFUSED);
    }
}
