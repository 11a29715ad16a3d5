// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Fixtures;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.LanesFixture;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Which lines of a lane a thread asks for before it sends, and when it does not. */
class LinesAheadTest extends LanesFixture
{
    private static final long PATTERN = 0x5A5A_5A5A_5A5A_5A5AL;
    private static final int LANE_SLOTS = 64;
    private static final int LENGTH = 1000;
    private static final int LINE = MailboxDescriptor.SLOT_LENGTH;
    /** In the header of a short run: one of the flags of a whole message. */
    private static final int FLAG_BIT = 32;

    private int answers;
    /** Where the lane from 1 to 0 is in the mailbox, and the last message of it. */
    private int lane;
    private int last;

    /** Where no header is ever looked for; all of the lane was read. */
    private void paint(final Endpoint receiver)
    {
        for (int slot = 0; slot < LANE_SLOTS + LaneDescriptor.runSlots(LANE_SLOTS) - 1; slot++)
        {
            local(receiver).mailbox().buffer().putLong(lane + slot * LINE + MailboxDescriptor.HEADER_LENGTH, PATTERN);
        }
    }

    /** Slots of the lane that were painted and are not any more. */
    private List<Integer> written(final Endpoint receiver)
    {
        final UnsafeBuffer buffer = local(receiver).mailbox().buffer();
        final List<Integer> found = new ArrayList<>();
        for (int slot = 0; slot < LANE_SLOTS + LaneDescriptor.runSlots(LANE_SLOTS) - 1; slot++)
        {
            if (buffer.getLong(lane + slot * LINE + MailboxDescriptor.HEADER_LENGTH) != PATTERN)
            {
                found.add(slot);
            }
        }
        return found;
    }

    /** Sender and receiver in one thread, which finds out where the lane is by what it receives. */
    private void findLane(final Endpoint from, final Endpoint receiver)
    {
        useLane(from, receiver);
        final Set<Integer> lines = new TreeSet<>();
        for (int i = 0; i < LANE_SLOTS; i++)
        {
            assertTrue(from.offer(0, 1, message, 0, 56) >= 0);
            Fixtures.pollUntil("the message", (source, tag, buffer, offset, length) -> lines.add(offset & -LINE),
                () -> receiver.backlogSlots() == 0, receiver);
        }
        assertEquals(LANE_SLOTS, lines.size(), "one slot each, all by the lane");
        lane = lines.iterator().next();
    }

    private Endpoint[] pair(final Node node)
    {
        final Endpoint[] both = {node.open(0), node.open(1)};
        findLane(both[1], both[0]);
        // this thread polls both
        both[1].poll(Fixtures.NOTHING, 1);
        return both;
    }

    private void send(final Endpoint from, final Endpoint to, final int length)
    {
        assertTrue(from.offer(to.rank(), 1, message, 0, length) >= 0);
        Fixtures.pollUntil(
            "the message", (source, tag, buffer, offset, size) -> last = offset, () -> to.backlogSlots() == 0, to);
        paint(to);
    }

