// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.ControlSender;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Whatever a sender publishes, and wherever: a receiver that said that it sleeps is woken. */
class ArmedReceiverTest extends LanesFixture
{
    private static final int SLOTS = 256;
    private static final int LANE_SLOTS = 64;
    /** Of messages, so that each comes to lie at every place of a lane, and finds every kind of place used up. */
    private static final int ROUNDS = 3 * LANE_SLOTS;
    private static final int[] LENGTHS = {0, 8, 40, 200, Endpoint.MAX_RUN_LENGTH / 2};

    private final MessageClaim claim = new MessageClaim();

    /** What goes by the ring. */
    enum Way
    {
        OFFER, BATCH, CLAIM, SEND, NUDGE, CONTROL
    }

    /** Publishes something, and has the receiver read it, if there are credits; checks that it would have been woken. */
    private static void shouldWake(final Endpoint to, final String what, final LongSupplier publish)
    {
        local(to).mailbox().arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
        final long result = publish.getAsLong();
        assertTrue(result >= 0, () -> what + ": " + Endpoint.errorString(result));
        assertFalse(local(to).mailbox().isArmed(), () -> "nobody has taken the duty to wake it: " + what);
        drain(to);
    }

    private static MessageBatch batch(final UnsafeBuffer message, final int... lengths)
    {
        final MessageBatch batch = new MessageBatch(lengths.length);
        for (final int length : lengths)
        {
            assertTrue(batch.add(1, message, 0, length));
        }
        return batch;
    }

    @ParameterizedTest
    @EnumSource
    void shouldBeWokenByWhatComesByTheRing(final Way way)
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, SLOTS).expressLanes(0));
            Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, to);
            drain(to);
            for (final int length : LENGTHS)
            {
                shouldWake(to, way + " of " + length + " bytes", () -> publish(way, from, length));
            }
        }
    }

    private long publish(final Way way, final Endpoint from, final int length)
    {
        final Outbox outbox = local(from).outbox();
        final Peer peer = outbox.peers()[0];
        switch (way)
        {
            case OFFER:
                return from.offer(0, 1, message, 0, length);
            case BATCH:
                return from.offer(0, batch(message, length, 8, length));
            case SEND:
                return from.newSend().start(0, 1, message, 0, length);
            case NUDGE:
                return outbox.ringTo(outbox.sender(), peer).nudge(outbox.sender(), peer, 1);
            case CONTROL:
                // the receiver refuses it: credits do not travel in packets here
                return new ControlSender(outbox, local(from).inbox()::countedEpoch).sendControl(0, PacketDescriptor.TYPE_CREDIT,
                    1) ? 0 : -1;
            default:
                final long place = from.tryClaim(0, 1, length, claim);
                // the claim itself: as long as it is open, the receiver sleeps for short times only
                assertFalse(peer.mailbox.isArmed(), "nobody has taken the duty to wake it: open claim");
                claim.commit();
                return place;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 40, 56, 200, 1_000})
    void shouldBeWokenByWhatComesByALane(final int length)
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, to);
            final MessageBatch one = batch(message, length);
            final MessageBatch three = batch(message, 8, length, 40);
            for (int i = 0; i < ROUNDS; i++)
            {
                final String what = length + " bytes, round " + i;
                final long ring = local(to).mailbox().writePosition();
                shouldWake(to, "message of " + what, () -> from.offer(0, 1, message, 0, length));
                shouldWake(to, "batch of a message of " + what, () -> from.offer(0, one));
                shouldWake(to, "batch of three messages, one of " + what, () -> from.offer(0, three));
                assertEquals(ring, local(to).mailbox().writePosition(), "all by the lane");
            }
            assertTrue(lane.sentSlots() > ROUNDS);
        }
    }

    /** Nothing is read of a slot that more may come into. If what is to come does not, the slot has to be freed all the same. */
    @Test
    void shouldBeWokenForASlotThatIsClosedWithNothingBehindIt()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, to);
            shouldWake(to, "message that leaves its slot open", () -> from.offer(0, 1, message, 0, 0));
            assertTrue(from.offer(0, 1, message, 0, 0) >= 0);
            local(to).mailbox().arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
            assertTrue(lane.beforeRing());
            assertFalse(local(to).mailbox().isArmed(), "nobody has taken the duty to wake it");
        }
    }
}
