// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** How a lane ends: by other threads, by closing, by damage. */
class LaneEndsTest extends LanesFixture
{
    @Test
    void shouldNotTakeAnotherThreadsRunForItsOwn() throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, 0); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            earnLane(from, receiver);
            final Peer peer = local(from).outbox().peers()[0];
            drain(receiver);
            // another thread claims, and is held up before it notes its run
            final long[] position = new long[1];
            final SendingThread[] other = new SendingThread[1];
            join(guarded("other", () ->
            {
                other[0] = local(from).outbox().sender();
                position[0] = local(from).outbox().ringTo(other[0], peer).claim(other[0], peer, 1);
                peer.mailbox.publish(other[0].mark, position[0], PacketDescriptor.TYPE_NUDGE, 0, 0, 1);
            }));
            assertNull(peer.lane, "the other thread has ended it");
            peer.neededStreak = 1;
            earnLane(from, receiver);
            final MessageClaim claim = new MessageClaim();
            assertTrue(from.tryClaim(0, 1, 8, claim) >= 0);
            final LaneSender lane = peer.lane;
            local(from).outbox().sentByRing(other[0], peer, position[0], 1);
            Fixtures.pollUntil("the run of the other", Fixtures.NOTHING,
                () -> local(receiver).mailbox().readPosition() > position[0],
                receiver);
            final long before = lane.sentSlots();
            for (int i = 0; i < 20; i++)
            {
                from.offer(0, 1, message, 0, 8);
            }
            assertSame(lane, peer.lane);
            assertEquals(before, lane.sentSlots(), "sent by the lane while its own run in the ring was open");
            claim.commit();
            drain(receiver);
            assertNull(failure.get());
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldGetALaneBackFromAThreadThatNeverSendsAgain() throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 0); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final AtomicInteger phase = new AtomicInteger();
            final Thread holder = guarded("holder", () ->
            {
                earnLane(from, receiver);
                receiver.releasePoller();
                phase.set(1);
                Watchdog.await("the end", () -> phase.get() == 2);
            });
            Watchdog.await("a lane", () -> phase.get() == 1 || failure.get() != null);
            assertNotNull(lane(from, 0));
            final int needed = local(from).outbox().peers()[0].neededStreak;
            drain(receiver);
            local(receiver).inbox().grants().recallAll();
            Fixtures.pollUntil("the lane", Fixtures.NOTHING, () -> !local(receiver).inbox().grants().isAnyGranted(), receiver);
            assertNull(lane(from, 0));
            assertEquals(LaneWord.NONE, laneWord(receiver, 1));
            assertEquals(needed, local(from).outbox().peers()[0].neededStreak, "no other thread came between");
            phase.set(2);
            join(holder);
            assertNull(failure.get());
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldGiveAllBackWhenAnEndpointIsClosedByAnotherThread() throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, 128, 0); Endpoint receiver = node.open(0))
        {
            for (int round = 0; round < 10; round++)
            {
                isRunning = true;
                final Endpoint from = node.open(1);
                final AtomicReference<Long> end = new AtomicReference<>(0L);
                final long[] sent = new long[1];
                final long[] received = new long[1];
                final Thread thread = guarded("sender", () ->
                {
                    while (end.get() == 0 || end.get() == Endpoint.NO_CREDIT || end.get() == Endpoint.NOT_CONNECTED)
                    {
                        final long result = from.offer(0, 1, message, 0, 40);
                        sent[0] += result >= 0 ? 1 : 0;
                        end.set(Math.min(0, result));
                    }
                });
                final MessageListener handler = (source, tag, buffer, offset, length) -> received[0]++;
                Fixtures.pollUntil("a lane", handler, () ->
                {
                    assertTrue(received[0] < MOST_BEFORE_A_LANE, () -> "no lane after messages=" + received[0]);
                    return lane(from, 0) != null && lane(from, 0).sentSlots() > 100;
                }, receiver);
                from.close();
                join(thread);
                assertEquals(Endpoint.CLOSED, end.get());
                assertNull(lane(from, 0));
                Fixtures.pollUntil("all that was sent, " + sent[0], handler, () -> received[0] == sent[0], receiver);
                Fixtures.pollUntil("the sender's end", handler, () -> local(receiver).inbox().ledger().isGone(1), receiver);
                assertEquals(LaneWord.NONE, laneWord(receiver, 1));
                assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
                assertBalanced(receiver);
            }
            assertEquals(0, receiver.counters().skippedSlots());
        }
    }

    @Test
    void shouldEndALaneWhoseReceiverWaitsForADamagedHeader()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 128, 16); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            earnLane(from, receiver);
            drain(receiver);
            final LaneSender damaged = lane(from, 0);
            Fixtures.pollUntil("a message of the lane", Fixtures.NOTHING, () ->
            {
                final long before = damaged.sentSlots();
                return receiver.backlogSlots() == 0 && from.offer(0, 1, message, 0, 40) >= 0 && damaged.sentSlots() > before;
            }, receiver);
            // the header that the receiver looks at next is gone for good
            assertEquals(1, receiver.backlogSlots());
            final UnsafeBuffer buffer = local(receiver).mailbox().buffer();
            int offset = Fixtures.lanesOffset(receiver) + 256;
            while (!isWiped(buffer, offset, receiver))
            {
                offset += MailboxDescriptor.SLOT_LENGTH;
            }
            Fixtures.pollUntil("another lane", Fixtures.NOTHING, () ->
            {
                from.offer(0, 1, message, 0, 40);
                return lane(from, 0) != null && lane(from, 0) != damaged;
            }, receiver);
            drain(receiver);
            Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver);
            Fixtures.assertConserved(receiver);
        }
    }

    /** Overwrites a word if that hides what is unread. */
    private static boolean isWiped(final UnsafeBuffer buffer, final int offset, final Endpoint receiver)
    {
        final long word = buffer.getLong(offset);
        if (MailboxDescriptor.lap(word) == 0)
        {
            // a position
            return false;
        }
        buffer.putLong(offset, 0);
        if (receiver.backlogSlots() == 0)
        {
            return true;
        }
        buffer.putLong(offset, word);
        return false;
    }

    @Test
    void shouldTakeBackAWordThatNobodyGranted()
    {
        try (Node node = node(Flow.DYNAMIC, 3, 64, 0); Endpoint receiver = node.open(0); Endpoint first = node.open(1);
            Endpoint second = node.open(2))
        {
            earnLane(first, receiver);
            Fixtures.awaitOffer(second, 0, message, 8, Fixtures.NOTHING, receiver);
            drain(receiver);
            final int lane = LaneWord.lane(laneWord(receiver, 1));
            final int offset = MailboxDescriptor.sourceLineOffset(2) + LaneWord.OFFSET;
            final Peer peer = local(second).outbox().peers()[0];
            peer.neededStreak = 1;
            local(receiver).mailbox().buffer().putLongVolatile(offset, LaneWord.of(77, second.epoch(), LaneWord.GRANTED, lane));
            second.offer(0, 1, message, 0, 8);
            second.offer(0, 1, message, 0, 8);
            assertNotNull(peer.lane, "two write in one lane now");
            drain(receiver);
            Fixtures.pollUntil("its end", Fixtures.NOTHING, () -> peer.lane == null && laneWord(receiver, 2) == 0, receiver);
            Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver);
            Fixtures.assertConserved(receiver);
        }
    }

    @Test
    void shouldEndLanesAlsoWhenNoMarkIsLeft() throws InterruptedException
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 64).maxSendingThreads(1));
            Endpoint receiver = node.open(0))
        {
            final Endpoint from = node.open(1);
            final AtomicInteger phase = new AtomicInteger();
            final Thread thread = guarded("holder", () ->
            {
                earnLane(from, receiver);
                receiver.releasePoller();
                phase.set(1);
                Watchdog.await("the end", () -> phase.get() == 2);
            });
            Watchdog.await("a lane", () -> phase.get() == 1 || failure.get() != null);
            from.close();
            phase.set(2);
            join(thread);
            assertNull(failure.get(), () -> String.valueOf(failure.get()));
            Fixtures.pollUntil("the sender's end", Fixtures.NOTHING, () -> local(receiver).inbox().ledger().isGone(1), receiver);
            Fixtures.assertConserved(receiver);
        }
    }

    @Test
    void shouldDeliverNothingWhenTheLimitIsNothing()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 0); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            earnLane(from, receiver);
            drain(receiver);
            final long received = receiver.counters().received();
            from.offer(0, 1, message, 0, 8);
            for (int i = 0; i < 10; i++)
            {
                receiver.poll(Fixtures.NOTHING, 0);
            }
            assertEquals(received, receiver.counters().received());
            drain(receiver);
            assertEquals(received + 1, receiver.counters().received());
        }
    }

    @Test
    void shouldNotFreeALaneThatWasGivenBackBeforeAllOfItIsRead()
    {
        try (Node node = node(Flow.STATIC, 2, 256, 64); Endpoint to = node.open(0))
        {
            final Endpoint from = node.open(1);
            final LaneSender lane = useLane(from, to);
            assertTrue(from.offer(0, 7, message, 0, 40) >= 0);
            assertFalse(lane.isRead());
            from.close();
            local(to).inbox().grants().tend();
            assertEquals(LaneWord.RETURNED, LaneWord.state(laneWord(to, 1)), "it is the sender's as long as it is unread");
            final int[] tags = new int[1];
            Fixtures.pollUntil("the message", (source, tag, buffer, offset, length) -> tags[0] = tag, () -> tags[0] == 7, to);
        }
    }

    /** Before the receiver has looked: it frees a lane that nobody gave back only when the holder's process is dead. */
    @Test
    void shouldGiveALaneBackWithWhatWasInHandWhenItsEndpointIsClosed()
    {
        try (Node node = node(Flow.STATIC, 2, 256, 64); Endpoint to = node.open(0))
        {
            // one more than there are lanes
            for (int round = 0; round <= local(to).mailbox().lanes(); round++)
            {
                final Endpoint from = node.open(1);
                useLane(from, to);
                final long held = laneWord(to, 1);
                assertEquals(LaneWord.HELD, LaneWord.state(held));
                assertTrue(local(to).inbox().grants().inHand(1) > 0, () -> Fixtures.books(to));
                final int credits = Fixtures.held(to, 1);
                from.close();
                assertEquals(LaneWord.with(held, LaneWord.RETURNED), laneWord(to, 1));
                assertEquals(credits, Fixtures.wordCredits(to, 1), () -> Fixtures.books(to));
                assertEquals(0, local(to).inbox().grants().inHand(1));
                Fixtures.pollUntil("the sender's end", Fixtures.NOTHING, () -> local(to).inbox().ledger().isGone(1), to);
                assertEquals(LaneWord.NONE, laneWord(to, 1));
                assertBalanced(to);
            }
        }
    }

    /** By a thread with a run under way when it was closed: nobody would ever give it back. */
    @Test
    void shouldTakeNoLaneOnceItsEndpointIsClosed()
    {
        try (Node node = node(Flow.STATIC, 2, 256, 64); Endpoint to = node.open(0))
        {
            final Endpoint from = node.open(1);
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            final Peer peer = local(from).outbox().peers()[0];
            final SendingThread sender = local(from).outbox().sender();
            peer.neededStreak = Integer.MAX_VALUE;
            Fixtures.pollUntil("a lane that is granted", Fixtures.NOTHING, () ->
            {
                from.offer(0, 1, message, 0, 40);
                return LaneWord.state(laneWord(to, 1)) == LaneWord.GRANTED;
            }, to);
            peer.neededStreak = 1;
            from.close();
            for (int i = 0; i < 3; i++)
            {
                local(from).outbox().sentByRing(sender, peer, peer.lastPosition, 1);
            }
            assertNull(peer.lane);
            assertEquals(LaneWord.GRANTED, LaneWord.state(laneWord(to, 1)));
        }
    }

    /** What a lane's holder has not added to the counters yet: another thread that ends the lane adds it, or leaves it to it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountAllThatWasSentByALaneThatAnotherThreadEnds(final boolean isFirstThread) throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, 64); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            final AtomicInteger phase = new AtomicInteger();
            if (!isFirstThread)
            {
                Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
                to.releasePoller();
            }
            final Thread holder = guarded("holder", () ->
            {
                final LaneSender lane = useLane(from, to);
                final long before = lane.sentSlots();
                assertTrue(from.offer(0, 1, message, 0, 40) >= 0);
                assertEquals(before + 1, lane.sentSlots());
                to.releasePoller();
                phase.set(1);
                Watchdog.await("the end", () -> phase.get() == 2);
            });
            Watchdog.await("a message of the lane", () -> phase.get() == 1 || failure.get() != null);
            assertNull(failure.get());
            final UnsafeBuffer unsettled = local(node).runtime().group().counters(from.rank()).word(
                CountersDescriptor.SENT_BY_LANES_OFFSET);
            final long before = unsettled.getLong(0);
            assertEquals(isFirstThread, before != 0);
            local(to).inbox().grants().recallAll();
            local(from).outbox().endRecalledLanes();
            assertNull(lane(from, 0));
            drain(to);
            assertEquals(before, unsettled.getLong(0), "the first thread may be at work there, in another lane");
            assertEquals(to.counters().received(), from.counters().sent());
            assertEquals(to.counters().bytesReceived(), from.counters().bytesSent());
            phase.set(2);
            join(holder);
            assertNull(failure.get());
        }
    }
}
