// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.node.Node;

/**
 * A sender is told of each incarnation of a receiver that is gone, once, although the next one is there already. No thread looks
 * after the nodes but the test's, so that the test decides which call finds the loss.
 */
class PeerGoneTest
{
    private static final int RANKS = 2;
    private static final int SLOTS = 64;
    private static final int LENGTH = 16;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[20_000]);

    /** In which way something is sent. */
    enum Way
    {
        OFFER, BATCH, CLAIM, SEND;

        /** Sends a message to rank 1. */
        long send(final Endpoint from, final UnsafeBuffer message)
        {
            switch (this)
            {
                case OFFER:
                    return from.offer(1, 1, message, 0, LENGTH);
                case BATCH:
                    final MessageBatch batch = new MessageBatch(1);
                    assertTrue(batch.add(1, message, 0, LENGTH));
                    return from.offer(1, batch);
                case CLAIM:
                    final MessageClaim claim = new MessageClaim();
                    final long result = from.tryClaim(1, 1, LENGTH, claim);
                    if (result >= 0)
                    {
                        claim.commit();
                    }
                    return result;
                default:
                    return from.newSend().start(1, 1, message, 0, LENGTH);
            }
        }
    }

    private Node launch()
    {
        return Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, RANKS, SLOTS).livenessThread(false));
    }

    private void exchange(final Endpoint from, final Endpoint to)
    {
        Fixtures.awaitOffer(from, 1, message, LENGTH, Fixtures.NOTHING, to);
        LanesFixture.drain(to);
    }

    /** The loss is told by the first attempt, and by that one only. */
    private void shouldBeToldOnce(final Way way, final Endpoint sender, final Endpoint successor)
    {
        final long first = way.send(sender, message);
        assertEquals(Endpoint.PEER_GONE, first, () -> Endpoint.errorString(first));
        shouldReach(way, sender, successor);
    }

    /** Nothing is told that was told before. */
    private void shouldReach(final Way way, final Endpoint sender, final Endpoint successor)
    {
        Fixtures.pollUntil("a message for the successor", Fixtures.NOTHING, () ->
        {
            final long result = way.send(sender, message);
            assertTrue(result >= 0 || result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED,
                () -> Endpoint.errorString(result));
            return result >= 0;
        }, successor);
        LanesFixture.drain(successor);
        assertTrue(successor.counters().received() > 0);
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellTheNextToSend(final Way way)
    {
        try (Node node = launch(); Node other = launch(); Endpoint sender = node.open(0))
        {
            try (Endpoint receiver = other.open(1))
            {
                exchange(sender, receiver);
            }
            try (Endpoint successor = other.open(1))
            {
                shouldBeToldOnce(way, sender, successor);
            }
        }
    }

    /** A credit packet has connected to the successor before the sender sends again. */
    @ParameterizedTest
    @EnumSource
    void shouldTellTheNextToSendBehindAControlPacket(final Way way)
    {
        try (Node node = launch(); Node other = launch(); Endpoint sender = node.open(0))
        {
            try (Endpoint receiver = other.open(1))
            {
                exchange(sender, receiver);
            }
            try (Endpoint successor = other.open(1))
            {
                assertNotNull(local(sender).outbox().connectedForControl(1));
                shouldBeToldOnce(way, sender, successor);
            }
        }
    }

    /** The same when the mailbox of the one that is gone was let go of before. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellAlthoughItWasLetGoOf(final boolean isControlFirst)
    {
        try (Node node = launch(); Node other = launch(); Endpoint sender = node.open(0))
        {
            try (Endpoint receiver = other.open(1))
            {
                exchange(sender, receiver);
            }
            node.checkLiveness();
            assertNull(local(sender).outbox().peers()[1], "let go");
            try (Endpoint successor = other.open(1))
            {
                if (isControlFirst)
                {
                    assertNotNull(local(sender).outbox().connectedForControl(1));
                }
                shouldBeToldOnce(Way.OFFER, sender, successor);
            }
            assertEquals(Endpoint.PEER_GONE, Way.OFFER.send(sender, message), "a loss of its own");
            try (Endpoint third = other.open(1))
            {
                shouldReach(Way.OFFER, sender, third);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndASendWhoseReceiverIsGone(final boolean isSucceeded)
    {
        try (Node node = launch(); Node other = launch(); Endpoint sender = node.open(0))
        {
            final LongSend send = sender.newSend();
            try (Endpoint receiver = other.open(1))
            {
                exchange(sender, receiver);
                assertEquals(Endpoint.NO_CREDIT, send.start(1, 1, message, 0, message.capacity()));
            }
            try (Endpoint successor = isSucceeded ? other.open(1) : null)
            {
                final long result = send.progress();
                assertEquals(Endpoint.PEER_GONE, result, () -> Endpoint.errorString(result));
                assertFalse(send.isActive());
                if (successor != null)
                {
                    exchange(sender, successor);
                }
            }
        }
    }

    /** Of one that it never sent to nothing is lost, but as long as nobody else is there it says so. */
    @Test
    void shouldTellOfOneThatIsGoneAsLongAsNobodyElseIsThere()
    {
        try (Node node = launch(); Node other = launch(); Endpoint sender = node.open(0))
        {
            assertEquals(Endpoint.NOT_CONNECTED, Way.OFFER.send(sender, message));
            other.open(1).close();
            for (final Way way : Way.values())
            {
                assertEquals(Endpoint.PEER_GONE, way.send(sender, message), way::name);
            }
            try (Endpoint successor = other.open(1))
            {
                exchange(sender, successor);
            }
        }
    }
}
