// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.receive.Inbox;
import org.tallypost.endpoint.internal.send.BatchSender;
import org.tallypost.endpoint.internal.send.LinesAhead;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.endpoint.internal.send.PollingThread;
import org.tallypost.mailbox.Mailbox;

/**
 * What an endpoint has a second time for messages of high priority: a ring with credits of its own, without lanes, and what sends
 * to such rings of others.
 */
final class HighSide
{
    private final NodeRuntime runtime;
    final Mailbox mailbox;
    final CounterWords counters;
    final Outbox outbox;
    private final BatchSender batches;
    final Inbox inbox;

    HighSide(final LocalNode node, final int rank, final int epoch, final Mailbox mailbox)
    {
        this.mailbox = mailbox;
        runtime = node.runtime().high();
        counters = runtime.group().highCounters(rank);
        final PollingThread polling = new PollingThread(rank);
        final LinesAhead ahead = new LinesAhead(polling);
        outbox = new Outbox(runtime, node.sendingThreads(), node.wakeups(), rank, epoch, counters, ahead,
            new Connections(node, runtime, rank, epoch));
        batches = new BatchSender(outbox);
        inbox = new Inbox(runtime, node.wakeups(), rank, epoch, mailbox, outbox, counters, polling, ahead, null);
    }

    /** The side of an endpoint that has priorities. */
    static HighSide require(final HighSide side)
    {
        if (side == null)
        {
            throw new IllegalStateException("there are no priorities in this group: found highSlots=0, expected at least 2; " +
                "set NodeContext.highSlots in all processes");
        }
        return side;
    }

    /** As {@link Endpoint#offer(int, int, org.tallypost.endpoint.Priority, DirectBuffer, int, int)}. */
    long offer(final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        outbox.checkRank(dest);
        try
        {
            return outbox.offer(dest, tag, buffer, offset, length);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    /** As {@link Endpoint#offer(int, org.tallypost.endpoint.Priority, MessageBatch)}. */
    long offer(final int dest, final MessageBatch batch)
    {
        outbox.checkRank(dest);
        if (batch.size() == 0)
        {
            throw new IllegalArgumentException("batch is empty: add a message first");
        }
        try
        {
            return batches.offer(dest, batch);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    /** As {@link Endpoint#isHighTaken}. */
    boolean isTaken(final int dest, final long position)
    {
        outbox.checkRank(dest);
        try
        {
            return outbox.isTaken(dest, position);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }
}
