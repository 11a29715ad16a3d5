// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/** Express lanes between endpoints of one process: the sender that gets one, order, second threads, recalls, closing. */
class LanesTest extends LanesFixture
{
    /** Streams of several threads, each whole and in order. */
    private final class Checker implements MessageListener
    {
        private final long[] next;
        private long messages;

        Checker(final int streams)
        {
            next = new long[streams];
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            final int stream = (int)Fixtures.stream(buffer, offset);
            final long sequence = Fixtures.sequence(buffer, offset);
            if (tag != (int)sequence || next[stream]++ != sequence || !Fixtures.isWhole(buffer, offset, length))
            {
                failure.compareAndSet(null, new AssertionError("seed=" + seed + ", source=" + source + ", stream=" + stream +
                    ": sequence=" + sequence + ", expected=" + (next[stream] - 1) + ", length=" + length));
            }
            messages++;
        }
    }

    /** Sends messages of one stream in all ways there are, in bursts and with pauses. */
    private long send(final Endpoint from, final int dest, final int stream, final int messages, final int otherWays)
    {
        final Random random = new Random(seed + stream);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(8192);
        final MessageClaim claim = new MessageClaim();
        final LongSend handle = from.newSend();
        long byLane = 0;
        long last = -1;
        for (int i = 0; i < messages && isRunning; i++)
        {
            final int way = random.nextInt(otherWays);
            final int length = random.nextInt(8) == 0 ? Fixtures.length(random, way == 0 ? 5_000 : 2_000) :
                Fixtures.MIN_LENGTH + random.nextInt(60);
            Fixtures.fill(buffer, 0, length, stream, i);
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "way " + way + ", seed=" + seed);
            long result = Endpoint.NO_CREDIT;
            while (result < 0 && isRunning)
            {
                if (way == 0)
                {
                    result = handle.isActive() ? handle.progress() : handle.start(dest, i, buffer, 0, length);
                }
                else if (way < 3)
                {
                    // some are aborted, and tried again
                    result = claim(from, dest, i, buffer, length, claim, way == 2 && random.nextBoolean());
                }
                else
                {
                    final LaneSender lane = lane(from, dest);
                    final long before = lane == null ? 0 : lane.sentSlots();
                    result = from.offer(dest, i, buffer, 0, length);
                    byLane += lane != null && result >= 0 && lane.sentSlots() > before ? 1 : 0;
                }
                if (result < 0)
                {
                    watchdog.idle();
                }
            }
            if (result >= 0 && result <= last)
            {
                throw new AssertionError("position " + result + " after " + last + ", seed=" + seed);
            }
            last = result;
            if (random.nextInt(2_000) == 0)
            {
                Thread.yield();
            }
        }
        return byLane;
    }

    private static long claim(
        final Endpoint from, final int dest, final int sequence, final DirectBuffer buffer, final int length,
        final MessageClaim claim, final boolean isAborted)
    {
        final long result = from.tryClaim(dest, sequence, length, claim);
        if (result < 0)
        {
            return result;
        }
        if (isAborted)
        {
            claim.abort();
            return Endpoint.NO_CREDIT;
        }
        claim.putBytes(buffer, 0);
        claim.commit();
        return result;
    }

    private void pollAll(final Endpoint receiver, final Checker checker, final AtomicInteger running)
    {
        final Random random = new Random(seed - 1);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages: seed=" + seed + ", received=" +
            checker.messages + ", failure=" + failure.get() + ", " + Fixtures.books(receiver));
        while ((running.get() > 0 || receiver.backlogSlots() > 0) && failure.get() == null)
        {
            if (receiver.poll(checker, 1 + random.nextInt(20)) > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
        isRunning = false;
    }

    @ParameterizedTest
    @CsvSource({"NONE,128,0", "STATIC,128,0", "DYNAMIC,128,0", "DYNAMIC,128,8", "STATIC,40,8"})
    void shouldKeepTheOrderOfAHotSenderInWhateverWayItSends(final Flow flow, final int slots, final int laneSlots)
        throws InterruptedException
    {
        final int messages = 100_000;
        try (Node node = node(flow, 2, slots, laneSlots); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final Checker checker = new Checker(1);
            final AtomicInteger running = new AtomicInteger(1);
            final long[] byLane = new long[1];
            final Thread thread = guarded("sender", () ->
            {
                try
                {
                    byLane[0] = send(from, 0, 0, messages, 1_000);
                }
                finally
                {
                    running.set(0);
                }
            });
            pollAll(receiver, checker, running);
            join(thread);
            assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
            assertEquals(messages, checker.next[0]);
            System.out.println("LanesTest " + flow + ", laneSlots=" + laneSlots + ": of " + messages + " by the lane " +
                byLane[0]);
            assertTrue(byLane[0] > 0, "by the lane: " + byLane[0]);
            assertEquals(messages, from.counters().sent());
            if (flow != Flow.NONE)
            {
                assertBalanced(receiver);
            }
        }
    }

    @Test
    void shouldGiveBackWhatIsInHandOnceWhenASecondThreadCutsIn() throws InterruptedException
    {
        final int messages = 40_000;
        try (Node node = node(Flow.DYNAMIC, 2, 128, 0); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final Checker checker = new Checker(2);
            final AtomicInteger running = new AtomicInteger(2);
            final AtomicInteger cuts = new AtomicInteger();
            final int[] sent = new int[1];
            final List<Thread> threads = new ArrayList<>();
            threads.add(guarded("hot", () ->
            {
                // until the other has had its turn, however late it gets one
                for (int i = 0; (i < messages || cuts.get() == 0) && failure.get() == null; i++)
                {
                    // a lane soon again, however often the other cuts in
                    final Peer peer = local(from).outbox().peers()[0];
                    if (peer != null)
                    {
                        peer.neededStreak = 1;
                    }
                    sendOne(from, 0, 0, i, i % 3 == 0);
                    sent[0] = i + 1;
                }
                running.decrementAndGet();
            }));
            threads.add(guarded("other", () ->
            {
                int i = 0;
                while (running.get() == 2 && failure.get() == null && isRunning)
                {
                    Thread.yield();
                    if (lane(from, 0) != null)
                    {
                        sendOne(from, 0, 1, i++, false);
                        cuts.set(i);
                    }
                }
                running.decrementAndGet();
            }));
            pollAll(receiver, checker, running);
            for (final Thread thread : threads)
            {
                join(thread);
            }
            assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
            System.out.println("LanesTest second thread: cut in " + checker.next[1] + " times in " + sent[0]);
            assertEquals(sent[0], checker.next[0]);
            assertEquals(cuts.get(), checker.next[1]);
            assertBalanced(receiver);
        }
    }

    private void sendOne(
        final Endpoint from, final int dest, final int stream, final int sequence, final boolean isClaim)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[40]);
        Fixtures.fill(buffer, 0, 40, stream, sequence);
        final MessageClaim claim = new MessageClaim();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "stream " + stream);
        boolean isSent = false;
        while (!isSent && isRunning)
        {
            if (isClaim)
            {
                isSent = from.tryClaim(dest, sequence, 40, claim) >= 0;
                if (isSent)
                {
                    claim.putBytes(buffer, 0);
                    claim.commit();
                }
            }
            else
            {
                isSent = from.offer(dest, sequence, buffer, 0, 40) >= 0;
            }
            if (!isSent)
            {
                watchdog.idle();
            }
        }
    }

    /** However long the lane is: with too few credits only a nudge may bring more. */
    @Test
    void shouldTellTheReceiverSoonOfWantOfCredits()
    {
        try (Node node = node(Flow.STATIC, 2, 512, 1024); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useUpCredits(from, receiver);
            final SendingThread sender = local(from).outbox().sender();
            sender.beginToWait();
            int attempts = 0;
            while (!sender.isRefusedAnew() && attempts < 10_000)
            {
                assertEquals(Endpoint.NO_CREDIT, from.offer(0, 1, message, 0, 40));
                attempts++;
            }
            assertTrue(attempts <= 64, "attempts=" + attempts);
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /**
     * The credits may come at any moment: a message that is just then on its way to the ring takes those behind it along, and
     * all of the lane has to be delivered at once before it.
     */
    @Test
    void shouldStayInTheLaneForWantOfCredits()
    {
        try (Node node = node(Flow.STATIC, 2, 512, 1024); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            useUpCredits(from, receiver);
            final Peer peer = local(from).outbox().peers()[0];
            int told = 0;
            for (int attempt = 0; attempt < 4000; attempt++)
            {
                final long result = peer.lane.offer(peer.rankWord, 1, message, 0, 40);
                assertTrue(result == Endpoint.NO_CREDIT || result == LaneSender.UNCREDITED, "attempt=" + attempt);
                told += result == LaneSender.UNCREDITED ? 1 : 0;
            }
            assertTrue(told > 10, "told=" + told);
            // at long last the ring, where whatever can be damaged is looked at
            Fixtures.pollUntil("attempt by the ring", Fixtures.NOTHING, () ->
                peer.lane.offer(peer.rankWord, 1, message, 0, 40) == LaneSender.BY_RING);
            drain(receiver);
            final long sent = peer.lane.sentSlots();
            assertTrue(from.offer(0, 1, message, 0, 40) >= 0);
            assertEquals(sent + 1, peer.lane.sentSlots());
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 200})
    void shouldNotSendWhatLiesOutsideABufferThatWasWrappedAroundLess(final int length)
    {
        try (Node node = node(Flow.STATIC, 2, 128, 64);
            Endpoint receiver = node.open(0);
            Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            final long before = lane.sentSlots();
            final UnsafeBuffer shrinking = new UnsafeBuffer(new byte[length]);
            final MessageBatch batch = new MessageBatch(3);
            assertTrue(batch.add(1, message, 0, 40));
            assertTrue(batch.add(2, shrinking, 0, length));
            assertTrue(batch.add(3, message, 0, 40));
            shrinking.wrap(new byte[length - 1]);
            assertThrows(IndexOutOfBoundsException.class, () -> from.offer(0, batch));
            assertTrue(lane.sentSlots() > before, "the lane was not used");
            assertTrue(from.offer(0, 4, message, 0, 40) >= 0);
            final List<Integer> tags = new ArrayList<>();
            Fixtures.pollUntil("the message behind it", (source, tag, buffer, offset, count) -> tags.add(tag),
                () -> tags.contains(4), receiver);
            assertEquals(List.of(1, 4), tags);
            drain(receiver);
            assertBalanced(receiver);
        }
    }

    /** The turns of a busy lane are short while another one is quiet, and long beside one that is as busy. */
    @ParameterizedTest
    @CsvSource({"1,3", "40,16"})
    void shouldTakeShortTurnsBesideSomebodyQuiet(final int messages, final int turn)
    {
        try (Node node = node(Flow.STATIC, 3, 128, 64);
            Endpoint receiver = node.open(0);
            Endpoint busy = node.open(1);
            Endpoint other = node.open(2))
        {
            for (final Endpoint from : new Endpoint[]{busy, other})
            {
                useLane(from, receiver);
            }
            final List<Integer> sources = new ArrayList<>();
            final MessageListener handler = (source, tag, buffer, offset, length) -> sources.add(source);
            for (int round = 0; round < 3; round++)
            {
                drain(receiver);
                sendMany(busy, 60);
                sendMany(other, messages);
                sources.clear();
                if (messages > 1)
                {
                    // both have more than one turn behind them and before them; the first of each comes alone
                    while (sources.size() < 8)
                    {
                        receiver.poll(handler, 8 - sources.size());
                    }
                }
                sources.clear();
                receiver.poll(handler, 40);
                final int found = messages == 1 ? sources.indexOf(2) : longestTurn(sources);
                assertTrue(found >= 0 && found <= turn && (found == turn || messages == 1), () -> "sources=" + sources);
            }
        }
    }

    @Test
    void shouldTakeShortTurnsAlsoIfTheQuietOnesMessageWasTheLastOfAPoll()
    {
        try (Node node = node(Flow.STATIC, 3, 128, 64);
            Endpoint receiver = node.open(0);
            Endpoint busy = node.open(1);
            Endpoint quiet = node.open(2))
        {
            useLane(busy, receiver);
            useLane(quiet, receiver);
            drain(receiver);
            sendMany(quiet, 1);
            drain(receiver);
            final List<Integer> sources = new ArrayList<>();
            final MessageListener handler = (source, tag, buffer, offset, length) -> sources.add(source);
            sendMany(busy, 60);
            assertEquals(1, receiver.poll(handler, 1));
            sendMany(quiet, 1);
            sources.clear();
            assertEquals(1, receiver.poll(handler, 1));
            assertEquals(List.of(2), sources, "its turn comes behind that of the other lane");
            sendMany(quiet, 1);
            sources.clear();
            receiver.poll(handler, 30);
            assertTrue(sources.contains(2) && sources.indexOf(2) <= 3, () -> "sources=" + sources);
        }
    }

    private static int longestTurn(final List<Integer> sources)
    {
        int longest = 1;
        int length = 1;
        for (int i = 1; i < sources.size(); i++)
        {
            length = sources.get(i).equals(sources.get(i - 1)) ? length + 1 : 1;
            longest = Math.max(longest, length);
        }
        return longest;
    }

    private void sendMany(final Endpoint from, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            assertTrue(from.offer(0, 1, message, 0, 40) >= 0);
        }
    }

    private void useUpCredits(final Endpoint from, final Endpoint receiver)
    {
        useLane(from, receiver);
        final Peer peer = local(from).outbox().peers()[0];
        Fixtures.pollUntil("all credits used", Fixtures.NOTHING, () ->
            from.offer(0, 1, message, 0, 40) == Endpoint.NO_CREDIT && peer.lane != null && !peer.hasCredits());
    }

    @Test
    void shouldMoveLanesToThoseWhoSendNow()
    {
        final int senders = 7;
        try (Node node = node(Flow.DYNAMIC, senders + 1, 64, 0); Endpoint receiver = node.open(0))
        {
            final Endpoint[] from = new Endpoint[senders];
            for (int i = 0; i < senders; i++)
            {
                from[i] = node.open(1 + i);
            }
            // by turns: one that comes later finds all lanes with others, which neither send nor poll any more
            for (int round = 0; round < 3; round++)
            {
                for (final Endpoint hot : from)
                {
                    earnLane(hot, receiver);
                    drain(receiver);
                    assertNotNull(lane(hot, 0));
                    // a thread that ends a lane says so to the receiver before it lets go of it, and may be another one
                    Watchdog.await("no more lanes held than there are", () -> lanesHeld(from) <= 4);
                }
            }
            assertBalanced(receiver);
        }
    }

    private static int lanesHeld(final Endpoint[] from)
    {
        int count = 0;
        for (final Endpoint endpoint : from)
        {
            count += lane(endpoint, 0) == null ? 0 : 1;
        }
        return count;
    }

    @Test
    void shouldKeepOrderWhileManyHotSendersTakeEachOthersLanes() throws InterruptedException
    {
        final int senders = 6;
        final int messages = 20_000;
        try (Node node = node(Flow.DYNAMIC, senders + 1, 64, 8); Endpoint receiver = node.open(0))
        {
            final Checker checker = new Checker(senders);
            final AtomicInteger running = new AtomicInteger(senders);
            final List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < senders; i++)
            {
                final int stream = i;
                final Endpoint from = node.open(1 + i);
                threads.add(guarded("stream " + i, () ->
                {
                    try
                    {
                        send(from, 0, stream, messages, 500);
                    }
                    finally
                    {
                        running.decrementAndGet();
                    }
                }));
            }
            pollAll(receiver, checker, running);
            for (final Thread thread : threads)
            {
                join(thread);
            }
            assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
            for (final long next : checker.next)
            {
                assertEquals(messages, next);
            }
            assertBalanced(receiver);
        }
    }

    @Test
    void shouldPassAnAbortedClaimBehindWhatItsSenderHadSentByItsLane()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 128, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LaneSender lane = useLane(from, receiver);
            final long before = lane.sentSlots();
            final int messages = 8;
            for (int i = 0; i < messages; i++)
            {
                assertTrue(from.offer(0, 1, message, 0, 40) >= 0);
            }
            assertTrue(lane.sentSlots() > before, "they went by the lane");
            final MessageClaim claim = new MessageClaim();
            // longer than a run of the lane
            assertTrue(from.tryClaim(0, 1, Endpoint.MAX_RUN_LENGTH, claim) >= 0);
            claim.abort();
            final UnsafeBuffer mailbox = local(receiver).mailbox().buffer();
            final long read = mailbox.getLongVolatile(MailboxDescriptor.READ_POSITION_OFFSET);
            final int[] count = new int[1];
            // the ring and the lane take turns at being asked first
            Fixtures.pollUntil("messages of the lane", Fixtures.NOTHING, () ->
            {
                receiver.poll((source, tag, buffer, offset, length) -> count[0]++, 1);
                assertTrue(count[0] == messages || mailbox.getLongVolatile(MailboxDescriptor.READ_POSITION_OFFSET) == read,
                    "passed behind " + count[0] + " of " + messages);
                return count[0] == messages;
            });
            drain(receiver);
            assertBalanced(receiver);
        }
    }
}
