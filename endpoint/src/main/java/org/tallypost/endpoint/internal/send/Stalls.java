// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.endpoint.internal.flight.FlightEvents;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;

/** Counts the messages of an endpoint that did not go at the first attempt, and times those that did not go soon either. */
public final class Stalls
{
    /** Attempts after which the time of a stall is measured: looking at the clock costs as much as some attempts. */
    public static final int TIMED_STALLS = 8;

    private final int rank;
    private final CounterWords counters;
    /** Number of the first rank's mailbox: not 0 for high rings. */
    private final int firstId;

    Stalls(final int rank, final CounterWords counters, final int firstId)
    {
        this.rank = rank;
        this.firstId = firstId;
        this.counters = counters;
    }

    /** A message to a peer did not go. */
    void begin(final Peer peer)
    {
        // counted no further than that: a receiver may be away for more attempts than an int can count
        final int before = peer.stalls;
        if (before < TIMED_STALLS)
        {
            peer.stalls = before + 1;
            if (before == 0)
            {
                counters.add(CountersDescriptor.STALLS_OFFSET, 1);
            }
            else if (before + 1 == TIMED_STALLS)
            {
                peer.stalledSinceNs = System.nanoTime();
            }
        }
    }

    /** A message to a peer went. */
    public void settle(final Peer peer)
    {
        if (peer.stalls > 0)
        {
            if (peer.stalls >= TIMED_STALLS)
            {
                final long lengthNs = System.nanoTime() - peer.stalledSinceNs;
                counters.add(CountersDescriptor.STALL_TIME_OFFSET, lengthNs);
                FlightEvents.stall(rank, peer.mailbox.id() - firstId, peer.isRemote, lengthNs);
            }
            peer.stalls = 0;
        }
    }
}
