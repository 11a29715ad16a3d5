// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.ControlledMessageListener.Action;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A listener that decides about each message: what it leaves comes again, in order and whole, and keeps its credits. */
class ControlledPollTest extends LanesFixture
{
    private static final int SLOTS = 128;
    private static final int LANE_SLOTS = 64;
    private static final int STEPS = 20_000;
    private static final Action[] ACTIONS = Action.values();

    private final Random random = new Random(seed);
    private final MessageClaim claim = new MessageClaim();
    private final MessageBatch batch = new MessageBatch(8);
    private final List<Integer> got = new ArrayList<>();
    /** Next sequence number of each rank, sent and taken. */
    private final int[] sent = new int[3];
    private final int[] taken = new int[3];
    private int shown;
    private int aborts;
    private Action next = Action.CONTINUE;

    private Action decide(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        check(source, tag, buffer, offset, length);
        shown++;
        final int dice = random.nextInt(10);
        final Action action = dice < ACTIONS.length ? ACTIONS[dice] : Action.CONTINUE;
        aborts += action == Action.ABORT ? 1 : 0;
        taken[source] += action == Action.ABORT ? 0 : 1;
        return action;
    }

    private void take(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        check(source, tag, buffer, offset, length);
        taken[source]++;
    }

    private void check(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (tag != taken[source] || Fixtures.sequence(buffer, offset) != tag || Fixtures.stream(buffer, offset) != source ||
            !Fixtures.isWhole(buffer, offset, length))
        {
            failure.compareAndSet(null, new AssertionError("seed=" + seed + ", source=" + source + ", tag=" + tag +
                ", expected=" + taken[source] + ", length=" + length));
        }
    }

    private Action note(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        got.add(tag);
        return next;
    }

    private void send(final Endpoint from, final LongSend send)
    {
        final int rank = from.rank();
        final int most = random.nextInt(6) == 0 ? 2_000 : 49;
        final int length = Fixtures.MIN_LENGTH + random.nextInt(most - Fixtures.MIN_LENGTH);
        if (send.isActive())
        {
            sent[rank] += send.progress() >= 0 ? 1 : 0;
            return;
        }
        Fixtures.fill(message, 0, length, rank, sent[rank]);
        switch (random.nextInt(16))
        {
            case 0:
                if (from.tryClaim(0, sent[rank], length, claim) >= 0)
                {
                    claim.putBytes(message, 0);
                    if (random.nextBoolean())
                    {
                        claim.abort();
                        return;
                    }
                    claim.commit();
                    sent[rank]++;
                }
                break;
            case 1:
                Fixtures.fill(message, 0, message.capacity(), rank, sent[rank]);
                sent[rank] += send.start(0, sent[rank], message, 0, message.capacity()) >= 0 ? 1 : 0;
                break;
            case 2:
                batch.clear();
                for (int i = random.nextInt(7); i >= 0; i--)
                {
                    Fixtures.fill(message, 64 * i, 40, rank, sent[rank] + batch.size());
                    batch.add(sent[rank] + batch.size(), message, 64 * i, 40);
                }
                sent[rank] += from.offer(0, batch) >= 0 ? batch.size() : 0;
                break;
            default:
                for (int i = random.nextInt(12); i >= 0 && from.offer(0, sent[rank], message, 0, length) >= 0; i--)
                {
                    sent[rank]++;
                    Fixtures.fill(message, 0, length, rank, sent[rank]);
                }
                break;
        }
    }

