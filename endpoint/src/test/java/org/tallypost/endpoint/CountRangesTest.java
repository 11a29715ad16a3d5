// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.send.LaneCounts;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.Stalls;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/** Counts that share a word, or that are smaller than what they may have to count: each near the end of its range. */
@Tag("once")
class CountRangesTest extends LanesFixture
{
    private static final int BATCH = 16;
    private static final int MOST_FOR_A_LANE = 10_000;

    @Test
    void shouldCountMessagesAndBytesInOneWordWithoutACarry()
    {
        final long testSeed = new Random(seed).nextLong();
        final Random random = new Random(testSeed);
        final CounterWords words = new CounterWords(new UnsafeBuffer(ByteBuffer.allocateDirect(CountersDescriptor.LENGTH)), 0);
        final EndpointCounters counters = new EndpointCounters(words, 0);
        final LaneCounts counts = new LaneCounts(words, true);
        final int longestBatch = PacketDescriptor.MAX_BATCH_SLOTS * 56;
        long messages = 0;
        long bytes = 0;
        for (int i = 0; i < 200_000; i++)
        {
            final boolean isBatch = random.nextInt(8) == 0;
            final int more = isBatch ? 1 + random.nextInt(PacketDescriptor.MAX_BATCH_SLOTS) : 1;
            final int length = random.nextInt(3) == 0 ? 0 :
                random.nextInt(3) == 0 ? isBatch ? longestBatch : Endpoint.MAX_RUN_LENGTH : random.nextInt(57);
            if (LaneCounts.sent(counts.address(), more, length) < 0)
            {
                counts.settle();
            }
            messages += more;
            bytes += length;
            assertEquals(messages, counters.sent(), () -> "messages, seed=" + testSeed);
            assertEquals(bytes, counters.bytesSent(), () -> "bytes, seed=" + testSeed);
        }
    }

