// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.transportaeron.NodesRig;

/** How much a duty cycle of ours sends, with all of it on this thread. */
@Timeout(1800)
class DriverTurnsTest
{
    private static final int LENGTH = 2_000;
    private static final int MESSAGES = 24;
    private static final int OF_A_DATAGRAM = 4;
    /** The last of them is not full, and waits for more. */
    private static final int DATAGRAMS = MESSAGES / OF_A_DATAGRAM - 1;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private int received;
    private int sent;

    @TempDir
    private File directory;

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(received, tag);
        received++;
    }

    private void turn(final NodesRig rig, final int node)
    {
        rig.nodes.get(node).transportWork();
        rig.endpoint(node).poll(this::onMessage, 64);
    }

    /** Offers as much as is to go in one duty cycle; whether there were credits for all of it. */
    private boolean isOffered(final NodesRig rig)
    {
        final int first = sent;
        while (sent - first < MESSAGES && rig.endpoint(0).offer(1, sent, message, 0, LENGTH) >= 0)
        {
            sent++;
        }
        return sent - first == MESSAGES;
    }

    private boolean isAfterTurns(final NodesRig rig, final boolean is)
    {
        if (!is)
        {
            turn(rig, 0);
            turn(rig, 1);
        }
        return is;
    }

    @Test
    void shouldSendSeveralDatagramsInADutyCycle()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
            context.slotsPerSender(2_048).transportSettings(new TransportSettings().thread(false)
            .eventHandler(context.transportSettings().eventHandler()))).launchAll())
        {
            Watchdog.await("a link, and credits for all, with nothing else on its way", () ->
                isAfterTurns(rig, received == sent && isOffered(rig)));
            final int before = received;
            rig.nodes.get(0).transportWork();
            Watchdog.await("what one duty cycle of the sender's node has sent", () ->
            {
                turn(rig, 1);
                return received >= before + DATAGRAMS * OF_A_DATAGRAM;
            });
            Watchdog.await("the rest", () -> isAfterTurns(rig, received == sent));
            assertTrue(rig.errors.isEmpty(), () -> rig.errors.toString());
        }
    }
}
