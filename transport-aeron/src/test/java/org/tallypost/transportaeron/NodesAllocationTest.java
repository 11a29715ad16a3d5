// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.lang.management.ManagementFactory;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageClaim;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;

/**
 * After start, messages between nodes allocate nothing: sender, agents and receiver are on one thread. The media driver has a
 * thread of its own, because a duty cycle of it makes iterators, which the compiler removes in some runs and not in others. A
 * turn of Aeron's client may do so too: that is measured beside and taken off.
 */
@Timeout(1800)
class NodesAllocationTest
{
    private static final int WARM_UP = 60_000;
    private static final int MESSAGES = 60_000;
    private static final int IDLE_TURNS = 10_000;
    private static final int LONG_LENGTH = 3_000;

    @TempDir
    private File directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONG_LENGTH]);
    private final MessageClaim claim = new MessageClaim();
    private final MessageListener handler = this::onMessage;
    private Watchdog watchdog;
    private int received;
    private int turns;

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        received++;
    }

    @Test
    void shouldAllocateNothingPerMessage()
    {
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "driver").getPath()).threadingMode(ThreadingMode.SHARED)
            .termBufferSparseFile(true).dirDeleteOnShutdown(true));
            NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
            {
                transport.aeronDirectory(driver.aeronDirectoryName());
                context.slotsPerSender(512).checkInvariants(false).transportSettings(new TransportSettings().thread(false)
                    .eventHandler(context.transportSettings().eventHandler()));
            }))
        {
            rig.launchAll();
            watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "received=" + received + ", events=" + rig.events +
                ", errors=" + rig.errors);
            final LongSend send = rig.endpoint(0).newSend();
            exchange(rig, send, WARM_UP);
            final long thread = Thread.currentThread().getId();
            final long before = threads.getThreadAllocatedBytes(thread);
            turns = 0;
            exchange(rig, send, MESSAGES);
            final long allocated = threads.getThreadAllocatedBytes(thread) - before;
            final int busyTurns = turns;
            final long beforeIdle = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < IDLE_TURNS; i++)
            {
                rig.nodes.get(0).transportWork();
                rig.nodes.get(1).transportWork();
            }
            final double perTurn = (double)(threads.getThreadAllocatedBytes(thread) - beforeIdle) / IDLE_TURNS;
            final double perMessage = (allocated - busyTurns * perTurn) / MESSAGES;
            System.out.println("NodesAllocationTest: " + allocated + " bytes for " + MESSAGES + " messages in " + busyTurns +
                " turns, an idle turn " + perTurn + ", that is for each message " + perMessage);
            assertEquals(0, rig.errors.size(), rig.errors::toString);
            assertTrue(perMessage < 1, "bytes for each message: " + perMessage);
        }
    }

    /** Offers, claims and long messages by turns. */
    private void exchange(final NodesRig rig, final LongSend send, final int count)
    {
        final Endpoint from = rig.endpoint(0);
        final int end = received + count;
        for (int i = 0; i < count; i++)
        {
            while (!isSent(from, send, i))
            {
                turn(rig);
            }
        }
        while (received < end)
        {
            turn(rig);
        }
    }

    private void turn(final NodesRig rig)
    {
        final int before = received;
        turns++;
        for (int node = 0; node < 2; node++)
        {
            rig.nodes.get(node).transportWork();
            rig.endpoint(node).poll(handler, 64);
        }
        if (received > before)
        {
            watchdog.progress();
        }
        else
        {
            watchdog.idle();
        }
    }

    private boolean isSent(final Endpoint from, final LongSend send, final int i)
    {
        switch (i % 16)
        {
            case 0:
                return (send.isActive() ? send.progress() : send.start(1, i, message, 0, LONG_LENGTH)) >= 0;
            case 1:
                if (from.tryClaim(1, i, 100, claim) < 0)
                {
                    return false;
                }
                claim.putBytes(message, 0);
                claim.commit();
                return true;
            case 2:
                return from.offer(1, i, message, 0, 16, message, 100, 32) >= 0;
            default:
                return from.offer(1, i, message, 0, 48) >= 0;
        }
    }
}
