// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.node.Node;

/** Senders that send all they can must not keep the others from sending: all in one thread, so that turns are counted. */
class WantedCreditsTest
{
    private static final int RANKS = 12;
    private static final int SLOTS = 64;
    /** Attempts of a sender in one turn. */
    private static final int ATTEMPTS = 50;
    /** Messages of the busy senders that a poll may take. */
    private static final int LIMIT = 100;
    private static final int LONG = 2_000;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONG]);
    private final int[] received = new int[RANKS];
    private final MessageListener count = (source, tag, buffer, offset, length) -> received[source]++;

    private void turn(final Endpoint sender, final int length)
    {
        for (int i = 0; i < ATTEMPTS; i++)
        {
            final long result = sender.offer(0, 1, message, 0, length);
            assertTrue(result >= 0 || result == Endpoint.NO_CREDIT, Endpoint.errorString(result));
        }
    }

    /** Before, it took as many attempts in vain as others had taken slots from it, 64 of them for each slot. */
    @Test
    void shouldLetAQuietSenderSendALongMessageBesideBusyOnes()
    {
        final NodeContext context = Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, SLOTS);
        try (Node node = Node.launch(context.checkInvariants(true)); Endpoint receiver = node.open(0);
            Endpoint quiet = node.open(1); Endpoint busy = node.open(2); Endpoint other = node.open(3))
        {
            for (int i = 0; i < 1_000; i++)
            {
                turn(busy, LONG);
                turn(other, LONG);
                receiver.poll(count, LIMIT);
            }
            assertEquals(2, local(receiver).inbox().ledger().intendedQuota(1), "the others are to have what it does not use");
            for (int sent = 1; sent <= 20; sent++)
            {
                int turns = 0;
                while (received[1] < sent)
                {
                    turn(quiet, LONG);
                    // far more than a round goes by before the quiet sender tries again
                    for (int i = 0; i < 5; i++)
                    {
                        turn(busy, LONG);
                        turn(other, LONG);
                        receiver.poll(count, LIMIT);
                    }
                    turns++;
                    assertTrue(turns <= 20, () -> "found 20 turns without a message: " + Fixtures.books(receiver));
                }
            }
            assertTrue(received[2] > 0 && received[3] > 0);
        }
    }
}
