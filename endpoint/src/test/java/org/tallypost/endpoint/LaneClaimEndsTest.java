// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** What becomes of a claim that is open in a lane when the lane, its endpoint, or its process ends. */
class LaneClaimEndsTest extends LaneClaimsFixture
{
    @Test
    void shouldKeepALaneThatIsWantedBackUntilItIsSettled() throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            assertTrue(from.tryClaim(0, 1, LENGTH, claim) >= 0);
            assertTrue(from.offer(0, 2, message, 0, LENGTH) >= 0);
            local(receiver).inbox().grants().recallAll();
            Fixtures.pollUntil("the lane's end", noting, () -> lane(from, 0) == null, receiver);
            assertEquals(LaneWord.RETURNED, LaneWord.state(laneWord(receiver, 1)));
            pollInVain(receiver);
            assertTrue(local(receiver).inbox().grants().isAnyGranted(), "the lane was taken with a claim that is open");
            assertFalse(lane.isRead());
            // also what goes by the ring now, of this thread and others
            assertTrue(from.offer(0, 3, message, 0, LENGTH) >= 0);
            join(guarded("other", () -> assertTrue(from.offer(0, 4, message, 0, LENGTH) >= 0)));
            pollInVain(receiver);
            claim.commit();
            pollUntil(receiver, 1, 2, 3, 4);
            Fixtures.pollUntil("the lane", noting, () -> !local(receiver).inbox().grants().isAnyGranted(), receiver);
            assertTrue(lane.isRead());
            assertBalanced(receiver);
            earnLane(from, receiver);
            drain(receiver);
            assertNull(failure.get());
            assertBalanced(receiver);
        }
    }

    /** A second thread ends the lane and sends by the ring: behind what was claimed before. */
    @Test
    void shouldComeBeforeWhatASecondThreadSends() throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            assertTrue(from.tryClaim(0, 1, LENGTH, claim) >= 0);
            join(guarded("second", () -> assertTrue(from.offer(0, 2, message, 0, LENGTH) >= 0)));
            assertNull(failure.get());
            assertNull(lane(from, 0));
            pollInVain(receiver);
            assertTrue(from.offer(0, 3, message, 0, LENGTH) >= 0);
            claim.commit();
            pollUntil(receiver, 1, 2, 3);
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldBeSettledBehindTheEndOfItsEndpoint()
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0))
        {
            for (int round = 0; round < 3; round++)
            {
                tags.clear();
                final Endpoint from = node.open(1);
                useLane(from, receiver);
                assertTrue(from.tryClaim(0, 1, LENGTH, claim) >= 0);
                assertTrue(from.offer(0, 2, message, 0, LENGTH) >= 0);
                from.close();
                pollInVain(receiver);
                assertFalse(local(receiver).inbox().ledger().isGone(1), "its books were closed");
                if (round == 1)
                {
                    claim.abort();
                    pollUntil(receiver, 2);
                }
                else
                {
                    claim.commit();
                    pollUntil(receiver, 1, 2);
                }
                Fixtures.pollUntil("the end", noting, () -> local(receiver).inbox().ledger().isGone(1), receiver);
                assertEquals(LaneWord.NONE, laneWord(receiver, 1));
                assertBalanced(receiver);
            }
        }
    }

    @Test
    void shouldBeGivenUpWhenTheProgramHasLostIt()
    {
        final List<Throwable> told = new ArrayList<>();
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, SLOTS)
            .laneSlots(LANE_SLOTS).livenessThread(false).errorHandler(told::add));
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            for (int i = 0; i < 6; i++)
            {
                assertTrue(from.tryClaim(0, 1, LENGTH, claim) >= 0);
                assertTrue(from.tryClaim(0, 2, LENGTH, new MessageClaim()) >= 0);
                assertTrue(from.tryClaim(0, 3, 300, new MessageClaim()) >= 0);
                assertTrue(from.offer(0, 4, message, 0, LENGTH) >= 0);
                node.checkLiveness();
                pollInVain(receiver);
                claim.commit();
                Watchdog.await("collection of the claims", () ->
                {
                    // that nothing can reach a claim any more is what is told: only a collection shows it
                    System.gc();
                    node.checkLiveness();
                    receiver.poll(noting, 4);
                    return tags.size() == 2;
                });
                assertEquals(List.of(1, 4), tags);
                tags.clear();
            }
            assertTrue(told.size() >= 1, told::toString);
            told.forEach((error) -> assertTrue(error.getMessage().contains(", lane=0"), error.getMessage()));
            assertSame(lane, lane(from, 0));
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /** Another process writes an open claim over a message of a lane: the process named in it finds that it does not hold it. */
    @Test
    void shouldBeGivenUpIfSomebodyElseWroteIt()
    {
        final List<Throwable> told = new ArrayList<>();
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, SLOTS)
            .laneSlots(LANE_SLOTS).livenessThread(false).errorHandler(told::add));
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            assertTrue(from.tryClaim(0, 1, 16, claim) >= 0);
            assertTrue(from.offer(0, 2, message, 0, 200) >= 0);
            assertTrue(from.offer(0, 3, message, 0, 8) >= 0);
            final UnsafeBuffer buffer = local(receiver).mailbox().buffer();
            final int slots = Fixtures.lanesOffset(receiver) + 256;
            int damaged = 0;
            for (int offset = slots; offset < slots + LANE_SLOTS * MailboxDescriptor.SLOT_LENGTH; offset += 64)
            {
                final long header = buffer.getLong(offset);
                if (MailboxDescriptor.type(header) == MailboxDescriptor.TYPE_CLAIMED)
                {
                    // the message of 4 slots behind that of the claim
                    final long next = buffer.getLong(offset + 64);
                    buffer.putLong(offset + 64, MailboxDescriptor.header(
                        MailboxDescriptor.lap(header), MailboxDescriptor.TYPE_CLAIMED, 0, MailboxDescriptor.length(next), 1));
                    damaged++;
                    break;
                }
            }
            assertEquals(1, damaged);
            claim.commit();
            pollUntil(receiver, 1);
            Watchdog.await("what comes behind", () ->
            {
                node.checkLiveness();
                receiver.poll(noting, 4);
                return tags.size() == 2;
            });
            assertEquals(List.of(1, 3), tags);
            assertEquals(1, told.size(), told::toString);
            drain(receiver);
            Fixtures.pollUntil("balance", noting, () -> Fixtures.isBalanced(receiver), receiver);
            Fixtures.assertConserved(receiver);
        }
    }

    /** How what is behind the claim of the process that dies was sent. */
    enum Behind
    {
        LANE(1, 4, 5), RING(1, 4, 5, 6), NOTHING(1);

        final List<Integer> expected;

        Behind(final Integer... expected)
        {
            this.expected = List.of(expected);
        }
    }

    /** A child that holds a lane, claims there, sends behind that, and waits for its end. */
    static final class Claimant
    {
        private Claimant()
        {
        }

        /**
         * Claims.
         *
         * @param arguments directory, how it sends behind the claim.
         */
        public static void main(final String[] arguments)
        {
            final NodeContext context = Fixtures.context(
                new File(arguments[0]).toPath(), Flow.DYNAMIC, CreditReturn.DIRECT, 2, SLOTS).laneSlots(LANE_SLOTS);
            final Node node = Node.launch(context);
            final Endpoint from = node.open(1);
            final UnsafeBuffer text = new UnsafeBuffer(new byte[400]);
            long before = -1;
            while (before < 0 || lane(from, 0) == null || lane(from, 0).sentSlots() == before)
            {
                before = lane(from, 0) == null ? -1 : lane(from, 0).sentSlots();
                from.offer(0, 0, text, 0, 40);
                Thread.onSpinWait();
            }
            final MessageClaim first = new MessageClaim();
            final MessageClaim second = new MessageClaim();
            await(() -> from.offer(0, 1, text, 0, 8));
            await(() -> from.tryClaim(0, 2, 300, first));
            await(() -> from.tryClaim(0, 3, 8, second));
            final Behind behind = Behind.valueOf(arguments[1]);
            if (behind != Behind.NOTHING)
            {
                await(() -> from.offer(0, 4, text, 0, 8));
                await(() -> from.offer(0, 5, text, 0, 400));
            }
            if (behind == Behind.RING)
            {
                await(() -> from.newSend().start(0, 6, text, 0, 8));
            }
            System.out.println(lane(from, 0) != null && first.length() + second.length() == 308 ? "claimed" : "no lane");
            // until it is killed
            Watchdog.await("the end", () -> false);
        }

        private static void await(final LongSupplier attempt)
        {
            Watchdog.await("a message", () -> attempt.getAsLong() >= 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldBePassedWhenItsProcessDies(final Behind behind)
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0);
            ForkedJvm child = ForkedJvm.start(Claimant.class, directory, behind))
        {
            final MessageListener rest = (source, tag, buffer, offset, length) ->
            {
                if (tag > 0)
                {
                    tags.add(tag);
                }
            };
            final String[] line = new String[1];
            Fixtures.pollUntil("the claims", rest, () ->
            {
                line[0] = child.pollLine();
                return line[0] != null;
            }, receiver);
            assertEquals("claimed", line[0]);
            Fixtures.pollUntil("what is before the claims", rest, () -> tags.size() == 1, receiver);
            for (int i = 0; i < 2_000; i++)
            {
                receiver.poll(rest, 10);
            }
            assertEquals(List.of(1), tags);
            child.kill();
            Fixtures.pollUntil("the sender's end", rest, () -> local(receiver).inbox().ledger().isGone(1), receiver);
            assertEquals(behind.expected, tags);
            assertEquals(LaneWord.NONE, laneWord(receiver, 1));
            assertEquals(0, receiver.backlogSlots());
            assertBalanced(receiver);
            // the lane is another one's
            try (Endpoint from = node.open(1))
            {
                useLane(from, receiver);
                assertTrue(from.tryClaim(0, 7, LENGTH, claim) >= 0);
                claim.commit();
                drain(receiver);
                assertBalanced(receiver);
            }
        }
    }
}
