// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** What listeners hear of ranks that come and go, and when; and what the endpoint says of a rank when it is asked. */
class MembershipListenerTest
{
    private static final int RANKS = 3;
    private static final int LENGTH = 100;

    /** Writes down what it hears, and on which thread. */
    private static final class Log implements MembershipListener
    {
        final List<String> lines = new ArrayList<>();
        final List<Thread> threads = new ArrayList<>();
        final int[] open = new int[RANKS];

        @Override
        public void onOpen(final int rank, final int incarnation)
        {
            assertEquals(0, open[rank], "open twice");
            open[rank] = incarnation;
            add("open " + rank + "/" + incarnation);
        }

        @Override
        public void onGone(final int rank, final int incarnation)
        {
            assertEquals(incarnation, open[rank], "gone without having been open");
            open[rank] = 0;
            add("gone " + rank + "/" + incarnation);
        }

        void add(final String line)
        {
            lines.add(line);
            threads.add(Thread.currentThread());
        }
    }

    @TempDir
    private Path directory;

    private final Log log = new Log();
    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);

    private NodeContext context()
    {
        return Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, 16).errorHandler(errors::add);
    }

    private void pollUntil(final Endpoint endpoint, final String... expected)
    {
        Fixtures.pollUntil("membership " + List.of(expected), Fixtures.NOTHING,
            () -> log.lines.size() >= expected.length, endpoint);
        assertEquals(List.of(expected), log.lines);
    }

    private static void assertState(final RankState state, final int incarnation, final Endpoint asked, final int rank)
    {
        final long word = asked.rankState(rank);
        assertSame(state, RankState.of(word));
        assertEquals(incarnation, RankState.incarnation(word));
    }

    @Test
    void shouldTellWhoIsThereAndThenWhoComesAndGoes()
    {
        try (Node node = Node.launch(context()); Endpoint receiver = node.open(0))
        {
            final Node other = Node.launch(context());
            final Endpoint there = other.open(2);
            receiver.addMembershipListener(log);
            assertEquals(List.of(), log.lines);
            pollUntil(receiver, "open 2/1");
            final Endpoint comes = node.open(1);
            pollUntil(receiver, "open 2/1", "open 1/1");
            comes.close();
            pollUntil(receiver, "open 2/1", "open 1/1", "gone 1/1");
            node.open(1);
            pollUntil(receiver, "open 2/1", "open 1/1", "gone 1/1", "open 1/2");
            other.close();
            pollUntil(receiver, "open 2/1", "open 1/1", "gone 1/1", "open 1/2", "gone 2/1");
            assertTrue(there.isClosed());
            // a late one hears what is, not what was
            final Log late = new Log();
            receiver.addMembershipListener(late);
            Fixtures.pollUntil("told", Fixtures.NOTHING, () -> !late.lines.isEmpty(), receiver);
            assertEquals(List.of("open 1/2"), late.lines);
            assertTrue(receiver.removeMembershipListener(late));
            assertFalse(receiver.removeMembershipListener(late));
        }
        assertEquals(5, log.lines.size());
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTellOfASenderBeforeItsFirstMessageAndAfterItsLast()
    {
        try (Node node = Node.launch(context()); Endpoint receiver = node.open(0))
        {
            receiver.addMembershipListener(log);
            receiver.poll(Fixtures.NOTHING, 10);
            final Endpoint sender = node.open(1);
            // for so many slots it has credits from the start
            for (int i = 0; i < 2; i++)
            {
                assertTrue(sender.offer(0, i, message, 0, Long.BYTES) >= 0);
            }
            sender.close();
            Fixtures.pollUntil("gone", (source, tag, buffer, offset, length) -> log.add("message " + tag),
                () -> log.lines.contains("gone 1/1"), receiver);
            assertEquals(List.of("open 1/1", "message 0", "message 1", "gone 1/1"), log.lines);
        }
        assertEquals(List.of(), errors);
    }

    /** Any order of opening, sending, closing and polling: each message lies within its incarnation. */
    @ParameterizedTest
    @EnumSource(CreditReturn.class)
    void shouldTellInOrderAndLoseNothing(final CreditReturn creditReturn)
    {
        final long seed = Fixtures.seed();
        final Random random = new Random(seed);
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, creditReturn, RANKS, 16).checkInvariants(true));
            Endpoint receiver = node.open(0))
        {
            receiver.addMembershipListener(log);
            final MessageListener handler = (source, tag, buffer, offset, length) ->
                assertEquals(tag, log.open[source], () -> "seed=" + seed + ", " + log.lines);
            final Endpoint[] others = new Endpoint[RANKS];
            final int[] last = new int[RANKS];
            for (int i = 0; i < 3_000; i++)
            {
                final int rank = 1 + random.nextInt(RANKS - 1);
                final int what = random.nextInt(8);
                if (others[rank] == null)
                {
                    others[rank] = node.open(rank);
                }
                else if (what == 0)
                {
                    last[rank] = others[rank].epoch();
                    others[rank].close();
                    others[rank] = null;
                }
                else if (what < 5)
                {
                    others[rank].offer(0, others[rank].epoch(), message, 0, random.nextInt(LENGTH));
                }
                if (random.nextInt(4) == 0)
                {
                    receiver.poll(handler, 1 + random.nextInt(8));
                }
            }
            for (int rank = 1; rank < RANKS; rank++)
            {
                final int own = rank;
                final int expected = others[rank] == null ? 0 : others[rank].epoch();
                Fixtures.pollUntil("rank " + rank + " as it is, seed=" + seed, handler,
                    () -> log.open[own] == expected, receiver);
                assertTrue(last[rank] > 0);
            }
        }
    }

    @Test
    void shouldTellThatAProcessWasKilled()
    {
        try (Node node = Node.launch(context()); Endpoint receiver = node.open(0))
        {
            receiver.addMembershipListener(log);
            final List<String> expected = new ArrayList<>();
            for (int incarnation = 1; incarnation <= 2; incarnation++)
            {
                try (ForkedJvm child = RankProcess.start(directory, Flow.DYNAMIC, CreditReturn.DIRECT, RANKS, 16, 1, 1))
                {
                    assertEquals("ready", child.readLine());
                    expected.add("open 1/" + incarnation);
                    pollUntil(receiver, expected.toArray(new String[0]));
                    assertState(RankState.OPEN, incarnation, receiver, 1);
                    assertTrue(receiver.isSameNode(1));
                    assertFalse(receiver.isSameProcess(1));
                    child.kill();
                    expected.add("gone 1/" + incarnation);
                    pollUntil(receiver, expected.toArray(new String[0]));
                    assertState(RankState.GONE, incarnation, receiver, 1);
                }
            }
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTellOfRanksOfOtherNodes()
    {
        final IdleTransport transport = new IdleTransport();
        try (Node node = Node.launch(context().transport(transport).transportSettings(new TransportSettings().thread(false)));
            Endpoint receiver = node.open(0))
        {
            receiver.addMembershipListener(log);
            transport.port().pollRanks(transport);
            assertState(RankState.NEVER, 0, receiver, IdleTransport.FAR);
            transport.port().openPeer(IdleTransport.FAR, 7, transport);
            transport.port().pollRanks(transport);
            pollUntil(receiver, "open 2/1");
            assertState(RankState.OPEN, 1, receiver, IdleTransport.FAR);
            assertFalse(receiver.isSameNode(IdleTransport.FAR));
            assertFalse(receiver.isSameProcess(IdleTransport.FAR));
            assertNull(receiver.processOf(IdleTransport.FAR));
            assertTrue(receiver.isSameNode(1));
            transport.port().closePeer(IdleTransport.FAR, transport);
            transport.port().pollRanks(transport);
            pollUntil(receiver, "open 2/1", "gone 2/1");
            assertState(RankState.GONE, 1, receiver, IdleTransport.FAR);
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldSayWhatIsKnownOfARank()
    {
        try (Node node = Node.launch(context()); Node other = Node.launch(context()); Endpoint asked = node.open(0))
        {
            assertState(RankState.OPEN, 1, asked, 0);
            assertTrue(asked.isSameProcess(0));
            assertEquals(ProcessHandle.current().pid(), asked.processOf(0).pid());
            assertNull(asked.processOf(1));
            assertState(RankState.NEVER, 0, asked, 1);
            assertFalse(asked.isSameProcess(1));
            assertTrue(asked.isSameNode(1));
            try (Endpoint there = other.open(1))
            {
                assertState(RankState.OPEN, 1, asked, 1);
                // another launch of the node counts as another process
                assertFalse(asked.isSameProcess(1));
                assertTrue(there.isSameProcess(1));
                assertEquals(ProcessHandle.current().pid(), asked.processOf(1).pid());
            }
            assertState(RankState.CLOSED, 1, asked, 1);
            for (final int rank : new int[]{-1, RANKS})
            {
                assertThrows(IllegalArgumentException.class, () -> asked.rankState(rank));
                assertThrows(IllegalArgumentException.class, () -> asked.isSameNode(rank));
                assertThrows(IllegalArgumentException.class, () -> asked.isSameProcess(rank));
                assertThrows(IllegalArgumentException.class, () -> asked.processOf(rank));
            }
        }
        assertSame(RankState.GONE, RankState.of(1L << 32 | 99));
        assertSame(RankState.GONE, RankState.of(1L << 32 | 0x8000_0000L));
    }

    @Test
    void shouldWakeAThreadThatIsParkedAndCallTheListenerThere() throws InterruptedException
    {
        try (Node node = Node.launch(context()); Endpoint receiver = node.open(0); Endpoint there = node.open(1))
        {
            final Thread poller = new Thread(() ->
            {
                final DeadlineIdleStrategy idle = receiver.newIdleStrategy();
                while (log.lines.isEmpty())
                {
                    idle.idle(receiver.poll(Fixtures.NOTHING, 10), DeadlineIdleStrategy.NO_DEADLINE);
                }
            }, "poller");
            poller.start();
            receiver.addMembershipListener(log);
            poller.join();
            assertEquals(List.of("open 1/1"), log.lines);
            assertEquals(List.of(poller), log.threads);
            assertFalse(there.isClosed());
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldTellAllWhateverOneThrows()
    {
        try (Node node = Node.launch(context()); Endpoint receiver = node.open(0))
        {
            final Endpoint there = node.open(1);
            final IllegalStateException thrown = new IllegalStateException("listener");
            receiver.addMembershipListener(new MembershipListener()
            {
                @Override
                public void onOpen(final int rank, final int incarnation)
                {
                    assertThrows(IllegalStateException.class, () -> receiver.poll(Fixtures.NOTHING, 1));
                    assertTrue(receiver.offer(1, 1, message, 0, LENGTH) >= 0);
                    assertTrue(receiver.removeMembershipListener(this));
                    throw thrown;
                }

                @Override
                public void onGone(final int rank, final int incarnation)
                {
                    throw new AssertionError("it was taken out");
                }
            });
            receiver.addMembershipListener(log);
            pollUntil(receiver, "open 1/1");
            assertEquals(List.of(thrown), errors);
            there.close();
            pollUntil(receiver, "open 1/1", "gone 1/1");
        }
        assertEquals(1, errors.size());
    }

    @Test
    void shouldDeliverNothingMoreIfAListenerClosesTheEndpoint()
    {
        try (Node node = Node.launch(context()); Endpoint sender = node.open(1))
        {
            final Endpoint receiver = node.open(0);
            receiver.addMembershipListener(new MembershipListener()
            {
                @Override
                public void onOpen(final int rank, final int incarnation)
                {
                    receiver.close();
                }

                @Override
                public void onGone(final int rank, final int incarnation)
                {
                    throw new AssertionError("closed");
                }
            });
            assertTrue(sender.offer(0, 1, message, 0, LENGTH) >= 0);
            receiver.poll((source, tag, buffer, offset, length) -> errors.add(new AssertionError("delivered")), 10);
            assertEquals(Endpoint.CLOSED, receiver.poll(Fixtures.NOTHING, 10));
        }
        assertEquals(List.of(), errors);
    }
}
