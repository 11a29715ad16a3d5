// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.lane.tactic.Lookout;
import org.tallypost.node.Node;

/** A poll that found nothing stays for a moment, and delivers what comes meanwhile. */
class WaitingPollTest
{
    private static final int MESSAGES = 200;
    /** How many are enough: where threads have to wait for a processor most messages come too late for a wait. */
    private static final int ENOUGH = 20;
    /** Polls of a turn, between two looks at the watchdog. */
    private static final int POLLS = 100_000;
    /** A third of those of the longest wait, so many that the poll has looked at everything before. */
    private static final int HINTS = 350;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Long.BYTES]);
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile long polls;
    private volatile boolean isOver;
    private long within;
    private long count;
    private volatile long last;

    private Node launch(final Flow flow, final int looks)
    {
        return Node.launch(
            Fixtures.context(directory, flow, CreditReturn.DIRECT, 2, 64).idle(new IdleSettings().maxLooks(looks)));
    }

    /** Each message says in which poll of the receiver it was sent. */
    private void send(final Endpoint sender)
    {
        try
        {
            while (!isOver)
            {
                final long now = polls;
                if (now > last)
                {
                    for (int i = 0; i < HINTS; i++)
                    {
                        Thread.onSpinWait();
                    }
                    message.putLong(0, now);
                    if (sender.offer(1, 0, message, 0, Long.BYTES) >= 0)
                    {
                        while (last < now && !isOver)
                        {
                            Thread.onSpinWait();
                        }
                    }
                }
                sender.poll(Fixtures.NOTHING, 10);
            }
        }
        catch (final Throwable t)
        {
            failure.set(t);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Flow.class)
    void shouldDeliverWhatIsSentDuringAPollByThatPoll(final Flow flow) throws Exception
    {
        try (Node node = launch(flow, Lookout.MAX_LOOKS))
        {
            final Endpoint sender = node.open(0);
            final Endpoint receiver = node.open(1);
            final Thread thread = new Thread(() -> send(sender), "sender");
            thread.start();
            try
            {
                Watchdog.await(ENOUGH + " messages delivered by the poll in which they were sent", () ->
                {
                    final long end = count + MESSAGES;
                    for (int i = 0; i < POLLS && count < end && failure.get() == null; i++)
                    {
                        pollOnce(receiver);
                    }
                    return within >= ENOUGH || failure.get() != null;
                });
            }
            finally
            {
                isOver = true;
                Watchdog.await("end of the sender", () -> !thread.isAlive());
            }
            assertNull(failure.get());
        }
    }

    private void pollOnce(final Endpoint receiver)
    {
        final long now = polls + 1;
        polls = now;
        receiver.poll((source, tag, buffer, offset, length) ->
        {
            within += buffer.getLong(offset) == now ? 1 : 0;
            count++;
            // one that sends something back waits for what comes of it
            receiver.offer(source, 0, answer, 0, Long.BYTES);
            last = now;
        }, 10);
    }

    /** A message that is there is left alone by a poll that may not deliver any. */
    @Test
    void shouldDeliverNothingIfItMayNot()
    {
        try (Node node = launch(Flow.DYNAMIC, Lookout.MAX_LOOKS))
        {
            final Endpoint self = node.open(1);
            Fixtures.awaitOffer(self, 1, message, Long.BYTES, Fixtures.NOTHING, self);
            Fixtures.pollUntil("all read", Fixtures.NOTHING, () -> self.backlogSlots() == 0, self);
            assertTrue(self.offer(1, 0, message, 0, Long.BYTES) >= 0);
            for (int i = 0; i < MESSAGES; i++)
            {
                assertEquals(0, self.poll((source, tag, buffer, offset, length) -> within++, 0), "poll " + i);
            }
            assertEquals(0, within);
            Fixtures.pollUntil("message", (source, tag, buffer, offset, length) -> within++, () -> within == 1, self);
        }
    }
}