    @Test
    void shouldAskForTheLinesOfTheNextLongMessageWhileNothingComes()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, LANE_SLOTS))
        {
            final Endpoint[] both = pair(node);
            final int runSlots = PacketDescriptor.slots(LENGTH);
            for (int round = 0; round < 100; round++)
            {
                send(both[1], both[0], LENGTH);
                final int next = (last - lane) / LINE + runSlots & LANE_SLOTS - 1;
                both[1].poll(Fixtures.NOTHING, 1);
                final List<Integer> found = written(both[0]);
                // fewer if the sender does not know yet that there is room for all of it
                assertTrue(found.size() < runSlots, "too many: " + found);
                for (int i = 0; i < found.size(); i++)
                {
                    assertEquals(next + 1 + i, found.get(i), "but the first, in order: next=" + next + ", " + found);
                }
                answers += found.size();
                paint(both[0]);
                both[1].poll(Fixtures.NOTHING, 1);
                assertEquals(List.of(), written(both[0]), "once for each message");
            }
            assertTrue(answers > 50 * (runSlots - 1), "nearly all: " + answers);
            assertBalanced(both[0]);
        }
    }

    @Test
    void shouldAskForTheLineOfAnAnswerAndSeldomIfThereIsNone()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, LANE_SLOTS))
        {
            final Endpoint[] both = pair(node);
            useLane(both);
            for (int i = 0; i < 10; i++)
            {
                // not at the end of what the sender knows to be free: nothing would be asked for there
                send(both[1], both[0], 56);
            }
            int asked = 0;
            for (int round = 0; round < 640; round++)
            {
                paint(both[0]);
                assertTrue(both[0].offer(1, 1, message, 0, 40) >= 0);
                Fixtures.pollUntil("the message", (source, tag, buffer, offset, length) -> answers++,
                    () -> both[1].backlogSlots() == 0, both[1]);
                final int lines = written(both[0]).size();
                assertTrue(lines <= 1, "one at most: " + lines);
                asked += lines;
            }
            assertTrue(asked >= 9 && asked <= 11, "one in 64: " + asked);
            asked = 0;
            for (int round = 0; round < 100; round++)
            {
                paint(both[0]);
                assertTrue(both[0].offer(1, 1, message, 0, 40) >= 0);
                final int before = answers;
                Fixtures.pollUntil("the message", (source, tag, buffer, offset, length) -> answers += written(both[0]).size(),
                    () -> both[1].backlogSlots() == 0, both[1]);
                asked += answers - before;
                assertTrue(both[1].offer(0, 1, message, 0, 40) >= 0);
                drain(both[0]);
            }
            assertTrue(asked > 80, "before nearly each answer: " + asked);
        }
    }

    /** It is counted, and nobody has to answer it. */
    @Test
    void shouldRefuseAnArrivalThatIsNoMessage()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, LANE_SLOTS))
        {
            final Endpoint[] both = pair(node);
            useLane(both);
            final UnsafeBuffer buffer = local(both[1]).mailbox().buffer();
            final int[] at = new int[1];
            for (int tag = 1; tag <= 20; tag++)
            {
                final int expected = at[0] - MailboxDescriptor.HEADER_LENGTH + LINE;
                // so that an answer is likely
                send(both[1], both[0], 56);
                assertEquals(0, both[1].poll(Fixtures.NOTHING, 1));
                assertTrue(both[0].offer(1, tag, message, 0, 56) >= 0);
                if (tag > 1 && buffer.getInt(expected) == tag)
                {
                    buffer.putLong(expected, buffer.getLong(expected) ^ 1L << FLAG_BIT);
                    both[1].poll((source, is, from, offset, length) -> answers++, 1);
                    assertEquals(0, answers);
                    assertEquals(1, both[1].counters().refused());
                    assertEquals(List.of(), written(both[0]));
                    return;
                }
                Fixtures.pollUntil("the message", (source, is, from, offset, length) -> at[0] = offset,
                    () -> both[1].backlogSlots() == 0, both[1]);
            }
            throw new AssertionError("the header was never where the one before had been, and a slot further");
        }
    }

    /** The other way as well. */
    private void useLane(final Endpoint[] both)
    {
        Fixtures.pollUntil("a lane back", Fixtures.NOTHING, () ->
        {
            both[0].offer(1, 1, message, 0, 40);
            final LaneSender lane = lane(both[0], 1);
            return lane != null && lane.sentSlots() > 0;
        }, both[1]);
        drain(both[1]);
    }

    /** The consumer of several flows, which answers in one of them, is not to wait in the others. */
    @Test
    void shouldTellWhomItHasAnsweredFromWhomItHasNot()
    {
        // no waits, which would ask as well
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 3, 256)
            .checkInvariants(true).laneSlots(LANE_SLOTS).idle(new IdleSettings().maxLooks(0))))
        {
            final Endpoint[] all = {node.open(0), node.open(1), node.open(2)};
            useLane(all[1], all[0]);
            useLane(all[2], all[0]);
            useLane(all);
            final LinesAhead ahead = new LinesAhead(local(all[0]).inbox().polling());
            ahead.sentTo(1, local(all[0]).outbox().peers());
            for (int round = 0; round < 100; round++)
            {
                assertEquals(0, answered(ahead, all, 2), "never sent anything to 2");
                assertEquals(0, answered(ahead, all, 1), "nothing since");
                assertTrue(all[0].offer(1, 1, message, 0, 40) >= 0);
                assertEquals(0, answered(ahead, all, 2), "that was for 1");
                assertEquals(4, answered(ahead, all, 1), "quarters of a slot, and he is still to be asked about");
                drain(all[1]);
            }
        }
    }

    /** How much 0 has answered to the one that sends now. */
    private long answered(final LinesAhead ahead, final Endpoint[] all, final int from)
    {
        answers = 0;
        assertTrue(all[from].offer(0, 1, message, 0, 40) >= 0);
        Fixtures.pollUntil(
            "the message", (source, tag, buffer, offset, length) -> answers++, () -> answers > 0, all[0]);
        assertEquals(from, local(all[0]).inbox().lanes().lastHeard());
        return ahead.sentTo(local(all[0]).inbox().lanes().lastHeard(), local(all[0]).outbox().peers());
    }

    @ParameterizedTest
    @ValueSource(ints = {40, LENGTH})
    void shouldWriteNothingIntoALaneThatIsNotTheHoldersAnyMore(final int length)
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, LANE_SLOTS))
        {
            final Endpoint[] both = pair(node);
            useLane(both);
            send(both[1], both[0], length);
            lane(both[1], 0).abandon();
            assertTrue(both[0].offer(1, 1, message, 0, 40) >= 0);
            Fixtures.pollUntil("the message", Fixtures.NOTHING, () -> both[1].backlogSlots() == 0, both[1]);
            both[1].poll(Fixtures.NOTHING, 1);
            assertEquals(List.of(), written(both[0]));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, LENGTH})
    void shouldLeaveTheLaneOfAnotherThreadAlone(final int length) throws InterruptedException
    {
        try (Node node = node(Flow.DYNAMIC, 2, 256, LANE_SLOTS))
        {
            final Endpoint receiver = node.open(0);
            final Endpoint from = node.open(1);
            from.poll(Fixtures.NOTHING, 1);
            final CountDownLatch sent = new CountDownLatch(1);
            // it lives until this thread has looked: the lane of a thread that has ended is given back
            final Thread sender = guarded("sender", () ->
            {
                findLane(from, receiver);
                for (int i = 0; i < 10; i++)
                {
                    send(from, receiver, length);
                }
                receiver.releasePoller();
                sent.countDown();
                Watchdog.await("the look of the other thread", () -> !isRunning);
            });
            try
            {
                Watchdog.await("the messages of the sender", () -> sent.getCount() == 0 || failure.get() != null);
                assertEquals(null, failure.get());
                from.poll(Fixtures.NOTHING, 1);
                lane(from, 0).prefetchNext();
                lane(from, 0).prefetchRest();
                assertEquals(List.of(), written(receiver));
            }
            finally
            {
                isRunning = false;
                join(sender);
            }
            assertEquals(null, failure.get());
        }
    }
}
