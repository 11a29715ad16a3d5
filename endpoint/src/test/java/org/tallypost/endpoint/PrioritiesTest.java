// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

/** Messages of high priority: they pass what backs up, have credits of their own, and are as safe as others. */
class PrioritiesTest
{
    private static final int LOW = 1_000;
    private static final int HIGH = 2_000;
    private static final int SLOTS = 8;
    private static final int HIGH_SLOTS = 4;
    /** Messages of a child before it dies: a multiple of the threshold, so that it has all credits then. */
    private static final int FIRST = 6;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
    private final List<Integer> tags = new ArrayList<>();
    private final MessageListener noting = (source, tag, buffer, offset, length) -> tags.add(tag);

    static NodeContext context(final Path directory, final int ranks, final int highSlots)
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, ranks, SLOTS).highSlots(highSlots)
            .checkInvariants(true);
    }

    private Node launch(final int ranks)
    {
        return Node.launch(context(directory, ranks, HIGH_SLOTS).livenessThread(false));
    }

    private void connect(final Endpoint from, final Endpoint to)
    {
        for (final Priority priority : Priority.values())
        {
            Fixtures.pollUntil("offer of " + priority, Fixtures.NOTHING, () ->
                from.offer(to.rank(), 0, priority, message, 0, 8) >= 0, to, from);
        }
        while (to.backlogSlots() > 0)
        {
            to.poll(Fixtures.NOTHING, 16);
        }
    }

    /** Sends until it is refused; tags are counted up. */
    private int fill(final Endpoint from, final int to, final Priority priority, final int firstTag)
    {
        int sent = 0;
        while (from.offer(to, firstTag + sent, priority, message, 0, 8) >= 0)
        {
            sent++;
        }
        return sent;
    }

    private static boolean isHigh(final int tag)
    {
        return tag >= HIGH;
    }

    private void drain(final Endpoint to)
    {
        Fixtures.pollUntil("all read", noting, () -> to.backlogSlots() == 0, to);
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void shouldDeliverHighBeforeLowThatBacksUp(final Flow flow)
    {
        try (Node node = Node.launch(context(directory, 2, HIGH_SLOTS).flow(flow).livenessThread(false));
            Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            final int low = fill(from, 1, Priority.LOW, LOW);
            final int high = fill(from, 1, Priority.HIGH, HIGH);
            assertTrue(low > high && high > 0 && high < HIGH_SLOTS, "low=" + low + ", high=" + high);
            drain(to);
            assertEquals(low + high, tags.size());
            for (int i = 0; i < tags.size(); i++)
            {
                assertEquals(i < high ? HIGH + i : LOW + i - high, tags.get(i));
            }
            assertEquals(high + 1, from.counters().highSent());
            assertEquals(high + 1, to.counters().highReceived());
            assertEquals(low + 1, from.counters().sent());
            assertEquals(low + 1, to.counters().received());
            assertEquals(1, from.counters().highStalls());
            assertEquals(0, to.counters().highRefused());
        }
    }

    @Test
    void shouldDeliverHighThatComesDuringAPollBeforeTheNextLow()
    {
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            final int low = fill(from, 1, Priority.LOW, LOW);
            int polls = 0;
            while (to.backlogSlots() > 0)
            {
                to.poll((source, tag, buffer, offset, length) ->
                {
                    tags.add(tag);
                    if (!isHigh(tag))
                    {
                        assertTrue(from.offer(1, HIGH + tag - LOW, Priority.HIGH, message, 0, 8) >= 0);
                    }
                }, 4);
                assertTrue(++polls < 10_000);
            }
            assertEquals(2 * low, tags.size());
            for (int i = 0; i < low; i++)
            {
                assertEquals(LOW + i, tags.get(2 * i));
                assertEquals(HIGH + i, tags.get(2 * i + 1));
            }
        }
    }

    @Test
    void shouldDeliverLowBesideAFloodOfHigh()
    {
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            for (int i = 0; i < 50; i++)
            {
                tags.clear();
                fill(from, 1, Priority.HIGH, HIGH);
                assertTrue(from.offer(1, LOW + i, message, 0, 8) >= 0);
                final int low = LOW + i;
                Fixtures.pollUntil("low beside high", (source, tag, buffer, offset, length) ->
                {
                    tags.add(tag);
                    if (isHigh(tag))
                    {
                        // as long as it likes: the next poll begins with a high one again
                        from.offer(1, tag, Priority.HIGH, message, 0, 8);
                    }
                }, () -> tags.contains(low), to);
                assertTrue(tags.size() <= 3 * 16, () -> "low came late: " + tags);
                drain(to);
            }
        }
    }

    @Test
    void shouldBoundHighByCreditsOfItsOwn()
    {
        try (Node node = launch(3); Endpoint from = node.open(0); Endpoint other = node.open(2); Endpoint to = node.open(1))
        {
            assertEquals(0, from.sendTokens(1, Priority.HIGH));
            connect(from, to);
            connect(other, to);
            for (int i = 0; i < 100; i++)
            {
                final int sent = fill(from, 1, Priority.HIGH, HIGH);
                assertTrue(sent > 0 && sent < HIGH_SLOTS, "sent=" + sent);
                assertEquals(0, from.sendTokens(1, Priority.HIGH));
                assertTrue(from.sendTokens(1, Priority.LOW) >= 0);
                // neither what is low nor what others send waits for it
                assertTrue(from.offer(1, LOW, message, 0, 8) >= 0);
                assertTrue(other.offer(1, HIGH, Priority.HIGH, message, 0, 8) >= 0);
                drain(to);
                tags.clear();
            }
            final int most = HIGH_SLOTS - 1;
            Fixtures.pollUntil("longest message", noting, () ->
                from.offer(1, 0, Priority.HIGH, message, 0, 64 * most - 16) >= 0, to);
            assertEquals(Endpoint.TOO_LONG, from.offer(1, 0, Priority.HIGH, message, 0, 64 * most - 15));
            assertEquals(0, to.counters().highRefused());
        }
    }

    @Test
    void shouldTellWhatAReceiverHasTaken()
    {
        try (Node node = launch(2); Endpoint from = node.open(0))
        {
            assertTrue(from.takesHigh(1) && from.takesHigh(0));
            assertThrows(IllegalArgumentException.class, () -> from.takesHigh(2));
            assertThrows(IllegalArgumentException.class, () -> from.isHighTaken(-1, 0));
            assertTrue(from.isHighTaken(1, 0), "nothing was sent");
            final long[] positions = new long[HIGH_SLOTS - 2];
            try (Endpoint to = node.open(1))
            {
                connect(from, to);
                for (int i = 0; i < positions.length; i++)
                {
                    positions[i] = from.offer(1, HIGH + i, Priority.HIGH, message, 0, 8);
                    assertTrue(positions[i] >= 0);
                }
                for (int taken = 0; taken <= positions.length; taken++)
                {
                    for (int i = 0; i < positions.length; i++)
                    {
                        assertEquals(i < taken, from.isHighTaken(1, positions[i]), i + " of " + taken);
                    }
                    to.poll((source, tag, buffer, offset, length) ->
                        assertFalse(from.isHighTaken(1, positions[tag - HIGH]), "within the listener"), 1);
                }
            }
            try (Endpoint next = node.open(1))
            {
                assertTrue(from.isHighTaken(1, Long.MAX_VALUE), "the receiver is another one");
                connect(from, next);
            }
        }
    }

    @Test
    void shouldSendBatchesWithPriority()
    {
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            fill(from, 1, Priority.LOW, LOW);
            final MessageBatch batch = new MessageBatch(HIGH_SLOTS);
            assertThrows(IllegalArgumentException.class, () -> from.offer(1, Priority.HIGH, batch));
            batch.add(HIGH, message, 0, 8);
            batch.add(HIGH + 1, message, 0, 8);
            assertTrue(from.offer(1, Priority.HIGH, batch) >= 0);
            batch.add(HIGH + 2, message, 0, 8);
            batch.add(HIGH + 3, message, 0, 8);
            assertEquals(Endpoint.TOO_LONG, from.offer(1, Priority.HIGH, batch));
            drain(to);
            assertEquals(List.of(HIGH, HIGH + 1, LOW), tags.subList(0, 3));
        }
    }

    @Test
    void shouldSayThatAReceiverIsGoneAndGoOnWithTheNextOne()
    {
        try (Node node = launch(2); Endpoint from = node.open(0))
        {
            for (int epoch = 1; epoch <= 4; epoch++)
            {
                try (Endpoint to = node.open(1))
                {
                    connect(from, to);
                    fill(from, 1, Priority.HIGH, HIGH);
                }
                assertEquals(Endpoint.PEER_GONE, from.offer(1, 0, Priority.HIGH, message, 0, 8));
                assertEquals(0, from.sendTokens(1, Priority.HIGH));
                assertEquals(Endpoint.PEER_GONE, from.offer(1, 0, message, 0, 8));
            }
        }
    }

    @Test
    void shouldGiveAllCreditsToTheNextHolderOfARank()
    {
        try (Node node = launch(2); Endpoint to = node.open(1))
        {
            for (int epoch = 1; epoch <= 4; epoch++)
            {
                try (Endpoint from = node.open(0))
                {
                    connect(from, to);
                    Fixtures.pollUntil("credits of a new sender", Fixtures.NOTHING, () ->
                    {
                        from.offer(1, 0, Priority.HIGH, message, 0, 8);
                        return from.sendTokens(1, Priority.HIGH) > 0;
                    }, to);
                    fill(from, 1, Priority.HIGH, HIGH);
                }
                Fixtures.pollUntil("end of a sender", noting, () -> to.backlogSlots() == 0, to);
            }
            assertEquals(0, to.counters().highRefused());
        }
    }

    @Test
    void shouldTellWhoIsGoneBehindTheLastMessageAndWhoComesBeforeTheFirst()
    {
        final int incarnations = 5;
        final int[] opened = new int[1];
        final int[] gone = new int[1];
        final int[] messages = new int[incarnations + 1];
        try (Node node = launch(2); Endpoint to = node.open(1))
        {
            to.addMembershipListener(new MembershipListener()
            {
                @Override
                public void onOpen(final int rank, final int incarnation)
                {
                    assertEquals(incarnation - 1, gone[0]);
                    opened[0] = incarnation;
                }

                @Override
                public void onGone(final int rank, final int incarnation)
                {
                    assertEquals(incarnation, opened[0]);
                    gone[0] = incarnation;
                }
            });
            final MessageListener checking = (source, tag, buffer, offset, length) ->
            {
                messages[tag]++;
                assertEquals(tag - 1, gone[0], "messages of an incarnation that is gone, or of one before it is open");
                assertTrue(opened[0] == tag || tag == 1, () -> "opened=" + opened[0] + ", message of " + tag);
            };
            for (int epoch = 1; epoch <= incarnations; epoch++)
            {
                final int now = epoch;
                final int sent;
                try (Endpoint from = node.open(0))
                {
                    Fixtures.pollUntil("first message of " + epoch, checking, () ->
                        from.offer(1, now, Priority.HIGH, message, 0, 8) >= 0, to);
                    int more = 0;
                    while (from.offer(1, now, Priority.HIGH, message, 0, 8) >= 0)
                    {
                        more++;
                    }
                    sent = more + 1;
                }
                // one message in each poll, so that its sender is seen to be gone before the last one is read
                final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "end of " + now + ": gone=" + gone[0]);
                while (gone[0] < epoch)
                {
                    if (to.poll(checking, 1) == 0)
                    {
                        watchdog.idle();
                    }
                }
                assertEquals(sent, messages[epoch]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {HIGH_SLOTS - 1})
    void shouldPassOverWhatAKilledSenderHadClaimed(final int slots)
    {
        try (Node node = Node.launch(context(directory, 3, HIGH_SLOTS)); Endpoint to = node.open(0); Endpoint live = node.open(2))
        {
            connect(live, to);
            for (int round = 1; round <= 2; round++)
            {
                tags.clear();
                try (ForkedJvm child = ForkedJvm.start(HighProcess.class, directory, 1, 3, HIGH_SLOTS, FIRST, slots))
                {
                    Fixtures.pollUntil("messages of the child", noting, () -> tags.size() == FIRST, to);
                    Fixtures.pollUntil("claim of the child", noting, () -> to.backlogSlots() > 0 || !child.isAlive(), to);
                    assertEquals(HighProcess.DIED, child.waitFor());
                }
                // behind the hole; what is low does not wait for it
                final int high = fill(live, 0, Priority.HIGH, HIGH);
                assertTrue(live.offer(0, LOW, message, 0, 8) >= 0);
                final int expected = FIRST + high + 1;
                Fixtures.pollUntil("what lies behind a dead claim", noting, () -> tags.size() == expected, to);
                assertEquals((long)slots * round, to.counters().highSkippedSlots());
                assertEquals(0, to.counters().skippedSlots());
            }
        }
    }

    @Test
    void shouldWakeAReceiverAndASenderThatPark()
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final AtomicInteger got = new AtomicInteger();
        final int messages = 300;
        try (Node node = Node.launch(context(directory, 2, HIGH_SLOTS).idle(IdleProcess.settings()));
            Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            to.releasePoller();
            from.releasePoller();
            final Thread receiver = Fixtures.start("receiver", () ->
            {
                final DeadlineIdleStrategy idle = to.newIdleStrategy();
                while (got.get() < messages)
                {
                    idle.idle(to.poll((source, tag, buffer, offset, length) -> got.incrementAndGet(), 1),
                        DeadlineIdleStrategy.NO_DEADLINE);
                }
            }, failure);
            final Thread sender = Fixtures.start("sender", () ->
            {
                final DeadlineIdleStrategy idle = from.newIdleStrategy();
                for (int i = 0; i < messages; i++)
                {
                    while (from.offer(1, i, Priority.HIGH, message, 0, 8) < 0)
                    {
                        idle.idle(from.poll(Fixtures.NOTHING, 1), DeadlineIdleStrategy.NO_DEADLINE);
                    }
                }
            }, failure);
            Watchdog.awaitEnds(List.of(receiver, sender), failure, got::get);
            Watchdog.await("nobody armed", () -> !local(to).mailbox().isArmed());
        }
    }

    @Test
    void shouldKeepTheOrderOfEachPriorityBetweenThreads()
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final int messages = 300;
        final int[] next = new int[4];
        try (Node node = launch(3); Endpoint to = node.open(0); Endpoint one = node.open(1); Endpoint two = node.open(2))
        {
            final List<Thread> threads = new ArrayList<>();
            for (final Endpoint from : List.of(one, two))
            {
                threads.add(Fixtures.start("sender " + from.rank(), () ->
                {
                    final int[] sent = new int[2];
                    while (sent[0] + sent[1] < 2 * messages)
                    {
                        for (final Priority priority : Priority.values())
                        {
                            final int kind = priority.ordinal();
                            if (sent[kind] < messages && from.offer(0, 2 * sent[kind] + kind, priority, message, 0, 8) >= 0)
                            {
                                sent[kind]++;
                            }
                        }
                        from.poll(Fixtures.NOTHING, 1);
                        Thread.yield();
                    }
                }, failure));
            }
            Fixtures.pollUntil("all messages of two threads", (source, tag, buffer, offset, length) ->
            {
                final int stream = 2 * (source - 1) + (tag & 1);
                assertEquals(next[stream]++, tag >> 1, () -> "source=" + source + ", kind=" + (tag & 1));
            }, () -> next[0] + next[1] + next[2] + next[3] == 4 * messages || failure.get() != null, to);
            Watchdog.awaitEnds(threads, failure);
            assertEquals(2 * messages, to.counters().highReceived());
        }
    }

    @Test
    void shouldDeliverHighToChannels()
    {
        final List<Integer> ofChannel = new ArrayList<>();
        final int tag = 3 << Channel.TAG_BITS | 5;
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            final Channel[] channel = new Channel[1];
            // a listener opens the channel: what this poll still delivers goes there, of either priority
            assertTrue(from.offer(1, HIGH, Priority.HIGH, message, 0, 8) >= 0);
            assertTrue(from.offer(1, tag, Priority.HIGH, message, 0, 8) >= 0);
            assertTrue(from.offer(1, tag + 1, message, 0, 8) >= 0);
            to.poll((source, found, buffer, offset, length) ->
            {
                tags.add(found);
                channel[0] = to.channel(3, (s, t, b, o, l) -> ofChannel.add(t));
            }, 10);
            assertEquals(List.of(5, 6), ofChannel);
            assertTrue(from.offer(1, LOW, message, 0, 8) >= 0);
            assertTrue(from.offer(1, tag + 2, Priority.HIGH, message, 0, 8) >= 0);
            to.poll(noting, 10);
            assertEquals(List.of(HIGH, LOW), tags);
            assertEquals(List.of(5, 6, 7), ofChannel);
            to.controlledPoll((source, found, buffer, offset, length) -> ControlledMessageListener.Action.CONTINUE, 1);
            assertTrue(from.offer(1, tag + 3, Priority.HIGH, message, 0, 8) >= 0);
            assertTrue(from.offer(1, HIGH, Priority.HIGH, message, 0, 8) >= 0);
            to.controlledPoll((source, found, buffer, offset, length) ->
            {
                tags.add(found);
                return ControlledMessageListener.Action.CONTINUE;
            }, 10);
            assertEquals(List.of(5, 6, 7, 8), ofChannel);
            assertEquals(List.of(HIGH, LOW, HIGH), tags);
            channel[0].close();
            assertTrue(from.offer(1, tag, Priority.HIGH, message, 0, 8) >= 0);
            to.poll(noting, 10);
            assertEquals(tag, tags.get(3));
        }
    }

    @Test
    void shouldRefuseAPollWithinAListenerOfEitherPriority()
    {
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            for (final Priority priority : Priority.values())
            {
                assertTrue(from.offer(1, 1, priority, message, 0, 8) >= 0);
                to.poll((source, tag, buffer, offset, length) ->
                {
                    assertThrows(IllegalStateException.class, () -> to.poll(noting, 1));
                    tags.add(tag);
                }, 10);
            }
            assertEquals(2, tags.size());
        }
    }

    @ParameterizedTest
    @EnumSource(Priority.class)
    void shouldDeliverNothingAfterAListenerHasClosedTheEndpoint(final Priority priority)
    {
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            fill(from, 1, Priority.LOW, LOW);
            if (priority == Priority.HIGH)
            {
                fill(from, 1, Priority.HIGH, HIGH);
            }
            to.poll((source, tag, buffer, offset, length) ->
            {
                tags.add(tag);
                local(to).close();
            }, 10);
            assertEquals(1, tags.size());
            assertEquals(priority == Priority.HIGH, isHigh(tags.get(0)));
            assertEquals(Endpoint.CLOSED, to.poll(noting, 10));
        }
    }

    @Test
    void shouldShowItsCountersFromOutside()
    {
        try (Node node = launch(2); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            final int sent = fill(from, 1, Priority.HIGH, HIGH);
            to.counters();
            final NodeStat stat = NodeStat.attach(node.context().directory());
            final NodeStat.EndpointStat seen = stat.read().get(1);
            assertEquals(sent, seen.backlogSlots());
            assertEquals(to.counters().mailboxBytes(), seen.counters().mailboxBytes());
            assertEquals(1, seen.counters().highReceived());
            assertEquals(sent + 1, stat.read().get(0).counters().highSent());
        }
    }
}