    @ParameterizedTest
    @CsvSource({"48,false", "2048,false", "48,true", "200,true"})
    void shouldCountAllThatIsSentByALaneWithoutAStall(final int length, final boolean isBatch)
    {
        try (Node node = node(Flow.DYNAMIC, 2, 512, 1024); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, to);
            final MessageBatch batch = new MessageBatch(BATCH);
            while (isBatch && batch.add(1, message, 0, length))
            {
                assertTrue(batch.size() <= BATCH);
            }
            final int together = isBatch ? BATCH : 1;
            final EndpointCounters counters = from.counters();
            final long sentBefore = counters.sent();
            final long bytesBefore = counters.bytesSent();
            final long stalls = counters.stalls();
            long sent = 0;
            // four times as much as the word can hold
            while (sent * (length + 1) < 8L * LaneCounts.MOST_UNSETTLED)
            {
                final long result = isBatch ? from.offer(0, batch) : from.offer(0, 1, message, 0, length);
                assertTrue(result >= 0, () -> Endpoint.errorString(result));
                sent += together;
                drain(to);
            }
            assertEquals(stalls, counters.stalls(), "the sender was never refused");
            assertEquals(sentBefore + sent, counters.sent());
            assertEquals(bytesBefore + sent * length, counters.bytesSent());
            assertEquals(counters.sent(), to.counters().received());
            assertEquals(counters.bytesSent(), to.counters().bytesReceived());
        }
    }

    @Test
    void shouldEndAStallOfMoreAttemptsThanAnIntCounts()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 8).expressLanes(0));
            Endpoint to = node.open(0);
            Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            final Peer peer = local(from).outbox().peers()[0];
            final long before = from.counters().stalls();
            final long timeBefore = from.counters().stallTimeNs();
            long stalls = 0;
            for (int round = 0; round < 3; round++)
            {
                while (from.offer(0, 1, message, 0, 40) >= 0)
                {
                    assertTrue(to.backlogSlots() > 0);
                }
                for (int attempt = 0; attempt < 2 * Stalls.TIMED_STALLS; attempt++)
                {
                    assertEquals(Endpoint.NO_CREDIT, from.offer(0, 1, message, 0, 40));
                }
                stalls++;
                assertEquals(before + stalls, from.counters().stalls());
                // as if the receiver had been away for so many attempts
                peer.stalls = round == 0 ? peer.stalls : Integer.MAX_VALUE - round;
                for (int attempt = 0; attempt < 2 * Stalls.TIMED_STALLS; attempt++)
                {
                    assertEquals(Endpoint.NO_CREDIT, from.offer(0, 1, message, 0, 40));
                }
                Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
                assertEquals(0, peer.stalls, "the stall is over");
                assertEquals(before + stalls, from.counters().stalls());
                drain(to);
            }
            assertTrue(from.counters().stallTimeNs() > timeBefore);
        }
    }

    @Test
    void shouldRefuseAMessageThatIsTooLongForARunAlsoWithALane()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 512, 1024); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            useLane(from, to);
            assertEquals(Endpoint.TOO_LONG, from.offer(0, 1, message, 0, Endpoint.MAX_RUN_LENGTH + 1));
            assertEquals(Endpoint.TOO_LONG, from.offer(0, 1, message, 0, 4000));
            assertTrue(from.offer(0, 1, message, 0, Endpoint.MAX_RUN_LENGTH) >= 0);
            drain(to);
        }
    }

    @Test
    void shouldLookForALaneHoweverLongThereWasNone()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 64); Endpoint to = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            local(from).outbox().peers()[0].lastSender = local(from).outbox().sender();
            local(from).outbox().peers()[0].streak = Integer.MAX_VALUE;
            for (int sent = 0; sent < MOST_FOR_A_LANE && lane(from, 0) == null; sent++)
            {
                Fixtures.awaitOffer(from, 0, message, 40, Fixtures.NOTHING, to);
            }
            assertTrue(lane(from, 0) != null, "no lane after " + MOST_FOR_A_LANE + " messages");
        }
    }

    @Test
    void shouldNeverTakeAnOpenPairForAClosedOne()
    {
        final int[] epochs = {1, 2, 0xFFFE, 0xFFFF, 0x1_0000, 0x1_0001, 0x1_FFFE, 0x1_FFFF, 0x2_0000, Integer.MAX_VALUE};
        for (final int sender : epochs)
        {
            for (final int view : epochs)
            {
                final int epoch = RemoteDescriptor.pairEpoch(sender, view);
                final String found = Integer.toHexString(epoch) + " of " + sender + " and " + view;
                assertTrue((epoch & 0xFFFF) != 0 && epoch >>> 16 != 0, found);
                assertNotEquals(epoch, RemoteDescriptor.pairEpoch(sender + 1, view), found);
                assertNotEquals(epoch, RemoteDescriptor.pairEpoch(sender, view + 1), found);
            }
        }
        final Set<Integer> all = new HashSet<>();
        for (int sender = 1; sender <= 0xFFFF; sender++)
        {
            all.add(RemoteDescriptor.pairEpoch(sender, 1));
        }
        assertEquals(0xFFFF, all.size());
    }

    @Test
    void shouldRefuseToOpenARankInMoreEpochsThanThereAre()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 64, 64))
        {
            for (final int last : new int[]{Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
            {
                local(node).runtime().group().open(1, last, 0, 0);
                assertTrue(local(node).runtime().group().leave(1, last, GroupDescriptor.STATE_CLOSED));
                final MailboxException refused = assertThrows(MailboxException.class, () -> node.open(1));
                assertTrue(refused.getMessage().contains("found epoch=" + last), refused::getMessage);
            }
            local(node).runtime().group().open(1, Integer.MAX_VALUE - 1, 0, 0);
            assertTrue(local(node).runtime().group().leave(1, Integer.MAX_VALUE - 1, GroupDescriptor.STATE_CLOSED));
            try (Endpoint last = node.open(1))
            {
                assertEquals(Integer.MAX_VALUE, last.epoch());
            }
        }
    }

    @Test
    void shouldRefuseABatchWhoseSlotsAnIntCannotCount()
    {
        assertTrue(MessageBatch.MAX_CAPACITY * (long)PacketDescriptor.RUN_SLOTS <= Integer.MAX_VALUE);
        for (final int capacity : new int[]{0, -1, MessageBatch.MAX_CAPACITY + 1, Integer.MAX_VALUE})
        {
            final String text = assertThrows(IllegalArgumentException.class, () -> new MessageBatch(capacity)).getMessage();
            assertTrue(text.contains("found=" + capacity + ", expected=1 to " + MessageBatch.MAX_CAPACITY), text);
        }
    }
}
