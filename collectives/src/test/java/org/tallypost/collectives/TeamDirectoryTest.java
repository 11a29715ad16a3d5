// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Teams with names: ranks of one process. */
@Tag("once")
class TeamDirectoryTest
{
    private static final int RANKS = 4;
    private static final long LONG_NS = 3_600_000_000_000L;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    /** What ranks have done, where that is much. */
    private final AtomicLong done = new AtomicLong();
    private final AtomicReferenceArray<Team> made = new AtomicReferenceArray<>(RANKS);
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final Collectives[] collectives = new Collectives[RANKS];
    private Node node;

    @BeforeEach
    void launch()
    {
        node = Node.launch(CollectivesTest.context(directory, RANKS));
        for (int rank = 0; rank < RANKS; rank++)
        {
            endpoints[rank] = node.open(rank);
            collectives[rank] = Collectives.attach(node, endpoints[rank], new CollectivesContext());
        }
    }

    @AfterEach
    void close()
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            collectives[rank].close();
            endpoints[rank].close();
        }
        node.close();
        assertFalse(directory.resolve("node").toFile().exists(), "nothing is left behind");
    }

    private TeamDirectory of(final int rank)
    {
        return collectives[rank].directory();
    }

    /** Each of some ranks in a thread of its own. */
    private void run(final IntConsumer body, final int... ranks) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final int rank : ranks)
        {
            final Thread thread = new Thread(() ->
            {
                try
                {
                    body.accept(rank);
                }
                catch (final Throwable t)
                {
                    failure.compareAndSet(null, t);
                    endpoints[rank].close();
                }
            }, "rank " + rank);
            threads.add(thread);
            thread.start();
        }
        Watchdog.awaitEnds(threads, failure, done::get);
    }

    private static long deadline()
    {
        return System.nanoTime() + LONG_NS;
    }

    @Test
    void shouldGiveTheLowestFreeNumber()
    {
        assertFalse(of(0).exists("crew"));
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(0).join("crew"));
        assertEquals(0, of(2).create("crew"));
        assertEquals(TeamDirectory.EXISTS, of(0).create("crew"));
        assertEquals(1, of(0).join("crew"));
        assertEquals(2, of(1).join("crew"));
        assertThrows(IllegalStateException.class, () -> of(1).join("crew"));
        assertEquals(3, of(3).size("crew"));
        assertEquals(2, of(3).rankOf("crew", 0));
        assertEquals(1, of(3).memberOf("crew", 0));
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(3).memberOf("crew", 3));
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(3).rankOf("crew", 3));
        assertEquals(0, of(0).leave("crew"));
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(0).leave("crew"));
        assertEquals(1, of(3).join("crew"));
        endpoints[2].close();
        assertEquals(2, of(1).size("crew"), "the name of a member goes with its rank");
        assertEquals(0, of(0).join("crew"));
        assertEquals(0, of(1).leave("crew"));
        assertEquals(0, of(3).leave("crew"));
        assertEquals(0, of(0).leave("crew"));
        assertFalse(of(0).exists("crew"), "the last one takes it with it");
        assertEquals(0, of(0).create("other"));
        assertFalse(of(0).exists("crew"));
    }

    /** All create the same team at once: one has made it, and the others are not in it. */
    @Test
    void shouldHaveOneThatCreates() throws InterruptedException
    {
        final CyclicBarrier together = new CyclicBarrier(RANKS);
        final AtomicInteger makers = new AtomicInteger();
        run((rank) ->
        {
            for (int round = 1; round <= 300; round++)
            {
                meet(together);
                final long created = of(rank).create("crew");
                makers.addAndGet(created == 0 ? 1 : 0);
                assertEquals(created == 0 ? 0 : TeamDirectory.NO_SUCH_TEAM, of(rank).memberOf("crew", rank));
                assertTrue(created == 0 || created == TeamDirectory.EXISTS);
                meet(together);
                assertEquals(round, makers.get());
                assertEquals(1, of(rank).size("crew"));
                meet(together);
                of(rank).leave("crew");
            }
        }, 0, 1, 2, 3);
    }

    private static void meet(final CyclicBarrier together)
    {
        try
        {
            together.await(Watchdog.DEFAULT_LIMIT.toNanos(), TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException | BrokenBarrierException | TimeoutException ex)
        {
            throw new AssertionError(ex);
        }
    }

    private void freeze(final int rank, final int size)
    {
        assertTrue(of(rank).freeze("crew", size, deadline(), (team) -> made.set(rank, team)) >= 0);
        use(rank);
    }

    private void use(final int rank)
    {
        final Team team = made.get(rank);
        final UnsafeBuffer sum = new UnsafeBuffer(new byte[8]);
        sum.putLong(0, 1L << 8 * rank);
        assertTrue(team.calls().allReduce(ElementType.LONG, Reducers.SUM, sum, 0, sum, 0, 1) >= 0);
        long expected = 0;
        for (int i = 0; i < team.size(); i++)
        {
            expected += 1L << 8 * team.rankOf(i);
        }
        assertEquals(expected, sum.getLong(0));
        assertTrue(team.barrier() >= 0);
    }

    /** Some join only while others wait already. */
    @Test
    void shouldFreeze() throws InterruptedException
    {
        assertEquals(0, of(3).create("crew"));
        run((rank) ->
        {
            if (rank != 3)
            {
                assertTrue(of(rank).join("crew") > 0);
            }
            freeze(rank, 3);
        }, 3, 0, 2);
        assertEquals(3, made.get(0).size());
        assertEquals(3, made.get(0).rankOf(0), "in the order of the numbers");
        assertEquals(TeamDirectory.FROZEN, of(1).join("crew"));
        assertEquals(3, of(1).size("crew"));
        // and again, without one that has left
        assertEquals(0, of(0).leave("crew"));
        run((rank) -> freeze(rank, 2), 3, 2);
        assertEquals(2, made.get(2).size());
        assertTrue(made.get(2).view() > made.get(0).view());
    }

    /** A rank that joins is one of those that are frozen, or is told so: it never takes back what another has counted on. */
    @Test
    void shouldFreezeWithTheLastThatJoins() throws InterruptedException
    {
        final CyclicBarrier together = new CyclicBarrier(RANKS);
        final int rounds = 80;
        run((rank) ->
        {
            for (int round = 0; round < rounds; round++)
            {
                done.incrementAndGet();
                if (rank == round % RANKS)
                {
                    assertEquals(0, of(rank).create("crew"));
                }
                meet(together);
                if (rank != round % RANKS)
                {
                    final long member = of(rank).join("crew");
                    assertTrue(member > 0, "round " + round + ", rank " + rank + ": " + member);
                }
                final String crew = "round " + round + ", rank " + rank;
                assertTrue(of(rank).freeze("crew", RANKS, deadline(), (team) -> made.set(rank, team)) >= 0, crew);
                assertEquals(RANKS, made.get(rank).size(), crew);
                assertTrue(made.get(rank).barrier() >= 0, crew);
                made.get(rank).close();
                meet(together);
                assertEquals(0, of(rank).leave("crew"));
                meet(together);
            }
        }, 0, 1, 2, 3);
    }

    /** A team of the same name is made when all have left, and frozen beside the former one and what was made of that. */
    @Test
    void shouldFreezeBesideAFormerTeam() throws InterruptedException
    {
        run((rank) ->
        {
            for (int round = 0; round < 3; round++)
            {
                assertEquals(0, of(rank).create("crew"));
                freeze(rank, 1);
                assertEquals(0, made.get(rank).shrink((shrunk) -> assertTrue(shrunk.barrier() >= 0)));
                freeze(rank, 1);
                assertEquals(0, of(rank).leave("crew"));
            }
        }, 1);
    }

    /** Whether one that does not wait goes before all have come, or is in the team: all know the same. */
    @RepeatedTest(20)
    void shouldFreezeWithoutThoseThatGo() throws InterruptedException
    {
        assertEquals(0, of(0).create("crew"));
        for (int rank = 1; rank < RANKS; rank++)
        {
            assertEquals(rank, of(rank).join("crew"));
        }
        final boolean[] hasGone = new boolean[RANKS];
        run((rank) ->
        {
            if (rank > 1)
            {
                freeze(rank, 2);
                return;
            }
            final long result = of(rank).freeze("crew", 2, System.nanoTime(), (team) -> made.set(rank, team));
            hasGone[rank] = result == Team.TIMED_OUT;
            assertEquals(hasGone[rank] ? Team.TIMED_OUT : rank, result);
            if (!hasGone[rank])
            {
                use(rank);
            }
            else if (rank == 0)
            {
                assertEquals(0, of(0).leave("crew"));
            }
            else
            {
                endpoints[1].close();
            }
        }, 0, 1, 2, 3);
        final String expected = IntStream.range(0, RANKS).filter((rank) -> !hasGone[rank]).boxed().toList().toString();
        for (int rank = 0; rank < RANKS; rank++)
        {
            assertTrue(hasGone[rank] || made.get(rank).ranks().toString().equals(expected), "rank " + rank + ": " + made);
        }
    }

    @Test
    void shouldSendToAllFromOutside()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(1).multicast("crew", 5, message, 0, 8, deadline()));
        assertEquals(0, of(0).create("crew"));
        assertEquals(1, of(2).join("crew"));
        assertEquals(2, of(1).multicast("crew", 5, message, 0, 8, deadline()));
        assertEquals(1, of(2).multicast("crew", 6, message, 0, 8, deadline()), "not to itself");
        final StringBuilder got = new StringBuilder();
        Watchdog.await("messages", () ->
        {
            endpoints[0].poll((source, tag, buffer, offset, length) -> got.append(source).append(tag).append(' '), 10);
            return got.length() == 6;
        });
        assertEquals("15 26 ", got.toString());
        Watchdog.await("message", () -> endpoints[2].poll((source, tag, buffer, offset, length) -> {}, 10) == 1);
    }

    @Test
    void shouldRefuseMisuse()
    {
        assertThrows(IllegalArgumentException.class, () -> of(0).create(""));
        assertThrows(IllegalArgumentException.class, () -> of(0).join("x".repeat(81)));
        assertThrows(IllegalArgumentException.class, () -> of(0).exists(null));
        assertThrows(IllegalArgumentException.class, () -> of(0).freeze("crew", 0, deadline(), (team) -> {}));
        assertThrows(IllegalArgumentException.class,
            () -> of(0).multicast("crew", 5, new UnsafeBuffer(new byte[8]), 0, Endpoint.MAX_RUN_LENGTH + 1, deadline()));
        collectives[0].close();
        assertThrows(IllegalStateException.class, () -> of(0));
    }
}
