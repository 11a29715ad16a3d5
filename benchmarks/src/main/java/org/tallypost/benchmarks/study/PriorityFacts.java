// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.Priority;
import org.tallypost.node.Node;

/** Two live endpoints of one thread, one of which does not read: does a priority wait for the other? Counts only, no times. */
final class PriorityFacts implements AutoCloseable
{
    private static final int SLOTS = 16;
    private static final int HIGH_SLOTS = 4;
    private static final int LENGTH = 8;
    private static final int POLL_LIMIT = 64;
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final TemporaryDirectory directory;
    private final Node node;
    private final Endpoint from;
    private final Endpoint to;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final List<Integer> arrived = new ArrayList<>();

    PriorityFacts(final File parent) throws IOException
    {
        directory = TemporaryDirectory.create(parent, "tallypost-paper-");
        node = Node.launch(new NodeContext().directory(new File(directory.file(), "node")).groupName("paper").rankCount(2)
            .flow(Flow.STATIC).slotsPerSender(SLOTS).highSlots(HIGH_SLOTS).deleteOnClose(true));
        from = node.open(0);
        to = node.open(1);
        for (final Priority priority : Priority.values())
        {
            // from the first poll on the sender has all its credits
            final long begin = System.nanoTime();
            while (!isSent(priority))
            {
                read();
                if (System.nanoTime() - begin > PATIENCE_NS)
                {
                    throw new IllegalStateException("waited for a credit of " + priority + ": found none within " + PATIENCE_NS +
                        " ns");
                }
            }
        }
        read();
    }

    private boolean isSent(final Priority priority)
    {
        return from.offer(1, priority.ordinal(), priority, message, 0, LENGTH) >= 0;
    }

    /** Sends until it is refused, and nobody reads. */
    int fill(final Priority priority)
    {
        int sent = 0;
        while (isSent(priority))
        {
            sent++;
        }
        return sent;
    }

    /** Reads all; how many of a priority come before the first other one. */
    int readFirst(final Priority priority)
    {
        read();
        int first = 0;
        while (first < arrived.size() && arrived.get(first) == priority.ordinal())
        {
            first++;
        }
        return first;
    }

    private void read()
    {
        arrived.clear();
        while (to.poll((source, tag, buffer, offset, length) -> arrived.add(tag), POLL_LIMIT) > 0)
        {
            // until nothing is left
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(from, to, node);
        directory.close();
    }
}
