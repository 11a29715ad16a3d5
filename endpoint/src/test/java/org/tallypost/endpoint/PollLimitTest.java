// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.remote.RunWriterTest;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.node.Node;

/**
 * A poll delivers no more messages than its limit, wherever they lie: in lanes, in the ring behind a lane, in batches, in
 * messages of many runs, in packets of another node. What is left comes with later polls, in the order of its sender.
 */
class PollLimitTest
{
    private static final int SLOTS = 512;
    private static final int LANE_SLOTS = 256;
    private static final int LIMIT = 24;
    private static final int STEPS = 6_000;

    @TempDir
    Path directory;

    private final Random seeds = new Random(Long.getLong("tallypost.seed", System.nanoTime()));
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[16 * 1024]);
    private final MessageBatch batch = new MessageBatch(32);
    private final MessageClaim claim = new MessageClaim();
    /** Next tag of each source, sent and delivered. */
    private final int[] sent = new int[IdleTransport.RANKS];
    private final int[] delivered = new int[IdleTransport.RANKS];
    private final boolean[] wasInLane = new boolean[IdleTransport.RANKS];
    private Random random;
    private long seed;
    private int count;
    private int held;

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(delivered[source], tag, () -> "order of source " + source + ", seed=" + seed);
        delivered[source]++;
        count++;
    }

    private int poll(final Endpoint receiver, final int limit)
    {
        count = 0;
        final int work = receiver.poll(this::onMessage, limit);
        assertTrue(count <= limit, () -> "limit=" + limit + ", delivered=" + count + ", seed=" + seed);
        assertTrue(count <= work, () -> "returned=" + work + ", delivered=" + count + ", seed=" + seed);
        return work;
    }

    private int length()
    {
        return random.nextInt(4) == 0 ? random.nextInt(Endpoint.MAX_RUN_LENGTH + 1) : random.nextInt(57);
    }

    private void send(final Endpoint from, final LongSend send)
    {
        final int rank = from.rank();
        if (send.isActive())
        {
            sent[rank] += send.progress() >= 0 ? 1 : 0;
            return;
        }
        switch (random.nextInt(12))
        {
            case 0:
                final int room = random.nextInt(200);
                if (from.tryClaim(0, sent[rank], room, claim) >= 0)
                {
                    claim.commit();
                    sent[rank]++;
                }
                break;
            case 1:
                final boolean isOut = send.start(0, sent[rank], message, 0, random.nextInt(message.capacity())) >= 0;
                sent[rank] += isOut ? 1 : 0;
                held += wasInLane[rank] && (isOut || send.isActive()) ? 1 : 0;
                wasInLane[rank] = false;
                break;
            case 2:
                batch.clear();
                for (int i = random.nextInt(31); i >= 0; i--)
                {
                    batch.add(sent[rank] + batch.size(), message, 0, random.nextInt(100));
                }
                sent[rank] += from.offer(0, batch) >= 0 ? batch.size() : 0;
                break;
            default:
                final int burst = 1 + random.nextInt(40);
                for (int i = 0; i < burst && from.offer(0, sent[rank], message, 0, length()) >= 0; i++)
                {
                    sent[rank]++;
                    wasInLane[rank] = LanesFixture.lane(from, 0) != null;
                }
                break;
        }
    }

    private void run(final Endpoint receiver, final Endpoint[] senders, final Runnable others)
    {
        seed = seeds.nextLong();
        random = new Random(seed);
        final LongSend[] sends = new LongSend[senders.length];
        for (int i = 0; i < senders.length; i++)
        {
            sends[i] = senders[i].newSend();
        }
        for (int step = 0; step < STEPS; step++)
        {
            final int i = random.nextInt(senders.length);
            send(senders[i], sends[i]);
            others.run();
            if (random.nextInt(3) > 0)
            {
                poll(receiver, random.nextInt(4) == 0 ? 1 : random.nextInt(LIMIT));
            }
        }
        final boolean[] isOver = {false};
        Fixtures.pollUntil("all that was sent", Fixtures.NOTHING, () ->
        {
            isOver[0] = receiver.backlogSlots() == 0;
            for (int i = 0; i < senders.length; i++)
            {
                if (sends[i].isActive())
                {
                    isOver[0] = false;
                    sent[senders[i].rank()] += sends[i].progress() >= 0 ? 1 : 0;
                }
            }
            poll(receiver, 1 + random.nextInt(LIMIT));
            return isOver[0];
        });
        for (int rank = 0; rank < sent.length; rank++)
        {
            final int source = rank;
            assertEquals(sent[rank], delivered[rank], () -> "messages of source " + source + ", seed=" + seed);
        }
        assertEquals(0, receiver.counters().refused());
        assertTrue(held > 0, "no message of the ring came behind others of its sender's lane");
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void shouldKeepItsLimitAndTheOrder(final Flow flow)
    {
        try (Node node = Node.launch(Fixtures.context(directory, flow, CreditReturn.DIRECT, 3, SLOTS).checkInvariants(true)
            .laneSlots(LANE_SLOTS));
            Endpoint receiver = node.open(0);
            Endpoint first = node.open(1);
            Endpoint second = node.open(2))
        {
            run(receiver, new Endpoint[]{first, second}, () -> {});
        }
    }

    @Test
    void shouldKeepItsLimitBesidePacketsOfAnotherNode()
    {
        final IdleTransport transport = new IdleTransport();
        final NodeContext context = RunWriterTest.context(directory.toFile(), transport, SLOTS).expressLanes(1)
            .laneSlots(LANE_SLOTS);
        context.transportSettings().carry(true);
        try (Node node = Node.launch(context); Endpoint receiver = node.open(0); Endpoint near = node.open(1))
        {
            final NodePort port = transport.port();
            port.pollRanks(transport);
            port.openPeer(IdleTransport.FAR, 1, transport);
            run(receiver, new Endpoint[]{near}, () ->
            {
                port.pollCredits(transport);
                final int length = random.nextInt(100);
                final int messages = random.nextInt(4);
                for (int i = 0; i < messages && transport.credits >= PacketDescriptor.slots(length); i++)
                {
                    if (port.deliver(false, PacketDescriptor.FLAGS_WHOLE, IdleTransport.FAR, 0, sent[IdleTransport.FAR],
                        message, 0, length))
                    {
                        transport.credits -= PacketDescriptor.slots(length);
                        sent[IdleTransport.FAR]++;
                    }
                }
            });
            assertTrue(delivered[IdleTransport.FAR] > STEPS / 2, () -> "from the other node: " + delivered[IdleTransport.FAR]);
        }
    }

    private void useLane(final Endpoint from, final Endpoint receiver)
    {
        Fixtures.pollUntil("use of a lane", Fixtures.NOTHING, () ->
        {
            from.offer(0, 1, message, 0, 40);
            return LanesFixture.lane(from, 0) != null && LanesFixture.lane(from, 0).sentSlots() > 0;
        }, receiver);
        LanesFixture.drain(receiver);
    }

    /** A whole lane before one message of the ring: it took one poll, whatever its limit. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7})
    void shouldDeliverALaneBeforeTheRingInAsManyPollsAsItTakes(final int limit)
    {
        random = new Random(0);
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, SLOTS).checkInvariants(true)
            .laneSlots(LANE_SLOTS));
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            while (sent[1] < 100)
            {
                assertTrue(from.offer(0, sent[1], message, 0, 8) >= 0);
                sent[1]++;
            }
            assertTrue(from.newSend().start(0, sent[1], message, 0, 8) >= 0);
            sent[1]++;
            final List<Integer> counts = new ArrayList<>();
            Fixtures.pollUntil("all", Fixtures.NOTHING, () ->
            {
                poll(receiver, limit);
                if (count > 0)
                {
                    counts.add(count);
                }
                return delivered[1] == sent[1];
            });
            assertTrue(counts.size() >= sent[1] / limit, counts::toString);
        }
    }

    /** A sender that keeps writing into its lane does not keep what lies in the ring from being read. */
    @Test
    void shouldReadTheRingThoughALaneNeverGetsEmpty()
    {
        random = new Random(0);
        try (Node node = Node.launch(
            Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, SLOTS).laneSlots(LANE_SLOTS));
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            useLane(from, receiver);
            final Peer peer = local(from).outbox().peers()[0];
            final SendingThread sender = local(from).outbox().sender();
            // a dishonest one: marked as being behind its lane, to which it adds before each poll
            final long position = local(from).outbox().ringTo(sender, peer).claim(sender, peer, 1);
            assertTrue(position >= 0);
            peer.buffer.putLong(peer.mailbox.payloadOffset(position), 77);
            peer.mailbox.publish(sender.mark, position, PacketDescriptor.TYPE_DATA,
                PacketDescriptor.FLAGS_WHOLE | PacketDescriptor.FLAG_AFTER_LANE, PacketDescriptor.WORD_LENGTH, 1);
            final LaneSender lane = LanesFixture.lane(from, 0);
            assertTrue(lane.offer(peer.rankWord, 1, message, 0, 40) >= 0, "the lane is in use");
            final boolean[] isRead = {false};
            int polls = 0;
            while (!isRead[0])
            {
                assertTrue(polls++ < 20_000, "the message in the ring was not read");
                for (int i = 0; i < LIMIT && lane.offer(peer.rankWord, 1, message, 0, 40) >= 0; i++)
                {
                    assertTrue(lane.sentSlots() > 0);
                }
                receiver.poll((source, tag, buffer, offset, length) -> isRead[0] |= tag == 77, 1);
            }
        }
    }
}
