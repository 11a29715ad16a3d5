// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.RingWriter;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Short messages by an express lane: up to four of them in a slot, and what comes behind them by other ways. */
class ShortLaneMessagesTest extends LanesFixture
{
    private int expected;
    private int lastOffset;

    /** Each message has its number as its tag, and its bytes follow from that. */
    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(expected, tag, "order");
        for (int i = 0; i < length; i++)
        {
            assertEquals((byte)(tag + i), buffer.getByte(offset + i), "message " + tag + ", byte " + i + " of " + length);
        }
        expected++;
        lastOffset = offset;
    }

    private void fill(final int number, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            message.putByte(i, (byte)(number + i));
        }
    }

    private long offer(final Endpoint from, final int number, final int length)
    {
        fill(number, length);
        return from.offer(0, number, message, 0, length);
    }

    private void deliver(final Endpoint receiver, final int messages)
    {
        Fixtures.pollUntil("messages", this::onMessage, () -> expected == messages, receiver);
    }

    @ParameterizedTest
    @EnumSource(value = Flow.class, names = {"DYNAMIC", "STATIC", "NONE"})
    void shouldDeliverAllLengths(final Flow flow)
    {
        try (Node node = node(flow, 3, 64, 32))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            final LaneSender lane = useLane(from, receiver);
            int number = 0;
            for (int round = 0; round < 20; round++)
            {
                for (int length = 0; length < 70; length++)
                {
                    final long before = lane.sentSlots();
                    assertTrue(offer(from, number++, length) >= 0);
                    assertTrue(lane.sentSlots() - before <= (length > 56 ? 2 : 1), "slots of " + length + " bytes");
                    deliver(receiver, number);
                }
            }
            drain(receiver);
            if (flow != Flow.NONE)
            {
                assertBalanced(receiver);
            }
        }
    }

    /** As many as a lane holds, more than it has slots, are all there before what came after them by the ring. */
    @Test
    void shouldDeliverAllOfALaneBeforeWhatComesByTheRing()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 128, 32))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            final LaneSender lane = useLane(from, receiver);
            final LongSend send = from.newSend();
            int number = 0;
            for (int round = 0; round < 50; round++)
            {
                final int begin = number;
                final long slots = lane.sentSlots();
                // until the lane is full: a further one is refused, and waits
                while (number - begin < 100 && offer(from, number, 8) >= 0)
                {
                    number++;
                }
                assertTrue(lane(from, 0) != lane || number - begin > 2 * (lane.sentSlots() - slots), "several in a slot");
                fill(number, 8);
                if (send.start(0, number, message, 0, 8) >= 0)
                {
                    number++;
                }
                else
                {
                    send.abort();
                }
                deliver(receiver, number);
                drain(receiver);
            }
            assertBalanced(receiver);
        }
    }

    /** A slot of a lane holds 56 bytes, one of the ring 48: where one slot is all that there is, the ring's limit holds. */
    @Test
    void shouldCallAMessageTooLongWhoeverHasALane()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 3, 2).creditSlots(1)))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            for (int i = 0; i < 1000; i++)
            {
                final int number = i;
                Fixtures.pollUntil("a credit", this::onMessage, () -> offer(from, number, 48) >= 0, receiver);
                for (int length = 49; length <= 56; length++)
                {
                    assertEquals(Endpoint.TOO_LONG, from.offer(0, 0, message, 0, length), "length=" + length + ", i=" + i);
                }
            }
            drain(receiver);
        }
    }

    @Test
    void shouldCallABatchTooLongWhoeverHasALane()
    {
        final NodeContext context = Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 18);
        try (Node node = Node.launch(context.creditSlots(2).laneSlots(64)))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            final LaneSender lane = useLane(from, receiver);
            final MessageBatch batch = new MessageBatch(9);
            for (int i = 0; i < 100; i++)
            {
                batch.clear();
                for (int k = 0; k < 8; k++)
                {
                    batch.add(1, message, 0, 56);
                }
                Fixtures.pollUntil("credits", Fixtures.NOTHING, () -> from.offer(0, batch) >= 0, receiver);
                drain(receiver);
                batch.add(1, message, 0, 56);
                assertEquals(Endpoint.TOO_LONG, from.offer(0, batch), "18 slots of the ring never fit 16");
            }
            assertTrue(lane.sentSlots() > 0);
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldKeepTheOrderOfBatchesOfShortAndLongOnes()
    {
        try (Node node = node(Flow.DYNAMIC, 3, 64, 64))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            useLane(from, receiver);
            final int[] lengths = {8, 8, 100, 8, 40, 8, 57, 0, 56, 8, 8, 8, 8, 8, 48, 7};
            final MessageBatch batch = new MessageBatch(lengths.length);
            int number = 0;
            for (int round = 0; round < 200; round++)
            {
                int at = 0;
                for (int i = 0; i < 5; i++)
                {
                    final int length = lengths[(round + i * 3) % lengths.length];
                    for (int k = 0; k < length; k++)
                    {
                        message.putByte(at + k, (byte)(number + i + k));
                    }
                    batch.add(number + i, message, at, length);
                    at += length;
                }
                Fixtures.pollUntil("a batch", this::onMessage, () -> from.offer(0, batch) >= 0, receiver);
                number += 5;
                batch.clear();
                deliver(receiver, number);
            }
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /** A slot that is open when its holder closes is given back. */
    @Test
    void shouldGiveBackAnOpenSlotWithTheLane()
    {
        try (Node node = node(Flow.DYNAMIC, 3, 64, 32))
        {
            final Endpoint receiver = node.open(0);
            int number = 0;
            for (int round = 0; round < 5; round++)
            {
                try (Endpoint from = node.open(1))
                {
                    useLane(from, receiver);
                    for (int i = 0; i <= round; i++)
                    {
                        assertTrue(offer(from, number++, 8) >= 0);
                    }
                    deliver(receiver, number);
                }
                drain(receiver);
                assertBalanced(receiver);
            }
        }
    }

    /** A thread that ends a lane that the receiver has let go of writes nothing into it: another sender may have it. */
    @Test
    void shouldNotWriteIntoALaneThatIsNotTheHoldersAnyMore()
    {
        try (Node node = node(Flow.DYNAMIC, 3, 64, 32))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            final LaneSender lane = useLane(from, receiver);
            assertTrue(offer(from, 0, 8) >= 0);
            deliver(receiver, 1);
            final UnsafeBuffer memory = local(receiver).mailbox().buffer();
            // where the next message of eight bytes would have gone
            final int next = lastOffset + 8;
            final long found = memory.getLong(next);
            final int word = MailboxDescriptor.sourceLineOffset(1) + LaneWord.OFFSET;
            memory.putLongVolatile(word, LaneWord.NONE);
            lane.end(null, 0);
            memory.putLongVolatile(word, LaneWord.NONE);
            assertEquals(found, memory.getLong(next));
        }
    }

    /** Nothing will ever be read of a slot that was left open: a sender that remembers the lane does not wait for it. */
    @Test
    void shouldForgetALaneWhoseWordWasDamagedWhileASlotWasOpen()
    {
        try (Node node = node(Flow.DYNAMIC, 3, 64, 32))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            useLane(from, receiver);
            assertTrue(offer(from, 0, 8) >= 0);
            deliver(receiver, 1);
            drain(receiver);
            local(receiver).mailbox().buffer().putLongVolatile(MailboxDescriptor.sourceLineOffset(1) + LaneWord.OFFSET, 12_345);
            local(from).outbox().endRecalledLanes();
            final Peer peer = local(from).outbox().peers()[0];
            assertNull(peer.lane);
            Fixtures.pollUntil("all read", Fixtures.NOTHING,
                () -> RingWriter.afterLane(local(from).outbox().sender(), peer) == 0, receiver);
            assertNull(peer.formerLane);
        }
    }

    /** Four messages in a slot are as much use of a lane as four in the ring: two that are as busy do not swap it. */
    @Test
    void shouldNotTakeALaneFromWhoSendsAsMuchInFewerSlots()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 256).checkInvariants(true)
            .laneSlots(64).expressLanes(1)))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint[] senders = {node.open(1), node.open(2)};
            final Random random = new Random(seed);
            int changes = 0;
            int last = -1;
            for (int round = 0; round < 5_000; round++)
            {
                final int first = random.nextInt(2);
                for (int i = 0; i < 8; i++)
                {
                    senders[i < 4 ? first : 1 - first].offer(0, 1, message, 0, 8);
                }
                for (int i = 0; i < 4; i++)
                {
                    receiver.poll(Fixtures.NOTHING, 100);
                }
                final int holder = lane(senders[0], 0) != null ? 0 : lane(senders[1], 0) != null ? 1 : last;
                changes += holder == last ? 0 : 1;
                last = holder;
            }
            assertTrue(changes > 0 && changes < 5, "changes of the holder: " + changes + ", seed=" + seed);
        }
    }
}