    @ParameterizedTest
    @CsvSource({"NONE,DIRECT", "STATIC,DIRECT", "DYNAMIC,DIRECT", "STATIC,PACKET", "DYNAMIC,PACKET"})
    void shouldKeepOrderWhateverIsLeft(final Flow flow, final CreditReturn creditReturn)
    {
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 3, SLOTS).checkInvariants(true)
            .laneSlots(LANE_SLOTS)); Endpoint receiver = node.open(0); Endpoint one = node.open(1); Endpoint two = node.open(2))
        {
            final LongSend[] sends = {one.newSend(), two.newSend()};
            final Endpoint[] from = {one, two};
            boolean wasLane = false;
            for (int i = 0; i < STEPS; i++)
            {
                final int by = random.nextInt(2);
                // a message under way must not be overwritten
                if (!sends[1 - by].isActive())
                {
                    send(from[by], sends[by]);
                }
                else
                {
                    send(from[1 - by], sends[1 - by]);
                }
                wasLane |= lane(from[by], 0) != null && lane(from[by], 0).sentSlots() > 0;
                final int limit = random.nextInt(12);
                shown = 0;
                final int before = taken[1] + taken[2];
                if (random.nextInt(8) == 0)
                {
                    receiver.poll(this::take, limit);
                }
                else
                {
                    final int work = receiver.controlledPoll(this::decide, limit);
                    assertTrue(shown <= limit && work >= taken[1] + taken[2] - before, () -> "shown=" + shown + ", seed=" + seed);
                }
                one.poll(Fixtures.NOTHING, 4);
                two.poll(Fixtures.NOTHING, 4);
                assertEquals(null, failure.get());
            }
            finish(sends, receiver, one, two);
            assertEquals(List.of(sent[1], sent[2]), List.of(taken[1], taken[2]), () -> "seed=" + seed);
            assertEquals(sent[1] + sent[2], receiver.counters().received());
            assertTrue(aborts > 0);
            assertTrue(wasLane || creditReturn == CreditReturn.PACKET || flow == Flow.NONE, "no lane");
            if (creditReturn == CreditReturn.DIRECT && flow != Flow.NONE)
            {
                assertBalanced(receiver);
            }
            assertEquals(0, receiver.counters().refused());
        }
    }

    private void finish(final LongSend[] sends, final Endpoint receiver, final Endpoint one, final Endpoint two)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "the rest, seed=" + seed);
        while (sends[0].isActive() || sends[1].isActive() || receiver.backlogSlots() > 0)
        {
            sent[1] += sends[0].isActive() && sends[0].progress() >= 0 ? 1 : 0;
            sent[2] += sends[1].isActive() && sends[1].progress() >= 0 ? 1 : 0;
            one.poll(Fixtures.NOTHING, 4);
            two.poll(Fixtures.NOTHING, 4);
            if (receiver.controlledPoll(this::decide, 16) == 0)
            {
                watchdog.idle();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"STATIC,true", "STATIC,false", "DYNAMIC,true", "DYNAMIC,false"})
    void shouldKeepTheCreditsOfWhatIsLeft(final Flow flow, final boolean isLane)
    {
        try (Node node = node(flow, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            connect(from, receiver, isLane);
            // short ones, several of which share a slot of a lane
            int count = 0;
            next = Action.ABORT;
            // at first credits come for what was read before
            for (int i = 0; i < 1_000; i++)
            {
                while (from.offer(0, count, message, 0, 4) >= 0)
                {
                    count++;
                }
                assertEquals(0, receiver.controlledPoll(this::note, 10));
            }
            assertTrue(count > 4, "sent=" + count);
            got.clear();
            final int credits = local(receiver).inbox().ledger().currentCredits(1);
            for (int i = 0; i < 1_000; i++)
            {
                assertEquals(0, receiver.controlledPoll(this::note, 10));
                // behind a lane that is full a sender goes by the ring now and then, with credits that it has
                count += from.offer(0, count, message, 0, 4) >= 0 ? 1 : 0;
                assertTrue(receiver.backlogSlots() <= credits, "credits of a message that was left");
            }
            assertEquals(credits, local(receiver).inbox().ledger().currentCredits(1));
            assertEquals(1_000, got.size());
            assertTrue(got.stream().allMatch((tag) -> tag == 0));
            // one by one, each left once
            got.clear();
            final int all = count;
            final boolean[] isLeft = new boolean[1];
            Fixtures.pollUntil("the rest", Fixtures.NOTHING, () ->
            {
                receiver.controlledPoll((source, tag, buffer, offset, length) ->
                {
                    isLeft[0] = !isLeft[0];
                    if (!isLeft[0])
                    {
                        got.add(tag);
                    }
                    return isLeft[0] ? Action.ABORT : Action.CONTINUE;
                }, 10);
                return got.size() == all;
            });
            for (int i = 0; i < all; i++)
            {
                assertEquals(i, got.get(i));
            }
            assertEquals(0, receiver.controlledPoll(this::note, 10));
            assertBalanced(receiver);
        }
    }

    private void connect(final Endpoint from, final Endpoint receiver, final boolean isLane)
    {
        if (isLane)
        {
            useLane(from, receiver);
        }
        else
        {
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, receiver);
            drain(receiver);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void shouldEndWhereItIsTold(final boolean isLane)
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            connect(from, receiver, isLane);
            for (int i = 0; i < 8; i++)
            {
                assertTrue(from.offer(0, i < 6 ? i : Channel.tag(2, i), message, 0, 4) >= 0);
            }
            next = Action.BREAK;
            assertEquals(1, receiver.controlledPoll(this::note, 10));
            next = Action.CONTINUE;
            assertEquals(0, receiver.controlledPoll(this::note, 0));
            assertEquals(2, receiver.controlledPoll(this::note, 2));
            assertEquals(List.of(0, 1, 2), got);
            next = Action.ABORT;
            assertEquals(0, receiver.controlledPoll(this::note, 10));
            next = Action.CONTINUE;
            // what a channel gets counts, and is taken
            try (Channel channel = receiver.channel(2, (source, tag, buffer, offset, length) -> got.add(100 + tag)))
            {
                assertEquals(2, channel.id());
                Fixtures.pollUntil("messages", Fixtures.NOTHING, () ->
                {
                    receiver.controlledPoll(this::note, 4);
                    return got.size() >= 9;
                });
            }
            assertEquals(List.of(0, 1, 2, 3, 3, 4, 5, 106, 107), got);
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldTakeWhatAListenerThrowsAtAndStopWhenItCloses()
    {
        final AtomicReference<Throwable> told = new AtomicReference<>();
        try (Node node = Node.launch(new NodeContext().directory(new File(directory.toFile(), "node")).rankCount(2)
            .slotsPerSender(SLOTS).errorHandler(told::set));
            Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            connect(from, receiver, false);
            for (int i = 0; i < 4; i++)
            {
                assertTrue(from.offer(0, i, message, 0, 4) >= 0);
            }
            assertEquals(1, receiver.controlledPoll((source, tag, buffer, offset, length) ->
            {
                throw new IllegalStateException("message " + tag);
            }, 1));
            assertEquals("message 0", told.get().getMessage());
            assertEquals(1, receiver.controlledPoll((source, tag, buffer, offset, length) -> null, 1));
            assertEquals("action", told.get().getMessage());
            assertEquals(1, receiver.controlledPoll((source, tag, buffer, offset, length) ->
            {
                assertThrows(IllegalStateException.class, () -> receiver.controlledPoll(this::note, 1));
                local(receiver).close();
                got.add(tag);
                return Action.BREAK;
            }, 4));
            assertEquals(List.of(2), got);
            assertEquals(Endpoint.CLOSED, receiver.controlledPoll(this::note, 1));
        }
    }
}
