// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

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
    final Mailbox mailbox;
    final CounterWords counters;
    final Outbox outbox;
    final BatchSender batches;
    final Inbox inbox;

    HighSide(final LocalNode node, final int rank, final int epoch, final Mailbox mailbox)
    {
        this.mailbox = mailbox;
        final NodeRuntime runtime = node.runtime().high();
        counters = runtime.group().highCounters(rank);
        final PollingThread polling = new PollingThread(rank);
        final LinesAhead ahead = new LinesAhead(polling);
        outbox = new Outbox(runtime, node.sendingThreads(), node.wakeups(), rank, epoch, counters, ahead,
            new Connections(node, runtime, rank, epoch));
        batches = new BatchSender(outbox);
        inbox = new Inbox(runtime, node.wakeups(), rank, epoch, mailbox, outbox, counters, polling, ahead, null);
    }
}
