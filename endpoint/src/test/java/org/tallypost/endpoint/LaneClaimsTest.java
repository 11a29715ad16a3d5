// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Claims of the thread that holds a lane: in the lane, open among its other messages, settled in any order. */
@Tag("once")
class LaneClaimsTest extends LaneClaimsFixture
{
    @Test
    void shouldClaimAllLengthsInTheLane()
    {
        final int laneSlots = 128;
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, laneSlots);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            final long ring = ringEnd(receiver);
            final int[] got = {-1};
            final MessageListener checking = (source, tag, buffer, offset, length) ->
            {
                assertEquals(tag, length);
                for (int i = 0; i < length; i++)
                {
                    assertEquals((byte)(tag * 7 + i), buffer.getByte(offset + i), "length=" + length);
                }
                got[0] = length;
            };
            for (int length = 0; length <= Endpoint.MAX_RUN_LENGTH; length++)
            {
                final int number = length;
                final long before = lane.sentSlots();
                Fixtures.pollUntil("credits", checking, () -> from.tryClaim(0, number, number, claim) >= 0, receiver);
                assertEquals(PacketDescriptor.slots(length), lane.sentSlots() - before, "length=" + length);
                assertEquals(length, claim.length());
                assertEquals(length, claim.buffer().capacity());
                for (int i = 0; i < length; i++)
                {
                    claim.buffer().putByte(i, (byte)(number * 7 + i));
                }
                claim.commit();
                Fixtures.pollUntil("message", checking, () -> got[0] == number, receiver);
            }
            drain(receiver);
            assertSame(lane, lane(from, 0));
            assertEquals(ring, ringEnd(receiver), "nothing went by the ring");
            assertBalanced(receiver);
        }
    }

    /** A run of a lane is at most half of it. */
    @Test
    void shouldClaimInTheRingWhatIsTooLongForTheLane()
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            final long sent = lane.sentSlots();
            assertTrue(from.offer(0, 1, message, 0, LENGTH) >= 0);
            assertTrue(from.tryClaim(0, 2, Endpoint.MAX_RUN_LENGTH, claim) >= 0);
            assertEquals(1, lane.sentSlots() - sent);
            assertTrue(from.offer(0, 3, message, 0, LENGTH) >= 0);
            pollUntil(receiver, 1);
            claim.commit();
            pollUntil(receiver, 1, 2, 3);
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldRefuseAsInTheRing()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            assertEquals(Endpoint.TOO_LONG, from.tryClaim(0, 1, Endpoint.MAX_RUN_LENGTH + 1, claim));
            assertThrows(IllegalArgumentException.class, () -> from.tryClaim(0, 1, -1, claim));
            assertTrue(from.tryClaim(0, 1, LENGTH, claim) >= 0);
            assertThrows(IllegalStateException.class, () -> from.tryClaim(0, 1, LENGTH, claim));
            claim.commit();
            assertThrows(IllegalStateException.class, claim::commit);
            assertThrows(IllegalStateException.class, claim::abort);
            final List<MessageClaim> all = new ArrayList<>();
            long result = 0;
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a refusal");
            while (result >= 0)
            {
                final MessageClaim next = new MessageClaim();
                result = from.tryClaim(0, 2, 200, next);
                if (result >= 0)
                {
                    all.add(next);
                }
                watchdog.progress();
            }
            assertEquals(Endpoint.NO_CREDIT, result);
            assertTrue(lane.sentSlots() > LANE_SLOTS / 2, "claimed in the lane: " + lane.sentSlots());
            assertEquals(1, receiver.poll(noting, 10));
            for (final MessageClaim next : all)
            {
                next.abort();
            }
            drain(receiver);
            assertEquals(List.of(1), tags);
            assertBalanced(receiver);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHoldBackWhatItsThreadSendsBehindIt(final boolean isCommitted)
    {
        try (Node node = node(Flow.DYNAMIC, 3, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1);
            Endpoint other = node.open(2))
        {
            final LaneSender lane = useLane(from, receiver);
            assertTrue(from.offer(0, 1, message, 0, 8) >= 0);
            assertTrue(from.tryClaim(0, 2, LENGTH, claim) >= 0);
            assertTrue(from.offer(0, 3, message, 0, 8) >= 0);
            assertTrue(from.offer(0, 4, message, 0, 400) >= 0);
            final long before = lane.sentSlots();
            pollUntil(receiver, 1);
            // by the ring, as a message of several runs does, whatever its length
            assertTrue(from.newSend().start(0, 5, message, 0, 8) >= 0);
            assertEquals(before, lane.sentSlots());
            pollInVain(receiver);
            assertFalse(local(receiver).inbox().isReady(), "a receiver may sleep meanwhile");
            assertTrue(local(receiver).inbox().isBehind());
            // what others send behind that
            assertTrue(other.offer(0, 9, message, 0, 8) >= 0);
            pollInVain(receiver);
            assertEquals(0, receiver.counters().skippedSlots());
            if (isCommitted)
            {
                claim.commit();
                pollUntil(receiver, 1, 2, 3, 4, 5, 9);
            }
            else
            {
                claim.abort();
                pollUntil(receiver, 1, 3, 4, 5, 9);
            }
            assertBalanced(receiver);
        }
    }

    /** As long as nothing of its thread waits in the ring, others go on. */
    @Test
    void shouldHoldBackNothingOfOthers()
    {
        try (Node node = node(Flow.DYNAMIC, 3, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1);
            Endpoint other = node.open(2))
        {
            useLane(from, receiver);
            assertTrue(from.tryClaim(0, 2, LENGTH, claim) >= 0);
            for (int i = 0; i < 1_000; i++)
            {
                Fixtures.awaitOffer(other, 0, message, 8, noting, receiver);
            }
            Fixtures.pollUntil("messages of the other", noting, () -> tags.size() == 1_000, receiver);
            claim.commit();
            Fixtures.pollUntil("the claim", noting, () -> tags.size() == 1_001, receiver);
            assertEquals(2, tags.get(1_000));
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /** An audit meanwhile finds all credits. */
    @Test
    void shouldKeepTheBooksWhileItIsOpen()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, SLOTS)
            .checkInvariants(true).laneSlots(LANE_SLOTS).livenessThread(false).livenessIntervalNs(1_000_000));
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            assertTrue(from.tryClaim(0, 2, 300, claim) >= 0);
            assertTrue(from.offer(0, 3, message, 0, LENGTH) >= 0);
            final long[] polls = new long[1];
            final long untilNs = System.nanoTime() + 3 * node.context().livenessIntervalNs();
            Fixtures.pollUntil("audits", noting, () ->
            {
                polls[0]++;
                return System.nanoTime() - untilNs > 0 && polls[0] > 2_000;
            }, receiver);
            Fixtures.assertConserved(receiver);
            assertEquals(0, receiver.counters().repairedCredits());
            claim.abort();
            pollUntil(receiver, 3);
            assertBalanced(receiver);
        }
    }

    /** Several at once, in lanes so short that they go round them all the time. */
    @ParameterizedTest
    @CsvSource({"DYNAMIC,8,false", "DYNAMIC,64,false", "STATIC,16,true", "NONE,32,false", "DYNAMIC,0,true"})
    void shouldKeepTheOrderOfClaimsWhateverIsSettledFirst(final Flow flow, final int laneSlots, final boolean isControlled)
    {
        try (Node node = node(flow, 2, SLOTS, laneSlots); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            final ManyClaims many = new ManyClaims(from, new Random(seed));
            for (int number = 0; number < 30_000; number++)
            {
                many.go(number);
                many.poll(receiver, isControlled, many.random.nextInt(6));
            }
            many.settleAll();
            Fixtures.pollUntil("the rest, seed=" + seed, noting, () ->
                many.poll(receiver, isControlled, 10) == 0 && many.due.isEmpty());
            System.out.println("LaneClaimsTest " + flow + " " + laneSlots + ": claims by lanes " + many.byLane);
            assertTrue(many.byLane > 0);
            if (flow != Flow.NONE)
            {
                assertBalanced(receiver);
            }
        }
    }

    /** Claims, offers and sends of one endpoint, and what is to come of them next. */
    private final class ManyClaims
    {
        private static final int MOST_OPEN = 6;

        final Random random;
        final ArrayDeque<Integer> due = new ArrayDeque<>();
        int byLane;
        private final Endpoint from;
        private final LongSend send;
        private final ArrayDeque<MessageClaim> free = new ArrayDeque<>();
        private final List<MessageClaim> open = new ArrayList<>();
        private final List<Integer> numbers = new ArrayList<>();

        ManyClaims(final Endpoint from, final Random random)
        {
            this.from = from;
            this.random = random;
            send = from.newSend();
            for (int i = 0; i < MOST_OPEN; i++)
            {
                free.add(new MessageClaim());
            }
        }

        private void go(final int number)
        {
            final int length = random.nextInt(random.nextInt(10) == 0 ? 500 : 60);
            final int way = random.nextInt(8);
            if (way < 2)
            {
                claim(number, length);
            }
            else if (way < 4)
            {
                settleOne();
            }
            else if (way < 7)
            {
                note(number, from.offer(0, number, message, 0, length));
            }
            else
            {
                note(number, send.start(0, number, message, 0, length));
                if (send.isActive())
                {
                    // its one run has not gone
                    send.abort();
                }
            }
        }

        private void note(final int number, final long result)
        {
            if (result >= 0)
            {
                due.add(number);
            }
        }

        private void claim(final int number, final int length)
        {
            final long before = sent();
            if (!free.isEmpty() && from.tryClaim(0, number, length, free.peek()) >= 0)
            {
                byLane += sent() > before ? 1 : 0;
                open.add(free.poll());
                numbers.add(number);
                due.add(number);
            }
        }

        private long sent()
        {
            final LaneSender lane = lane(from, 0);
            return lane == null ? 0 : lane.sentSlots();
        }

        private void settleOne()
        {
            if (open.isEmpty())
            {
                return;
            }
            final int index = random.nextInt(open.size());
            final MessageClaim settled = open.remove(index);
            final Integer number = numbers.remove(index);
            free.add(settled);
            if (random.nextInt(4) == 0)
            {
                due.remove(number);
                settled.abort();
            }
            else
            {
                settled.commit();
            }
        }

        private void settleAll()
        {
            while (!open.isEmpty())
            {
                settleOne();
            }
        }

        private int poll(final Endpoint receiver, final boolean isControlled, final int limit)
        {
            return isControlled ? receiver.controlledPoll(this::decide, limit) : receiver.poll(this::take, limit);
        }

        private void take(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(due.poll(), tag, () -> "seed=" + seed);
        }

        private ControlledMessageListener.Action decide(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            if (random.nextInt(10) == 0)
            {
                return ControlledMessageListener.Action.ABORT;
            }
            take(source, tag, buffer, offset, length);
            return ControlledMessageListener.Action.CONTINUE;
        }
    }

    @Test
    void shouldBeCommittedByAnotherThread() throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            for (int i = 0; i < 20; i++)
            {
                assertTrue(from.tryClaim(0, 2 * i, LENGTH, claim) >= 0);
                assertTrue(from.offer(0, 2 * i + 1, message, 0, 8) >= 0);
                final boolean isAborted = i % 4 == 3;
                join(guarded("other", isAborted ? claim::abort : claim::commit));
                final int last = 2 * i + 1;
                Fixtures.pollUntil("both", noting, () -> !tags.isEmpty() && tags.get(tags.size() - 1) == last, receiver);
                assertEquals(isAborted ? List.of(last) : List.of(last - 1, last), tags);
                tags.clear();
            }
            assertSame(lane, lane(from, 0));
            assertNull(failure.get());
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldWakeAReceiverThatSleeps()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            for (int i = 0; i < 3 * LANE_SLOTS; i++)
            {
                // now and then a slot of short messages is closed by the claim
                if (i % 3 == 0)
                {
                    assertTrue(from.offer(0, 1, message, 0, 8) >= 0);
                    drainShort(receiver);
                }
                assertTrue(from.tryClaim(0, 1, i % 200, claim) >= 0);
                local(receiver).mailbox().arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
                if (i % 5 == 0)
                {
                    claim.abort();
                }
                else
                {
                    claim.commit();
                }
                assertFalse(local(receiver).mailbox().isArmed(), "no thread has taken the duty to wake it");
                drain(receiver);
            }
            assertNotNull(lane(from, 0));
            assertBalanced(receiver);
        }
    }

    private void drainShort(final Endpoint receiver)
    {
        final int before = tags.size();
        Fixtures.pollUntil("a message", noting, () -> tags.size() > before, receiver);
    }
}
