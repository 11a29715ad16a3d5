// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples.ranks;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * Metrics of many ranks for one: ranks 1 and 2 send values, and rank 0 adds them up by rank, whatever comes first. A rank that
 * sends faster than rank 0 reads is refused until it has credits again; the others go on. Arguments: DIRECTORY RANK.
 */
public final class MetricsFanIn implements MembershipListener, MessageListener
{
    private static final int RANKS = 3;
    private static final int COLLECTOR = 0;
    private static final int VALUES = 1_000;

    // the tag says what a message is about; the message is the value
    private static final int REQUESTS = 0;
    private static final int BYTES = 1;
    private static final String[] NAMES = { "requests", "bytes" };

    private final long[][] sums = new long[RANKS][NAMES.length];
    private int gone;

    private MetricsFanIn()
    {
    }

    /**
     * Runs as one rank.
     *
     * @param arguments directory of the node, and rank.
     */
    public static void main(final String[] arguments)
    {
        final int rank = Integer.parseInt(arguments[1]);
        final NodeContext context = new NodeContext()
            .directory(new File(arguments[0])).groupName("metrics").rankCount(RANKS).deleteOnClose(true);
        try (Node node = Node.launch(context); Endpoint endpoint = node.open(rank))
        {
            final MetricsFanIn metrics = new MetricsFanIn();
            final Loop loop = new Loop(endpoint, () -> endpoint.poll(metrics, 100));
            if (rank == COLLECTOR)
            {
                endpoint.addMembershipListener(metrics);
                loop.until("the end of all other ranks", () -> metrics.gone == RANKS - 1);
                metrics.print();
            }
            else
            {
                send(endpoint, loop);
            }
        }
    }

    private static void send(final Endpoint endpoint, final Loop loop)
    {
        final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
        for (int i = 0; i < VALUES; i++)
        {
            send(endpoint, loop, REQUESTS, value, 1);
            send(endpoint, loop, BYTES, value, (long)endpoint.rank() * i);
        }
        System.out.println("sent " + VALUES + " values of each metric");
    }

    private static void send(
        final Endpoint endpoint, final Loop loop, final int tag, final UnsafeBuffer buffer, final long value)
    {
        buffer.putLong(0, value);
        loop.until("credits for the collector", () ->
            Loop.isSent(endpoint.offer(COLLECTOR, tag, buffer, 0, Long.BYTES)));
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        sums[source][tag] += buffer.getLong(offset);
    }

    @Override
    public void onOpen(final int rank, final int incarnation)
    {
    }

    /** Comes behind the last message of the rank, also if its process has died: so no message says that it was the last. */
    @Override
    public void onGone(final int rank, final int incarnation)
    {
        gone++;
    }

    private void print()
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            for (int metric = 0; metric < NAMES.length && rank != COLLECTOR; metric++)
            {
                System.out.println("rank " + rank + ": " + NAMES[metric] + " " + sums[rank][metric]);
            }
        }
    }
}
