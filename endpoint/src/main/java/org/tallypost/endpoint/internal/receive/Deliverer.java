// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;
import org.tallypost.endpoint.internal.send.LinesAhead;
import org.tallypost.endpoint.internal.send.Peer;

/**
 * Hands messages to the listener of the poll, and counts them: below what finds messages in lanes and ring, and knowing neither.
 * For the polling thread.
 */
final class Deliverer
{
    private final GuardedErrorHandler errors;
    private final CounterWords counters;
    private final LinesAhead ahead;
    private final Peer[] peers;
    /** Null while nobody polls. */
    private MessageListener listener;
    private long received;
    private long bytesReceived;
    private long refused;

    Deliverer(final GuardedErrorHandler errors, final CounterWords counters, final LinesAhead ahead, final Peer[] peers)
    {
        this.errors = errors;
        this.counters = counters;
        this.ahead = ahead;
        this.peers = peers;
    }

    /** Where messages go from now on; null when the poll is over. */
    void listener(final MessageListener to)
    {
        listener = to;
    }

    /** Where messages go; null while nobody polls. */
    MessageListener listener()
    {
        return listener;
    }

    void deliver(final int source, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        received++;
        bytesReceived += length;
        try
        {
            listener.onMessage(source, tag, from, offset, length);
        }
        catch (final Throwable t)
        {
            errors.onThrown(t);
        }
    }

    /** A message was delivered run by run. */
    void delivered(final int length)
    {
        received++;
        bytesReceived += length;
    }

    /** A message that was delivered is left where it is. */
    void takeBack(final int length)
    {
        received--;
        bytesReceived -= length;
    }

    /** The endpoint was closed by a listener: what this poll still passes counts as unread. */
    void stop()
    {
        listener = (source, tag, from, offset, length) -> takeBack(length);
    }

    /** A short message came by a lane, after a while without any, and is delivered next: asks for the line of the answer. */
    void askForAnswer(final int source)
    {
        ahead.arrived(peers[source]);
    }

    /** A packet cannot be what it says. */
    void refuse()
    {
        refused++;
    }

    long refusedCount()
    {
        return refused;
    }

    /** Shows what was delivered. */
    void publish()
    {
        counters.set(CountersDescriptor.RECEIVED_OFFSET, received);
        counters.set(CountersDescriptor.BYTES_RECEIVED_OFFSET, bytesReceived);
    }
}
