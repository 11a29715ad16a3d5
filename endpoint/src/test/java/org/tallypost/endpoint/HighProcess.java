// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.node.Internals.local;

import java.io.File;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.node.Node;

/** A child process that sends with high priority to rank 0, and dies between a claim in its high ring and the publication. */
public final class HighProcess
{
    static final int DIED = 7;

    private HighProcess()
    {
    }

    /**
     * Sends, and dies.
     *
     * @param arguments directory, own rank, ranks, slots of the high ring for each sender, messages before the claim, its slots.
     */
    public static void main(final String[] arguments)
    {
        final Node node = Node.launch(PrioritiesTest.context(
            new File(arguments[0]).toPath(), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3])));
        final Endpoint endpoint = node.open(Integer.parseInt(arguments[1]));
        final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
        for (int sent = 0; sent < Integer.parseInt(arguments[4]); sent++)
        {
            while (endpoint.offer(0, sent, Priority.HIGH, message, 0, message.capacity()) < 0)
            {
                endpoint.poll(Fixtures.NOTHING, 1);
                Thread.yield();
            }
        }
        final Outbox outbox = local(endpoint).highOutbox();
        final int slots = Integer.parseInt(arguments[5]);
        while (outbox.ring().claim(outbox.sender(), outbox.peers()[0], slots) < 0)
        {
            endpoint.poll(Fixtures.NOTHING, 1);
            Thread.yield();
        }
        Runtime.getRuntime().halt(DIED);
    }
}
