// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SenderLanes;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Credits that come back by an express lane, in the line that says what was read of it. */
@Tag("once")
class LaneCreditsTest extends LanesFixture
{
    private static final int ROUNDS = 2_000;
    private static final int BURSTS = 20_000;

    /** However many messages: nobody touches the word of the pair any more. */
    @ParameterizedTest
    @CsvSource({"STATIC,2", "STATIC,3", "DYNAMIC,2", "DYNAMIC,3"})
    void shouldGiveBackByTheLaneWhatCameByIt(final Flow flow, final int ranks)
    {
        try (Node node = node(flow, ranks, 128, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            final Peer peer = local(from).outbox().peers()[0];
            // what its quota grows by goes by the word
            Fixtures.pollUntil("all of the quota", Fixtures.NOTHING, () ->
            {
                exchange(from, receiver, ROUNDS, 40);
                return flow == Flow.STATIC || hasWhatOthersNeedNot(receiver, ranks);
            }, receiver);
            final long word = peer.creditWord();
            final long sent = lane.sentSlots();
            for (int i = 0; i < ROUNDS; i++)
            {
                exchange(from, receiver, 1, 40);
                assertEquals(word, peer.creditWord(), "message " + i);
            }
            assertEquals(ROUNDS, lane.sentSlots() - sent);
            // longer runs as well
            exchange(from, receiver, ROUNDS, 200);
            assertTrue(lane.sentSlots() - sent >= ROUNDS * 4L, "by the lane: " + (lane.sentSlots() - sent));
            assertBalanced(receiver);
            assertBounded(receiver, ranks, flow);
        }
    }

    private static boolean hasWhatOthersNeedNot(final Endpoint receiver, final int ranks)
    {
        final Ledger ledger = local(receiver).inbox().ledger();
        int others = 0;
        for (int rank = 0; rank < ranks; rank++)
        {
            others += rank == 1 ? 0 : ledger.intendedQuota(rank);
        }
        return others == (ranks - 1) * new NodeContext().creditSlots() &&
            ledger.currentCredits(1) + ledger.retrieved(1) >= ledger.intendedQuota(1);
    }

    /** What comes back by the lane is not all that a lone sender ever gets: its quota grows to what its lane holds. */
    @Test
    void shouldLetTheOneWhoSendsHaveWhatTheOthersDoNotUse()
    {
        try (Node node = node(Flow.DYNAMIC, 66, 16, 256); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            final int most = local(receiver).mailbox().laneSlots();
            final int inHand = SenderLanes.chunk(local(receiver).inbox().ledger().dataRegion(), local(receiver).mailbox());
            assertTrue(most > 4 * inHand, "a lane no longer than what may be in hand shows nothing: " + inHand);
            int longest = 0;
            for (int burst = 0; burst < BURSTS && longest < most; burst++)
            {
                int sent = 0;
                while (sent < most && from.offer(0, 1, message, 0, 40) >= 0)
                {
                    sent++;
                }
                longest = Math.max(longest, sent);
                drain(receiver);
            }
            assertEquals(most, longest, "longest burst, with " + inHand + " in hand at most");
            assertBalanced(receiver);
        }
    }

    /** Nor if it sends so little at once that all of it comes back by the lane, and no threshold is ever reached. */
    @ParameterizedTest
    @CsvSource({"IDLE_FIRST,1", "IDLE_FIRST,3", "IDLE_FIRST,7", "IDLE_FIRST,60", "MONITORED,1", "LENDING,1", "LENDING,7"})
    void shouldLetTheOneWhoSendsLittleAtOnceHaveItAsWell(final StealPolicy policy, final int atOnce)
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 66, 16).checkInvariants(true)
            .laneSlots(256).stealPolicy(policy)); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            final int inHand = SenderLanes.chunk(local(receiver).inbox().ledger().dataRegion(), local(receiver).mailbox());
            final int most = Math.min(4 * inHand, local(receiver).mailbox().laneSlots());
            exchange(from, receiver, BURSTS, 40, atOnce);
            final int intended = local(receiver).inbox().ledger().intendedQuota(1);
            assertTrue(intended >= most, "quota: " + intended);
            int sent = 0;
            while (sent < most && from.offer(0, 1, message, 0, 40) >= 0)
            {
                sent++;
            }
            assertEquals(most, sent, "first burst, with " + inHand + " in hand at most");
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /** A position of its lane says so, which something else wrote, and the credits in its word are gone as well. */
    @Test
    void shouldGiveCreditsToAHolderThatSeemsToHaveThemInHand()
    {
        try (Node node = node(Flow.DYNAMIC, 3, 64, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            final Peer peer = local(from).outbox().peers()[0];
            assertTrue(lane.beforeRing(), "nothing is in hand any more");
            final int word = MailboxDescriptor.sourceLineOffset(1);
            final UnsafeBuffer buffer = local(receiver).mailbox().buffer();
            buffer.putLongVolatile(word, CreditWord.of(CreditWord.epoch(peer.creditWord()), 0));
            buffer.putLongVolatile(Fixtures.lanesOffset(receiver) + 128, 1L << 40);
            assertTrue(local(receiver).inbox().grants().inHand(1) > local(receiver).inbox().ledger().currentCredits(1));

            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, receiver);
            exchange(from, receiver, ROUNDS, 40);
        }
    }

    /** With others that might want them: what a holder may have in hand; twice, if it took some itself meanwhile. */
    private static void assertBounded(final Endpoint receiver, final int ranks, final Flow flow)
    {
        final int inHand = local(receiver).inbox().grants().inHand(1);
        final int region = local(receiver).inbox().ledger().dataRegion();
        final int most = flow == Flow.STATIC || ranks == 2 ? local(receiver).mailbox().laneSlots() :
            2 * SenderLanes.chunk(region, local(receiver).mailbox());
        assertTrue(inHand > 0 && inHand <= most, "in hand: " + inHand + ", most=" + most);
    }

    /** The holder's thread ends its lane, or another one does: what was given after its last look is not lost. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldGiveBackWhatALaneWasGivenAfterItsEnd(final boolean isOtherThread) throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, 128, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            for (int round = 0; round < 20; round++)
            {
                final Peer peer = local(from).outbox().peers()[0];
                if (peer != null)
                {
                    peer.neededStreak = 1;
                }
                useLane(from, receiver);
                for (int i = 0; i < 10; i++)
                {
                    assertTrue(from.offer(0, 1, message, 0, 40) >= 0);
                }
                if (isOtherThread)
                {
                    join(guarded("other", () ->
                        Fixtures.pollUntil("offer", Fixtures.NOTHING, () -> from.offer(0, 1, message, 0, 40) >= 0)));
                }
                else
                {
                    local(receiver).inbox().grants().recallAll();
                    local(from).outbox().endRecalledLanes();
                }
                assertNull(lane(from, 0));
                // freed, and given, in a lane that nobody holds any more
                drain(receiver);
                assertBalanced(receiver);
                Fixtures.pollUntil("the end of the lane", Fixtures.NOTHING, () -> laneWord(receiver, 1) == LaneWord.NONE,
                    receiver);
                assertEquals(0, local(receiver).inbox().grants().inHand(1));
                assertBalanced(receiver);
            }
            assertNull(failure.get());
        }
    }

    /** All credits of a mailbox may be in hand for one lane if there is one other rank: not when they are wanted. */
    @Test
    void shouldTakeALaneBackWhoseCreditsAreWanted()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            exchange(from, receiver, ROUNDS, 200);
            final int held = Fixtures.held(receiver, 1);
            assertNotNull(lane(from, 0));
            // as long as nothing comes from there it is idle, and loses what it does not use
            Fixtures.pollUntil("room for its own", Fixtures.NOTHING, () ->
            {
                receiver.offer(0, 1, message, 0, 1_000);
                local(from).outbox().endRecalledLanes();
                return local(receiver).inbox().ledger().currentCredits(0) > local(receiver).inbox().ledger().dataRegion() / 2;
            }, receiver);
            assertNull(lane(from, 0));
            assertTrue(Fixtures.held(receiver, 1) < held, "held before: " + held);
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /** A run by the ring is paid for out of the word: all that came by the lane is there in time. */
    @Test
    void shouldPayForARunByTheRingWithWhatCameByTheLane()
    {
        try (Node node = node(Flow.STATIC, 2, 60, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            exchange(from, receiver, ROUNDS, 40);
            final Peer peer = local(from).outbox().peers()[0];
            final int slots = PacketDescriptor.slots(Endpoint.MAX_RUN_LENGTH);
            assertTrue(peer.credits(peer.creditWord()) < slots, "in the word: " + peer.credits(peer.creditWord()));
            final long before = lane(from, 0).sentSlots();
            assertTrue(from.offer(0, 1, message, 0, Endpoint.MAX_RUN_LENGTH) >= 0);
            assertEquals(before, lane(from, 0).sentSlots(), "longer than a run of the lane");
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    private void exchange(final Endpoint from, final Endpoint receiver, final int messages, final int length)
    {
        exchange(from, receiver, messages, length, 1);
    }

    private void exchange(
        final Endpoint from, final Endpoint receiver, final int messages, final int length, final int atOnce)
    {
        for (int i = 0; i < messages; i++)
        {
            Fixtures.pollUntil("offer", Fixtures.NOTHING, () -> from.offer(0, 1, message, 0, length) >= 0, receiver);
            if (i % atOnce == 0)
            {
                drain(receiver);
            }
        }
    }
}
