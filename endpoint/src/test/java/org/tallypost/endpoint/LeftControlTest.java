// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.lang.reflect.Field;
import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** An Error within a poll, in the middle of a packet that carries credits: the packet is sent, once. */
class LeftControlTest
{
    private static final int SLOTS = 16;
    private static final int MESSAGES = 5_000;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    private int errors;

    /** As a thread without stack: the call that writes into a control packet fails each third time. */
    private final class Failing extends UnsafeBuffer
    {
        private int calls;

        Failing(final UnsafeBuffer real)
        {
            super(real);
        }

        @Override
        public void putInt(final int index, final int value)
        {
            if (++calls % 3 == 0)
            {
                errors++;
                throw new StackOverflowError("of the test");
            }
            super.putInt(index, value);
        }
    }

    private void failTo(final Endpoint from, final int dest)
    {
        final Peer peer = local(from).outbox().connectedForControl(dest);
        try
        {
            final Field field = Peer.class.getDeclaredField("buffer");
            field.setAccessible(true);
            field.set(peer, new Failing(peer.buffer));
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private int poll(final Endpoint endpoint)
    {
        try
        {
            return endpoint.poll(Fixtures.NOTHING, SLOTS);
        }
        catch (final StackOverflowError error)
        {
            assertEquals("of the test", error.getMessage());
            return 1;
        }
    }

    @ParameterizedTest
    @CsvSource({"STATIC", "DYNAMIC"})
    void shouldSendWhatAnErrorHasInterruptedOnce(final Flow flow)
    {
        try (Node node = Node.launch(Fixtures.context(directory, flow, CreditReturn.PACKET, 4, SLOTS).checkInvariants(true)))
        {
            final Endpoint to = node.open(0);
            final Endpoint[] from = {node.open(1), node.open(2), node.open(3)};
            for (final Endpoint each : from)
            {
                Fixtures.awaitOffer(each, 0, message, 40, Fixtures.NOTHING, to, each);
                Fixtures.awaitOffer(to, each.rank(), message, 40, Fixtures.NOTHING, to, each);
                failTo(to, each.rank());
            }
            failTo(from[0], 0);
            for (int i = 0; i < MESSAGES; i++)
            {
                // by turns in bursts, so that under dynamic flow credits are asked for and come back
                final Endpoint sender = from[i / 100 % from.length];
                Watchdog.await("message " + i + " from rank " + sender.rank() + ", errors=" + errors, () ->
                {
                    if (sender.offer(0, 1, message, 0, 40) >= 0)
                    {
                        return true;
                    }
                    poll(to);
                    for (final Endpoint each : from)
                    {
                        poll(each);
                    }
                    return false;
                });
            }
            assertTrue(errors > MESSAGES / 100, "errors=" + errors);
            Watchdog.await("balance: " + Fixtures.books(to), () ->
            {
                int work = poll(to);
                for (final Endpoint each : from)
                {
                    work += poll(each);
                }
                return work == 0 && Fixtures.isBalanced(to);
            });
            Fixtures.assertConserved(to);
            assertEquals(0, to.counters().refused());
            for (final Endpoint each : from)
            {
                assertEquals(0, each.counters().refused());
                assertEquals(0, each.counters().skippedSlots());
            }
        }
    }
}
